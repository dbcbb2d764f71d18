/** Reads the index of bgzip: its form is described where it is exported. */
import type { ForeignBytes } from './foreign-bytes';
import type { ForeignSizes, PointList } from './point-list';

/** Bytes of the number of entries, and of an entry. */
export const COUNT_BYTES = 8;
export const ENTRY_BYTES = 16;

/** Adds the blocks of such an index to `points`. @throws TFRecordError TFR_STATE_MISMATCH if it is damaged */
export async function fromBgzip(bytes: ForeignBytes, points: PointList): Promise<ForeignSizes> {
  await bytes.take(COUNT_BYTES);
  while (bytes.left > 0) {
    const entry = await bytes.take(ENTRY_BYTES);
    await points.addMember(bytes.number(entry.getBigUint64(0, true)), bytes.number(entry.getBigUint64(8, true)));
  }
  return {};
}
