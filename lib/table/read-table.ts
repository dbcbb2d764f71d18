/** Reads records as tables: those of a source, batch by batch, and those of a batch in hand. */
import { statSync } from 'node:fs';

import { TFRecordError, callNative, folderError, fromNodeError, fullPath, startNative, type Origin } from '../base';
import { native, type ExamplesHandle, type ParserHandle } from '../native';
import { expandPathSync, type MemoryPool, type RecordSource } from '../io';
import {
  listBatch,
  readerSpec,
  resolveReadOptions,
  type ReadOptions,
  type ReadPlan,
  type RecordBatch,
} from '../record';
import {
  newParser,
  newParsing,
  type ParsedBefore,
  type RecordParsing,
  openParsed,
  PieceTaker,
  RowsSplitter,
  type ParsedReader,
} from '../example';
import type { Table } from './table';
import { tableComposer, type TableBatch } from './vectors';

/** Reads the records of a table. */
export interface TableReader extends Pick<ParsedReader<object, object>, 'origin' | 'stats' | 'close'> {
  /**
   * Batches of up to `rows` records, as they come: none is joined with others, or waits for them, so batches of large
   * records are small.
   */
  pieces(rows: number): AsyncIterableIterator<TableBatch>;
}

/** Opens a reader of a table. @throws as `readExamples` */
export function readTable(source: RecordSource, table: Table, options?: ReadOptions): TableReader {
  return openParsed(source, () => tableComposer(table), options, 'A table reader') as unknown as TableReader;
}

/** Options of {@link readTableSync}. */
export interface TableReadOptions extends ReadOptions {
  /** Most records of a batch. Default: 4096. */
  readonly rows?: number | undefined;
}

const ROWS = 4096;
/** Pieces that native threads parse while the caller works on one. */
const PIECES_AHEAD = 3;

/** A batch of {@link readTableSync}. */
export interface PlacedBatch extends TableBatch {
  /** The place of the record of `row`. */
  origin(row: number): Origin;
}

const WHOLE = { cuts: (rows: number): readonly number[] => [rows], joins: () => false };

/**
 * Reads files as tables, and waits for native threads on the calling thread, for callers that cannot wait for promises.
 * `paths` are those of regular files, or patterns. @throws TFRecordError when the iteration reaches the error
 */
export function* readTableSync(
  paths: readonly string[],
  table: Table,
  { rows = ROWS, ...options }: TableReadOptions = {},
): Generator<PlacedBatch, void, undefined> {
  const plan = resolveReadOptions(options);
  const composer = tableComposer(table);
  const parser = newParser(table.plan, 'bigint');
  const splitter = new RowsSplitter(composer, plan.policy);
  for (const { path: file, error } of paths.flatMap((path) => expandPathSync({ path, expands: true }))) {
    let handle: ExamplesHandle;
    try {
      if (error !== undefined) throw error;
      handle = openFile(file, plan, parser);
    } catch (cause) {
      if (!(cause instanceof TFRecordError)) throw cause;
      if (plan.policy.resolve(cause) === 'stop') return;
      continue;
    }
    const taker = new PieceTaker(handle, table.plan, { int64AsNumber: false, file, pool: undefined });
    try {
      for (let open = true; open;) {
        plan.signal?.throwIfAborted();
        const step = splitter.next();
        if (typeof step === 'object') {
          const batch = step.compose().batch() as TableBatch;
          yield { ...batch, origin: (row) => step.origin(row)! };
          continue;
        }
        if (step === 'stop') return;
        if (step === 'skipped') continue;
        if (step === 'pass-over') native().examplesPassOver(handle);
        if (step === 'done') {
          open = false;
          continue;
        }
        const number = callNative(file, () => native().examplesNextSync(handle, rows, PIECES_AHEAD));
        const [piece] = taker.take(number, taker.report(number), WHOLE);
        splitter.load(file, piece!);
      }
    } finally {
      startNative(file, () => native().examplesClose(handle)).catch(() => undefined);
    }
  }
  plan.policy.ended();
}

/** @throws TFRecordError if it is no regular file */
function openFile(file: string, plan: ReadPlan, parser: ParserHandle): ExamplesHandle {
  const at = fullPath(file, undefined);
  let size: number;
  try {
    const stats = statSync(at);
    if (stats.isDirectory()) throw folderError(file);
    if (!stats.isFile()) throw new TFRecordError('EINVAL', `${file} is no regular file: read it as a stream`, { file });
    size = stats.size;
  } catch (cause) {
    throw fromNodeError(cause, file, 'open');
  }
  const spec = readerSpec(plan, { bytes: size });
  return callNative(file, () => native().examplesOpenFile(at, spec, parser));
}

const parsings = new WeakMap<Table, RecordParsing>();

/**
 * Parses `batch` on a native thread, up to the first record that does not fit the table. `lent`: nobody writes to the
 * memory of the batch, or transfers it, until the promise settles; otherwise the call copies the records. `pool`: the
 * result lies in its memory, until `BatchMemory.endOf`.
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
  // Nothing to hand to a thread.
  if (batch.length === 0) return parsing.batch(batch) as ParsedBefore<TableBatch>;
  const list = { ...listBatch(batch), unseen: lent };
  const { length } = batch;
  const parsed = await parsing.batchLater({ list, length, origin: (row) => batch.origin(row)! }, pool);
  return parsed as ParsedBefore<TableBatch>;
}
