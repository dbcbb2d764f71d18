import { newRecord } from '../../base';
import type { BytesAs, Int64As } from '../../tensor';
import { RowField, STEPS_ROW } from './decoded-block';
import { decodedFeature, type DecodedFeature, type DecodedFeatures } from './decoded-feature';
import { refuseOther } from './other-type';
import { parsedAsOf, type ParsedAs } from './parsed-as';
import { RecordDecoder, type DecodedRecord } from './record-decoder';

/** Options of `decodeExample` and `decodeSequenceExample`. Unknown names throw. */
export interface DecodeOptions<I extends Int64As = Int64As, B extends BytesAs = BytesAs> {
  /**
   * `bigint`: int64 values are BigInt64Arrays. `number`: Float64Arrays; a value beyond ±(2^53 − 1) is TFR_FEATURE, never
   * rounded. Default `bigint`.
   */
  int64?: I | undefined;
  /**
   * `bytes`: bytes values are BytesArrays. `text`: arrays of strings; a value that is not UTF-8 is TFR_FEATURE, never
   * replaced. Default `bytes`.
   */
  bytes?: B | undefined;
}

let exampleDecoder: RecordDecoder | undefined;

/**
 * Decodes the features of a tf.train.Example; undefined for a feature without a kind, which many writers use for
 * "missing". Values are copies. The object has no prototype.
 *
 * It follows the rules of protobuf: numbers may be packed or not; lists of one kind are joined; of two kinds, and of
 * two entries with one name, the last is used; unknown fields and groups are skipped. Names must be UTF-8.
 *
 * @throws TFRecordError TFR_EXAMPLE, with the byte, if the bytes are not an Example, or are another message whose
 * values would be lost, such as an Event or a SequenceExample with feature lists. TypeError ERR_INVALID_ARG_TYPE,
 * ERR_INVALID_ARG_VALUE for values other than a Uint8Array, or one whose memory was transferred; RangeError
 * ERR_OUT_OF_RANGE above 2^31 - 1 bytes, protobuf's own limit. TFRecordError TFR_FEATURE, with the feature, for an
 * int64 beyond ±(2^53 − 1) with `int64: 'number'`, and for bytes that are not UTF-8 with `bytes: 'text'`.
 *
 * @example
 * const { age } = decodeExample(record, { int64: 'number' }); // { kind: 'int64', values: Float64Array [29] }
 * const { city } = decodeExample(record, { bytes: 'text' }); // { kind: 'bytes', values: ['Bern'] }
 */
export function decodeExample<I extends Int64As = 'bigint', B extends BytesAs = 'bytes'>(
  record: Uint8Array,
  options?: DecodeOptions<I, B>,
): DecodedFeatures<I, B> {
  const as = parsedAsOf(options);
  exampleDecoder ??= new RecordDecoder('an Example');
  const decoded = exampleDecoder.take(record);
  refuseOther(decoded.record, 'an Example', false, decoded.block.hasKind);
  const features = newRecord<Values[string]>();
  const { rows } = decoded.block;
  for (let row = 0; row < rows; row++) {
    const name = exampleDecoder.name(decoded, row, row);
    features[name] = decodedFeature(decoded, row, as, name);
  }
  return features as DecodedFeatures<I, B>;
}

/** A decoded SequenceExample. Both objects have no prototype. */
export interface DecodedSequenceExample<I extends Int64As = 'bigint', B extends BytesAs = 'bytes'> {
  /** Features of the context. */
  readonly context: DecodedFeatures<I, B>;
  /** One feature for each step; undefined for a step without a kind. */
  readonly featureLists: Record<string, (DecodedFeature<I, B> | undefined)[]>;
}

let sequenceDecoder: RecordDecoder | undefined;

/**
 * Decodes the context and the feature lists of a tf.train.SequenceExample, by the rules of {@link decodeExample}. An
 * Example is decoded as a SequenceExample with only a context.
 *
 * @throws TFRecordError TFR_EXAMPLE, with the byte, if the bytes are not a SequenceExample; other errors are those of
 * {@link decodeExample}.
 *
 * @example
 * const { context, featureLists } = decodeSequenceExample(record);
 * console.log(context.id?.values, featureLists.words?.length);
 */
export function decodeSequenceExample<I extends Int64As = 'bigint', B extends BytesAs = 'bytes'>(
  record: Uint8Array,
  options?: DecodeOptions<I, B>,
): DecodedSequenceExample<I, B> {
  return decodedParts(record, parsedAsOf(options), () => true) as DecodedSequenceExample<I, B>;
}

/**
 * Decodes the features and feature lists `names` of an Example or a SequenceExample, by the rules of {@link
 * decodeSequenceExample}. The values of others are not copied.
 *
 * @throws TFRecordError TFR_EXAMPLE
 */
export function decodeNamed(record: Uint8Array, names: ReadonlySet<string>): DecodedSequenceExample {
  return decodedParts(record, parsedAsOf(undefined), (name) => names.has(name)) as DecodedSequenceExample;
}

/**
 * Like {@link decodeSequenceExample}, for an untrusted record, which can need many times its own memory if it has many
 * small parts. Returns undefined if it has more than `maxParts` features and steps, or `maxValues` values.
 *
 * @throws TFRecordError TFR_EXAMPLE
 */
export function decodeAtMost(
  record: Uint8Array,
  maxParts: number,
  maxValues: number,
): DecodedSequenceExample | undefined {
  const { block } = takenApart(record);
  if (block.rows > maxParts) return undefined;
  let values = 0;
  for (let row = 0; row < block.rows; row++) {
    if (block.at(row, RowField.Kind) !== STEPS_ROW) values += block.at(row, RowField.Count);
  }
  return values > maxValues ? undefined : decodeSequenceExample(record);
}

function takenApart(record: Uint8Array): DecodedRecord {
  sequenceDecoder ??= new RecordDecoder('a SequenceExample');
  const decoded = sequenceDecoder.take(record);
  refuseOther(decoded.record, 'a SequenceExample', true, decoded.block.hasKind);
  return decoded;
}

function decodedParts(
  record: Uint8Array,
  as: ParsedAs,
  wants: (name: string) => boolean,
): { readonly context: Values; readonly featureLists: Record<string, Values[string][]> } {
  const decoded = takenApart(record);
  const context = newRecord<Values[string]>();
  const featureLists = newRecord<Values[string][]>();
  const { block } = decoded;
  const { rows } = block;
  let row = 0;
  for (let position = 0; row < rows; position++) {
    const name = sequenceDecoder!.name(decoded, row, position);
    const wanted = wants(name);
    const at = row++;
    if (block.at(at, RowField.Kind) !== STEPS_ROW) {
      if (wanted) context[name] = decodedFeature(decoded, at, as, name);
      continue;
    }
    const end = row + block.at(at, RowField.Count);
    const steps: Values[string][] = [];
    if (wanted) while (row < end) steps.push(decodedFeature(decoded, row++, as, name));
    row = end;
    if (wanted) featureLists[name] = steps;
  }
  return { context, featureLists };
}

type Values = Record<string, DecodedFeature<Int64As, BytesAs> | undefined>;
