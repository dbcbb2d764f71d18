/** The addon's functions that print records as lines. The rules for arguments and slabs are those of `binding.ts`. */
import type { PlanColumn } from './binding-examples';

/** An opaque handle to the printers of one form. Several jobs may use it at the same time. */
export interface LinesHandle {
  readonly __lines: never;
}

/** The form of lines: `LineForm` of core/example/print/line_printer.h. */
export const enum LineForm {
  /** Plain rows: the lines of `.jsonl` files. */
  Rows = 0,
  /** Protobuf's canonical JSON: the lines of `.protojson` files. */
  Messages = 1,
  /** The lines of `RecordPrinter` with `full`. */
  Records = 2,
  /** The same with `kinds`. */
  RecordsWithKinds = 3,
}

/** A feature of a row: `RowMember` of core/example/print/json_row_printer.h. */
export interface RowMember {
  /** The name in JSON, with a colon. */
  readonly json: Uint8Array;
  /** Index of its column. If that has any number of values, they are printed as a list. */
  readonly column: number;
  /** The shape of a fixed number of values, of up to 32 dimensions. `[]`: a single value. */
  readonly shape: readonly number[];
  /** True if bytes that are not UTF-8 are refused. */
  readonly text: boolean;
}

/** The lines of the first records of those that were requested. */
export interface PrintedLines {
  /** Number of records that were printed or refused. The line of the next one did not fit. */
  readonly records: number;
  /** Size of the lines, each with a line feed, from the start of the room. */
  readonly bytes: number;
  /**
   * Records without a line, which are in an unusual form, are no Examples, or do not fit the plan: pairs of the index of the
   * record and of the place among the lines, in bytes, where its line is missing. Undefined: none.
   */
  readonly refused: Uint32Array | undefined;
}

/** In WebAssembly there are no such functions: TypeScript prints all lines. */
export interface LineBinding {
  /** `whole`: refuses records with a value or list that `RecordPrinter` would cut, unless it prints them in full. */
  readonly linesNew: ((form: LineForm, whole: boolean) => LinesHandle) | undefined;
  /** Rows of CSV: a field for each of `columns`. `delimiter`: an ASCII character, no quote and no line end. */
  readonly linesNewCsv: ((columns: readonly PlanColumn[], delimiter: number) => LinesHandle) | undefined;
  /** The JSON of rows by a spec, as `RowPrinter` prints them. `whole`: as for `linesNew`. */
  readonly linesNewRows: ((columns: readonly PlanColumn[], members: readonly RowMember[], whole: boolean) => LinesHandle) | undefined;
  /**
   * Prints the records at pairs `begin` to `end` of `frames` in `slab` to the start of `room`, on a native thread, until
   * there is no room for the next line. Nobody may write to the three arrays or transfer them until the promise settles;
   * `room` is as a slab.
   */
  readonly linesPrint: ((
    handle: LinesHandle,
    slab: Uint8Array,
    frames: Uint32Array,
    begin: number,
    end: number,
    room: Uint8Array,
  ) => Promise<PrintedLines>) | undefined;
}
