/** The addon's functions that parse and encode Examples. The rules for arguments and slabs are those of `binding.ts`. */
import type { Fault } from '../base';
import type { ReaderSpec } from './binding';

/** An opaque handle to a compiled plan and its parser, for the calling thread only. */
export interface ParserHandle {
  readonly __parser: never;
}
/** An opaque handle to a reader of Examples. It closes itself when it is collected. */
export interface ExamplesHandle {
  readonly __examples: never;
}

/** An opaque handle to a survey of records. */
export interface SurveyHandle {
  readonly __survey: never;
}

/** One feature or feature list to parse from every record. Keys are distinct within a section. */
export interface PlanColumn {
  /** UTF-8 of the feature's name. */
  readonly key: Uint8Array;
  /** 0: the features of an Example or the context of a SequenceExample. 1: feature lists. */
  readonly section: 0 | 1;
  /** Field number of the value list in `Feature`: 1 bytes, 2 float, 3 int64. */
  readonly kind: 1 | 2 | 3;
  /** Exact number of values per row (section 1: per step), or -1 for any number. */
  readonly count: number;
  /** Section 1: a record without the list is a fault. */
  readonly required: boolean;
  /**
   * Section 0 with a `count` of 0 or more: the serialized Feature to use when the record has none. Undefined: an absent
   * feature is a fault.
   */
  readonly fallback: Uint8Array | undefined;
  /**
   * Distinguishes absent features from empty ones: only rows that have the feature have values, or steps. A feature without a
   * kind counts as absent.
   */
  readonly optional?: boolean;
}

export const enum ParseFaultCode {
  /** The record violates the wire format at `byte`. */
  Malformed = 1,
  /** A required feature is absent. */
  Missing = 2,
  /** The feature has the kind `foundKind`. */
  Kind = 3,
  /** The feature has `found` values. */
  Count = 4,
  /** `found` is an int64 that a number cannot hold exactly. */
  Inexact = 5,
  /** A fault of the batch, not the record: a column has more than 2^31 - 1 values or bytes. */
  TooLarge = 6,
  OutOfMemory = 7,
  /** The record has nothing of the plan, and is of the type `found`, a `RecordTypeCode`. */
  Foreign = 8,
  /** A required feature is there, but has no kind. */
  Kindless = 9,
}

/** `RecordType` of core/example/type/record_type.h. */
export const enum RecordTypeCode {
  Unknown = 0,
  Example = 1,
  SequenceExample = 2,
  Event = 3,
  ExampleListWithContext = 4,
  PredictionLog = 5,
  /** An Example or SequenceExample that has features, and unknown fields beside them. */
  ExtendedExample = 6,
}

/** The reason why a record does not fit a plan. Fields that do not apply are absent. */
export interface ParseFault {
  readonly code: ParseFaultCode;
  /** Index of the record among the requested ones. */
  readonly row: number;
  /** Index in the plan, or -1. */
  readonly column: number;
  /** Offset within the record. */
  readonly byte?: number;
  /** Within the feature list. */
  readonly step?: number;
  readonly found?: bigint;
  readonly foundKind: 0 | 1 | 2 | 3;
}

/** A record without a row: its bytes are damaged (`data`) or it does not fit the plan (`parse`). */
export interface RowFault {
  /** Index within the piece, counting both rows and faults. */
  readonly index: number;
  readonly data: Fault | undefined;
  readonly parse: ParseFault | undefined;
}

/** Indices into the report about a piece. A piece is a run of records of one file, parsed into rows. */
export const enum PieceField {
  Rows = 0,
  /** Rows and faults together. */
  Records = 1,
  /** Sum of the lengths of the records. */
  Payload = 2,
  /** Number of the first record in its stream. */
  FirstRecord = 3,
  /** Offset of the first record's header in its stream. */
  Offset = 4,
  /**
   * If the piece begins with the first record of its stream, and this is clearly not what the plan is for: its
   * `RecordTypeCode`, Event or SequenceExample. Else Example.
   */
  FirstType = 5,
  /** The `FillOutcome` after the piece: More, End, Input (feed the reader, then ask again), Halt or Cancelled. */
  Outcome = 6,
  /** 0 none, 1 gzip, 2 zlib. */
  Compression = 7,
  /** As `SlabFill.compressedBytes`. */
  CompressedBytes = 8,
  /** As `SlabFill.totalBytes`. */
  TotalBytes = 9,
  /** Number of the fields. */
  Count = 10,
}

