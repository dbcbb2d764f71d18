/**
 * The addon's functions: those for records are here, those for Examples in `binding-examples.ts`. Outside `lib/native`,
 * only the few files of `lib/record` and `lib/example` that own a handle call them. Callers have validated all
 * arguments; native code checks only what memory safety needs.
 *
 * Functions refuse memory that other threads can change (TypeError), except those that copy the bytes at the call:
 * `gather`, `frame`, and those that feed a reader.
 *
 * A slab is a `Uint8Array` over a whole, fresh `ArrayBuffer` that no user code has seen. Native threads write to it until
 * the returned promise settles.
 */
import type { Compression, Fault } from '../base';

/** An opaque handle to a reader. It closes itself when it is collected. */
export interface ReaderHandle {
  readonly __reader: never;
}
/** An opaque handle to the index of a source. */
export interface IndexHandle {
  readonly __index: never;
}
/** An opaque handle to records that are to be read by their numbers. */
export interface GatherHandle {
  readonly __gather: never;
}
/** An opaque handle to a checkpoint of an inflater. */
export interface CheckpointHandle {
  readonly __checkpoint: never;
}
/** An opaque handle to a writer. It abandons its file when it is collected. */
export interface WriterHandle {
  readonly __writer: never;
}

export const enum FillOutcome {
  /** Whole records were framed, and the stream goes on. */
  More = 0,
  /** The stream ended cleanly after `frames`. */
  End = 1,
  /** A fed reader ran out of input before it had a whole record: feed it, then fill again (the slab may be reused). */
  Input = 2,
  /** The next record needs a slab of `growTo` bytes: fill again with one. */
  Grow = 3,
  /** The fault `halt` stops the stream after `frames`. */
  Halt = 4,
  /** The reader was closed. */
  Cancelled = 5,
}

/** The result of filling a slab: the records that it holds, and the faults. */
export interface SlabFill {
  readonly outcome: FillOutcome;
  /** Pairs (offset of the payload in the slab, its length), damaged records included. */
  readonly frames: Uint32Array<ArrayBuffer>;
  /** Number of the first frame's record in this stream. */
  readonly firstRecord: number;
  /** Stream offset of the slab's first byte. */
  readonly base: number;
  /** Records with damaged data, in frame order: the frame is `record - firstRecord`. Reading continues after them. */
  readonly faults: readonly Fault[];
  readonly halt: Fault | undefined;
  readonly growTo: number;
  /** Stored bytes that were read from the source so far. */
  readonly compressedBytes: number;
  /** The compression that was found. In a compressed source, stored offsets differ from stream offsets. */
  readonly compression: Compression;
  /** Size of the file if it is known, else -1. */
  readonly totalBytes: number;
}

/** The formats in which native code finds records: `FramingKind` of core/record/reader_spec.h. */
export const enum FramingKind {
  /** TFRecords. For all others, the compression is detected by the rule for text and raw data. */
  Records = 0,
  Lines = 1,
  /** Setting: the delimiter. */
  Csv = 2,
  /** Settings: sizes in bytes of record, header, footer and hop. */
  Fixed = 3,
}

/** A {@link FramingKind}, then its settings. */
export type Framing = readonly [kind: FramingKind, ...settings: number[]];

/** The record with which reading begins: its number, and the offset in the content at which it begins. */
export interface ReadStart {
  readonly record: number;
  readonly offset: number;
  /** Compressed content: the checkpoint at or before the record. Without one, only plain content may begin elsewhere. */
  readonly from?: CheckpointHandle | undefined;
  /** The length there must have a right checksum, whatever is verified besides. Default: false. */
  readonly checked?: boolean | undefined;
}

