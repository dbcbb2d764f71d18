import { frameRecord, gatherRecords, newBatch, newSlab, type Bytes, type RecordBatch } from '../../record';
import { NeighbourRecords, type RecordForm, type RecordsColumn } from '../core/records-column';

/** Records as their bytes; many of them as a RecordBatch. */
export const RAW: RecordForm = {
  elements: (records) => ({ at: (index): Bytes => frameRecord(records.slab(index).source, records.frame(index)) }),
  batch: (records) => batchOf(records, (bytes) => newSlab(bytes, '<gathered>')),
  copies: (records) => !(records instanceof NeighbourRecords),
};

/** The batch of `records`: neighbours are not copied, others to what `memory` gives for their bytes. */
export function batchOf(records: RecordsColumn, memory: (bytes: number) => Bytes): RecordBatch {
  if (!(records instanceof NeighbourRecords)) return gatherRecords(records, records.places, memory);
  const begin = records.frame(0);
  return newBatch(records.slab().source, begin, begin + records.length);
}
