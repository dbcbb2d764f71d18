import { invalidArgType } from '../../errors';
import {
  checkChoice,
  checkInteger,
  checkOptions,
  classifySource,
  CursorSteps,
  ElementSteps,
  READ_OPTION_NAMES,
  resolveReadOptions,
  SourceFlow,
  watchForgotten,
  type Origin,
  type ReadOptions,
  type ReadStats,
  type RecordSource,
} from '../../record';
import type { Batch, Element, Spec } from '../spec';
import type { Int64As } from '../tensor';
import type { BatchValue } from './assemble';
import { ExampleCursor } from './example-cursor';
import { FedExampleStream, FileExampleStream, type ExamplePlan } from './example-stream';
import { INT64_AS, type ParseOptions } from './parse-options';
import type { ParsedRows } from './parsed-rows';
import { newParser } from './parser';
import { PieceSizer } from './piece-sizer';
import type { ParsedRead } from './piece-taker';
import { planExample } from './plan';
import { RowsSplitter } from './rows-splitter';

const MAX_BATCH = 2 ** 31 - 1;

/** How to cut rows into batches. Unknown names throw. */
export interface BatchOptions {
  /** Leaves out the last batch when it is not full. Default false. */
  dropRemainder?: boolean | undefined;
}

/**
 * Reads and parses Examples, once, from the first to the last: `for await` gives rows, `batches()` columns; both share one
 * position. The end, `break`, `return()` and any error close the reader. Made by {@link readExamples}.
 */
export interface ExampleReader<S extends Spec, I extends Int64As = 'bigint'>
  extends AsyncIterable<Element<S, I>>, AsyncDisposable {
  /** The rows, as light views: a feature is read out of its column when it is asked for. */
  [Symbol.asyncIterator](): AsyncIterableIterator<Element<S, I>>;
  /**
   * The columns of `size` records at a time, as {@link parseExample} gives them; of fewer at the end, and before an error.
   * Batches go on across files.
   */
  batches(size: number, options?: BatchOptions): AsyncIterableIterator<Batch<S, I>>;
  /** Where the record that was handed out last lies; undefined before the first. */
  readonly origin: Origin | undefined;
  /** How far this reader is. */
  readonly stats: ReadStats;
  /** Ends the reading. Resolves when nothing is open any more. Idempotent. */
  close(): Promise<void>;
  /** The same as {@link ExampleReader.close}. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Reads `tf.train.Example`s and parses them by `spec`, beside JavaScript, on all cores: from files (paths, patterns,
 * shards), bytes or streams, plain or compressed, as {@link RecordReader} does. The source is opened at the first step.
 *
 * A record that is no Example (TFR_EXAMPLE), or does not fit the spec (TFR_FEATURE), is an error at its place, behind all
 * rows before it; `onError` decides about it as about damage.
 *
 * @throws TFRecordError TFR_SPEC, TypeError, RangeError at once, for wrong arguments.
 *
 * @example
 * const spec = { id: fixedLen([], 'int64'), tags: varLen('bytes') };
 * for await (const { id } of readExamples('train-*.tfrecord.gz', spec)) console.log(id);
 * for await (const { tags } of readExamples('train-*.tfrecord.gz', spec).batches(1024)) console.log(tags.denseShape);
 */
export function readExamples<S extends Spec, I extends Int64As = 'bigint'>(
  source: RecordSource,
  spec: S,
  options?: ReadOptions & ParseOptions<I>,
): ExampleReader<S, I> {
  const { int64: given, ...readOptions } = checkOptions(options, [...READ_OPTION_NAMES, 'int64']);
  const int64 = checkChoice('options.int64', given, INT64_AS, 'bigint');
  const classified = classifySource(source);
  const plan = planExample(spec);
  const read = resolveReadOptions(readOptions);
  const sizer = new PieceSizer();
  const examples: ExamplePlan = { read, plan, int64, parser: newParser(plan, int64), sizer };
  const flow = new SourceFlow<ParsedRead, ParsedRows>(classified, read, {
    splitter: new RowsSplitter(plan, read.policy),
    openFile: (path) => new FileExampleStream(path, examples),
    openFed: (file, open, bytes) => new FedExampleStream(file, open, bytes, examples),
  });
  const reader = new Examples(new ExampleCursor(flow, plan, read), sizer);
  watchForgotten(reader, flow, 'An ExampleReader');
  return reader as unknown as ExampleReader<S, I>;
}

class Examples {
  readonly #cursor: ExampleCursor;
  readonly #sizer: PieceSizer;

  constructor(cursor: ExampleCursor, sizer: PieceSizer) {
    this.#cursor = cursor;
    this.#sizer = sizer;
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<object> {
    return new ElementSteps(this.#cursor, this);
  }

  batches(size: number, options?: BatchOptions): AsyncIterableIterator<Record<string, BatchValue>> {
    const rows = checkInteger('size', size, 1, MAX_BATCH, undefined);
    if (rows === undefined) throw invalidArgType('size', 'a number', size);
    const { dropRemainder = false } = checkOptions(options, ['dropRemainder']);
    if (typeof dropRemainder !== 'boolean') throw invalidArgType('options.dropRemainder', 'a boolean', dropRemainder);
    this.#sizer.batch = rows;
    return new ExampleBatches(this.#cursor, this, rows, dropRemainder);
  }

  get origin(): Origin | undefined {
    return this.#cursor.origin;
  }

  get stats(): ReadStats {
    return this.#cursor.stats;
  }

  close(): Promise<void> {
    return this.#cursor.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

class ExampleBatches extends CursorSteps<Record<string, BatchValue>, ExampleCursor> {
  readonly #size: number;
  readonly #dropRemainder: boolean;

  constructor(cursor: ExampleCursor, owner: object, size: number, dropRemainder: boolean) {
    super(cursor, owner);
    this.#size = size;
    this.#dropRemainder = dropRemainder;
  }

  next(): Promise<IteratorResult<Record<string, BatchValue>>> {
    return this.cursor.nextBatch(this.#size, this.#dropRemainder, this.owner);
  }
}
