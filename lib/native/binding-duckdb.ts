/** The addon's functions for DuckDB. The rules for arguments are those of `binding.ts`. */
import type { Fault } from '../base';
import type { ReaderSpec } from './binding';
import type { ParseFault, ParserHandle, RecordTypeCode } from './binding-examples';

/** The arguments of a query. */
export interface DuckdbArguments {
  /** Null for NULL; undefined for anything but a text or a list of texts. */
  readonly paths: readonly string[] | null | undefined;
  /** The named parameters that are not NULL, as text. */
  readonly named: Readonly<Record<string, string>>;
}

/** `Level::Kind` of native/duckdb/column.h. */
export const enum DuckdbLevel {
  AnyLength = 0,
  Array = 1,
  Fixed = 2,
}

/** A column of a query's result. */
export interface DuckdbColumn {
  readonly name: string;
  /** DuckDB's number for the type of the innermost values: BIGINT, FLOAT, VARCHAR or BLOB. */
  readonly type: number;
  /** Pairs of a {@link DuckdbLevel} and a number of items, from the outermost level. */
  readonly levels: readonly number[];
}

/** `SampledColumn` of native/duckdb/sample.h. */
export interface DuckdbSampledColumn {
  readonly key: string;
  /** As in `PlanColumn`. */
  readonly section: 0 | 1;
  readonly kind: 1 | 2 | 3;
  /** All values are UTF-8 without control characters other than tabs and line ends. */
  readonly text: boolean;
  /** Each record, or step, had exactly one value. */
  readonly single: boolean;
}

/** The features in the first records of some files, in the order of the columns. */
export interface DuckdbSample {
  readonly columns: readonly DuckdbSampledColumn[];
  /** True if there are feature lists. */
  readonly sequence: boolean;
}

/** A column that a query uses, if it is not the index of a column of the parser. */
export const enum DuckdbPlace {
  FileName = -1,
  RecordNumber = -2,
  RecordOffset = -3,
}

/** A file of a query. */
export interface DuckdbFile {
  readonly name: string;
  readonly path: string;
  /** Undefined: the file is refused when its turn comes. */
  readonly spec: ReaderSpec | undefined;
}

/** `Event::Kind` of native/duckdb/host.h. */
export const enum DuckdbEventKind {
  /** The turn of a refused file. */
  Refused = 0,
  /** The file's first record is clearly of another type than the plan's, `firstType`, and has no values. */
  Type = 1,
  /** A record without a row: `data` or `parse`. */
  Record = 2,
  /** A row with a text that is not UTF-8: `column`, `bytes`. */
  Text = 3,
  /** A row whose record is an Event. */
  Foreign = 4,
  /** Some rows are about to be handed out. */
  Progress = 5,
  /** `halt`, after the records of a piece. */
  Halt = 6,
  /** All files were read. */
  End = 7,
}

/** Something about which {@link DuckdbReading.judge} decides. Only the fields of its kind are there. */
export interface DuckdbEvent {
  readonly kind: DuckdbEventKind;
  /** Index in `files`. */
  readonly file: number;
  /** Number of rows that were handed out since the last event. */
  readonly passed: number;
  /** Number of the record, and offset of its header in the stream. */
  readonly record: number;
  readonly offset: number;
  /** Number of records of the same piece before it. */
  readonly index: number;
  readonly data?: Fault | undefined;
  readonly parse?: ParseFault | undefined;
  /** The record's type, if it does not fit the plan and is clearly of another type, as `firstType`. Else Example. */
  readonly type?: RecordTypeCode;
  /** Index of the column in the plan, and size of the text. */
  readonly column?: number;
  readonly bytes?: number;
  /** See `PieceField.FirstType`. */
  readonly firstType?: RecordTypeCode;
  readonly halt?: Fault | undefined;
  /** As in `SlabFill`, but for the number of the compression. */
  readonly compression?: number;
  readonly compressedBytes?: number;
  readonly totalBytes?: number;
}

