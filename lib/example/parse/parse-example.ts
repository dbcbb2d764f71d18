import { types } from 'node:util';

import { checkOptions, invalidArgType, invalidArgValue, isObject } from '../../base';
import { newBatch, partsOf, type RecordBatch } from '../../record';
import type { BytesAs, Int64As, ToObject } from '../../tensor';
import { parsedAsOf } from '../feature';
import type {
  Batch,
  ContextSpec,
  Element,
  ElementValue,
  SequenceElement,
  SequenceLengths,
  SequenceSpec,
  Spec,
} from '../kinds';
import { composeBatch, composeElement, composeSequenceBatch, composeSequenceElement } from './compose';
import type { ParseOptions } from './parse-options';
import { parseRecords, type Records } from './parse-records';
import { planExample, planSequenceExample, type Plan } from './plan';
import { parseElement, parseRow, rowParser } from './row-parser';

// A local constant, because reading a name of a room's index for each record takes a tenth of the time of parsing it.
const asOf = parsedAsOf;

/**
 * Parses serialized `tf.train.Example`s into the columns of a batch, like TensorFlow's `parse_example`, on the calling
 * thread.
 *
 * `records` is a batch of a reader, or any list, which may be empty, of B records. The value of a feature is, for
 * - `fixedLen(shape)`: `[B] + shape`, for `[]` the column itself. The value of a feature that is missing, or has no
 *   kind, is the default; without one it is an error. A list of another length is an error. With `default: null`, a
 *   NullableColumn.
 * - `varLen`: a SparseTensor of `[B, longest list]`.
 * - `fixedLenSequence(shape)`: `[B, most steps] + shape`, shorter ones padded with the default, 0 or no bytes.
 * - `sparse`: a SparseTensor of `[B] + size`, in the order of its coordinates.
 * - `ragged`: a RaggedTensor with one more vector of row splits than partitions.
 *
 * @throws TFRecordError TFR_EXAMPLE for a record that is not an Example, TFR_FEATURE for one that does not fit the
 * spec; both name the first such record. TFR_SPEC for an invalid spec. TypeError for other arguments.
 *
 * @example
 * const { id, tags } = parseExample(batch, { id: fixedLen([], 'int64'), tags: varLen('bytes') });
 */
export function parseExample<S extends Spec, I extends Int64As = 'bigint', B extends BytesAs = 'bytes'>(
  records: Records,
  spec: S,
  options?: ParseOptions<I, B>,
): Batch<S, I, B> & ToObject;
export function parseExample(records: Records, spec: Spec, options?: ParseOptions): unknown {
  const { int64, bytes } = asOf(options);
  return parseRecords(records, planExample(spec, bytes), int64, composeBatch);
}

/**
 * Parses one serialized `tf.train.Example`, like TensorFlow's `parse_single_example`: `fixedLen([])` is a scalar,
 * `varLen` and `fixedLenSequence([])` are columns of values, nothing is padded. @throws like {@link parseExample}
 *
 * @example
 * const { id } = parseSingleExample(record, { id: fixedLen([], 'int64') });
 */
export function parseSingleExample<S extends Spec, I extends Int64As = 'bigint', B extends BytesAs = 'bytes'>(
  record: Uint8Array,
  spec: S,
  options?: ParseOptions<I, B>,
): Element<S, I, B> & ToObject;
export function parseSingleExample(record: Uint8Array, spec: Spec, options?: ParseOptions): unknown {
  const { int64, bytes } = asOf(options);
  const plan = planExample(spec, bytes);
  if (!types.isUint8Array(record)) throw invalidArgType('record', 'a Uint8Array', record);
  return parseElement(record, plan, int64, rowParser(plan, int64));
}

/** The features to read from SequenceExamples: one or more, of the context or of the feature lists. */
export interface SequenceFeatures<C extends ContextSpec, Q extends SequenceSpec> {
  /** Features of the context. */
  readonly context?: C | undefined;
  /** Feature lists. */
  readonly sequence?: Q | undefined;
}

/** A parsed batch of SequenceExamples. */
export interface SequenceBatch<
  C extends ContextSpec,
  Q extends SequenceSpec,
  I extends Int64As = 'bigint',
  B extends BytesAs = 'bytes',
> extends ToObject {
  /** The features of the context. */
  context: Batch<C, I, B> & ToObject;
  /** The feature lists. */
  sequence: Batch<Q, I, B> & ToObject;
  /** For each dense feature list, the number of steps of each record. */
  lengths: SequenceLengths<Q>;
}

/** A parsed SequenceExample. */
export interface SequenceRow<
  C extends ContextSpec,
  Q extends SequenceSpec,
  I extends Int64As = 'bigint',
  B extends BytesAs = 'bytes',
