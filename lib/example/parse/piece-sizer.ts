/** Records a piece is cut for; about so many where small batches are asked for. */
const PIECE_RECORDS = 1024;
/** Bytes of records a piece is cut for. */
const PIECE_BYTES = 256 * 1024;
/** Of the first piece, before anything is known of the records. */
const FIRST_RECORDS = 128;
/** Bytes of records that may be under way, in pieces: those of large records are fewer. */
const AHEAD_BYTES = 4 * 1024 * 1024;

/**
 * Chooses how many records the next piece has: whole batches, so that they need not be put together, and one batch where
 * that is large, so that it need not be cut, for both are copies.
 */
export class PieceSizer {
  /** Rows a batch; 1 where rows are read one by one. */
  batch = 1;
  #seenRecords = 0;
  #seenBytes = 0;
  #largestPiece = 1;

  learn(piece: { readonly lengths: Uint32Array; readonly payload: number }): void {
    this.#seenRecords += piece.lengths.length;
    this.#seenBytes += piece.payload;
    this.#largestPiece = Math.max(this.#largestPiece, piece.payload);
  }

  get records(): number {
    const wanted =
      this.#seenRecords === 0
        ? FIRST_RECORDS
        : Math.min(PIECE_RECORDS, (PIECE_BYTES * this.#seenRecords) / Math.max(1, this.#seenBytes));
    return this.batch * Math.max(1, Math.floor(wanted / this.batch));
  }

  /** Pieces that may be under way. */
  get mostPieces(): number {
    return Math.max(2, Math.floor(AHEAD_BYTES / this.#largestPiece));
  }
}
