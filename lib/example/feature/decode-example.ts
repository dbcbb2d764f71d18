import { checkChoice, checkOptions } from '../../record';
import type { Int64As } from '../../tensor';
import type { Feature, FeatureOf } from '../message';
import { decodedFeature, RowField, STEPS_ROW } from './decoded-block';
import { refuseOther } from './other-type';
import { RecordDecoder } from './record-decoder';

/** Options of `decodeExample` and `decodeSequenceExample`. Unknown names throw. */
export interface DecodeOptions<I extends Int64As = Int64As> {
  /**
   * `bigint`: int64 values are BigInt64Arrays. `number`: Float64Arrays; a value beyond ±(2^53 − 1) is TFR_FEATURE, never
   * rounded. Default `bigint`.
   */
  int64?: I | undefined;
}

/** The values of a decoded feature and their kind. */
export type DecodedFeature<I extends Int64As = 'bigint'> = I extends 'number'
  ? FeatureOf<'bytes'> | FeatureOf<'float'> | DecodedNumbers
  : Feature;

/** An int64 feature that was decoded with `int64: 'number'`. */
export interface DecodedNumbers {
  /** Says which of the kinds `values` are of. */
  readonly kind: 'int64';
  /** Integers within ±(2^53 − 1). */
  readonly values: Float64Array;
}

/** Features by name, without a prototype: a feature may be called `__proto__`. */
export type DecodedFeatures<I extends Int64As = 'bigint'> = Record<string, DecodedFeature<I> | undefined>;

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
 * above 2^31 - 1 bytes, protobuf's own limit. TFRecordError TFR_FEATURE, naming the feature, for an int64 beyond
 * ±(2^53 − 1) with `int64: 'number'`.
 *
 * @example
 * const { age } = decodeExample(record, { int64: 'number' }); // { kind: 'int64', values: Float64Array [29] }
 */
export function decodeExample<I extends Int64As = 'bigint'>(
  record: Uint8Array,
  options?: DecodeOptions<I>,
): DecodedFeatures<I> {
  const int64 = int64Of(options);
  exampleDecoder ??= new RecordDecoder('an Example');
  const decoded = exampleDecoder.take(record);
  refuseOther(decoded.record, 'an Example', false);
  const features = Object.create(null) as Values;
  const { rows } = decoded.block;
  for (let row = 0; row < rows; row++) {
    const name = exampleDecoder.name(decoded, row, row);
    features[name] = decodedFeature(decoded, row, int64, name);
  }
  return features as DecodedFeatures<I>;
}

/** Both objects have no prototype. */
export interface DecodedSequenceExample<I extends Int64As = 'bigint'> {
  /** Features of the whole. */
  readonly context: DecodedFeatures<I>;
  /** One feature a step; undefined for a step without a kind. */
  readonly featureLists: Record<string, (DecodedFeature<I> | undefined)[]>;
}

let sequenceDecoder: RecordDecoder | undefined;

/**
 * The context and the feature lists of a tf.train.SequenceExample, by the rules of {@link decodeExample}. An Example is
 * one that has a context only.
 *
 * @throws TFRecordError TFR_EXAMPLE, telling the byte, when the bytes are not a SequenceExample; else as
 *   {@link decodeExample}.
 */
export function decodeSequenceExample<I extends Int64As = 'bigint'>(
  record: Uint8Array,
  options?: DecodeOptions<I>,
): DecodedSequenceExample<I> {
  const int64 = int64Of(options);
  sequenceDecoder ??= new RecordDecoder('a SequenceExample');
  const decoded = sequenceDecoder.take(record);
  refuseOther(decoded.record, 'a SequenceExample', true);
  const context = Object.create(null) as Values;
  const featureLists = Object.create(null) as Record<string, (DecodedFeature<Int64As> | undefined)[]>;
  const { block } = decoded;
  const { rows } = block;
  let row = 0;
  for (let position = 0; row < rows; position++) {
    const name = sequenceDecoder.name(decoded, row, position);
    const at = row++;
    if (block.at(at, RowField.Kind) !== STEPS_ROW) {
      context[name] = decodedFeature(decoded, at, int64, name);
      continue;
    }
    const end = row + block.at(at, RowField.Count);
    const steps: (DecodedFeature<Int64As> | undefined)[] = [];
    while (row < end) steps.push(decodedFeature(decoded, row++, int64, name));
    featureLists[name] = steps;
  }
  return { context, featureLists } as DecodedSequenceExample<I>;
}

type Values = Record<string, DecodedFeature<Int64As> | undefined>;

function int64Of(options: DecodeOptions | undefined): Int64As {
  if (options === undefined) return 'bigint';
  return checkChoice('options.int64', checkOptions(options, ['int64']).int64, ['bigint', 'number'], 'bigint');
}