/** All settings of one reader: `ReaderSpec` of core/record/reader_spec.h. `readerSpec` of lib/record makes it. */
export interface ReaderSpec {
  /** The index in `COMPRESSIONS`. */
  readonly compression: number;
  /** `Verify` of core/record/read_options.h: 0 all checksums, 1 those of lengths, 2 none; from 3 on, records may stay unread. */
  readonly verify: number;
  readonly maxRecordBytes: number;
  /**
   * Damage may be skipped. After damaged data in a compressed stream, the reader then holds back records that may have
   * been inflated wrongly.
   */
  readonly continues: boolean;
  /** Before a halt, the reader reads the rest of the input to count its bytes. */
  readonly countsLost: boolean;
  /**
   * With `continues` and `countsLost`, in TFRecords: all checksums are verified, each fault halts, and reading goes on at the
   * next record that can be found (`salvages` of core/record/read_options.h).
   */
  readonly salvages: boolean;
  /** In a file, gzip members that this library wrote are inflated in parallel, which takes some MiB of memory. */
  readonly membersAhead: boolean;
  /** Default: the first record. */
  readonly start: ReadStart | undefined;
  /** Default: TFRecords. */
  readonly framing: Framing | undefined;
  /**
   * An index of the source, to which the reader adds what it finds: only readers of one framing. After damage, such a reader does not
   * look for the next gzip member, since no number of a record there is sure.
   */
  readonly index?: IndexHandle | undefined;
  /**
   * An index, between whose checkpoints a compressed file is inflated in parallel if `membersAhead` (not in WebAssembly, which has
   * one thread). It changes no result, even if it is the index of another file. A reader with `salvages` goes on at its
   * checkpoints after damage, if records follow them.
   */
  readonly checkpoints?: IndexHandle | undefined;
}

export interface RecordBinding {
  /** CRC-32C of `bytes`, continued from the finished checksum `previous`. No other thread may change `bytes`. */
  crc32c(bytes: Uint8Array, previous: number): number;

  /**
   * Returns the first index in `bytes` where a header begins whose checksum is right, and whose length is at most `most`; if
   * there is none, the first index with less than a header after it. No other thread may change `bytes`.
   */
  findHeader(bytes: Uint8Array, most: number): number;

  /**
   * Copies `count` records, one after another, to the start of `to`. `records` has three numbers per record: the index of
   * its slab, its offset in that slab, its length. Throws a RangeError and copies nothing if a record lies outside its
   * slab or `to` is too small.
   */
  gather(slabs: readonly Uint8Array[], records: Uint32Array, count: number, to: Uint8Array): void;
  /**
   * Copies records, given as in `gather`, as whole frames to `to`, from `at` on. Writes their lengths, but not their two
   * checksums: the form that `writerPush` takes.
   */
  frame(slabs: readonly Uint8Array[], records: Uint32Array, count: number, to: Uint8Array, at: number): void;
  /**
   * Locks the file of `descriptor` for one writer, in all processes, until the descriptor is closed. False if another one
   * holds it. Other programs may ignore the lock; Windows, and file systems without locks, have none.
   * Undefined in WebAssembly, which has no locks.
   */
  readonly lockFile: ((descriptor: number) => boolean) | undefined;
  /** Frees the memory of buffers at once; views over them become empty. Shared buffers stay as they are. */
  detach(buffers: readonly ArrayBuffer[]): void;

  /** Makes a reader of the regular file at `path`. The first fill opens the file, on a native thread. */
  readerOpenFile(path: string, spec: ReaderSpec): ReaderHandle;
  /** Makes a reader of bytes that come through `readerFeed`, beginning with the one at `spec.start`. */
  readerOpenFed(spec: ReaderSpec): ReaderHandle;
  /** Copies `chunk` into the reader's queue. `last`: the stream ends after it. */
  readerFeed(handle: ReaderHandle, chunk: Uint8Array, last: boolean): void;
  /**
   * Makes a reader of bytes that come through `readerFeedRange`. `size`: undefined if it is unknown, until `readerEndAt`.
   * Reading wants, and holds, at most `maxAhead` bytes beyond those that it has read.
   */
  readerOpenRanges(spec: ReaderSpec, size: number | undefined, maxAhead: number): ReaderHandle;
  /** Copies the bytes at `position` of the source: those that are there already, or are not wanted, are dropped. */
  readerFeedRange(handle: ReaderHandle, position: number, bytes: Uint8Array): void;
  /** States that the source has no byte at or after `position`. If its size is larger, reading halts there. */
  readerEndAt(handle: ReaderHandle, position: number): void;
  /** Returns position and size of the ranges to feed: the one that is needed first in front, then those ahead. */
  readerWants(handle: ReaderHandle): Float64Array;
  /** Fills `slab`. Several fills may be pending; they run in the order of the calls. Damage never rejects the promise. */
  readerFill(handle: ReaderHandle, slab: Uint8Array): Promise<SlabFill>;
  /** Fills `slab` on the calling thread. Must not be called while fills are pending. */
  readerFillSync(handle: ReaderHandle, slab: Uint8Array): SlabFill;
  /** Call it after a halt with TFR_RECORD_TOO_LARGE or with `resumes`: the next fill skips the record, or the damage. */
  readerSkip(handle: ReaderHandle): void;
  /**
   * Cancels the reader. Pending fills resolve as `Cancelled`. Resolves when the reader uses no thread and no descriptor
   * any more. Idempotent.
   */
  readerClose(handle: ReaderHandle): Promise<void>;

