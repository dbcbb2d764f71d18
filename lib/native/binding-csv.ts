/**
 * The addon's functions for rows of CSV, which the WebAssembly build does not have. The rules of `binding.ts` for callers
 * hold here, too.
 */

/** An opaque handle to the rows of one file after the other. */
export interface CsvRowsHandle {
  readonly __csvRows: never;
}

/** `CsvState` of core/example/csv/csv_rows.h. */
export const enum CsvRowState {
  /** A blank line. */
  Blank = 0,
  /** Native code has the fields, or the record, of the row. */
  Taken = 1,
  /** Only JavaScript can say what the row holds, or why it is invalid. */
  Refused = 2,
}

/** The fields of rows, except for the rows that were refused. */
export interface NativeCsvSurvey {
  /**
   * Five numbers for each column: its fields that are an int64, a float and text; 1 or 0 for whether a row has no value,
   * and for whether a row has an empty field in quotes that do not count.
   */
  readonly columns: Uint32Array;
  /** Three numbers each, in the order of the rows: a row, a column, and the kind that it has there for the first time. */
  readonly firsts: Uint32Array;
  /** The rows that were refused. */
  readonly refused: Uint32Array;
  /** For each row the number of line ends within the rows before it, and then that of all; empty if there are none. */
  readonly breaks: Uint32Array;
}

/** The records of rows. */
export interface NativeCsvRecords {
  /** Size of all records. */
  readonly bytes: number;
  /** For each column: the number of values that float32 rounds. */
  readonly rounded: Uint32Array;
  /** Two numbers each, in the order of the rows: a row, and a column of which it has the first such value. */
  readonly roundings: Uint32Array;
  /** As in {@link NativeCsvSurvey}. */
  readonly breaks: Uint32Array;
}

export interface CsvBinding {
  /** `na`: texts that stand for a missing value. `exact`: rows with a number that float32 rounds are refused. */
  csvRowsNew(delimiter: number, na: readonly Uint8Array[], exact: boolean): CsvRowsHandle;
  /**
   * Begins a file. `columns`: for each name 0 if the column is not read, else 1 for bytes, 2 for float32 or 3 for int64; 4
   * more if each row must have a value, and 8 more if bytes that are not text are accepted. `quotesCount`: false if
   * numbers may have quotes.
   */
  csvRowsBegin(handle: CsvRowsHandle, names: readonly Uint8Array[], columns: Uint8Array, quotesCount: boolean): void;
  /**
   * Surveys the rows at pairs `begin` to `end` of `frames` in `slab`, on a native thread. Nobody may write to the arrays or
   * transfer them until the promise settles. Resolves with undefined if memory runs out.
   */
  csvRowsSurvey(
    handle: CsvRowsHandle,
    slab: Uint8Array,
    frames: Uint32Array,
    begin: number,
    end: number,
  ): Promise<NativeCsvSurvey | undefined>;
  /** Encodes such rows. Resolves with undefined if memory runs out. */
  csvRowsEncode(
    handle: CsvRowsHandle,
    slab: Uint8Array,
    frames: Uint32Array,
    begin: number,
    end: number,
  ): Promise<NativeCsvRecords | undefined>;
  /**
   * Copies the records to `slab`, their pairs (offset, length) to `frames`, and the {@link CsvRowState} of each row to
   * `states`. Returns the number of records. All three may be larger than that.
   */
  csvRowsTake(handle: CsvRowsHandle, slab: Uint8Array, frames: Uint32Array, states: Uint8Array): number;
  /** Drops the columns, the rows and their records, and their memory. */
  csvRowsFree(handle: CsvRowsHandle): void;
}

/** The same where they may be absent. In WebAssembly there are no such functions: JavaScript reads the rows. */
export type MaybeCsvBinding = { readonly [Name in keyof CsvBinding]: CsvBinding[Name] | undefined };
