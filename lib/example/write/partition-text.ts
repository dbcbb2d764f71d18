import { isUtf8 } from 'node:buffer';

import type { Bytes, Origin } from '../../base';
import { hiveName } from './hive-name';
import { BYTES, FLOATS, INTEGERS, walkValues, type FeaturePlace, type StoredFeature } from './stored-feature';

/** Maximum size of a folder's name, in bytes, on all usual file systems. */
const MAX_NAME_BYTES = 255;

/**
 * Returns the name of the folder of `record`, by the value of one feature: an integer, or text.
 * @throws TFRecordError TFR_FEATURE for a feature of floating point, several values, bytes that are not UTF-8, and a value
 *   that is too long for the name of a folder; TFR_EXAMPLE for a record that is not an Example
 */
export function partitionFolder(feature: StoredFeature, record: Bytes, origin: () => Origin): string {
  const place = feature.find(record, origin);
  const refuse = (found: string, expected = 'one int64, or one text in UTF-8'): never => {
    const { file, record: number } = origin();
    const name = JSON.stringify(feature.name);
    const message = `Record ${number} of ${file} has no folder by the feature ${name}: expected ${expected}, found ${found}.`;
    throw feature.error(message, origin(), { expected, found });
  };
  const value = place && feature.walked(record, origin, () => textOf(place, refuse));
  const folder = hiveName(feature.name, value);
  const bytes = Buffer.byteLength(folder);
  if (bytes > MAX_NAME_BYTES)
    refuse(`${bytes} bytes`, `a value whose folder has a name of at most ${MAX_NAME_BYTES} bytes`);
  return folder;
}

/** Returns the only value of a Feature as text; undefined if it has none. */
function textOf(place: FeaturePlace, refuse: (found: string) => never): string | undefined {
  const { bytes } = place.wire;
  let text: string | undefined;
  let kind = 0;
  let [from, to] = [0, 0];
  const count = walkValues(place, {
    begin: (tag) => (kind = tag),
    take: (_kind, start, end) => ([from, to] = [start, end]),
  });
  if (count === undefined) return refuse('values that are damaged');
  if (count === 0) return undefined;
  if (kind === FLOATS) return refuse('floating point, whose equal values may have several texts');
  if (count > 1) return refuse(`${count} values`);
  if (kind === INTEGERS) text = integerText(bytes, from, to);
  else if (kind === BYTES && isUtf8(bytes.subarray(from, to))) text = bytes.toString('utf8', from, to);
  return text ?? refuse('bytes that are not UTF-8');
}

/** Returns the decimal digits of the varint between `from` and `to`. */
function integerText(bytes: Buffer, from: number, to: number): string {
  let value = 0;
  // Up to 28 bits fit the integers of a processor.
  if (to - from <= 4) {
    for (let i = from; i < to; i++) value |= (bytes[i]! & 0x7f) << (7 * (i - from));
    return String(value);
  }
  let long = 0n;
  for (let i = from; i < to; i++) long |= BigInt(bytes[i]! & 0x7f) << BigInt(7 * (i - from));
  return String(BigInt.asIntN(64, long));
}
