/**
 * The index of indexed_gzip, `GZIDX` version 1, little-endian: a head of 35 bytes (magic, version, flags, sizes of the file
 * and of its content, least content between points, window size, number of points), 18 bytes a point, then the windows.
 */
import { bytesOf, type ForeignBytes } from './foreign-bytes';
import { WINDOW_BYTES, type RawPoint } from './inflate-points';
import type { ForeignSizes, PointList } from './point-list';

const MAGIC = 'GZIDX';
const HEAD_BYTES = 35;
const POINT_BYTES = 18;
const VERSION = 1;
const MOST_WINDOW_BYTES = 2 ** 20;

/** Sizes that an index states. */
export interface IndexedSizes {
  /** Bytes of the file. */
  readonly file: number;
  readonly content: number;
  /** Content between two points. */
  readonly spacing: number;
}

/**
 * Yields the bytes of such an index. The points are produced twice, so that only one window is in memory.
 * @throws what `points` throws
 */
export async function* toIndexedGzip(
  points: () => AsyncIterable<RawPoint>,
  { file, content, spacing }: IndexedSizes,
): AsyncGenerator<Uint8Array> {
  const places: Uint8Array[] = [];
  for await (const point of points()) places.push(place(point));
  // The program takes content after the last point for unknown.
  places.push(place({ position: file, offset: content, bits: 0, window: undefined }));
  const head = new DataView(new ArrayBuffer(HEAD_BYTES));
  for (let at = 0; at < MAGIC.length; at++) head.setUint8(at, MAGIC.charCodeAt(at));
  head.setUint8(5, VERSION);
  head.setBigUint64(7, BigInt(file), true);
  head.setBigUint64(15, BigInt(content), true);
  head.setUint32(23, spacing, true);
  head.setUint32(27, WINDOW_BYTES, true);
  head.setUint32(31, places.length, true);
  yield new Uint8Array(head.buffer);
  yield Buffer.concat(places);
  for await (const { window } of points()) if (window !== undefined) yield window;
}

function place({ position, offset, bits, window }: RawPoint): Uint8Array {
  const view = new DataView(new ArrayBuffer(POINT_BYTES));
  view.setBigUint64(0, BigInt(position), true);
  view.setBigUint64(8, BigInt(offset), true);
  view.setUint8(16, bits);
  view.setUint8(17, window === undefined ? 0 : 1);
  return new Uint8Array(view.buffer);
}

/** Adds the points of such an index to `points`. @throws TFRecordError TFR_STATE_MISMATCH if it is damaged */
export async function fromIndexedGzip(bytes: ForeignBytes, points: PointList): Promise<ForeignSizes> {
  const head = await bytes.take(HEAD_BYTES);
  const version = head.getUint8(5);
  if (version !== VERSION) throw bytes.damaged(`version ${VERSION} of GZIDX`, `version ${version}`);
  const file = bytes.number(head.getBigUint64(7, true));
  const content = bytes.number(head.getBigUint64(15, true));
  const windowBytes = head.getUint32(27, true);
  if (windowBytes < WINDOW_BYTES || windowBytes > MOST_WINDOW_BYTES) {
    throw bytes.damaged(`windows of ${WINDOW_BYTES} bytes`, `${windowBytes}`);
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
