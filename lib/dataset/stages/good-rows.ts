import type { TFRecordError } from '../../errors';
import type { RecordParsing } from '../../example';
import { type ErrorPolicy, RecordBatch } from '../../record';
import { ArrayColumn, type Column } from '../engine/elements';
import { rowPlaces } from '../engine/origins';
import { NeighbourRecords, RAW, rawBatch, type RecordsColumn, recordsOf } from '../engine/records';

/** Records that are parsed together after a bad one. */
export const FEW = 8;

/** The good records of a batch that has bad ones. */
export interface GoodRows {
  /** The good records, in order; there may be none. */
  readonly records: RecordsColumn;
  /** The numbers of the good records in the batch. */
  readonly rows: readonly number[];
  /**
   * The policy's decision at the record that follows: 'stop' ends the reading, `error` is thrown. Undefined if all
   * other records were skipped.
   */
  readonly end: 'stop' | { readonly error: unknown } | undefined;
}

/**
 * The records of element `index` of `column`, which is a batch; each has its own place. `path` names the stage in
 * errors.
 */
export function recordsIn(column: Column, index: number, path: string): RecordsColumn {
  const batch = column.at(index);
  if (batch instanceof RecordBatch) return NeighbourRecords.of(RAW, batch);
  const records = batch as readonly unknown[];
  const listed = new ArrayColumn(records, rowPlaces(column.places, index, records.length));
  return recordsOf(listed, RAW, path);
}

/**
 * The good ones of `records`. The first `known` are known to be good, and the next one is bad. Asks `policy` about each
 * bad one. The work is linear: after a bad record a few records are parsed together, and twice as many each time that
 * all were good.
 */
export function goodRows(records: RecordsColumn, known: number, parsing: RecordParsing, policy: ErrorPolicy): GoodRows {
  const good = Array.from({ length: known }, (_, row) => row);
  let end: GoodRows['end'];
  let most = FEW;
  policy.passed(known);
  for (let row = known; row < records.length && end === undefined;) {
    const { rows, error } = parsing.rows(rawBatch(records.slice(row, Math.min(records.length, row + most))));
    for (let i = 0; i < rows; i++) good.push(row + i);
    policy.passed(rows);
    most = error === undefined ? 2 * most : FEW;
    row += error === undefined ? rows : rows + 1;
    if (error !== undefined) end = endOf(policy, error);
  }
  return { records: records.select(good), rows: good, end };
}

function endOf(policy: ErrorPolicy, error: TFRecordError): GoodRows['end'] {
  try {
    return policy.resolve(error) === 'stop' ? 'stop' : undefined;
  } catch (thrown) {
    return { error: thrown };
  }
}

/** True if `value` is a batch of records: a RecordBatch, or an array. */
export function isBatch(value: unknown): value is RecordBatch | readonly Uint8Array[] {
  return value instanceof RecordBatch || Array.isArray(value);
}
