import { FRAME_BYTES, type Origin } from '../../base';
import { joinColumns, sliceColumns, type ComposedRows, type Composer, type ParsedColumns } from '../parse';

/** The places of the records of a piece, of those without a row, too. */
interface PiecePlaces {
  readonly file: string;
  /** Size of each record in bytes, and their sum. */
  readonly lengths: Uint32Array;
  readonly payload: number;
  readonly firstRecord: number;
  /** Offset of the first record's header. */
  readonly offset: number;
  /** Indices of the records without a row, ascending. */
  readonly dropped: readonly number[];
}

/** Parsed records of one file, in order, with their places. */
export class ParsedRows {
  /** Number of rows. */
  readonly length: number;
  readonly columns: ParsedColumns;
  readonly #composer: Composer;
  readonly #places: PiecePlaces;
  /** Running sums of the records' lengths. Computed when first used. */
  #ends: Float64Array | undefined;
  #composed: ComposedRows | undefined;

  constructor(columns: ParsedColumns, composer: Composer, places: PiecePlaces) {
    this.length = columns.rows;
    this.columns = columns;
    this.#composer = composer;
    this.#places = places;
  }

  /** Composes the rows. @throws FeatureFault for a row with a feature that cannot be composed */
  compose(): ComposedRows {
    return (this.#composed ??= this.#composer.compose(this.columns));
  }

  /** Returns all rows except `rows`: one or more, ascending. */
  without(rows: readonly number[]): ParsedRows {
    const parts: ParsedColumns[] = [];
    let from = 0;
    for (const row of rows) {
      if (row > from) parts.push(sliceColumns(this.columns, from, row));
      from = row + 1;
    }
    if (from < this.length || parts.length === 0) parts.push(sliceColumns(this.columns, from, this.length));
    const dropped = [...this.#places.dropped, ...this.recordsOf(rows)].sort((a, b) => a - b);
    return new ParsedRows(joinColumns(parts), this.#composer, { ...this.#places, dropped });
  }

  /** Returns the first `count` rows. */
  first(count: number): ParsedRows {
    return count === this.length
      ? this
      : new ParsedRows(sliceColumns(this.columns, 0, count), this.#composer, this.#places);
  }

  /** Returns the place of the record of row `row`. */
  origin(row: number): Origin | undefined {
    return row < 0 || row >= this.length ? undefined : this.originOfRecord(this.recordOf(row));
  }

  /** Returns the place of record `index` of the piece. Records without a row count. */
  originOfRecord(index: number): Origin {
    const { file, firstRecord, offset, lengths, payload } = this.#places;
    const bytes = lengths[index]!;
    // Readers mostly ask for the last record of each piece, whose sum is known.
    const upTo = index === lengths.length - 1 ? payload : this.#sums()[index]!;
    const before = upTo - bytes;
    return { file, record: firstRecord + index, offset: offset + before + FRAME_BYTES * index, bytes };
  }

  /** Returns the sum of the lengths of the records of the first `rows` rows. */
  bytesBefore(rows: number): number {
    if (rows === 0) return 0;
    const { dropped, lengths, payload } = this.#places;
    if (rows === lengths.length) return payload;
    const last = this.recordOf(rows - 1);
    let sum = this.#sums()[last]!;
    for (const index of dropped) if (index < last) sum -= lengths[index]!;
    return sum;
  }

  /** Returns the index of row `row`'s record in the piece. */
  recordOf(row: number): number {
    let record = row;
    for (const index of this.#places.dropped) {
      if (index > record) break;
      record++;
    }
    return record;
  }

  /** Returns the indices of the records of `rows`, which ascend. */
  recordsOf(rows: readonly number[]): number[] {
    const { dropped } = this.#places;
    let passed = 0;
    return rows.map((row) => {
      while (passed < dropped.length && dropped[passed]! <= row + passed) passed++;
      return row + passed;
    });
  }

  #sums(): Float64Array {
    if (this.#ends === undefined) {
      const { lengths } = this.#places;
      this.#ends = new Float64Array(lengths.length);
      let sum = 0;
      for (let i = 0; i < lengths.length; i++) this.#ends[i] = sum += lengths[i]!;
    }
    return this.#ends;
  }
}
