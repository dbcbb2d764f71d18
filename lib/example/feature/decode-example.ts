import type { Feature } from '../message';
import { decodedFeature } from './decoded-feature';
import { refuseOther } from './other-type';
import { RecordDecoder } from './record-decoder';

/** Features by name, without a prototype: a feature may be called `__proto__`. */
export type DecodedFeatures = Record<string, Feature | undefined>;

let decoder: RecordDecoder | undefined;

/**
 * The features of a tf.train.Example; undefined for one without a kind, which is how many writers say "missing". Values
 * are copies. The object has no prototype.
 *
 * Protobuf's rules hold: numbers may be packed or not, the lists of one kind are joined, of two kinds and of two
 * entries with one name the last counts, unknown fields and groups are passed over. Names must be UTF-8.
 *
 * @throws TFRecordError TFR_EXAMPLE, telling the byte, if the bytes are not an Example, or are an Event or a
 *   SequenceExample with feature lists, of which values would be lost. TypeError ERR_INVALID_ARG_TYPE,
 *   ERR_INVALID_ARG_VALUE for what is no Uint8Array, or one whose memory is gone; RangeError ERR_OUT_OF_RANGE above
 *   2^31 - 1 bytes, protobuf's own limit.
 */
export function decodeExample(record: Uint8Array): DecodedFeatures {
  decoder ??= new RecordDecoder('an Example');
  const decoded = decoder.take(record);
  refuseOther(decoded.record, 'an Example', false);
  const features = Object.create(null) as DecodedFeatures;
  const { rows } = decoded.block;
  for (let row = 0; row < rows; row++) features[decoder.name(decoded, row, row)] = decodedFeature(decoded, row);
  return features;
}
