/** What reads and parses records of one plan, as rows and as batches. */
import { invalidArgType } from '../../errors';
import {
  checkBoolean,
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
  type ReadStats,
  type RecordSource,
} from '../../record';
import type { Assembly } from './assembly';
import { ExampleCursor } from './example-cursor';
import { FedExampleStream, FileExampleStream, type ExamplePlan } from './example-stream';
import { INT64_AS, type ParsedReadOptions } from './parse-options';
import type { ParsedRows } from './parsed-rows';
import { newParser } from './parser';
import { PieceSizer } from './piece-sizer';
import type { ParsedRead } from './piece-taker';
import { RowsSplitter } from './rows-splitter';
import { TransientMemory } from './transient-memory';

const MAX_BATCH = 2 ** 31 - 1;
const OPTION_NAMES = [...READ_OPTION_NAMES, 'int64', 'transient'] as const;

/** How to cut rows into batches. Unknown names throw. */
export interface BatchOptions {
  /** Leaves out the last batch when it is not full. Default false. */
  dropRemainder?: boolean | undefined;
}

/**
 * Reads and parses records, once, from the first to the last: `for await` gives rows, `batches()` columns; both share one
 * position. The end, `break`, `return()` and any error close the reader.
 */
export interface ParsedReader<Row, Columns> extends AsyncIterable<Row>, AsyncDisposable {
  /** The rows. */
  [Symbol.asyncIterator](): AsyncIterableIterator<Row>;
  /** The columns of `size` records at a time; of fewer at the end, and before an error. Batches go on across files. */
  batches(size: number, options?: BatchOptions): AsyncIterableIterator<Columns>;
  /** Where the record that was handed out last lies; undefined before the first. */
  readonly origin: Origin | undefined;
  /** How far this reader is. */
  readonly stats: ReadStats;
  /** Ends the reading. Resolves when nothing is open any more. Idempotent. */
  close(): Promise<void>;
  /** The same as {@link ParsedReader.close}. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Opens a reader. `newAssembly` is called behind the checks of the options and of the source, whose errors come first. `name`:
 * the reader's, with an article, for the warning about those that nobody closed.
 */
export function openParsed(
  source: RecordSource,
  newAssembly: () => Assembly,
  options: ParsedReadOptions | undefined,
  name: string,
): ParsedReader<object, object> {
  const { int64: given, transient, ...readOptions } = checkOptions(options, OPTION_NAMES);
  const int64 = checkChoice('options.int64', given, INT64_AS, 'bigint');
  const memory = checkBoolean('options.transient', transient, false) ? new TransientMemory() : undefined;
  const classified = classifySource(source);
  const assembly = newAssembly();
  const { plan } = assembly;
  const read = resolveReadOptions(readOptions);
  const sizer = new PieceSizer();
  const examples: ExamplePlan = { read, plan, int64, parser: newParser(plan, int64), sizer, memory };
  const flow = new SourceFlow<ParsedRead, ParsedRows>(classified, read, {
    splitter: new RowsSplitter(assembly, read.policy),
    openFile: (path) => new FileExampleStream(path, examples),
    openFed: (file, open, bytes) => new FedExampleStream(file, open, bytes, examples),
  });
  const reader = new Reader(new ExampleCursor(flow, assembly, { ...read, memory, sizer }));
  watchForgotten(reader, flow, name);
  return reader;
}

class Reader implements ParsedReader<object, object> {
  readonly #cursor: ExampleCursor;

  constructor(cursor: ExampleCursor) {
    this.#cursor = cursor;
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<object> {
    return new ElementSteps(this.#cursor, this);
  }

  batches(size: number, options?: BatchOptions): AsyncIterableIterator<object> {
    const rows = checkInteger('size', size, 1, MAX_BATCH, undefined);
    if (rows === undefined) throw invalidArgType('size', 'a number', size);
    const { dropRemainder } = checkOptions(options, ['dropRemainder']);
    const drop = checkBoolean('options.dropRemainder', dropRemainder, false);
    return new Batches(this.#cursor, this, rows, drop);
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

class Batches extends CursorSteps<object, ExampleCursor> {
  readonly #size: number;
  readonly #dropRemainder: boolean;

  constructor(cursor: ExampleCursor, owner: object, size: number, dropRemainder: boolean) {
    super(cursor, owner);
    this.#size = size;
    this.#dropRemainder = dropRemainder;
  }

  next(): Promise<IteratorResult<object>> {
    return this.cursor.nextBatch(this.#size, this.#dropRemainder, this.owner);
  }
}
