/** Finds Events, which readers of Examples accept with a warning: in a table they would be empty rows. */
import type { TFRecordError } from '../../errors';
import { foreignError, recordType } from '../../example';
import { partsOf, type RecordBatch } from '../../record';

/** The tag of the wall time, with which Events begin. */
const WALL_TIME_TAG = 0x09;

/** The first Event among the first `rows` records of `batch`, and the error about it. */
export function firstEvent(
  batch: RecordBatch,
  rows: number,
): { readonly row: number; readonly error: TFRecordError } | undefined {
  const { source, begin } = partsOf(batch);
  const { slab, frames } = source;
  for (let row = 0; row < rows; row++) {
    const frame = 2 * (begin + row);
    if (frames[frame + 1] === 0 || slab[frames[frame]!] !== WALL_TIME_TAG) continue;
    const record = batch.at(row)!;
    if (recordType(record) !== 'Event') continue;
    return { row, error: foreignError('an Example or SequenceExample', batch.origin(row)!, record) };
  }
  return undefined;
}
