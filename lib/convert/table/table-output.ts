/** Writes outputs of columns: the records of a job become the batches of one table. */
import type { Compression, Origin, TFRecordError } from '../../base';
import { BatchMemory, beginsLikeEvent, foreignError, noteRecord, recordType, type BatchLines } from '../../example';
import { MemoryPool, type WriteTarget } from '../../io';
import { partsOf, type RecordBatch } from '../../record';
import { parseTable, type Table, type TableBatch } from '../../table';
import { sliceOf } from '../batches';
import type { CopiedRecords } from '../../sql';
import type { HuggingFaceForm } from '../hugging-face/form';
import type {
  CopyProgress,
  Faults,
  NativeRecords,
  OutputFormat,
  OutputOption,
  OutputSink,
  WriteSettings,
  WrittenOutput,
} from '../format';

/** Rows that native threads print directly from records. */
export interface PrintedRows {
  readonly lines: BatchLines;
  /** Takes the text of `rows` rows. Call `free` when its memory is free again. */
  take(text: Buffer<ArrayBuffer>, free: () => void, rows: number): Promise<void> | undefined;
}

/** Writes the batches of a table to one target. */
export interface TableWriter {
  /** If given, `write` receives only the records that these lines leave out, in their places. */
  readonly printed?: PrintedRows | undefined;
  /**
   * Writes a batch, and owns its memory until it calls `done`. `origin` returns the origin of the record of a row.
   * Returns a promise if the caller should wait.
   */
  write(batch: TableBatch, origin: (row: number) => Origin): Promise<void> | undefined;
  /** See `ParquetWriter.copy`. Undefined: `write` receives all records. */
  readonly copy?: ((records: CopiedRecords, first: TableBatch) => Promise<number> | undefined) | undefined;
  /**
   * Completes the target, and resolves with its size and the number of rows in it. Default for `rows`: all that were
   * passed to `write`.
   */
  close(): Promise<{ readonly fileBytes: number; readonly rows?: number }>;
  /** Stops writing; an incomplete file may remain. Never rejects. */
  abort(): Promise<void>;
}

/** A format of columns to write. */
export interface TableFormat extends Pick<OutputFormat, 'filesOnly' | 'copies' | 'onOneThread'> {
  /** Options that apply to it, besides the spec. Default: none. */
  readonly uses?: readonly OutputOption[] | undefined;
  readonly compressions: readonly Compression[];
  /**
   * Opens `target` for `table`. The writer calls `done` with each batch when it no longer needs the memory.
   * @throws TFRecordError TFR_SPEC for columns that the format cannot hold
   */
  readonly open: (
    target: WriteTarget,
    table: Table,
    settings: WriteSettings,
    done: (batch: TableBatch) => void,
  ) => Promise<TableWriter>;
}

export function tableOutput({
  uses = [],
  compressions,
  filesOnly,
  copies,
  onOneThread,
  open,
}: TableFormat): OutputFormat {
  return {
    uses: ['spec', ...uses],
    takesTable: true,
    compressions,
    filesOnly,
    copies,
    onOneThread,
    open: async (target, settings) => {
      const table = settings.table!;
      const pool = new MemoryPool();
      const writer = await open(target, table, settings, (batch) => {
        BatchMemory.endOf(batch, pool);
      });
      return new TableSink(writer, settings, pool);
    },
  };
}

/** Parses records into the columns of a table, on native threads. */
class TableSink implements OutputSink {
  readonly #writer: TableWriter;
  readonly #table: Table;
  readonly #form: HuggingFaceForm | undefined;
  readonly #faults: Faults;
  /** Memory of the batches, which only the writer sees. */
  readonly #pool: MemoryPool;
  #records = 0;

  constructor(writer: TableWriter, { table, huggingFace, faults }: WriteSettings, pool: MemoryPool) {
    this.#writer = writer;
    this.#table = table!;
    this.#form = huggingFace;
    this.#faults = faults;
    this.#pool = pool;
  }

  async write(batch: RecordBatch): Promise<void> {
    const { printed } = this.#writer;
    if (printed === undefined) {
      await this.#writeAll(batch);
      return;
    }
    if (batch.length > 0) noteRecord(this.#table.plan, batch.at(0)!);
    const faults = this.#faults;
    await printed.lines.print(batch, {
      lines: (text, free, rows) => printed.take(text, free, rows),
      other: (index) => this.#writeAll(sliceOf(batch, index, index + 1)),
      get stopped() {
        return faults.stopped;
      },
    });
  }

  async copy({ files, plan, first, check }: NativeRecords, progress: CopyProgress): Promise<boolean> {
    const writer = this.#writer;
    // Native code does not check the numbers of classes.
    if (writer.copy === undefined || this.#form?.checks === true) return false;
    const batch = await first();
    if (batch === undefined) return false;
    const { value } = await parseTable(batch, this.#table);
    const rows = await writer.copy({ files, plan, progress }, value);
    if (rows === undefined) return false;
    this.#records += rows;
    await check?.();
    return true;
  }

  async #writeAll(batch: RecordBatch): Promise<void> {
    for (let at = 0; at < batch.length && !this.#faults.stopped;) {
      const { rows, error } = await this.#writeBefore(sliceOf(batch, at));
      if (error === undefined) return;
      this.#faults.leaveOut(error);
      at += rows + 1;
    }
  }

  /**
   * Writes the records before the first that cannot be written. Returns their number, and the error about that record.
   */
  async #writeBefore(batch: RecordBatch): Promise<{ rows: number; error: TFRecordError | undefined }> {
    const { rows, value, error } = await parseTable(batch, this.#table, true, this.#pool);
    const fault = firstEvent(batch, rows) ?? this.#form?.faultIn(value, (row) => batch.origin(row)!);
    if (fault !== undefined) {
      await this.#writeBefore(sliceOf(batch, 0, fault.row));
      return { rows: fault.row, error: fault.error };
    }
    this.#records += rows;
    if (rows > 0) await this.#writer.write(value, (row) => batch.origin(row)!);
    return { rows, error };
  }

  async close(): Promise<WrittenOutput> {
    const { fileBytes, rows = this.#records } = await this.#writer.close();
    this.#pool.close();
    return { records: rows, fileBytes };
  }

  async abort(): Promise<void> {
    await this.#writer.abort();
    this.#pool.close();
  }
}

/**
 * Finds the first Event among the first `rows` records of `batch`, and the error about it: parsers of Examples accept
 * Events with a warning, but in a table they would be empty rows.
 */
export function firstEvent(
  batch: RecordBatch,
  rows: number,
): { readonly row: number; readonly error: TFRecordError } | undefined {
  const { source, begin } = partsOf(batch);
  const { slab, frames } = source;
  for (let row = 0; row < rows; row++) {
    const frame = 2 * (begin + row);
    if (frames[frame + 1] === 0 || !beginsLikeEvent(slab, frames[frame])) continue;
    const record = batch.at(row)!;
    if (recordType(record) !== 'Event') continue;
    return { row, error: foreignError('an Example or SequenceExample', batch.origin(row)!, record) };
  }
  return undefined;
}
