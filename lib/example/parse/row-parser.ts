/** One record at a time, without an array a column: native code lays the values out in a block that is read at once. */
import { native } from '../../native';
import { isInherited, newRow, setFeature, storeFeature, type Int64As } from '../../tensor';
import { RowBlock, scalarOf } from '../columns/row-block';
import type { BlockReader, ElementValue } from '../kinds';
import { newParser } from './parser';
import type { Plan } from './plan';

// A name of a door is a getter, which costs a tenth of a row's time: rows are made through constants.
const [make, store] = [newRow, storeFeature];

interface NamedReader {
  readonly name: string;
  /** True if every object inherits a property of that name. */
  readonly inherited: boolean;
  readonly read: BlockReader;
  /** Where the block tells a scalar's value. */
  readonly place: number;
}

interface RowParser {
  readonly block: RowBlock;
  readonly parse: (record: Uint8Array, block: Uint8Array) => boolean;
  readonly readers: readonly NamedReader[];
}

const parsers: Record<Int64As, WeakMap<Plan, RowParser | 'none'>> = { bigint: new WeakMap(), number: new WeakMap() };

/** The element of `record`; undefined where it takes the parser of batches, if only to say what is wrong. */
export function parseRow(record: Uint8Array, plan: Plan, int64: Int64As): Record<string, ElementValue> | undefined {
  const found = parsers[int64].get(plan) ?? newRowParser(plan, int64);
  if (found === 'none' || !found.parse(record, found.block.bytes)) return undefined;
  const { block, readers } = found;
  const element = make() as Record<string, ElementValue>;
  for (let i = 0; i < readers.length; i++) {
    const { name, inherited, read, place } = readers[i]!;
    const value = typeof read === 'function' ? read(block) : scalarOf(block, read, place);
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
