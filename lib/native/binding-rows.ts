/**
 * The addon's functions for rows of JSON Lines, which the WebAssembly build does not have. The rules of `binding.ts` for
 * callers hold here, too.
 */

/** An opaque handle to rows that native code has parsed. */
export interface JsonRowsHandle {
  readonly __jsonRows: never;
}

/** `RowChoice::Mode` of core/example/json/row_names.h: the features that rows are read for. */
export const enum RowChoiceMode {
  All = 0,
  /** Those of a list. */
  Only = 1,
  /** Those that are not in a list. */
  Except = 2,
}

/** `JsonRows::State` of core/example/json/json_rows.h. */
export const enum JsonRowState {
  /** The line has no row. */
  Blank = 0,
  /** Native code has the values, or the record, of the row. */
  Taken = 1,
  /** Only JavaScript can say what the line holds, or why it is invalid. */
  Refused = 2,
}

/** Rows that were parsed. */
export interface NativeJsonRows {
  /** The names of the features, one after another, as UTF-8. No row that was taken may have some of them. */
  readonly names: Uint8Array;
  /** The end of each in `names`. */
  readonly nameEnds: Uint32Array;
  /** For each name 0 if it is a feature, also of a context, and 1 if it is a feature list. */
  readonly sections: Uint8Array;
  /**
   * Three numbers each, in the order in which the rows that were taken have them: a row, the number of a name, and 0 where
   * it is the first row with this name, or else 1 and the index in `LITERAL_KINDS` of a literal that the feature has there
   * for the first time.
   */
  readonly events: Uint32Array;
  /** The rows that were refused. */
  readonly refused: Uint32Array;
  /** Memory that the rows take. */
  readonly heldBytes: number;
}

export interface RowBinding {
  /**
   * `names`: a list of distinct names, as UTF-8, for the choice `mode`. Values of other features are skipped.
   * `examplesOnly`: true if rows that may be SequenceExamples are refused.
   */
  jsonRowsNew(mode: RowChoiceMode, names: readonly Uint8Array[], examplesOnly: boolean): JsonRowsHandle;
  /**
   * Drops all rows, and parses the lines at pairs `begin` to `end` of `frames` in `slab`, on a native thread. Nobody may
   * write to the arrays or transfer them until the promise settles. Resolves with undefined if memory runs out: no row can
   * then be used.
   */
  jsonRowsParse(
    handle: JsonRowsHandle,
    slab: Uint8Array,
    frames: Uint32Array,
    begin: number,
    end: number,
  ): Promise<NativeJsonRows | undefined>;
  /**
   * Encodes the rows on a native thread. `kinds`, by the number of a name: 0 for a feature that never has a value, 1 for
   * bytes, 2 for float32, 3 for int64, 4 to leave it out. With a spec 8 more if each row must have the feature; `counts`
   * has the number of its values, or 2^32 - 1 for any; and `required` is the number of such features. Without a spec it is
   * -1. Resolves with the size of all records; undefined if memory runs out.
   */
  jsonRowsEncode(
    handle: JsonRowsHandle,
    kinds: Uint8Array,
    counts: Uint32Array,
    required: number,
  ): Promise<number | undefined>;
  /**
   * Copies the records to `slab`, their pairs (offset, length) to `frames`, and the {@link JsonRowState} of each row to
   * `states`. Returns the number of records. All three may be larger than that.
   */
  jsonRowsTake(handle: JsonRowsHandle, slab: Uint8Array, frames: Uint32Array, states: Uint8Array): number;
  /** Drops all rows and records, and their memory. */
  jsonRowsFree(handle: JsonRowsHandle): void;
}

/** The same where they may be absent. In WebAssembly there are no such functions: JavaScript reads the rows. */
export type MaybeRowBinding = { readonly [Name in keyof RowBinding]: RowBinding[Name] | undefined };
