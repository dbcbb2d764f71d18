/** The addon's functions that print records as lines of JSON. The rules for arguments and slabs are those of `binding.ts`. */

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

/** The lines of the first records of those that were requested. */
export interface PrintedLines {
  /** Number of records that were printed or refused. The line of the next one did not fit. */
  readonly records: number;
  /** Size of the lines, each with a line feed, from the start of the room. */
  readonly bytes: number;
  /**
   * Records without a line, which are in an unusual form or are no Examples: pairs of the index of the record and of the
   * place among the lines, in bytes, where its line is missing. Undefined: none.
   */
  readonly refused: Uint32Array | undefined;
}

/** In WebAssembly there are no such functions: TypeScript prints all lines. */
export interface LineBinding {
  /** `whole`: refuses records with a value or list that `RecordPrinter` would cut, unless it prints them in full. */
  readonly linesNew: ((form: LineForm, whole: boolean) => LinesHandle) | undefined;
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
