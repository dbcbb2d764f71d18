import { type MemoryPool } from '../../io';
import { Cursor, type ErrorPolicy, type InputSequence } from '../../record';
import { joinColumns, sliceColumns, type Composer, type ParsedColumns } from '../parse';
import type { ParsedRows } from './parsed-rows';
import type { PieceSizer } from './piece-sizer';
import type { Piece } from './piece-taker';

/** Options that the rows and the batches of one reader share. */
interface ExampleCursorOptions {
  readonly policy: ErrorPolicy;
  readonly signal: AbortSignal | undefined;
  /** The pool for batches that are valid until the next step only; undefined if batches stay valid. */
  readonly pool: MemoryPool | undefined;
  readonly sizer: PieceSizer;
}

/** The position of a reader of parsed records, shared by its rows and its batches. */
export class ExampleCursor extends Cursor<object, ParsedRows> {
  readonly #composer: Composer;
  readonly #options: ExampleCursorOptions;
  /** The columns of the batch that was handed out last. */
  #shown: ParsedColumns | undefined;
  /** The rows that were handed out last, or that batches were cut from. */
  #used: ParsedRows | undefined;
  /** Number of rows in the batch that is being gathered; 1 for a single row. */
  #wanted = 1;
  /** The error that ended a batch before it was full. It is thrown by the next step. */
  #failure: { readonly error: unknown } | undefined;

  constructor(inputs: InputSequence<Piece, ParsedRows>, composer: Composer, options: ExampleCursorOptions) {
    super(inputs, options.policy);
    this.#composer = composer;
    this.#options = options;
  }

  /**
   * Returns the next `size` rows. At the end there may be fewer, unless `dropRemainder` is set. Without `joins`, a
   * batch also ends where a piece ends. `owner`: the reader.
   */
  nextBatch(size: number, dropRemainder: boolean, owner: object, joins = true): Promise<IteratorResult<object>> {
    return this.inTurn(owner, async () => {
      const before = this.#shown;
      // The last batch stays valid: rows that are dropped must not overwrite it.
      if (dropRemainder) this.#shown = undefined;
      else this.#endShown();
      const parts: ParsedColumns[] = [];
      this.#wanted = size;
      this.#options.sizer.align(size, this.records);
      const rows = await this.#gather(size, parts, joins);
      this.#wanted = 1;
      if (rows === size || (rows > 0 && !dropRemainder)) {
        const batch = await this.orClose(() => this.#batchOf(parts));
        before?.memory?.end();
        return { value: batch, done: false };
      }
      // Dropping rows must not hide the error after them.
      if (this.#failure !== undefined) await this.loadNext();
      return { value: undefined, done: true };
    });
  }

  override get over(): boolean {
    return super.over && this.#failure === undefined;
  }

  override close(): Promise<void> {
    // The batch that was handed out last stays valid: its lease does not end.
    this.#shown = undefined;
    return super.close();
  }

  protected override async loadNext(): Promise<boolean> {
    this.#endShown();
    if (this.#wanted === 1) this.#options.sizer.align(1, this.records);
    const failure = this.#failure;
    if (failure !== undefined) {
      this.#failure = undefined;
      throw failure.error;
    }
    const loaded = await super.loadNext();
    if (!loaded) this.#endUsed();
    return loaded;
  }

  protected view(): object {
    const rows = this.held!;
    this.#used = rows;
    return rows.compose().at(this.index);
  }

  protected lost(cause: unknown): unknown {
    return cause;
  }

  /** The batch or row that was handed out last stays valid after closing. */
  protected exchanged(rows: ParsedRows | undefined): void {
    if (rows !== undefined) this.#endUsed();
    else this.#options.pool?.close();
  }

  protected bytesBefore(rows: ParsedRows, count: number): number {
    return rows.bytesBefore(count);
  }

  /**
   * Adds up to `size` rows to `parts`, of one piece only unless `joins`. Returns their number. Rejects if an error
   * comes before the first row.
   */
  async #gather(size: number, parts: ParsedColumns[], joins: boolean): Promise<number> {
    let rows = 0;
    try {
      while (rows < size && (this.index < this.count || (await this.loadNext()))) {
        const held = this.held!;
        const end = Math.min(this.index + size - rows, this.count);
        const part = sliceColumns(held.columns, this.index, end);
        // If one part is a copy, so are all others.
        if (part !== held.columns) this.#used = held;
        parts.push(part);
        rows += end - this.index;
        this.index = end;
        if (!joins) break;
      }
    } catch (error) {
      await this.close().catch(() => undefined);
      if (rows === 0 || this.#options.signal?.aborted === true) throw error;
      this.#failure = { error };
    }
    return rows;
  }

  #batchOf(parts: readonly ParsedColumns[]): object {
    const columns = joinColumns(parts);
    const batch = columns === this.held?.columns ? this.held.compose().batch() : this.#composer.batch(columns);
    // The memory of parts that were copied is free for the next batch.
    for (const part of parts) if (part !== columns) part.memory?.end();
    this.#shown = columns;
    return batch;
  }

  /** Ends the lease of the batch that was handed out last. */
  #endShown(): void {
    this.#shown?.memory?.end();
    this.#shown = undefined;
  }

  #endUsed(): void {
    this.#used?.columns.memory?.end();
    this.#used = undefined;
  }
}
