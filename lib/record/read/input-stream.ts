import type { Compression, Bytes } from '../../base';
import type { FillOutcome, ReadStart, SlabFill } from '../../native';
import type { AheadBudget } from './slab-sizer';
import type { ByteSource, Identity } from '../../io';

/** Some records of a file, a filled slab or a piece, and the state of reading after them: More, End or Halt. */
export interface Portion {
  readonly result: Pick<SlabFill, 'outcome' | 'compressedBytes' | 'compression'> &
    Partial<Pick<SlabFill, 'halt' | 'totalBytes'>>;
}

/** A slab, and the result of filling it. */
export interface FilledSlab extends Portion {
  readonly slab: Bytes;
  readonly result: SlabFill;
}

/** One file or stream that native threads read, through one native handle. */
export interface InputStream<P extends Portion> {
  /** The path, or `-`, `<bytes>`, `<stream>`. */
  readonly file: string;
  /** Size of the file; undefined for streams of unknown size. */
  readonly inputBytes?: number | undefined;
  /**
   * Starts to read ahead. `share` is given before the file's turn: a compressed file is then read as far as the share has
   * room. Call it again when there is more room, and without `share` at the file's turn.
   */
  prime(share?: AheadShare): void;
  /**
   * Resolves with the next portion; undefined if the stream was closed. Must not be called after End, nor after Halt
   * without `skip`, nor while another call is pending. Rejects with the error of a source, never for damage.
   */
  next(): Promise<P | undefined>;
  /** Call it after a halt that `isSkippable` accepts: reading continues after that record, or with the next gzip member. */
  skip(): void;
  /** Closes the stream. Resolves when native code uses no thread and no descriptor any more. Idempotent. */
  close(): Promise<void>;
}

/** The memory budget of the files whose turn has not come. */
export interface AheadShare extends AheadBudget {
  /** Called when a compressed file was read to its end. */
  ended(): void;
}

/** The ranges that a handle of a source by ranges wants, and those that it is fed with. Other handles want none. */
export interface RangeFeed {
  /** Returns position and size of the missing ranges: the one that is needed first in front, then those ahead. */
  wants(): Float64Array;
  /** Copies the bytes at `at` of the source. */
  feedRange(at: number, bytes: Uint8Array): void;
  /** States that the source has no byte at or after `at`. */
  endAt(at: number): void;
}

/**
 * Requests filled slabs, or pieces, from one native handle. Answers come in the order of the requests. After the end or a
 * halt, the requests under way repeat it.
 */
export interface Requests<P extends Portion> extends RangeFeed {
  /** True if native code reads ahead of the requests by itself. */
  readonly readsAhead: boolean;
  /** Returns the number of requests to have under way: the `needed` ones, and those that read ahead. */
  underWay(needed: number): number;
  /** Returns the memory that the next request takes, if `bytes` of the input are at hand. */
  nextBytes(bytes: number | undefined): number;
  /** Starts the next request. @throws TFRecordError ENOMEM */
  ask(bytes: number | undefined): Request<P>;
  /** Feeds a handle without a file. `last`: the stream ends after `chunk`. */
  feed(chunk: Uint8Array, last: boolean): void;
  skip(): void;
  /** Cancels the requests under way, and closes the handle. Must be called only once. */
  close(): Promise<void>;
}

export interface Request<P extends Portion> {
  /** Memory that the request takes, in bytes, as far as it is known. */
  readonly bytes: number;
  readonly answer: Promise<Answer<P>>;
}

/** The answer to a request. Call `take` or, if there is one, `drop` once, before the handle is closed. */
export interface Answer<P extends Portion> {
  readonly outcome: FillOutcome;
  readonly compression: Compression;
  readonly compressedBytes: number;
  /** Returns the memory that the answer holds, in bytes. */
  memory(): number;
  /** Returns the portions, in order. None if native code first needs a larger slab or more input. */
  take(): P[];
  /** Frees the portions without taking them. Not defined if native code holds nothing for the answer. */
  drop?(): void;
}

/**
 * The next step of reading a file: an object to hand out, or `skipped` (a record was skipped: call again), `fill` (the
 * loaded portion is used up), `skip` (the next record, or the damage, must be skipped), `done` (the file has
 * ended), or `stop` (all reading has ended).
 */
export type Step<T> = T | 'skipped' | 'fill' | 'skip' | 'done' | 'stop';

/** Splits portions into objects to hand out, and applies the policy to each fault after everything before it. */
export interface Splitter<P extends Portion, T extends object> {
  /** Takes the next portion of `file`. The last one must be used up. */
  load(file: string, portion: P): void;
  /** Returns the next step. Throws the error of a fault if the policy decides so. */
  next(): Step<T>;
}

/** Where the reading of a source begins. */
export interface SourceStart extends ReadStart {
  /** The first byte of the source to read. Default: `offset`. */
  readonly position?: number | undefined;
}

/** Opens the inputs of a source as streams. */
export interface StreamOpener<P extends Portion> {
  /**
   * Returns a stream of the regular file at `path`, whose size is `bytes`. Reading begins at `start`, which has a checkpoint
   * if the file is compressed. `at` is the path to open.
   */
  openFile(
    path: string,
    bytes: number,
    start: SourceStart | undefined,
    at: string,
    identity?: Identity,
  ): InputStream<P>;
  /**
   * Finds where the reading of a compressed file begins, of which only the number of the record is known: at a checkpoint
   * before it. Undefined: at the beginning of the file.
   */
  readonly findStart?: ((at: string, identity: Identity, start: SourceStart) => SourceStart | undefined) | undefined;
  /**
   * Returns a stream of `source`, which is not a regular file. Reading begins at `start`, which is only for a source of
   * which any range can be read, and has a checkpoint if the content is compressed. Calls `pull` last: `close` closes what
   * it opens.
   */
  openBytes(source: ByteSource, start: SourceStart | undefined, identity?: Identity): InputStream<P>;
}
