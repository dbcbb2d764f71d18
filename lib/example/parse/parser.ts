/** Native parsers, one for each plan; and parsing of single records without an array for each column. */
import { callNative } from '../../base';
import { native, type ParserHandle } from '../../native';
import { isInherited, newRow, setFeature, storeFeature, type Int64As } from '../../tensor';
import { RowBlock, scalarOf } from '../columns/row-block';
import { specError, type BlockReader, type ElementValue } from '../kinds';
import type { Plan } from './plan';

const idle: Record<Int64As, WeakMap<Plan, ParserHandle>> = { bigint: new WeakMap(), number: new WeakMap() };

/**
 * Checks padding that `int64: 'number'` would round, because it belongs to no record. (A default of `fixedLen` is
 * checked with the record that uses it.) @throws TFRecordError TFR_SPEC
 */
export function checkPadding({ features }: Plan, int64: Int64As): void {
  if (int64 === 'bigint') return;
  for (const { name, definition } of features) {
    const padding = definition.padding();
    if (typeof padding !== 'bigint' || Number.isSafeInteger(Number(padding))) continue;
    const [expected, found] = ['integers within ±(2^53 - 1)', String(padding)];
    const what = `int64: "number" asks for ${expected}, and its default is ${found}: int64: "bigint" takes all`;
    throw specError(what, { feature: name, expected, found });
  }
}

/** Returns a new parser for `plan`. @throws TFRecordError TFR_SPEC, like {@link checkPadding} */
export function newParser(plan: Plan, int64: Int64As): ParserHandle {
  checkPadding(plan, int64);
  return callNative('<bytes>', () => native().parserNew(plan.columns, plan.sequenceExample, int64 === 'number'));
}

/** Returns a parser for `plan`. Call {@link giveBackParser} after use. */
export function takeParser(plan: Plan, int64: Int64As): ParserHandle {
  const parser = idle[int64].get(plan) ?? newParser(plan, int64);
  idle[int64].delete(plan);
  return parser;
}

/** Keeps one parser of each plan for reuse. */
export function giveBackParser(plan: Plan, int64: Int64As, parser: ParserHandle): void {
  idle[int64].set(plan, parser);
}

/** Calls `use` with a parser for `plan`; a nested call gets another one. */
export function withParser<T>(plan: Plan, int64: Int64As, use: (parser: ParserHandle) => T): T {
  const parser = takeParser(plan, int64);
  try {
    return use(parser);
  } finally {
    giveBackParser(plan, int64, parser);
  }
}

// Local constants, because names imported through index.ts are getters, which cost a tenth of the time of a row.
const [make, store] = [newRow, storeFeature];

interface NamedReader {
  readonly name: string;
  /** True if every object inherits a property of that name. */
  readonly inherited: boolean;
  readonly read: BlockReader;
  /** Position of a scalar's value in the block. */
  readonly place: number;
}

interface RowParser {
  readonly block: RowBlock;
  readonly parse: (record: Uint8Array, block: Uint8Array) => boolean;
  readonly readers: readonly NamedReader[];
}

const parsers: Record<Int64As, WeakMap<Plan, RowParser | 'none'>> = { bigint: new WeakMap(), number: new WeakMap() };

/** Returns the element of `record`; undefined if the parser of batches must parse it, or find its fault. */
export function parseRow(record: Uint8Array, plan: Plan, int64: Int64As): Record<string, ElementValue> | undefined {
  const found = parsers[int64].get(plan) ?? newRowParser(plan, int64);
  if (found === 'none' || !found.parse(record, found.block.bytes)) return undefined;
  const { block, readers } = found;
  const element = make() as Record<string, ElementValue>;
  for (let i = 0; i < readers.length; i++) {
    const { name, inherited, read, place } = readers[i]!;
    const value = typeof read === 'function' ? read(block) : scalarOf(block, read, place);
    if (value === undefined) return undefined;
    if (inherited) setFeature(element, name, value);
    else store(element, i, name, value);
  }
  return element;
}

function newRowParser(plan: Plan, int64: Int64As): RowParser | 'none' {
  const readers: NamedReader[] = [];
  for (const feature of plan.features) {
    const { name, definition, columns } = feature;
    const entry = 2 * columns[0]!;
    const read = definition.blockReader(entry, int64);
    if (read !== undefined) readers.push({ name, inherited: isInherited(name), read, place: entry + 1 });
  }
  let made: RowParser | 'none' = 'none';
  if (readers.length === plan.features.length) {
    const block = new RowBlock();
    made = { block, parse: native().parserRow(newParser(plan, int64)), readers };
  }
  parsers[int64].set(plan, made);
  return made;
}
