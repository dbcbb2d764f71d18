import { frameRecord, gatherRecords, newBatch, newSlab, type Bytes, type RecordBatch } from '../../record';
import { NeighbourRecords, type RecordForm, type RecordsColumn } from '../engine/records-column';

/** Records as their bytes; many of them as a RecordBatch. */
export const RAW: RecordForm = {
  elements: (records) => ({ at: (index): Bytes => frameRecord(records.slab(index).source, records.frame(index)) }),
  batch: rawBatch,
  copies: (records) => !(records instanceof NeighbourRecords),
};

/** `records` as a batch. Records that are not neighbours are copied to memory of their own. */
export function rawBatch(records: RecordsColumn): RecordBatch {
  return batchOf(records, (bytes) => newSlab(bytes, '<gathered>'));
}

/** The batch of `records`: neighbours are not copied, others to what `memory` gives for their bytes. */
export function batchOf(records: RecordsColumn, memory: (bytes: number) => Bytes): RecordBatch {
  if (!(records instanceof NeighbourRecords)) return gatherRecords(records, records.places, memory);
  const begin = records.frame(0);
  return newBatch(records.slab().source, begin, begin + records.length);
}
