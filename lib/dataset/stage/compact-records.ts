import { gatherRecords, newSlab, partsOf, type SlabPool } from '../../record';
import { NeighbourRecords, Slab, type RecordsColumn } from '../core/records-column';

/** The same records in memory of their own: they leave the slabs that they lay in. `pool`: see `Run.slabs`. */
export function compactRecords(records: RecordsColumn, pool: SlabPool | undefined): NeighbourRecords {
  const { places } = records;
  const batch = gatherRecords(records, places, (bytes) => pool?.take(bytes) ?? newSlab(bytes, '<buffer>'));
  records.leave();
  const slab = new Slab(partsOf(batch).source, (frame) => places.valid(frame), pool);
  return new NeighbourRecords(records.form, slab, 0, records.length);
}