  /**
   * Makes a writer to the file at `path` or, for `undefined`, to JavaScript (`WriteResult.output`). `compression`: the
   * index in `COMPRESSIONS`, but not that of `'auto'`. `sums`: `WriteResult.crc32c` is wanted. Default: false.
   */
  writerOpen(
    path: string | undefined,
    compression: number,
    level: number,
    atomic: boolean,
    threads: number,
    sums?: boolean,
  ): WriterHandle;
  /**
   * Opens the file, on a native thread. A writer to JavaScript whose output begins a file need not be started.
   * `bytesBefore`: what the file has before the first byte that is written. Resolves with the fault, if any.
   */
  writerStart(handle: WriterHandle, bytesBefore: number): Promise<WriteResult>;
  /**
   * Hands over the first `used` bytes of `slab`: whole frames with their lengths, but without their two checksums. Native
   * threads add the checksums, compress, and write in the order of the calls. Resolves when that is done. `copies`: the
   * bytes are copied before the call returns, so the caller may change them at once; otherwise they must stay as they are
   * until it resolves. `summed`: the right checksums are there, and no thread changes the bytes (WebAssembly adds them to
   * its copy again).
   */
  writerPush(
    handle: WriterHandle,
    slab: Uint8Array,
    used: number,
    records: number,
    copies: boolean,
    summed: boolean,
  ): Promise<WriteResult>;
  /** Resolves when the operating system has all that was pushed before (`sync`: when it is on the disk). */
  writerFlush(handle: WriterHandle, sync: boolean): Promise<WriteResult>;
  /** Ends the stream and closes the file. If atomic, syncs and renames it first. */
  writerClose(handle: WriterHandle): Promise<WriteResult>;
  /** Gives the file up and closes it. If atomic, nothing appears under the final name; else the written bytes stay. */
  writerAbort(handle: WriterHandle): Promise<WriteResult>;
  /**
   * Returns the bytes of a whole file of `slabs`, encoded on the calling thread. Each slab is as for `writerPush`, full to
   * its end, and holds `records[i]` records; their checksums are written into it.
   */
  encodeSlabs(
    slabs: readonly Uint8Array[],
    records: Uint32Array,
    compression: number,
    level: number,
  ): Uint8Array<ArrayBuffer>;

  /** Returns which optional codec libraries are available. `allow` says which may be used, for tests and benchmarks. */
  codecs(allow?: { isal: boolean; libdeflate: boolean }): { isal: boolean; libdeflate: boolean };
  /** Name of the CRC kernel in use, and number of pool threads. */
  info(): { crc32c: string; threads: number };
}

export interface WriteResult {
  readonly fault: Fault | undefined;
  /** Bytes written to the file or stream so far. */
  readonly fileBytes: number;
  /** For writers without a path: the next bytes of the stream. */
  readonly output: Uint8Array | undefined;
  /** After a close: true if the replaced file is not the one that existed when the writer was opened. */
  readonly replacedOther: boolean;
  /** After a close: the CRC-32C of all output, if it was wanted. Undefined in WebAssembly. */
  readonly crc32c: number | undefined;
}
