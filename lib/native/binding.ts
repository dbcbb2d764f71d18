/**
 * The native surface, as the addon exports it: this file has the part for records, `binding-examples.ts` the part for
 * Examples. Outside `lib/native` only the few files of `lib/record` and `lib/example` that own a handle use it. Callers
 * have validated all arguments; native code checks only what memory safety needs.
 *
 * Memory that other threads can change is refused (TypeError), except by functions that copy bytes at the call:
 * `gather`, and those that feed.
 *
 * Slabs are `Uint8Array`s over whole, fresh `ArrayBuffer`s that no user code has seen: native threads write to them
 * until the returned promise settles.
 */
import type { Compression } from './compression';

/** Opaque; closes itself when it is collected. */
export interface ReaderHandle {
  readonly __reader: never;
}
/** Opaque; abandons its file when it is collected. */
export interface WriterHandle {
  readonly __writer: never;
}

/** Names of `FaultCode` in core/base/fault.h. */
export type FaultName =
  | 'TFR_TRUNCATED'
  | 'TFR_TRAILING_DATA'
  | 'TFR_CORRUPT_LENGTH'
  | 'TFR_CORRUPT_DATA'
  | 'TFR_NOT_TFRECORD'
  | 'TFR_COMPRESSION'
  | 'TFR_RECORD_TOO_LARGE'
  | 'SYSTEM'
  | 'OUT_OF_MEMORY';

/** One fault, as a value. Numbers and places that do not apply are undefined. */
export interface Fault {
  readonly code: FaultName;
  /** Part of the format that was judged ("gzip trailer CRC32"), or the failed system call. */
  readonly part: string;
  /**
   * For TFR_NOT_TFRECORD and TFR_COMPRESSION: what the bytes look like instead ("zip archive"). For TFR_CORRUPT_LENGTH
   * and TFR_TRUNCATED: the cause, if it is known ("the file changed while it was read"). For SYSTEM: a key of the hints
   * in lib/record/faults.ts. Else ''.
   */
  readonly detail: string;
  readonly expected: bigint;
  readonly found: bigint;
  readonly record?: number | undefined;
  readonly offset?: number | undefined;
  readonly compressedOffset?: number | undefined;
  /**
   * For a halt of a reader with `countsLost`: the bytes from the fault to the end. They are uncompressed bytes; where
   * inflating failed, stored bytes.
   */
  readonly lostBytes?: number | undefined;
  /** errno, positive, for SYSTEM. */
  readonly systemError?: number | undefined;
}

export const enum FillOutcome {
  /** Whole records were framed; ask again for more. */
  More = 0,
  /** The stream ended cleanly behind `frames`. */
  End = 1,
  /** A fed reader ran dry before it had a whole record: feed it, then fill again (the slab may be reused). */
  Input = 2,
  /** The next record needs a slab of `growTo` bytes: fill again with one. */
  Grow = 3,
  /** `halt` stops the stream behind `frames`. */
  Halt = 4,
  /** The reader was closed. */
  Cancelled = 5,
}

/** One slab, filled, framed and judged. */
export interface FillResult {
  readonly outcome: FillOutcome;
  /** Pairs (offset of the payload in the slab, its length), damaged records included. */
  readonly frames: Uint32Array;
  /** Number of the first frame's record in this stream. */
  readonly firstRecord: number;
  /** Stream offset of the slab's first byte. */
  readonly base: number;
  /** Damaged data, in frame order: `record - firstRecord` is the frame. Reading goes on behind them. */
  readonly faults: readonly Fault[];
  readonly halt: Fault | undefined;
  readonly growTo: number;
  /** Raw bytes consumed from the source so far. */
  readonly compressedBytes: number;
  /** What the source was found to be: where it is compressed, its offsets are not those of the stream. */
  readonly compression: Compression;
  /** Size of the file when it is known, else -1. */
  readonly totalBytes: number;
}

export interface RecordBinding {
  /** Finished CRC-32C of `bytes`, continued from `previous`. No other thread may change `bytes`. */
  crc32c(bytes: Uint8Array, previous: number): number;

