/** The native surface that parses and encodes Examples. What `binding.ts` says of arguments and slabs holds here, too. */
import type { Fault } from './binding';

/** Opaque; a compiled plan, and a parser of its own for the calling thread. */
export interface ParserHandle {
  readonly __parser: never;
}
/** Opaque; closes itself when it is collected. */
export interface ExamplesHandle {
  readonly __examples: never;
}

/** One feature, or feature list, that is wanted of every record. Keys are distinct within a section. */
export interface PlanColumn {
  /** UTF-8 of the feature's name. */
  readonly key: Uint8Array;
  /** 0: features of an Example, or the context; 1: feature lists. */
  readonly section: 0 | 1;
  /** Field of the list in `Feature`: bytes, float, int64. */
  readonly kind: 1 | 2 | 3;
  /** Values a row (a step, in section 1): exactly so many, or, for -1, any number. */
  readonly count: number;
  /** Section 1: a record without the list is at fault. */
  readonly required: boolean;
  /** Section 0, `count` from 0: the serialized Feature that stands in for an absent one; without it that is a fault. */
  readonly fallback: Uint8Array | undefined;
}

export const enum ParseFaultCode {
  /** `byte` breaks the wire format. */
  Malformed = 1,
  /** A required feature is not there, or has no kind. */
  Missing = 2,
  /** It is of `foundKind`. */
  Kind = 3,
  /** It has `found` values. */
  Count = 4,
  /** `found` is an int64 that a number cannot hold. */
  Inexact = 5,
  /** Not the record but the batch: a column has more than 2^31 - 1 values or bytes. */
  TooLarge = 6,
  OutOfMemory = 7,
}

/** Why a record does not fit a plan. What does not apply is absent. */
export interface ParseFault {
  readonly code: ParseFaultCode;
  /** The record's number among those that were asked for. */
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

/** A record that gives no row: its bytes are wrong (`data`), or it does not fit the plan (`parse`). */
export interface RowFault {
  /** Number within the piece, rows and faults counted alike. */
  readonly index: number;
  readonly data: Fault | undefined;
  readonly parse: ParseFault | undefined;
}

/** What a report tells of a piece: some records of a file, in order, as rows. */
export const enum PieceField {
  Rows = 0,
  /** Rows and faults alike. */
  Records = 1,
  /** Sum of the lengths of the records. */
  Payload = 2,
  /** Number of the first record in its stream, and offset of its header. */
  FirstRecord = 3,
  Offset = 4,
  /** What comes behind: More, End, Input (feed it, then ask again), Halt or Cancelled. */
  Outcome = 5,
  /** 0 none, 1 gzip, 2 zlib. */
  Compression = 6,
  /** As in `FillResult`. */
  CompressedBytes = 7,
  TotalBytes = 8,
  /** Number of the fields. */
  Count = 9,
}

/** What is wrong in a piece, and behind it. */
export interface PieceFaults {
  readonly rows: readonly RowFault[];
  readonly halt: Fault | undefined;
}

/** The values of one feature in all rows that are encoded. A list: names would be looked up at each call, column by column. */
export type EncoderColumn = readonly [
  /** UTF-8 of the feature's name. */
  key: Uint8Array,
  /** Field of the list in `Feature`: bytes, float, int64. */
  kind: 1 | 2 | 3,
  /** By kind; of bytes the data of all values. Not in shared memory. */
  values: Uint8Array | Float32Array | BigInt64Array,
  /** Of bytes: value -> data. */
  offsets: Int32Array | undefined,
  /** Row -> its first value, and the one behind its last; or neither, and every row has `count`, behind those before it. */
  starts: Int32Array | undefined,
  ends: Int32Array | undefined,
  /** From 0 to 2^31 - 1. */
  count: number,
];

export const enum EncodeFaultCode {
  /** The values of a row do not lie in the column. */
  Rows = 1,
  /** A byte string does not lie in the data. */
  Offsets = 2,
  /** The row takes more than 2^31 - 1 bytes. */
  ExampleTooLarge = 3,
  /** The rows up to this one take more than 2^32 - 1 bytes. */
  BatchTooLarge = 4,
  OutOfMemory = 5,
}

/** Why columns cannot be encoded. */
export interface EncodeFault {
  readonly code: EncodeFaultCode;
  readonly row: number;
  readonly column: number;
}

/** What a decoding function says: one of these, or, above `Done`, the bytes that the block must have. */
export const enum DecodeOutcome {
  Done = 0,
  /** The record is not one. */
  Malformed = -1,
  /** Other threads may change the record. */
  NotOwn = -2,
  OutOfMemory = -3,
}

/** Typed arrays for columns: of each column those of steps, splits, offsets and values that it has. */
export type ColumnArrays = readonly (Int32Array | Float32Array | Float64Array | BigInt64Array | Uint8Array)[];

export interface ExampleBinding {
  /**
   * Compiles a plan. `sequence`: the records are SequenceExamples. `int64AsNumber`: int64 go into Float64Arrays; values
   * that are not exact there are refused.
   */
  parserNew(
    columns: readonly PlanColumn[],
    sequence: boolean,
    int64AsNumber: boolean,
  ): ParserHandle;
  /** Empties the columns; to be called before the first `parserAppend`, too. */
  parserClear(handle: ParserHandle): void;
  /**
   * Appends the records at pairs `begin` to `end` of `frames` in `slab`, on the calling thread, up to the first that does
   * not fit, which it returns. No other thread may change `slab`.
   */
  parserAppend(
    handle: ParserHandle,
    slab: Uint8Array,
    frames: Uint32Array,
    begin: number,
    end: number,
  ): ParseFault | undefined;
  /**
   * Empties the columns and parses records, as `gather` has them, on a native thread: they are copied at the call, unless they
   * are `lent`: then nobody may write to them, nor transfer them, until the promise settles. Resolves with the first that
   * does not fit; the columns have those before it. Until then the handle may not be used.
   */
  parserStart(
    handle: ParserHandle,
    slabs: readonly Uint8Array[],
    records: Uint32Array,
    count: number,
    lent: boolean,
  ): Promise<ParseFault | undefined>;
  /**
   * Makes a function that parses one Example into `block` (see core/example/parse/row_block.h). It returns false if the
   * record does not fit the plan, is empty (or its memory is gone), or other threads may change it, and if the block is
   * too small.
   */
  parserRow(handle: ParserHandle): (record: Uint8Array, block: Uint8Array) => boolean;
  /** Of each column four numbers: steps, places in `splits` behind the first, values, bytes. */
  parserSizes(handle: ParserHandle): Float64Array;
  /** Copies the columns into arrays of exactly those sizes (positions: one more). */
  parserTake(handle: ParserHandle, arrays: ColumnArrays): void;