/** `Verdict` of native/duckdb/host.h. A text instead is the error of the query. */
export const enum DuckdbVerdict {
  /** Goes on after the record, or with the same stream. */
  Continue = 0,
  /** As `examplesSkip`. */
  Skip = 1,
  /** Gives up the rest of the file. */
  NextFile = 2,
  /** Ends as if the data ended here. */
  Stop = 3,
}

/** One pass over the files of a query. No function of it throws. */
export interface DuckdbReading {
  readonly parser: ParserHandle;
  /** For each column that is used: its index in the plan of the parser, or a {@link DuckdbPlace}. */
  readonly columns: readonly number[];
  readonly files: readonly DuckdbFile[];
  /** True if a record that is an Event is a fault, instead of a row without values. */
  readonly refusesEvents: boolean;
  /** True if `judge` is called for {@link DuckdbEventKind.Progress}, several times per second. */
  readonly reports: boolean;
  judge(event: DuckdbEvent): DuckdbVerdict | string;
}

/** A query whose columns are known. */
export interface DuckdbQuery {
  readonly columns: readonly DuckdbColumn[];
  /** Begins a pass that uses the columns with the indices `used`. Returns a text for an error. Does not throw. */
  begin(used: readonly number[]): DuckdbReading | string;
}

/** The decisions of a table function. Native code calls it on this thread while another one waits. */
export interface DuckdbHost {
  /** Returns a text for an error. Does not throw. */
  bind(args: DuckdbArguments): DuckdbQuery | string;
}

/** A queue of rows for a query of DuckDB. */
export interface QueueHandle {
  readonly __queue: never;
}

export interface DuckdbBinding {
  /**
   * Adds the table function `name`, whose argument is a path, a pattern or a list of these, to the database of
   * `connection`. `library`: full path of the loaded file with DuckDB's C functions, or, except on Windows, of one that is
   * linked to it. `parameters`: the named parameters, with DuckDB's numbers of their types. Returns false if the file is
   * not loaded, if it lacks a function, if DuckDB refuses, or if `connection` is not an open connection of
   * `@duckdb/node-bindings`.
   */
  duckdbRegister(
    library: string,
    connection: object,
    name: string,
    parameters: Readonly<Record<string, number>>,
    host: DuckdbHost,
  ): boolean;
  /**
   * Looks at the first 1,000 records (or 16 MiB) of `files`, on this thread. Returns undefined if one of the files or records
   * is faulty, if a feature has values of two types, or if memory runs out.
   */
  duckdbSample(files: readonly DuckdbFile[]): DuckdbSample | undefined;
  /**
   * Adds the table function `name`, whose argument is any value, and which gives one query the rows that are pushed to the
   * queue. `library`, `connection`: as for `duckdbRegister`. Returns undefined where that returns false. `listener.taken`
   * is called for each batch, in order, after DuckDB has read it, or dropped it; it must not throw.
   */
  duckdbQueue(
    library: string,
    connection: object,
    name: string,
    columns: readonly DuckdbColumn[],
    listener: { taken(): void },
  ): QueueHandle | undefined;
  /**
   * Pushes `rows`, at least 1. `arrays`: for each column validity, steps, splits, offsets and values, as in `Vector` of
   * lib/table. Their memory must neither change nor be transferred until the batch was taken.
   */
  duckdbPush(
    queue: QueueHandle,
    rows: number,
    arrays: readonly (NodeJS.TypedArray | undefined)[],
  ): void;
  /** Ends the rows after those that were pushed; with `error`, a text that is not empty, fails the query instead. */
  duckdbEndQueue(queue: QueueHandle, error: string | undefined): void;
  /**
   * Fails the queries that call a host on this thread, now and later. Call it before the process exits: that waits for
   * threads, which may wait for a host.
   */
  duckdbEnd(): void;
}

/** The same where they may be absent. In WebAssembly there are no such functions: JavaScript passes the rows to DuckDB. */
export type MaybeDuckdbBinding = { readonly [Name in keyof DuckdbBinding]: DuckdbBinding[Name] | undefined };
