/** Parses single Examples, without an array for each column. */
import { native } from '../../native';
import { isInherited, newRow, setFeature, storeFeature, type Int64As } from '../../tensor';
import { RowBlock, scalarOf } from '../columns/row-block';
import type { BlockReader, ElementValue } from '../kinds';
import { composeElement } from './compose';
import { noteRecord } from './note-type';
import { parseRecords } from './parse-records';
import { newParser } from './parser';
import type { Plan } from './plan';

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

/** Parses the Examples of one plan, one at a time. */
export interface RowParser {
  /** Memory for the values of one record. All are read before any code of users can run. */
  readonly block: RowBlock;
  readonly parse: (record: Uint8Array, block: Uint8Array) => boolean;
  readonly readers: readonly NamedReader[];
}

const parsers: Record<Int64As, WeakMap<Plan, RowParser | 'none'>> = { bigint: new WeakMap(), number: new WeakMap() };

/**
 * Returns the parser of `plan`; 'none' if a feature can only be read from a batch. @throws TFRecordError TFR_SPEC for
 * padding
 */
export function rowParser(plan: Plan, int64: Int64As): RowParser | 'none' {
  return parsers[int64].get(plan) ?? newRowParser(plan, int64);
}

/** Returns the element of `record`; undefined if the parser of batches must parse it, or find its fault. */
export function parseRow(record: Uint8Array, parser: RowParser | 'none'): Record<string, ElementValue> | undefined {
  if (parser === 'none' || !parser.parse(record, parser.block.bytes)) return undefined;
  const { block, readers } = parser;
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

/**
 * Returns the element of `record`, a Uint8Array; `rows` is the parser of `plan`. @throws TFRecordError TFR_EXAMPLE,
 * TFR_FEATURE
 */
export function parseElement(
  record: Uint8Array,
  plan: Plan,
  int64: Int64As,
  rows: RowParser | 'none',
): Record<string, ElementValue> {
  const row = parseRow(record, rows);
  if (row === undefined) return parseRecords([record], plan, int64, composeElement);
  noteRecord(plan, record);
  return row;
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
