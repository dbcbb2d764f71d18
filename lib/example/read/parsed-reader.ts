/** Readers that parse records of one plan, as rows and as batches. */
import { inspect } from 'node:util';

import { checkBoolean, checkOptions, type InspectArguments, inspected, neededInteger, type Origin } from '../../base';
import { readableSource, MemoryPool, type RecordSource } from '../../io';
import {
  CursorSteps,
  ElementSteps,
  InputSequence,
  Readings,
  READ_OPTION_NAMES,
  resolveReadOptions,
  streamOpener,
  type ReadStats,
} from '../../record';
import type { BytesAs } from '../../tensor';
import { parsedAs } from '../feature';
import { newParser, type Composer, type ParsedReadOptions } from '../parse';
import { ExampleCursor } from './example-cursor';
import { PieceRequests, type ExamplePlan } from './piece-requests';
import { PieceSizer } from './piece-sizer';
import type { Piece } from './piece-taker';
import { RowsSplitter } from './rows-splitter';

const MAX_BATCH = 2 ** 31 - 1;
const OPTION_NAMES = [...READ_OPTION_NAMES, 'int64', 'bytes', 'transient'] as const;

/** Options of {@link ParsedReader.batches}. Unknown names throw. */
export interface BatchOptions {
  /** Leaves out the last batch if it is not full. Default: false. */
  dropRemainder?: boolean | undefined;
}

/**
 * Reads and parses records, from the first to the last: `for await` yields rows, `batches()` yields columns. Both share
 * one position. The end, `break`, `return()` and any error end a reading. Iterating after that starts again from the
 * first record; for a stream, and after `close()`, it throws TFR_CLOSED.
 */
export interface ParsedReader<Row, Columns> extends AsyncIterable<Row>, AsyncDisposable {
  /** Yields the rows. */
  [Symbol.asyncIterator](): AsyncIterableIterator<Row>;
  /**
   * Yields the columns of `size` records at a time; of fewer at the end, and before an error. A batch may have records
   * of several files.
   */
  batches(size: number, options?: BatchOptions): AsyncIterableIterator<Columns>;
  /** The place of the record that was handed out last; undefined before the first. */
  readonly origin: Origin | undefined;
  /** The progress of this reader. */
  readonly stats: ReadStats;
  /** Ends the reading. Resolves when nothing is open any more. Idempotent. */
  close(): Promise<void>;
  /** The same as {@link ParsedReader.close}. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Opens a reader. Calls `newComposer` after the checks of options and source, whose errors come first. `name`, with an
 * article, names the reader in the warning about readers that nobody closed.
 */
export function openParsed(
  source: RecordSource,
  newComposer: (bytes: BytesAs) => Composer,
  options: ParsedReadOptions | undefined,
  name: string,
): ParsedReader<object, object> {
  const { int64: int64Given, bytes: bytesGiven, transient, ...readOptions } = checkOptions(options, OPTION_NAMES);
  const { int64, bytes } = parsedAs({ int64: int64Given, bytes: bytesGiven });
  const isTransient = checkBoolean('options.transient', transient, false);
  const classified = readableSource(source);
  const composer = newComposer(bytes);
  const { plan } = composer;
  const parser = newParser(plan, int64);
  const passes = new Readings(classified, () => {
    const read = resolveReadOptions(readOptions);
    const pool = isTransient ? new MemoryPool() : undefined;
    const sizer = new PieceSizer();
    const examples: ExamplePlan = { read, plan, int64, parser, sizer, pool };
    const opener = streamOpener<Piece>(read, {
      ofFile: (file, bytes, _, at) => PieceRequests.ofFile(file, bytes, examples, at),
      ofFed: ({ name, size }) => PieceRequests.ofFed(name, size, examples),
      ofRanges: (source, start, reach) => PieceRequests.ofRanges(source, examples, start, reach),
    });
    const inputs = new InputSequence(classified, read, opener, new RowsSplitter(composer, read.policy));
    return new ExampleCursor(inputs, composer, { ...read, pool, sizer });
  });
  return new Reader(passes, name);
}

class Reader implements ParsedReader<object, object> {
  readonly #passes: Readings<ExampleCursor>;
  readonly #name: string;

  constructor(passes: Readings<ExampleCursor>, name: string) {
    this.#passes = passes;
    this.#name = name;
    passes.current.belongsTo(this, name);
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<object> {
    return new Rows(this.#resume(), this, () => this.#resume());
  }

  batches(size: number, options?: BatchOptions): AsyncIterableIterator<object> {
    const rows = neededInteger('size', size, 1, MAX_BATCH);
    const { dropRemainder } = checkOptions(options, ['dropRemainder']);
    const drop = checkBoolean('options.dropRemainder', dropRemainder, false);
    return new Batches(this.#resume(), this, () => this.#resume(), rows, drop);
  }

  /**
   * @internal Yields the columns of up to `rows` records at a time, as soon as they are parsed: batches are not joined.
   */
  pieces(rows: number): AsyncIterableIterator<object> {
    return new Batches(this.#resume(), this, () => this.#resume(), rows, false, false);
  }

  #resume(): ExampleCursor {
    const before = this.#passes.current;
    const cursor = this.#passes.resume();
    if (cursor !== before) cursor.belongsTo(this, this.#name);
    return cursor;
  }

  get origin(): Origin | undefined {
    return this.#passes.current.origin;
  }

  get stats(): ReadStats {
    return this.#passes.current.stats;
  }

  close(): Promise<void> {
    this.#passes.close();
    return this.#passes.current.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  [inspect.custom](...args: InspectArguments): string {
    const name = #name in this ? this.#name.replace(/^An? /, '') : Reader.name;
    return inspected(name, args, () => this.#passes.current.shown);
  }
}

class Rows extends ElementSteps<object> {
  protected override printedName(): string {
    return 'RowIterator';
  }
}

class Batches extends CursorSteps<object, ExampleCursor> {
  readonly #size: number;
  readonly #dropRemainder: boolean;
  readonly #joins: boolean;

  constructor(
    cursor: ExampleCursor,
    owner: object,
    resume: () => ExampleCursor,
    size: number,
    dropRemainder: boolean,
    joins = true,
  ) {
    super(cursor, owner, resume);
    this.#size = size;
    this.#dropRemainder = dropRemainder;
    this.#joins = joins;
  }

  protected printedName(): string {
    return 'BatchIterator';
  }

  next(): Promise<IteratorResult<object>> {
    return this.cursor.nextBatch(this.#size, this.#dropRemainder, this.owner, this.#joins);
  }
}