  /**
   * Reads as `readerOpenFile` does and parses as the plan of `parser` says, beside JavaScript. `stop`: a piece ends
   * before the first bad record; otherwise bad records are left out. `countsLost` is that of `readerOpenFile`.
   */
  examplesOpenFile(
    path: string,
    compression: number,
    verify: number,
    maxRecordBytes: number,
    parser: ParserHandle,
    stop: boolean,
    countsLost: boolean,
  ): ExamplesHandle;
  examplesOpenFed(
    compression: number,
    verify: number,
    maxRecordBytes: number,
    parser: ParserHandle,
    stop: boolean,
    countsLost: boolean,
  ): ExamplesHandle;
  examplesFeed(handle: ExamplesHandle, chunk: Uint8Array, last: boolean): void;
  /**
   * The next `records` records, or fewer: what is more than 2 MiB, or lies before something else than more. Settles with
   * the number of the piece, which native code keeps until it is dropped, once, or the handle is closed.
   */
  examplesNext(handle: ExamplesHandle, records: number): Promise<number>;
  /** Writes the fields to `report`. */
  examplesReport(handle: ExamplesHandle, piece: number, report: Float64Array): PieceFaults | undefined;
  /** Copies the size of each record, rows and faults alike. */
  examplesLengths(handle: ExamplesHandle, piece: number, lengths: Uint32Array): void;
  /** What `parserSizes` gives, of rows `from` to `to` of a piece that has rows. */
  examplesSizes(handle: ExamplesHandle, piece: number, from: number, to: number, sizes: Float64Array): void;
  /**
   * Copies rows `from` to `to` of the columns, as `parserTake` does. `filled` gives the sizes of the elements that the
   * arrays already hold, as `examplesSizes` does; the rows go after these, and need not fill the arrays.
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
  /** After a piece that halted with TFR_RECORD_TOO_LARGE: the next begins behind that record. */
  examplesPassOver(handle: ExamplesHandle): void;
  /** As `readerClose`. */
  examplesClose(handle: ExamplesHandle): Promise<void>;

  /** The longest of the rows that `splits`, of which there is one or more, cut. 0 without rows. */
  longestRow(splits: Int32Array): number;
  /**
   * Copies rows of numbers, row r the values from `unit` times `splits[r]` to `unit` times `splits[r + 1]`, to places in `to`
   * that lie equally far apart. What is behind a row becomes the one element of `padding`; without one it stays.
   * All arrays are of one type.
   */
  padRows<T extends Float32Array | Float64Array | BigInt64Array>(
    from: T,
    splits: Int32Array,
    unit: number,
    to: T,
    padding: T | undefined,
  ): void;

  /**
   * Makes a function that decodes one Example (`sequence`: one SequenceExample) into `block` (see
   * core/example/decode/decoded_block.h). Call it without `record` to get the record of the last call, whose block was too
   * small.
   */
  exampleDecoder(sequence: boolean): (block: Uint8Array, record?: Uint8Array) => DecodeOutcome;

  /**
   * Encodes rows as Examples, features in the order of the columns, on the calling thread, side by side from the start
   * of `slab`. Writes a pair (offset, length) for each row to `frames`. Returns the number of bytes that the rows take,
   * and does not encode them, if there is no slab, or it is too small, or it has more than `waste` times that number.
   */
  encodeColumns(
    columns: readonly EncoderColumn[],
    frames: Uint32Array,
    slab: Uint8Array | undefined,
    waste: number,
  ): EncodeFault | number | undefined;
}