/** The faults within a piece, and the fault that stops the stream after it. */
export interface PieceFaults {
  readonly rows: readonly RowFault[];
  readonly halt: Fault | undefined;
}

/** The values of one feature in all rows to encode. A tuple, because native code would look up names at every call. */
export type EncoderColumn = readonly [
  /** UTF-8 of the feature's name. */
  key: Uint8Array,
  /** Field number of the value list in `Feature`: 1 bytes, 2 float, 3 int64. */
  kind: 1 | 2 | 3,
  /** The values; for bytes, the data of all byte strings. Not in shared memory. */
  values: Uint8Array | Float32Array | BigInt64Array,
  /** For bytes: offset in `values` at which each byte string starts, and the end of the last. */
  offsets: Int32Array | undefined,
  /**
   * Index of each row's first value, or {@link ABSENT_ROW}. Undefined, like `ends`, if every row has `count` values,
   * one row after another.
   */
  starts: Int32Array | undefined,
  /** Index after each row's last value. */
  ends: Int32Array | undefined,
  /** Values per row where `starts` and `ends` are undefined: 0 to 2^31 - 1. */
  count: number,
];

/** In the starts of a column: the row does not have the feature. */
export const ABSENT_ROW = -(2 ** 31);

export const enum EncodeFaultCode {
  /** `starts` and `ends` of a row point outside the column. */
  Rows = 1,
  /** `offsets` of a byte string point outside the data. */
  Offsets = 2,
  /** The encoded row would be larger than 2^31 - 1 bytes. */
  ExampleTooLarge = 3,
  /** The rows up to and including this one would be larger than 2^32 - 1 bytes. */
  BatchTooLarge = 4,
  OutOfMemory = 5,
}

/** The reason why columns cannot be encoded, and where. */
export interface EncodeFault {
  readonly code: EncodeFaultCode;
  readonly row: number;
  readonly column: number;
}

/** The result of a decoding function. A positive number is the size in bytes that the block must have. */
export const enum DecodeOutcome {
  Done = 0,
  /** The record is not an Example (or SequenceExample). */
  Malformed = -1,
  /** The record lies in memory that other threads can change. */
  NotOwn = -2,
  OutOfMemory = -3,
}

/** `Survey::Outcome` of core/example/survey/survey.h, without `kTaken`. */
export const enum SurveyFaultCode {
  /** The record violates the wire format, or a name is not UTF-8. */
  Malformed = 1,
  /** The record is a message of another type. */
  Foreign = 2,
  /** The records have more features than a survey tells apart. */
  TooManyFeatures = 3,
  OutOfMemory = 4,
}

/** The record that ends a survey. */
export interface SurveyFault {
  readonly code: SurveyFaultCode;
  /** Index of the record among the requested ones. */
  readonly row: number;
}

/**
 * Indices into the numbers of a surveyed feature: `FeatureSummary` of core/example/survey/feature_summary.h. Of no
 * values, a minimum is above its maximum.
 */
export const enum SurveyField {
  /** Records that have the feature. */
  Records = 0,
  /** Features (of lists: steps) without a kind, and of the kinds bytes, float and int64. */
  Kinds = 1,
  /** Those that have a kind but no values. */
  Empty = 5,
  /** Fewest, most and all values of those that have a kind. */
  Counts = 6,
  /** Fewest, most and all steps. */
  Steps = 9,
  IntZeros = 12,
  FloatMin = 13,
  FloatMax = 14,
  FloatZeros = 15,
  NaNs = 16,
  Infinities = 17,
  /** Smallest, largest and total length of byte strings. */
  Lengths = 18,
  /** Byte strings that are not UTF-8. */
  Binary = 21,
  /** Byte strings that are UTF-8 with control characters. */
  Control = 22,
  /** Byte strings by picture format: none, JPEG, PNG, GIF, WebP, BMP, TIFF. */
  Pictures = 23,
  Count = 30,
}

/** The result of a survey for one feature or feature list. */
export interface NativeSurveyedFeature {
  readonly section: 0 | 1;
  /** UTF-8. */
  readonly name: Uint8Array;
  /** The numbers at the indices of {@link SurveyField}. */
  readonly numbers: Float64Array;
  /** Smallest and largest int64; then the different ones, unless they are too many. */
  readonly ints: BigInt64Array;
  readonly manyInts: boolean;
  /** The different byte strings, one after another. */
  readonly words: Uint8Array;
  /** The end of each in `words`; undefined if they are too many or too long. */
  readonly wordEnds: Uint32Array | undefined;
}

