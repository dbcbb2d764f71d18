/** Records a piece is cut for; about so many where small batches are asked for. */
const PIECE_RECORDS = 1024;
/** Bytes of records a piece is cut for. */
export const PIECE_BYTES = 256 * 1024;
/** Of the first piece, before anything is known of the records, where they are read one by one. */
const FIRST_RECORDS = 128;
/** Bytes of records that may be under way, in pieces: those of large records are fewer. */
const AHEAD_BYTES = 4 * 1024 * 1024;

interface PiecePart {
  readonly columns: { readonly rows: number };
  readonly lengths: Uint32Array;
  readonly payload: number;
}

/**
 * Chooses how many records the next piece has, and where it is cut. A piece has whole batches, one where that is large; it is
 * cut behind each, so that none has to be put together or cut again: both are copies. Rows that are refused when they are
 * composed count here, though no batch has them: from there on batches are put together.
 */
export class PieceSizer {
  /** Rows a batch; 1 where rows are read one by one. */
  #batch = 1;
  /** Rows before the first of these batches. */
  #start = 0;
  /** Rows that were taken, and records that are asked for. */
  #taken = 0;
  #asked = 0;
  #seenRecords = 0;
  #seenBytes = 0;
  #largestPiece = 1;

  /** From row `start` of all on, `rows` make a batch. */
  align(rows: number, start: number): void {
    if (rows === this.#batch && (start - this.#start) % rows === 0) return;
    this.#batch = rows;
    this.#start = start;
  }

  /** How many records to ask for. */
  ask(): number {
    // Each piece that comes short leaves those asked for meanwhile out of step, and the next in step again.
    const records = this.#wanted() - this.#behind(this.#taken + this.#asked);
    this.#asked += records;
    return records;
  }

  /** What was asked for came, in `parts`: nothing where there are none. */
  came(asked: number, parts: readonly PiecePart[]): void {
    this.#asked -= asked;
    let bytes = 0;
    for (const { columns, lengths, payload } of parts) {
      this.#taken += columns.rows;
      this.#seenRecords += lengths.length;
      bytes += payload;
    }
    this.#seenBytes += bytes;
    this.#largestPiece = Math.max(this.#largestPiece, bytes);
  }

  /** Where the next piece, of `rows`, is cut: the ends of its parts, ascending to `rows`. */
  cuts(rows: number): number[] {
    const ends: number[] = [];
    if (this.#batch > 1) {
      for (let end = this.#batch - this.#behind(this.#taken); end < rows; end += this.#batch) ends.push(end);
    }
    ends.push(rows);
    return ends;
  }

  /** True if a part of `rows` is not a whole batch, and is joined with rows before or after it. */
  joins(rows: number): boolean {
    return rows < this.#batch;
  }

  /** Pieces that may be under way. */
  get mostPieces(): number {
    return Math.max(2, Math.floor(AHEAD_BYTES / this.#largestPiece));
  }

  /** Whole batches. */
  #wanted(): number {
    if (this.#seenRecords === 0) return this.#batch === 1 ? FIRST_RECORDS : this.#batch;
    const records = Math.min(PIECE_RECORDS, (PIECE_BYTES * this.#seenRecords) / Math.max(1, this.#seenBytes));
    return this.#batch * Math.max(1, Math.floor(records / this.#batch));
  }

  /** Rows behind the last whole batch of the first `rows`, of which there are no fewer than came before it. */
  #behind(rows: number): number {
    return (rows - this.#start) % this.#batch;
  }
}