> extends ToObject {
  /** The features of the context. */
  context: Element<C, I, B> & ToObject;
  /** The feature lists. */
  sequence: SequenceElement<Q, I, B> & ToObject;
}

/** A spec without features. */
// eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type -- an interface has no index signature
export type NoFeatures = Record<never, never>;

/**
 * Parses serialized `tf.train.SequenceExample`s, like TensorFlow's `parse_sequence_example`. Features of the context
 * have the values of {@link parseExample}. The value of a feature list, which has a Feature for each step, is, for
 * - `fixedLenSequence(shape)`: `[B, most steps] + shape`, padded with 0 or no bytes; `lengths` has the number of steps
 *   of each record. A missing list is an error unless `allowMissing`.
 * - `varLen`: a SparseTensor of `[B, most steps, longest step]`.
 * - `ragged`: a RaggedTensor of steps, of the values of each step, then of its partitions.
 *
 * @throws as {@link parseExample}.
 *
 * @example
 * const { context, sequence, lengths } = parseSequenceExample(records, {
 *   context: { id: fixedLen([], 'int64') },
 *   sequence: { tokens: fixedLenSequence([], 'int64') },
 * });
 */
export function parseSequenceExample<
  C extends ContextSpec = NoFeatures,
  Q extends SequenceSpec = NoFeatures,
  I extends Int64As = 'bigint',
  B extends BytesAs = 'bytes',
>(records: Records, spec: SequenceFeatures<C, Q>, options?: ParseOptions<I, B>): SequenceBatch<C, Q, I, B>;
export function parseSequenceExample(
  records: Records,
  spec: SequenceFeatures<ContextSpec, SequenceSpec>,
  options?: ParseOptions,
): unknown {
  const { int64, bytes } = asOf(options);
  return parseRecords(records, planSequence(spec, bytes), int64, composeSequenceBatch);
}

/**
 * Parses one serialized `tf.train.SequenceExample`, without padding. @throws like {@link parseExample}
 *
 * @example
 * const { sequence } = parseSingleSequenceExample(record, { sequence: { tokens: fixedLenSequence([], 'int64') } });
 */
export function parseSingleSequenceExample<
  C extends ContextSpec = NoFeatures,
  Q extends SequenceSpec = NoFeatures,
  I extends Int64As = 'bigint',
  B extends BytesAs = 'bytes',
>(record: Uint8Array, spec: SequenceFeatures<C, Q>, options?: ParseOptions<I, B>): SequenceRow<C, Q, I, B>;
export function parseSingleSequenceExample(
  record: Uint8Array,
  spec: SequenceFeatures<ContextSpec, SequenceSpec>,
  options?: ParseOptions,
): unknown {
  const { int64, bytes } = asOf(options);
  const plan = planSequence(spec, bytes);
  if (!types.isUint8Array(record)) throw invalidArgType('record', 'a Uint8Array', record);
  return parseRecords([record], plan, int64, composeSequenceElement);
}

/** Returns the plan of `spec`. @throws TFRecordError TFR_SPEC */
export function planSequence(spec: SequenceFeatures<ContextSpec, SequenceSpec>, bytes: BytesAs): Plan {
  const names = isObject(spec) ? Object.keys(spec) : [];
  if (names.length > 0 && !names.some((name) => name === 'context' || name === 'sequence')) {
    throw invalidArgValue('spec', '{ context, sequence }: the features of each in an object', spec);
  }
  const { context, sequence } = checkOptions(spec, ['context', 'sequence'], 'spec');
  return planSequenceExample(context, sequence, bytes);
}

/** One parsed record. */
interface ParsedRecord {
  /** Features of the Example, or of the context. */
  readonly features: Record<string, ElementValue>;
  /** Feature lists, of a SequenceExample. */
  readonly sequence: Record<string, ElementValue> | undefined;
}

/**
 * Parses record `index` of `batch`, which must exist, by `plan`, with int64 as bigint. @throws TFRecordError
 * TFR_EXAMPLE, TFR_FEATURE, with the origin of the record
 */
export function parseRecordOf(batch: RecordBatch, index: number, plan: Plan): ParsedRecord {
  const row = plan.sequenceExample ? undefined : parseRow(batch.at(index)!, rowParser(plan, 'bigint'));
  if (row !== undefined) return { features: row, sequence: undefined };
  const { source, begin } = partsOf(batch);
  const record = newBatch(source, begin + index, begin + index + 1);
  return parseRecords(record, plan, 'bigint', (piece) => {
    if (!plan.sequenceExample) return { features: composeElement(piece), sequence: undefined };
    const { context, sequence } = composeSequenceElement(piece);
    return { features: context, sequence };
  });
}
