/** Builds the record of a picture around the picture's bytes, which are not moved. */
import {
  encodeExample,
  FIELD_1,
  FIELD_2,
  forEachEntry,
  varintBytes,
  Wire,
  writeHeader,
  type FeatureLike,
} from '../../example';

const ENCODED = Buffer.from('image/encoded');

/** Maximum size of a record of `image/encoded` alone, without the picture's bytes. */
const FRAME = 64;

/** The bytes of a record before and after the picture. */
export interface Around {
  readonly before: Buffer;
  readonly after: Buffer;
}

/**
 * Encodes a record of `features` and of `image/encoded`, a picture of `size` bytes, without the bytes of the picture.
 */
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
  let at = writeHeader(before, 0, FIELD_1, all);
  at += others.copy(before, at, begin, middle);
  at = writeHeader(before, at, FIELD_1, entry);
  at = writeHeader(before, at, FIELD_1, ENCODED.length);
  at += ENCODED.copy(before, at);
  at = writeHeader(before, at, FIELD_2, feature);
  at = writeHeader(before, at, FIELD_1, values);
  at = writeHeader(before, at, FIELD_1, size);
  return { before: before.subarray(0, at), after: others.subarray(middle) };
}
