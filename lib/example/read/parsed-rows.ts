import { FRAME_BYTES, type Origin } from '../../record';
import { joinColumns, sliceColumns, type ComposedRows, type Composer, type ParsedColumns } from '../parse';

/** Where the records of a piece lie: those of rows and those that gave none. */
export interface PiecePlaces {
  readonly file: string;
  /** Bytes of each record, and of all. */
  readonly lengths: Uint32Array;
  readonly payload: number;
  readonly firstRecord: number;
  /** The first record's header. */
  readonly offset: number;
  /** Numbers of the records that gave no row, ascending. */
  readonly dropped: readonly number[];
}

/** Parsed records of one file, in order, and where each lies. */
export class ParsedRows {
  /** Number of rows. */
  readonly length: number;
  readonly columns: ParsedColumns;
  readonly #composer: Composer;
  readonly #places: PiecePlaces;
  /** Sums over the records' lengths, made when somebody asks. */
  #ends: Float64Array | undefined;
  #composed: ComposedRows | undefined;

  constructor(columns: ParsedColumns, composer: Composer, places: PiecePlaces) {
    this.length = columns.rows;
    this.columns = columns;
    this.#composer = composer;
    this.#places = places;
  }

  /** The rows themselves. @throws FeatureFault of a row of which a feature cannot be composed */
  compose(): ComposedRows {
    return (this.#composed ??= this.#composer.compose(this.columns));
  }

  /** All rows but `rows`, of which there is one or more, ascending. */
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

  /** The first `count` rows. */
  first(count: number): ParsedRows {
    return count === this.length
      ? this
      : new ParsedRows(sliceColumns(this.columns, 0, count), this.#composer, this.#places);
  }

  /** Where the record of row `row` lies. */
  origin(row: number): Origin | undefined {
    return row < 0 || row >= this.length ? undefined : this.originOfRecord(this.recordOf(row));
  }

  /** Where record `index` of the piece lies, rows and others counted alike. */
  originOfRecord(index: number): Origin {
    const { file, firstRecord, offset, lengths, payload } = this.#places;
    const bytes = lengths[index]!;
    // Readers ask for the last one of each piece.
    const upTo = index === lengths.length - 1 ? payload : this.#sums()[index]!;
    const before = upTo - bytes;
    return { file, record: firstRecord + index, offset: offset + before + FRAME_BYTES * index, bytes };
  }

  /** Sum of the lengths of the records of the first `rows` rows. */
  bytesBefore(rows: number): number {
    if (rows === 0) return 0;
    const { dropped, lengths, payload } = this.#places;
    if (rows === lengths.length) return payload;
    const last = this.recordOf(rows - 1);
    let sum = this.#sums()[last]!;
    for (const index of dropped) if (index < last) sum -= lengths[index]!;
    return sum;
  }

  /** The number of row `row`'s record in the piece. */
  recordOf(row: number): number {
    let record = row;
    for (const index of this.#places.dropped) {
      if (index > record) break;
      record++;
    }
    return record;
  }

  /** The same of rows that ascend. */
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