  /**
   * Copies `count` records side by side to the start of `to`. `records`: three numbers for each: its slab, its offset in
   * it, its length. Throws RangeError, and copies nothing, where a record leaves its slab or there is no room.
   */
  gather(slabs: readonly Uint8Array[], records: Uint32Array, count: number, to: Uint8Array): void;
  /** Frees the memory of buffers at once: what looks at it is empty then. What is shared stays as it is. */
  detach(buffers: readonly ArrayBuffer[]): void;

  /**
   * A reader over the regular file at `path` (opened by the first fill, on a native thread). `compression`: its
   * place in `COMPRESSIONS`. `verify`: 0 all, 1 length, 2 none. Reading begins at byte `firstOffset`, with record number
   * `firstRecord`; only plain files may begin elsewhere than at 0. `goesOn`: damage may be skipped, so after wrong data
   * in a compressed stream no records are given that may have been inflated wrongly. `countsLost`: before a halt the
   * rest is read through, and its bytes are counted. `membersAhead`: our own gzip members are inflated in parallel,
   * which takes some MiB.
   */
  readerOpenFile(
    path: string,
    compression: number,
    verify: number,
    maxRecordBytes: number,
    firstOffset: number,
    firstRecord: number,
    goesOn: boolean,
    countsLost: boolean,
    membersAhead: boolean,
  ): ReaderHandle;
  /** A reader over bytes that `readerFeed` brings. */
  readerOpenFed(
    compression: number,
    verify: number,
    maxRecordBytes: number,
    goesOn: boolean,
    countsLost: boolean,
  ): ReaderHandle;
  /** Copies `chunk` into the reader's queue; `last` ends the stream behind it. */
  readerFeed(handle: ReaderHandle, chunk: Uint8Array, last: boolean): void;
  /** Fills run in the order of the calls; several may be pending. Never rejects for damage. */
  readerFill(handle: ReaderHandle, slab: Uint8Array): Promise<FillResult>;
  /** The same on the calling thread. Not while fills are pending. */
  readerFillSync(handle: ReaderHandle, slab: Uint8Array): FillResult;
  /** After a halt with TFR_RECORD_TOO_LARGE: the next fill passes over that record. */
  readerPassOver(handle: ReaderHandle): void;
  /** Cancels; pending fills settle as `Cancelled`; resolves when no thread and no descriptor is left. Idempotent. */
  readerClose(handle: ReaderHandle): Promise<void>;

  /**
   * A writer to the file at `path`, or, for `undefined`, to JavaScript (`WriteResult.output`).
   * `compression`: its place in `COMPRESSIONS`, but not of `'auto'`. Opens on a native thread.
   */
  writerOpen(path: string | undefined, compression: number, level: number, atomic: boolean, threads: number): WriterHandle;
  /** Opens the file. Settles with the fault, if any. */
  writerStart(handle: WriterHandle): Promise<WriteResult>;
  /**
   * Takes `used` bytes of `slab`: whole frames whose lengths are in place and whose two CRC fields are not.
   * Native sums, compresses and writes them in the order of the calls. Settles when the slab is free again.
   */
  writerPush(handle: WriterHandle, slab: Uint8Array, used: number, records: number): Promise<WriteResult>;
  /** Settles when all that was pushed before is with the operating system (`sync`: on the disk). */
  writerFlush(handle: WriterHandle, sync: boolean): Promise<WriteResult>;
  /** Ends the stream, syncs and renames when atomic, closes. */
  writerClose(handle: WriterHandle): Promise<WriteResult>;
  /** Closes; nothing stays under the final name when atomic, else the file keeps what was written. */
  writerAbort(handle: WriterHandle): Promise<WriteResult>;

  /** Which optional codec libraries are there, and whether they may be used (tests, benchmarks). */
  codecs(allow?: { isal: boolean; libdeflate: boolean }): { isal: boolean; libdeflate: boolean };
  /** CRC kernel in use and number of pool threads, for reports. */
  info(): { crc32c: string; threads: number };
}

export interface WriteResult {
  readonly fault: Fault | undefined;
  /** Bytes of the file, or of the stream, so far. */
  readonly fileBytes: number;
  /** For writers without a path: what to pass on, in order. */
  readonly output: Uint8Array | undefined;
  /** After a close: true if the file that was replaced is not the one that was there when the writer was opened. */
  readonly replacedOther: boolean;
}
