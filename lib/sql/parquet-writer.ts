/** Writes tables as files of Parquet: batches that the caller pushes, or the records of files. */
import { TFRecordError } from '../base';
import { tableBytes, type Table, type TableBatch } from '../table';
import type { WrittenBatch, WrittenTable } from './column-types';
import { writeRecords, type CopiedRecords } from './parquet-copy';
import { NativeQueue } from './native-queue';
import { ParquetQuery, type ParquetOptions, type RowQueue } from './parquet-query';
import { ScriptQueue } from './script-queue';

/** Maximum size of the vectors that wait for DuckDB, in bytes; above it, the caller must wait. */
const WAITING_BYTES = 8 * 1024 * 1024;
/** Average length of the rows in the first batch above which rows are long, such as pictures. */
const LONG_BYTES = 1024;
/** If DuckDB takes no rows for this long although there are some, the query may have failed. */
const STALLED_MS = 2000;

/** Writes the batches of a table. */
export class ParquetWriter<B extends WrittenBatch = TableBatch> {
  readonly #query: ParquetQuery;
  readonly #onTaken: ((batch: B) => void) | undefined;
  #queue: RowQueue | undefined;
  #started: Promise<void> | undefined;
  /** The batches that DuckDB has not taken. */
  readonly #waiting: B[] = [];
  #waitingBytes = 0;
  /** Resolves the promise of a caller that waits for room. */
  #wake: (() => void) | undefined;

  private constructor(query: ParquetQuery, { onTaken }: ParquetOptions<B>) {
    this.#query = query;
    this.#onTaken = onTaken;
  }

  /** Begins to write the file `path`. @throws TFRecordError TFR_SPEC for columns that DuckDB cannot hold */
  static async open<B extends WrittenBatch = TableBatch>(
    path: string,
    table: WrittenTable,
    options: ParquetOptions<B> = {},
  ): Promise<ParquetWriter<B>> {
    return new ParquetWriter<B>(await ParquetQuery.open(path, table, options), options);
  }

  /**
   * Writes `batch`, whose memory must stay unchanged. Returns a promise if the caller should wait. @throws if writing
   * failed
   */
  write(batch: B): Promise<void> | undefined {
    this.#query.check();
    if (batch.rows === 0) return undefined;
    const queue = (this.#queue ??= this.#newQueue());
    this.#waiting.push(batch);
    this.#waitingBytes += tableBytes(batch);
    queue.push(batch);
    if (this.#started === undefined) {
      this.#started = this.#query.begin(queue.source, areLong(batch));
      return this.#started;
    }
    return this.#waitingBytes < WAITING_BYTES ? undefined : this.#room();
  }

  /**
   * Writes all `records` of `table`, instead of batches. `first`: the first of them. Returns undefined, and does nothing, if
   * native code cannot; otherwise resolves with their number. @throws if writing failed, or the errors of reading
   */
  copy(table: Table, records: CopiedRecords, first: TableBatch): Promise<number> | undefined {
    return writeRecords(this.#query, table, records, areLong(first), (started) => {
      this.#started = started;
    });
  }

  /** Completes the file. */
  async close(): Promise<void> {
    this.#query.check();
    try {
      if (this.#started === undefined) {
        this.#queue = this.#newQueue();
        this.#started = this.#query.begin(this.#queue.source, false);
      }
      this.#queue?.end();
      await this.#started;
      await this.#settled();
    } catch (error) {
      // A queue that has not ended holds its batches.
      this.#queue?.fail(error);
      throw error;
    } finally {
      this.#query.dispose();
    }
  }

  /** Stops writing; an incomplete file may remain. Never rejects. */
  async abort(): Promise<void> {
    if (!this.#query.open) return;
    const reason = new TFRecordError('TFR_CLOSED', 'writing was given up');
    this.#query.fail(reason);
    // Batches are dropped in another order.
    this.#waiting.length = 0;
    this.#queue?.fail(reason);
    await this.#started?.catch(() => undefined);
    await this.#settled().catch(() => undefined);
    this.#query.dispose();
  }

  #newQueue(): RowQueue {
    const taken = (): void => {
      const batch = this.#waiting.shift();
      if (batch === undefined) return;
      this.#waitingBytes -= tableBytes(batch);
      this.#onTaken?.(batch);
      if (this.#waitingBytes < WAITING_BYTES) this.#wakeUp();
    };
    return NativeQueue.open(this.#query, taken) ?? new ScriptQueue(this.#query, taken);
  }

  /** Resolves when there is room for more, or writing failed. */
  async #room(): Promise<void> {
    while (this.#waitingBytes >= WAITING_BYTES) {
      const stalled = await new Promise<boolean>((resolve) => {
        const timer = setTimeout(resolve, STALLED_MS, true);
        this.#wake = () => {
          clearTimeout(timer);
          resolve(false);
        };
      });
      if (stalled) this.#settled().catch(() => undefined);
      this.#query.check();
    }
  }

  #wakeUp(): void {
    this.#wake?.();
    this.#wake = undefined;
  }

  /** Resolves when the query has ended. */
  async #settled(): Promise<void> {
    try {
      await this.#query.settled();
    } catch (error) {
      this.#wakeUp();
      throw error;
    }
  }
}

/** True if rows are so long that values hardly repeat. */
function areLong(batch: WrittenBatch): boolean {
  return tableBytes(batch) > LONG_BYTES * batch.rows;
}
