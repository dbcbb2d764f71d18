import { frameRecord, gatherRecords, newBatch, type Bytes, type Origin, type RecordBatch } from '../../record';
import { NeighbourRecords, type RecordForm, type RecordsColumn } from '../core/records-column';

/** Records as their bytes; many of them as a RecordBatch. */
export const RAW: RecordForm = {
  elements: (records) => ({ at: (index): Bytes => frameRecord(records.slab(index), records.frame(index)) }),
  batch: batchOf,
};

/** The batch of `records`: neighbours are not copied. */
export function batchOf(records: RecordsColumn): RecordBatch {
  if (!(records instanceof NeighbourRecords)) {
    const { places } = records;
    return gatherRecords(records, (frame) => places.origin(frame) as Origin);
  }
  const begin = records.frame(0);
  return newBatch(records.slab(), begin, begin + records.length);
}
