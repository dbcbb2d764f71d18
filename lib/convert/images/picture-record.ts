/** Puts the record of a picture around its bytes, which are not moved. */
import { encodeExample, type FeatureLike } from '../../example';
import { FIELD_1, FIELD_2, forEachEntry, Wire } from '../transform/wire';

const ENCODED = Buffer.from('image/encoded');

/** Bytes of a record of `image/encoded` alone, without the picture, at most. */
const FRAME = 64;

/** Bytes that stand before a picture, and behind it. */
export interface Around {
  readonly before: Buffer;
  readonly after: Buffer;
}

/** Encodes a record of `features` and of a picture of `size` bytes, `image/encoded`: all but the bytes of the picture. */
export function aroundPicture(features: Readonly<Record<string, FeatureLike>>, size: number): Around {
  const others = Buffer.from(encodeExample(features));
  let [begin, middle] = [others.length, others.length];
  const place = ENCODED.toString('latin1');
  forEachEntry(new Wire(others), ({ name, start }) => {
    begin = Math.min(begin, start);
    // Features are in byte order.
    if (name > place) middle = Math.min(middle, start);
  });
  const values = 1 + varintBytes(size) + size;
  const feature = 1 + varintBytes(values) + values;
  const entry = 2 + ENCODED.length + 1 + varintBytes(feature) + feature;
  const all = others.length - begin + 1 + varintBytes(entry) + entry;
  const before = Buffer.alloc(FRAME + middle - begin);
  let at = tagged(before, 0, FIELD_1, all);
  at += others.copy(before, at, begin, middle);
  at = tagged(before, at, FIELD_1, entry);
  at = tagged(before, at, FIELD_1, ENCODED.length);
  at += ENCODED.copy(before, at);
  at = tagged(before, at, FIELD_2, feature);
  at = tagged(before, at, FIELD_1, values);
  at = tagged(before, at, FIELD_1, size);
  return { before: before.subarray(0, at), after: others.subarray(middle) };
}

function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes++;
  return bytes;
}

/** Writes a tag and a length to `target`. Returns where they end. */
function tagged(target: Buffer, at: number, tag: number, length: number): number {
  let end = at;
  target[end++] = tag;
  let rest = length;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) target[end++] = (rest % 0x80) | 0x80;
  target[end++] = rest;
  return end;
}
