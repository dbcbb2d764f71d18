/** Target number of records in a piece. If batches are small, a piece has several of them. */
const PIECE_RECORDS = 1024;
/** Target size of the records in a piece, in bytes. */
export const PIECE_BYTES = 256 * 1024;
/** Number of records in the first piece of a reader of rows, while sizes are unknown. */
const FIRST_RECORDS = 128;
/** Maximum size of the records under way. So if records are large, fewer pieces are under way. */
const AHEAD_BYTES = 4 * 1024 * 1024;

interface PiecePart {
  readonly columns: { readonly rows: number };
  readonly lengths: Uint32Array;
  readonly payload: number;
}

/**
 * Chooses the number of records in the next piece, and where to cut the piece. A piece has whole batches: several, or
 * one if batches are large. It is cut after each batch, because to join pieces, or to cut them later, is to copy them.
 * Rows that cannot be composed count here, although no batch has them; after such a row, batches are joined from parts
 * of two pieces.
 */
export class PieceSizer {
  /** Rows per batch; 1 if rows are read one by one. */
  #batch = 1;
  /** Number of rows before the first of these batches. */
  #start = 0;
  /** Number of rows taken, and of records requested. */
  #taken = 0;
  #asked = 0;
  #seenRecords = 0;
  #seenBytes = 0;
  #largestPiece = 1;

  /** Batches have `rows` rows from row `start` of the reader on. */
  align(rows: number, start: number): void {
    if (rows === this.#batch && (start - this.#start) % rows === 0) return;
    this.#batch = rows;
    this.#start = start;
  }

  /** Returns the number of records to request. */
  ask(): number {
    // After a piece with fewer records, later pieces do not end where batches end. The next request corrects that.
    const records = this.#wanted() - this.#behind(this.#taken + this.#asked);
    this.#asked += records;
    return records;
  }

  /** Notes the `parts` that answered a request for `asked` records; none if it returned no records. */
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

  /** Returns where to cut the next piece of `rows` rows: the ends of its parts, ascending to `rows`. */
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

  /** Maximum number of pieces under way. */
  get maxPieces(): number {
    return Math.max(2, Math.floor(AHEAD_BYTES / this.#largestPiece));
  }

  /** Returns the number of records in whole batches. */
  #wanted(): number {
    if (this.#seenRecords === 0) return this.#batch === 1 ? FIRST_RECORDS : this.#batch;
    const records = Math.min(PIECE_RECORDS, (PIECE_BYTES * this.#seenRecords) / Math.max(1, this.#seenBytes));
    return this.#batch * Math.max(1, Math.floor(records / this.#batch));
  }

  /** Returns the number of rows after the last whole batch among the first `rows` rows. */
  #behind(rows: number): number {
    return (rows - this.#start) % this.#batch;
  }
}
