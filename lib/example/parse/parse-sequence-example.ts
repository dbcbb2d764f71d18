import { types } from 'node:util';

import { invalidArgType, invalidArgValue } from '../../errors';
import { checkOptions } from '../../record';
import type { Batch, ContextSpec, Element, SequenceElement, SequenceLengths, SequenceSpec } from '../kinds';
import type { Int64As } from '../../tensor';
import { assembleSequenceBatch, assembleSequenceElement } from './assemble';
import { int64Of, type ParseOptions } from './parse-options';
import { parseRecords, type Records } from './parse-records';
import { planSequenceExample, type Plan } from './plan';

/** What to read from SequenceExamples: of the context, and of the feature lists. One of them at least. */
export interface SequenceFeatures<C extends ContextSpec, Q extends SequenceSpec> {
  /** Features of the context. */
  readonly context?: C | undefined;
  /** Feature lists. */
  readonly sequence?: Q | undefined;
}

/** A parsed batch of SequenceExamples. */
export interface SequenceBatch<C extends ContextSpec, Q extends SequenceSpec, I extends Int64As = 'bigint'> {
  /** The features of the context. */
  context: Batch<C, I>;
  /** The feature lists. */
  sequence: Batch<Q, I>;
  /** Of each dense feature list, the steps of each record. */
  lengths: SequenceLengths<Q>;
}

/** A parsed SequenceExample. */
export interface SequenceRow<C extends ContextSpec, Q extends SequenceSpec, I extends Int64As = 'bigint'> {
  /** The features of the context. */
  context: Element<C, I>;
  /** The feature lists. */
  sequence: SequenceElement<Q, I>;
}

/** A spec without features. */
// eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type -- an interface has no index signature
export type NoFeatures = Record<never, never>;

/**
 * Parses serialized `tf.train.SequenceExample`s, as TensorFlow's `parse_sequence_example` does. Features of the context come
 * as in {@link parseExample}. Of each feature list, which has a Feature a step, comes
 * - `fixedLenSequence(shape)`: `[B, most steps] + shape`, padded with 0 or no bytes; `lengths` has the steps of each
 *   record. A list that is missing is an error unless `allowMissing`.
 * - `varLen`: a SparseTensor of `[B, most steps, longest step]`.
 * - `ragged`: a RaggedTensor of steps, of values a step, then of its partitions.
 *
 * @throws as {@link parseExample}.
 */
export function parseSequenceExample<
  C extends ContextSpec = NoFeatures,
  Q extends SequenceSpec = NoFeatures,
  I extends Int64As = 'bigint',
>(records: Records, spec: SequenceFeatures<C, Q>, options?: ParseOptions<I>): SequenceBatch<C, Q, I> {
  const int64 = int64Of(options);
  return parseRecords(records, planSequence(spec), int64, assembleSequenceBatch) as never;
}

/** The same of one record: nothing is padded. @throws as {@link parseExample}. */
export function parseSingleSequenceExample<
  C extends ContextSpec = NoFeatures,
  Q extends SequenceSpec = NoFeatures,
  I extends Int64As = 'bigint',
>(record: Uint8Array, spec: SequenceFeatures<C, Q>, options?: ParseOptions<I>): SequenceRow<C, Q, I> {
  const int64 = int64Of(options);
  const plan = planSequence(spec);
  if (!types.isUint8Array(record)) throw invalidArgType('record', 'a Uint8Array', record);
  return parseRecords([record], plan, int64, assembleSequenceElement) as never;
}

/** The plan of `spec`. @throws TFRecordError TFR_SPEC */
export function planSequence(spec: SequenceFeatures<ContextSpec, SequenceSpec>): Plan {
  const names = typeof spec === 'object' && spec !== null ? Object.keys(spec) : [];
  if (names.length > 0 && !names.some((name) => name === 'context' || name === 'sequence')) {
    throw invalidArgValue('spec', '{ context, sequence }: the features of each in an object', spec);
  }
  const { context, sequence } = checkOptions(spec, ['context', 'sequence'], 'spec');
  return planSequenceExample(context, sequence);
}
