import { gatherRecords, newSlab, partsOf } from '../../record';
import { NeighbourRecords, Slab, type RecordsColumn } from '../core/records-column';

/** The same records in memory of their own: the slabs that they lay in may go. */
export function compactRecords(records: RecordsColumn): NeighbourRecords {
  const { places } = records;
  const { source } = partsOf(gatherRecords(records, places, (bytes) => newSlab(bytes, '<buffer>')));
  const slab = new Slab(source, (frame) => places.valid(frame));
  return new NeighbourRecords(records.form, slab, 0, records.length);
}
