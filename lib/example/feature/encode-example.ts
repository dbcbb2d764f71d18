import { outOfRange } from '../../errors';
import { MAX_RECORD_BYTES, type Bytes } from '../../record';
import type { FeatureLike } from './feature-values';
import { measureFeature, writeFeature, type MeasuredFeature } from './feature-wire';
import { toFeature } from './infer-feature';
import { measureMap, takeMap, writeMap, type MeasuredMap } from './map-wire';
import { fieldSize, WireWriter } from './wire-writer';

const FEATURES_TAG = 0x0a;

/**
 * The bytes of a tf.train.Example: names in the byte order of their UTF-8, numbers packed, so equal features give equal
 * bytes. TensorFlow and every protobuf library read them.
 *
 * @throws TypeError, RangeError, with Node's codes and the name of the feature (`features.age`), for values that do not
 * fit ({@link int64}, {@link float} and {@link bytes} say which), whose kind is not sure ({@link FeatureLike}), and for
 * an Example of more than 2^31 - 1 bytes.
 */
export function encodeExample(features: Readonly<Record<string, FeatureLike>>): Bytes {
  const map = measureMap(takeMap('features', features, toFeature), measureFeature);
  const writer = newWriter(fieldSize(map.size));
  writeFeatures(writer, FEATURES_TAG, map);
  return writer.bytes;
}

/** Writes a map of features as a field. */
export function writeFeatures(writer: WireWriter, tag: number, map: MeasuredMap<MeasuredFeature>): void {
  writer.head(tag, map.size);
  writeMap(writer, map, writeFeature);
}

/** A writer of a whole record. */
export function newWriter(size: number): WireWriter {
  if (size > MAX_RECORD_BYTES) {
    throw outOfRange('the encoded record', `at most ${MAX_RECORD_BYTES} bytes long`, size);
  }
  return new WireWriter(size);
}
