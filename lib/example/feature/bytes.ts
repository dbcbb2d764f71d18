import { types } from 'node:util';

import { invalidArgType, invalidArgValue, outOfRange } from '../../errors';
import { setBytes, type Bytes } from '../../record';
import { BytesArray, hasLoneSurrogate, newBytesArray } from '../../tensor';
import type { FeatureOf } from '../message';
import type { BytesValues } from './feature-values';
import { checkBytesPresent, presentLength } from './present';
import { featureOf } from './refused-feature';
import { utf8Length, writeUtf8 } from './utf8';

const ONE = 'a string or a Uint8Array';
/** Offsets are int32. */
const MAX_BYTES = 2 ** 31 - 1;

/**
 * A bytes feature of one value or a list. Strings become UTF-8; bytes are copied.
 *
 * Refused, with an error that names the feature when it is encoded (and is thrown, too, when `values` is read): strings
 * with half a surrogate pair, which UTF-8 cannot hold, `TypeError` ERR_INVALID_ARG_VALUE; more than 2^31 - 1 bytes in
 * all, `RangeError` ERR_OUT_OF_RANGE; everything else, `TypeError` ERR_INVALID_ARG_TYPE.
 */
export function bytes(values: BytesValues): FeatureOf<'bytes'> {
  return featureOf('bytes', values, toBytes);
}

/** The values in one piece, a copy. `name` is what errors call them. */
export function toBytes(name: string, values: unknown): BytesArray {
  if (typeof values === 'string' || types.isUint8Array(values)) return joined([values], () => name);
  if (Array.isArray(values)) return joined(values, (i) => `${name}[${i}]`);
  if (values instanceof BytesArray) {
    checkBytesPresent(name, values);
    return joined([...values], (i) => `${name}[${i}]`);
  }
  throw invalidArgType(name, `${ONE}, or a list of them`, values);
}

function joined(list: readonly unknown[], nameOf: (index: number) => string): BytesArray {
  // A list may compute its values, or their number: each is asked for once, before any is looked at.
  const values = Array<unknown>(list.length);
  for (let i = 0; i < values.length; i++) values[i] = list[i];
  const offsets = new Int32Array(values.length + 1);
  let size = 0;
  for (let i = 0; i < values.length; i++) {
    size += lengthOf(values[i], i, nameOf);
    if (size > MAX_BYTES) throw outOfRange(nameOf(i), 'within the first 2^31 - 1 bytes of the feature', size);
    offsets[i + 1] = size;
  }
  const data = new Uint8Array(size);
  for (let i = 0; i < values.length; i++) {
    place(data, values[i] as string | Uint8Array, offsets[i]!, offsets[i + 1]!);
  }
  return newBytesArray(data, offsets);
}

function lengthOf(value: unknown, index: number, nameOf: (index: number) => string): number {
  if (types.isUint8Array(value)) return presentLength(nameOf(index), value);
  if (typeof value !== 'string') throw invalidArgType(nameOf(index), ONE, value);
  if (hasLoneSurrogate(value))
    throw invalidArgValue(nameOf(index), 'whole characters: half a surrogate pair is none', value);
  return utf8Length(value);
}

/** Copies `value`, which took the bytes `at` to `end` when it was measured. */
function place(data: Bytes, value: string | Uint8Array, at: number, end: number): void {
  if (typeof value === 'string') writeUtf8(data, value, at);
  else setBytes(data, value, at, end - at);
}