/** Indices into the sizes of a column. Positions have one element more than their places. */
export const enum ColumnSize {
  /** Places in the positions of present rows, of steps and of splits. */
  Present = 0,
  Steps = 1,
  Splits = 2,
  Values = 3,
  Bytes = 4,
  /** Number of the sizes. */
  Count = 5,
}

/** The arrays of all columns, column by column: those of present, steps, splits, offsets and values that each column has. */
export type ColumnArrays = readonly (Int32Array | Float32Array | Float64Array | BigInt64Array | Uint8Array)[];

export interface ExampleBinding {
  /**
   * Compiles a plan. `sequence`: the records are SequenceExamples. `int64AsNumber`: int64 values go into Float64Arrays,
   * and values that these cannot hold exactly are faults.
   */
  parserNew(
    columns: readonly PlanColumn[],
    sequence: boolean,
    int64AsNumber: boolean,
  ): ParserHandle;
  /** Empties the columns. Call it before the first `parserAppend`, too. */
  parserClear(handle: ParserHandle): void;
  /**
   * Parses the records at pairs `begin` to `end` of `frames` in `slab`, on the calling thread, and appends their rows.
   * Stops at the first record that does not fit, and returns its fault. No other thread may change `slab`.
   */
  parserAppend(
    handle: ParserHandle,
    slab: Uint8Array,
    frames: Uint32Array,
    begin: number,
    end: number,
  ): ParseFault | undefined;
  /**
   * Empties the columns and parses records, given as in `gather`, on a native thread. The call copies the records unless
   * they are `lent`; nobody may write to lent slabs or transfer them until the promise settles. Resolves with the fault
   * of the first record that does not fit; the columns then hold the rows before it. The handle must not be used until
   * the promise settles.
   */
  parserStart(
    handle: ParserHandle,
    slabs: readonly Uint8Array[],
    records: Uint32Array,
    count: number,
    lent: boolean,
  ): Promise<ParseFault | undefined>;
  /**
   * Returns a function that parses one Example into `block` (see core/example/parse/row_block.h). That function returns
   * false if the record does not fit the plan, is empty or detached, or lies in memory that other threads can change,
   * and if the block is too small.
   */
  parserRow(handle: ParserHandle): (record: Uint8Array, block: Uint8Array) => boolean;
  /** The sizes of each column: see {@link ColumnSize}. */
  parserSizes(handle: ParserHandle): Float64Array;
  /** Copies the columns into arrays of exactly these sizes; arrays of positions have one element more. */
  parserTake(handle: ParserHandle, arrays: ColumnArrays): void;

