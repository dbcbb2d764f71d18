import { gatherRecords, newSlab, partsOf, type SlabPool } from '../../record';
import { NeighbourRecords, Slab, type RecordsColumn } from '../engine/records';

/** The same records in memory of their own: they leave the slabs that they lay in. `pool`: see `Run.slabs`. */
export function compactRecords(records: RecordsColumn, pool: SlabPool | undefined): NeighbourRecords {
  const { places } = records;
  const batch = gatherRecords(records, places, (bytes) => {
    if (pool === undefined) return newSlab(bytes, '<buffer>');
    const size = commonSize(bytes);
    return pool.take(size) ?? newSlab(size, '<buffer>');
  });
  records.leave();
  const slab = new Slab(partsOf(batch).source, (frame) => places.valid(frame), pool);
  return new NeighbourRecords(records.form, slab, 0, records.length);
}

/** `bytes` and up to a quarter more: of few sizes, so that slabs serve again. */
function commonSize(bytes: number): number {
  const step = 2 ** Math.max(0, Math.floor(Math.log2(bytes + 1)) - 2);
  return Math.ceil(bytes / step) * step;
}
