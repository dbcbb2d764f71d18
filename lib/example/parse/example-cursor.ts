import { Cursor, type ErrorPolicy, type SourceFlow } from '../../record';
import type { Assembly } from './assembly';
import { concatPieces, slicePiece, type Piece } from './columns';
import type { ParsedRows } from './parsed-rows';
import type { ParsedRead } from './piece-taker';

/** The position of a reader of parsed records, shared by its rows and its batches. */
export class ExampleCursor extends Cursor<object, ParsedRows> {
  readonly #assembly: Assembly;
  readonly #signal: AbortSignal | undefined;
  /** What ended a batch before it was full: it comes with the next step. */
  #failure: { readonly error: unknown } | undefined;

  constructor(
    flow: SourceFlow<ParsedRead, ParsedRows>,
    assembly: Assembly,
    { policy, signal }: { readonly policy: ErrorPolicy; readonly signal: AbortSignal | undefined },
  ) {
    super(flow, policy);
    this.#assembly = assembly;
    this.#signal = signal;
  }

  /** The next `size` rows, fewer at the end; with `dropRemainder` never fewer. `owner`: the reader. */
  nextBatch(size: number, dropRemainder: boolean, owner: object): Promise<IteratorResult<object>> {
    return this.inTurn(owner, async () => {
      const pieces: Piece[] = [];
      const rows = await this.#gather(size, pieces);
      if (rows === size || (rows > 0 && !dropRemainder)) {
        return { value: await this.orClose(() => this.#batchOf(pieces)), done: false };
      }
      // Rows that are dropped do not hide what ended them.
      if (this.#failure !== undefined) await this.loadNext();
      return { value: undefined, done: true };
    });
  }

  protected override async loadNext(): Promise<boolean> {
    const failure = this.#failure;
    if (failure === undefined) return super.loadNext();
    this.#failure = undefined;
    throw failure.error;
  }

  protected view(): object {
    return (this.held as ParsedRows).compose().at(this.index);
  }

  protected lost(cause: unknown): unknown {
    return cause;
  }

  protected exchanged(): void {
    // Rows remember what they were composed to.
  }

  protected bytesBefore(rows: ParsedRows, count: number): number {
    return rows.bytesBefore(count);
  }

  /** Up to `size` rows into `pieces`; how many. Rejects when nothing came before a failure. */
  async #gather(size: number, pieces: Piece[]): Promise<number> {
    let rows = 0;
    try {
      while (rows < size && (this.index < this.count || (await this.loadNext()))) {
        const end = Math.min(this.index + size - rows, this.count);
        pieces.push(slicePiece((this.held as ParsedRows).piece, this.index, end));
        rows += end - this.index;
        this.index = end;
      }
    } catch (error) {
      await this.close().catch(() => undefined);
      if (rows === 0 || this.#signal?.aborted === true) throw error;
      this.#failure = { error };
    }
    return rows;
  }

  #batchOf(pieces: readonly Piece[]): object {
    const piece = concatPieces(pieces);
    return piece === this.held?.piece ? this.held.compose().batch() : this.#assembly.batch(piece);
  }
}
