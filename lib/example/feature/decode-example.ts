import type { Feature } from '../message';
import { decodedFeature, RowField, STEPS_ROW } from './decoded-block';
import { refuseOther } from './other-type';
import { RecordDecoder } from './record-decoder';

/** Features by name, without a prototype: a feature may be called `__proto__`. */
export type DecodedFeatures = Record<string, Feature | undefined>;

let exampleDecoder: RecordDecoder | undefined;

/**
 * The features of a tf.train.Example; undefined for one without a kind, which is how many writers say "missing". Values
 * are copies. The object has no prototype.
 *
 * Protobuf's rules hold: numbers may be packed or not, the lists of one kind are joined, of two kinds and of two
 * entries with one name the last counts, unknown fields and groups are passed over. Names must be UTF-8.
 *
 * @throws TFRecordError TFR_EXAMPLE, telling the byte, if the bytes are not an Example, or are an Event or a
 * SequenceExample with feature lists, of which values would be lost. TypeError ERR_INVALID_ARG_TYPE,
 * ERR_INVALID_ARG_VALUE for values that are no Uint8Array, or one whose memory is gone; RangeError ERR_OUT_OF_RANGE
 * above 2^31 - 1 bytes, protobuf's own limit.
 */
export function decodeExample(record: Uint8Array): DecodedFeatures {
  exampleDecoder ??= new RecordDecoder('an Example');
  const decoded = exampleDecoder.take(record);
  refuseOther(decoded.record, 'an Example', false);
  const features = Object.create(null) as DecodedFeatures;
  const { rows } = decoded.block;
  for (let row = 0; row < rows; row++) features[exampleDecoder.name(decoded, row, row)] = decodedFeature(decoded, row);
  return features;
}

/** Both objects have no prototype. */
export interface DecodedSequenceExample {
  /** Features of the whole. */
  readonly context: DecodedFeatures;
  /** One feature a step; undefined for a step without a kind. */
  readonly featureLists: Record<string, (Feature | undefined)[]>;
}

let sequenceDecoder: RecordDecoder | undefined;

/**
 * The context and the feature lists of a tf.train.SequenceExample, by the rules of {@link decodeExample}. An Example is
 * one that has a context only.
 *
 * @throws TFRecordError TFR_EXAMPLE, telling the byte, when the bytes are not a SequenceExample; else as
 *   {@link decodeExample}.
 */
export function decodeSequenceExample(record: Uint8Array): DecodedSequenceExample {
  sequenceDecoder ??= new RecordDecoder('a SequenceExample');
  const decoded = sequenceDecoder.take(record);
  refuseOther(decoded.record, 'a SequenceExample', true);
  const context = Object.create(null) as DecodedFeatures;
  const featureLists = Object.create(null) as DecodedSequenceExample['featureLists'];
  const { block } = decoded;
  const { rows } = block;
  let row = 0;
  for (let position = 0; row < rows; position++) {
    const name = sequenceDecoder.name(decoded, row, position);
    const at = row++;
    if (block.at(at, RowField.Kind) !== STEPS_ROW) {
      context[name] = decodedFeature(decoded, at);
      continue;
    }
    const end = row + block.at(at, RowField.Count);
    const steps: (Feature | undefined)[] = [];
    while (row < end) steps.push(decodedFeature(decoded, row++));
    featureLists[name] = steps;
  }
  return { context, featureLists };
}