  /**
   * Opens a file like `readerOpenFile` and parses its records by the plan of `parser`, on native threads. If
   * `spec.continues`, bad records are left out; otherwise a piece ends before the first one.
   */
  examplesOpenFile(path: string, spec: ReaderSpec, parser: ParserHandle): ExamplesHandle;
  /** As `readerOpenFed`. */
  examplesOpenFed(spec: ReaderSpec, parser: ParserHandle): ExamplesHandle;
  examplesFeed(handle: ExamplesHandle, chunk: Uint8Array, last: boolean): void;
  /** As `readerOpenRanges`. */
  examplesOpenRanges(
    spec: ReaderSpec,
    parser: ParserHandle,
    size: number | undefined,
    maxAhead: number,
  ): ExamplesHandle;
  /** As `readerFeedRange`. */
  examplesFeedRange(handle: ExamplesHandle, position: number, bytes: Uint8Array): void;
  /** As `readerEndAt`. */
  examplesEndAt(handle: ExamplesHandle, position: number): void;
  /** As `readerWants`. */
  examplesWants(handle: ExamplesHandle): Float64Array;
  /**
   * Reads and parses the next piece: `records` records, or fewer if they exceed 2 MiB or the stream ends, halts or needs
   * input. Resolves with the number of the piece. Native code keeps the piece until `examplesDrop`, which must be called
   * once, or until the handle is closed.
   */
  examplesNext(handle: ExamplesHandle, records: number): Promise<number>;
  /**
   * As `examplesNext`, but waits for the piece on the calling thread. Requests `ahead` more pieces, so that threads work on
   * them meanwhile; the next calls return those. For files only: nobody could feed the reader during the call.
   */
  examplesNextSync(handle: ExamplesHandle, records: number, ahead: number): number;
  /** Writes the values of {@link PieceField} to `report`, and returns the faults, if any. */
  examplesReport(handle: ExamplesHandle, piece: number, report: Float64Array): PieceFaults | undefined;
  /** Copies the payload size of each record, rows and faults alike, to `lengths`. */
  examplesLengths(handle: ExamplesHandle, piece: number, lengths: Uint32Array): void;
  /** Writes the sizes of rows `from` to `to` of a piece, as `parserSizes` returns them. The piece must have rows. */
  examplesSizes(handle: ExamplesHandle, piece: number, from: number, to: number, sizes: Float64Array): void;
  /**
   * Copies rows `from` to `to` of the columns, as `parserTake` does. `filled` holds the sizes of the rows that are already
   * in the arrays, in the form of `examplesSizes`: the new rows go after these, and need not fill the arrays.
   */
  examplesTake(
    handle: ExamplesHandle,
    piece: number,
    from: number,
    to: number,
    arrays: ColumnArrays,
    filled?: Float64Array,
  ): void;
  examplesDrop(handle: ExamplesHandle, piece: number): void;
  /** As `readerSkip`, after a piece that halted so. */
  examplesSkip(handle: ExamplesHandle): void;
  /** As `readerClose`. */
  examplesClose(handle: ExamplesHandle): Promise<void>;

  /** Length of the longest row of `splits`, which has at least one element. 0 if there are no rows. */
  longestRow(splits: Int32Array): number;
  /**
   * Copies rows of numbers to equally spaced places in `to`. Row r has the values from `unit * splits[r]` to
   * `unit * splits[r + 1]`. The rest of each place is filled with the one element of `padding`, or left as it is without
   * `padding`. All arrays have one type.
   */
  padRows<T extends Float32Array | Float64Array | BigInt64Array>(
    from: T,
    splits: Int32Array,
    unit: number,
    to: T,
    padding: T | undefined,
  ): void;

  /**
   * Returns a function that decodes one Example (`sequence`: one SequenceExample) into `block` (see
   * core/example/decode/decoded_block.h). If the block was too small, call it again with a larger block and no `record`.
   */
  exampleDecoder(sequence: boolean): (block: Uint8Array, record?: Uint8Array) => DecodeOutcome;
  /** The type of `record`, which is not in shared memory. */
  recordType(record: Uint8Array): RecordTypeCode;

  /**
   * Encodes rows as Examples on the calling thread, one after another from the start of `slab`, with the features in the
   * order of the columns. Writes a pair (offset, length) for each row to `frames`. If there is no slab, or it is smaller
   * than the encoded rows or larger than `waste` times their size, encodes nothing and returns their size in bytes.
   */
  encodeColumns(
    columns: readonly EncoderColumn[],
    frames: Uint32Array,
    slab: Uint8Array | undefined,
    waste: number,
  ): EncodeFault | number | undefined;

  surveyNew(): SurveyHandle;
  /**
   * Empties the survey, and takes the records at pairs `begin` to `end` of `frames` in `slab`, on a native thread. Nobody
   * may write to the arrays or transfer them until the promise settles. Resolves with the fault of the first record that
   * cannot be taken; the survey then holds the records before it.
   */
  surveyTake(
    handle: SurveyHandle,
    slab: Uint8Array,
    frames: Uint32Array,
    begin: number,
    end: number,
  ): Promise<SurveyFault | undefined>;
  /**
   * Adds `from` to `into`, on a native thread. Resolves with the first pictures of `from`, as four numbers each: index of
   * the feature in `into`, index of the record among those of `from`, offset in the record, size. Resolves with a code if
   * there would be too many features.
   */
  surveyMerge(into: SurveyHandle, from: SurveyHandle): Promise<Uint32Array | SurveyFaultCode | undefined>;
  /** Three numbers: records, records with feature lists, features. */
  surveyTotals(handle: SurveyHandle): Float64Array;
  /** Feature `index`, in the order of first appearance. */
  surveyFeature(handle: SurveyHandle, index: number): NativeSurveyedFeature;
}
