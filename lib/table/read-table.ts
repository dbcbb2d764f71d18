/** Reads records as tables: the records of a source, batch by batch, or of a batch. */
import { callNative, startNative, type Origin } from '../base';
import {
  newParser,
  newParsing,
  openParsed,
  PieceTaker,
  RowsSplitter,
  type ParsedBefore,
  type ParsedReader,
  type Piece,
  type Plan,
  type RecordParsing,
} from '../example';
import type { MemoryPool, RecordSource } from '../io';
import { native, type ExamplesHandle } from '../native';
import {
  listBatch,
  notRegular,
  readerSpec,
  resolveReadOptions,
  SyncSequence,
  type ReadOptions,
  type RecordBatch,
  type SyncStream,
} from '../record';
import type { Table } from './table';
import { tableComposer, type TableBatch } from './vectors';

/** Reads the records of a source as batches of a table. */
export interface TableReader extends Pick<ParsedReader<object, object>, 'origin' | 'stats' | 'close'> {
  /**
   * Returns batches of up to `rows` records as soon as they are parsed: a batch neither is joined with others nor waits
   * for them, so batches of large records are small.
   */
  pieces(rows: number): AsyncIterableIterator<TableBatch>;
}

/** Opens a reader of a table. @throws as `readExamples` */
export function readTable(source: RecordSource, table: Table, options?: ReadOptions): TableReader {
  return openParsed(source, () => tableComposer(table), options, 'A table reader') as unknown as TableReader;
}

/** Options of {@link readTableSync}. */
export interface TableReadOptions extends ReadOptions {
  /** Maximum number of records in a batch. Default: 4096. */
  readonly rows?: number | undefined;
}

const ROWS = 4096;
/** Number of batches that native threads parse while the caller works on one. */
const PIECES_AHEAD = 3;

/** A batch of {@link readTableSync}. */
export interface PlacedBatch extends TableBatch {
  /** The origin of the record of `row`. */
  origin(row: number): Origin;
}

const WHOLE = { cuts: (rows: number): readonly number[] => [rows], joins: () => false };

/**
 * Reads files as tables. Blocks the calling thread while native threads read, for callers that cannot await promises.
 * `paths`: regular files, or patterns. @throws TFRecordError when the iteration reaches the error
 */
export function* readTableSync(
  paths: readonly string[],
  table: Table,
  { rows = ROWS, ...options }: TableReadOptions = {},
): Generator<PlacedBatch, void, undefined> {
  const plan = resolveReadOptions(options);
  const composer = tableComposer(table);
  const parser = newParser(table.plan, 'bigint');
  const open = (file: string, bytes: number, at: string): SyncPieces => {
    const spec = readerSpec(plan, { bytes, at });
    const handle = callNative(file, () => native().examplesOpenFile(at, spec, parser));
    return new SyncPieces(file, handle, table.plan, rows);
  };
  const sequence = new SyncSequence(
    { kind: 'paths', paths: paths.map((path) => ({ path, expands: true })) },
    plan,
    { openFile: open, openFed: refuseStream },
    new RowsSplitter(composer, plan.policy),
  );
  try {
    for (let step = sequence.next(); step !== undefined; step = sequence.next()) {
      const parsed = step;
      const batch = parsed.compose().batch() as TableBatch;
      yield { ...batch, origin: (row) => parsed.origin(row)! };
    }
  } finally {
    sequence.close();
  }
}

function refuseStream(file: string): never {
  throw notRegular(file);
}

/** The parsed batches of one file. The calling thread blocks while native threads parse. */
class SyncPieces implements SyncStream<Piece> {
  readonly file: string;
  readonly #handle: ExamplesHandle;
  readonly #rows: number;
  readonly #taker: PieceTaker;
  #closed = false;

  constructor(file: string, handle: ExamplesHandle, plan: Plan, rows: number) {
    this.file = file;
    this.#handle = handle;
    this.#rows = rows;
    this.#taker = new PieceTaker(handle, plan, { int64AsNumber: false, file, pool: undefined });
  }

  next(): Piece {
    const number = callNative(this.file, () => native().examplesNextSync(this.#handle, this.#rows, PIECES_AHEAD));
    const [piece] = this.#taker.take(number, this.#taker.report(number), WHOLE);
    return piece!;
  }

  skip(): void {
    native().examplesSkip(this.#handle);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    startNative(this.file, () => native().examplesClose(this.#handle)).catch(() => undefined);
  }
}

const parsings = new WeakMap<Table, RecordParsing>();

/**
 * Parses `batch` on a native thread, up to the first record that does not match the table. `lent`: true if nobody
 * writes to, or transfers, the memory of the batch until the promise settles; else the call copies the records. `pool`:
 * the pool for the memory of the result, until `BatchMemory.endOf`.
 * @throws TFRecordError for errors about the whole batch
 */
export async function parseTable(
  batch: RecordBatch,
  table: Table,
  lent = false,
  pool?: MemoryPool,
): Promise<ParsedBefore<TableBatch>> {
  let parsing = parsings.get(table);
  if (parsing === undefined) parsings.set(table, (parsing = newParsing(tableComposer(table), 'bigint')));
  // There is nothing to parse on a thread.
  if (batch.length === 0) return parsing.batch(batch) as ParsedBefore<TableBatch>;
  const list = { ...listBatch(batch), unseen: lent };
  const { length } = batch;
  const parsed = await parsing.batchLater({ list, length, origin: (row) => batch.origin(row)! }, pool);
  return parsed as ParsedBefore<TableBatch>;
}
