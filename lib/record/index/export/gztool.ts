/**
 * The index of gztool, `.gzi` version 0, big-endian: 8 zeros, `gzipindx`, the number of points twice, the points (offset in
 * the content, position, bits, length of the window as zlib data, that data), the size of the content.
 */
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';

import type { RawPoint } from './inflate-points';

const MAGIC = 'gzipindx';
const HEAD_BYTES = 32;
const POINT_BYTES = 24;

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
