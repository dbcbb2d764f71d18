import type { RecordSource } from '../../record';
import type { ContextSpec, SequenceSpec } from '../kinds';
import type { Int64As } from '../../tensor';
import { sequenceAssembly } from './assembly';
import type { ParsedReadOptions } from './parse-options';
import {
  planSequence,
  type NoFeatures,
  type SequenceBatch,
  type SequenceFeatures,
  type SequenceRow,
} from './parse-sequence-example';
import { openParsed, type BatchOptions, type ParsedReader } from './parsed-reader';

/** Reads and parses SequenceExamples: see {@link ParsedReader}. Made by {@link readSequenceExamples}. */
export interface SequenceExampleReader<
  C extends ContextSpec,
  Q extends SequenceSpec,
  I extends Int64As = 'bigint',
> extends ParsedReader<SequenceRow<C, Q, I>, SequenceBatch<C, Q, I>> {
  /**
   * The rows, as {@link parseSingleSequenceExample} gives them: each takes memory of its own. What a batch takes is taken: a
   * context without the row splits of a ragged feature has no rows of it.
   */
  [Symbol.asyncIterator](): AsyncIterableIterator<SequenceRow<C, Q, I>>;
  /**
   * The features of `size` records at a time, as {@link parseSequenceExample} gives them; of fewer at the end, and before an
   * error. Batches go on across files.
   */
  batches(size: number, options?: BatchOptions): AsyncIterableIterator<SequenceBatch<C, Q, I>>;
}

/**
 * Reads `tf.train.SequenceExample`s and parses them by `spec`, beside JavaScript, on all cores: {@link readExamples} with
 * feature lists.
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
>(source: RecordSource, spec: SequenceFeatures<C, Q>, options?: ParsedReadOptions<I>): SequenceExampleReader<C, Q, I> {
  return openParsed(source, () => sequenceAssembly(planSequence(spec)), options, 'A SequenceExampleReader') as never;
}
