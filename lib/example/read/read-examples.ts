import type { RecordSource } from '../../io';
import type { BytesAs, Int64As, ToObject } from '../../tensor';
import type { Batch, ContextSpec, Element, SequenceSpec, Spec } from '../kinds';
import {
  exampleComposer,
  planExample,
  planSequence,
  sequenceComposer,
  type NoFeatures,
  type ParsedReadOptions,
  type SequenceBatch,
  type SequenceFeatures,
  type SequenceRow,
} from '../parse';
import { openParsed, type BatchOptions, type ParsedReader } from './parsed-reader';

/** Reads and parses Examples: see {@link ParsedReader}. Made by {@link readExamples}. */
export interface ExampleReader<
  S extends Spec,
  I extends Int64As = 'bigint',
  B extends BytesAs = 'bytes',
> extends ParsedReader<Element<S, I, B> & ToObject, Batch<S, I, B> & ToObject> {
  /** Yields the rows, as plain objects. */
  [Symbol.asyncIterator](): AsyncIterableIterator<Element<S, I, B> & ToObject>;
  /**
   * Yields the columns of `size` records at a time, as {@link parseExample} returns them; of fewer at the end, and
   * before an error. A batch may have records of several files.
   */
  batches(size: number, options?: BatchOptions): AsyncIterableIterator<Batch<S, I, B> & ToObject>;
}

/**
 * Reads `tf.train.Example`s and parses them by `spec`, on all cores, while JavaScript runs: from files (paths,
 * patterns, shards), bytes or streams, plain or compressed, as {@link RecordReader} does. The source is opened at the
 * first step.
 *
 * A record that is not an Example (TFR_EXAMPLE), or does not fit the spec (TFR_FEATURE), is an error after all rows before
 * it. `onError` applies to it as to damage.
 *
 * @throws TFRecordError TFR_SPEC, TypeError, RangeError at once, for wrong arguments.
 *
 * @example
 * const spec = { id: fixedLen([], 'int64'), tags: varLen('bytes') };
 * for await (const { id } of readExamples('train-*.tfrecord.gz', spec)) console.log(id);
 * for await (const { tags } of readExamples('train-*.tfrecord.gz', spec).batches(1024)) console.log(tags.denseShape);
 */
export function readExamples<S extends Spec, I extends Int64As = 'bigint', B extends BytesAs = 'bytes'>(
  source: RecordSource,
  spec: S,
  options?: ParsedReadOptions<I, B>,
): ExampleReader<S, I, B>;
export function readExamples(source: RecordSource, spec: Spec, options?: ParsedReadOptions): unknown {
  return openParsed(source, (bytes) => exampleComposer(planExample(spec, bytes)), options, 'An ExampleReader');
}

/** Reads and parses SequenceExamples: see {@link ParsedReader}. Made by {@link readSequenceExamples}. */
export interface SequenceExampleReader<
  C extends ContextSpec,
  Q extends SequenceSpec,
  I extends Int64As = 'bigint',
  B extends BytesAs = 'bytes',
> extends ParsedReader<SequenceRow<C, Q, I, B>, SequenceBatch<C, Q, I, B>> {
  /**
   * Yields the rows, as {@link parseSingleSequenceExample} returns them; each has memory of its own. As in batches, a
   * context without the row splits of a ragged feature has no rows of that feature.
   */
  [Symbol.asyncIterator](): AsyncIterableIterator<SequenceRow<C, Q, I, B>>;
  /**
   * Yields the features of `size` records at a time, as {@link parseSequenceExample} returns them; of fewer at the end,
   * and before an error. A batch may have records of several files.
   */
  batches(size: number, options?: BatchOptions): AsyncIterableIterator<SequenceBatch<C, Q, I, B>>;
}

/**
 * Reads `tf.train.SequenceExample`s and parses them by `spec`, on all cores, while JavaScript runs, as
 * {@link readExamples} does.
 *
 * @throws as {@link readExamples}.
 *
 * @example
 * const spec = { context: { id: fixedLen([], 'int64') }, sequence: { tokens: fixedLenSequence([], 'int64') } };
 * for await (const { context, sequence } of readSequenceExamples('captions-*.tfrecord', spec)) {
 *   console.log(context.id, sequence.tokens.length);
 * }
 */
export function readSequenceExamples<
  C extends ContextSpec = NoFeatures,
  Q extends SequenceSpec = NoFeatures,
  I extends Int64As = 'bigint',
  B extends BytesAs = 'bytes',
>(
  source: RecordSource,
  spec: SequenceFeatures<C, Q>,
  options?: ParsedReadOptions<I, B>,
): SequenceExampleReader<C, Q, I, B> {
  return openParsed(
    source,
    (bytes) => sequenceComposer(planSequence(spec, bytes)),
    options,
    'A SequenceExampleReader',
  ) as never;
}
