/** Reads the index of indexed_gzip: its form is described where it is exported. */
import { bytesOf, type ForeignBytes } from './foreign-bytes';
import { type ForeignSizes, MOST_WINDOW, type PointList } from './point-list';

const HEAD_BYTES = 35;
const POINT_BYTES = 18;
const VERSION = 1;
const MOST_WINDOW_BYTES = 2 ** 20;

/** Adds the points of such an index to `points`. @throws TFRecordError TFR_STATE_MISMATCH if it is damaged */
export async function fromIndexedGzip(bytes: ForeignBytes, points: PointList): Promise<ForeignSizes> {
  const head = await bytes.take(HEAD_BYTES);
  const version = head.getUint8(5);
  if (version !== VERSION) throw bytes.damaged(`version ${VERSION} of GZIDX`, `version ${version}`);
  const file = bytes.number(head.getBigUint64(7, true));
  const content = bytes.number(head.getBigUint64(15, true));
  const windowBytes = head.getUint32(27, true);
  if (windowBytes < MOST_WINDOW || windowBytes > MOST_WINDOW_BYTES) {
    throw bytes.damaged(`windows of ${MOST_WINDOW} bytes`, `${windowBytes}`);
  }
  const count = head.getUint32(31, true);
  if (count * POINT_BYTES > bytes.left) throw bytes.damaged(`${count} points`, `${bytes.left} bytes`);
  const windows = bytes.from(HEAD_BYTES + count * POINT_BYTES);
  for (let at = 0; at < count; at++) {
    const point = await bytes.take(POINT_BYTES);
    const hasWindow = point.getUint8(17) !== 0;
    await points.add({
      position: bytes.number(point.getBigUint64(0, true)),
      offset: bytes.number(point.getBigUint64(8, true)),
      bits: point.getUint8(16),
      window: hasWindow ? bytesOf(await windows.take(windowBytes)) : undefined,
    });
  }
  if (windows.left > 0) throw bytes.damaged('the end of the index', `${windows.left} bytes more`);
  return { file, content };
}
