/**
 * The index of gztool, `.gzi` version 0, big-endian: 8 zeros, `gzipindx`, the number of points twice, the points (offset in
 * the content, position, bits, length of the window as zlib data, that data), the size of the content. Version 1, `gzipindX`,
 * also counts lines; it is read, and not written.
 */
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';

import { bytesOf, type ForeignBytes } from './foreign-bytes';
import { WINDOW_BYTES, type RawPoint } from './inflate-points';
import type { ForeignSizes, PointList } from './point-list';

const MAGIC = 'gzipindx';
const MAGIC_BYTES = 16;
/** The last letter of the magic number of version 1, and that of version 0. */
const COUNTS_LINES = 0x58;
const NOT_COUNTED = 0x78;
const HEAD_BYTES = 32;
const POINT_BYTES = 24;
/** zlib never makes a window much longer. */
const MOST_DEFLATED = WINDOW_BYTES + 1024;

const compress = promisify<Uint8Array, Uint8Array>(deflate);

/** Yields the bytes of such an index of `content` bytes of content. @throws what `points` throws */
export async function* toGztool(points: () => AsyncIterable<RawPoint>, content: number): AsyncGenerator<Uint8Array> {
  let count = 0n;
  for await (const _point of points()) count++;
  const head = new DataView(new ArrayBuffer(HEAD_BYTES));
  for (let at = 0; at < MAGIC.length; at++) head.setUint8(8 + at, MAGIC.charCodeAt(at));
  head.setBigUint64(16, count);
  head.setBigUint64(24, count);
  yield new Uint8Array(head.buffer);
  for await (const { position, offset, bits, window } of points()) {
    const stored = window === undefined ? new Uint8Array(0) : await compress(window);
    const point = new DataView(new ArrayBuffer(POINT_BYTES));
    point.setBigUint64(0, BigInt(offset));
    point.setBigUint64(8, BigInt(position));
    point.setUint32(16, bits);
    point.setUint32(20, stored.length);
    yield new Uint8Array(point.buffer);
    yield stored;
  }
  const tail = new DataView(new ArrayBuffer(8));
  tail.setBigUint64(0, BigInt(content));
  yield new Uint8Array(tail.buffer);
}

/** Adds the points of such an index to `points`. @throws TFRecordError TFR_STATE_MISMATCH if it is damaged */
export async function fromGztool(bytes: ForeignBytes, points: PointList): Promise<ForeignSizes> {
  const version = (await bytes.take(MAGIC_BYTES)).getUint8(MAGIC_BYTES - 1);
  const hasLines = version === COUNTS_LINES;
  if (!hasLines && version !== NOT_COUNTED) throw bytes.damaged('version 0 or 1 of gztool', 'another one');
  if (hasLines) await bytes.take(4);
  const counts = await bytes.take(16);
  const count = counts.getBigUint64(0);
  if (counts.getBigUint64(8) !== count) throw bytes.damaged('a complete index', 'one that gztool has not finished');
  for (let at = 0n; at < count; at++) {
    const point = await bytes.take(POINT_BYTES);
    const length = point.getUint32(20);
    if (length > MOST_DEFLATED) throw bytes.damaged(`a window of at most ${MOST_DEFLATED} bytes`, `${length}`);
    const window = length === 0 ? undefined : await windowOf(bytes, await bytes.take(length));
    if (hasLines) await bytes.take(8);
    await points.add({
      position: bytes.number(point.getBigUint64(8)),
      offset: bytes.number(point.getBigUint64(0)),
      bits: point.getUint32(16),
      window,
    });
  }
  const content = bytes.number((await bytes.take(8)).getBigUint64(0));
  if (hasLines) await bytes.take(8);
  if (bytes.left > 0) throw bytes.damaged('the end of the index', `${bytes.left} bytes more`);
  return { content };
}

function windowOf(bytes: ForeignBytes, deflated: DataView<ArrayBuffer>): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    inflate(bytesOf(deflated), { maxOutputLength: WINDOW_BYTES }, (error, window) => {
      if (error === null) resolve(window);
      else reject(bytes.damaged(`a window of at most ${WINDOW_BYTES} bytes, deflated`, 'other data'));
    });
  });
}
