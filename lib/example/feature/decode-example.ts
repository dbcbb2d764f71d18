import { types } from 'node:util';

import { invalidArgType, outOfRange } from '../../errors';
import { MAX_RECORD_BYTES } from '../../record';
import { FeatureBuilder } from './decode-feature';
import { readMap } from './decode-map';
import type { Feature } from '../message';
import { LENGTH_DELIMITED, tagOf, WireReader } from './wire-reader';

const FEATURES = tagOf(1, LENGTH_DELIMITED);

/** Features by name, without a prototype: a feature may be called `__proto__`. */
export type DecodedFeatures = Record<string, Feature | undefined>;

/**
 * The features of a tf.train.Example; undefined for one without a kind, which is how many writers say "missing". Values
 * are copies. The object has no prototype.
 *
 * Protobuf's rules hold: numbers may be packed or not, the lists of one kind are joined, of two kinds and of two entries
 * with one name the last counts, unknown fields and groups are passed over. Names must be UTF-8.
 *
 * @throws TFRecordError TFR_EXAMPLE, telling the byte, when the bytes are not an Example.
 */
export function decodeExample(record: Uint8Array): DecodedFeatures {
  const reader = new WireReader(checkRecord(record), 'an Example');
  const end = record.length;
  const features = newFeatures();
  while (reader.position < end) {
    const tag = reader.tag(end);
    if (tag === FEATURES) readFeatures(reader, reader.contentEnd(end), features);
    else reader.skipField(tag, end, 0);
  }
  return features;
}

export function newFeatures(): DecodedFeatures {
  return Object.create(null) as DecodedFeatures;
}

/** Reads a Features message to `end`. */
export function readFeatures(reader: WireReader, end: number, target: DecodedFeatures): void {
  readMap<Feature | undefined>(reader, end, 1, target, () => new FeatureBuilder());
}

/** @throws TypeError ERR_INVALID_ARG_TYPE; RangeError ERR_OUT_OF_RANGE above 2^31 - 1 bytes, protobuf's own limit. */
export function checkRecord(record: unknown): Uint8Array {
  if (!types.isUint8Array(record)) throw invalidArgType('record', 'a Uint8Array', record);
  if (record.length > MAX_RECORD_BYTES)
    throw outOfRange('record', `at most ${MAX_RECORD_BYTES} bytes long`, record.length);
  return record;
}
