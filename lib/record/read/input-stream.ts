import type { TFRecordError } from '../../errors';
import type { Compression, FillOutcome, SlabFill } from '../../native';
import type { AheadBudget } from '../memory/slab-sizer';
import type { Bytes } from '../origin';
import type { ChunkPull } from '../source/pull-bytes';

/** Some records of a file, and how reading stands behind them: a filled slab, or a piece. The outcome is More, End or Halt. */
export interface Portion {
  readonly result: Pick<SlabFill, 'outcome' | 'compressedBytes' | 'compression'> & Partial<Pick<SlabFill, 'halt'>>;
  /** The error that ended it, if native code found no fault. */
  readonly fault?: TFRecordError | undefined;
}

/** A slab with what native code found in it. */
export interface FilledSlab extends Portion {
  readonly slab: Bytes;
  readonly result: SlabFill;
}

/** One file or stream on its way through native threads: one native handle. */
export interface InputStream<P extends Portion> {
  /** The path, or `-`, `<bytes>`, `<stream>`. */
  readonly file: string;
  /** Size of the file, where it is one. */
  readonly inputBytes?: number | undefined;
  /**
   * Starts to read ahead. With `share` the file's turn has not come yet: a compressed file is read on as far as the
   * share has room. Call it again when there is more room, and without `share` at its turn.
   */
  prime(share?: AheadShare): void;
  /**
   * What comes next; undefined when the stream was closed. Not after End; after Halt only behind `passOver`. One at a
   * time. Rejects with the error of a source, never for damage.
   */
  next(): Promise<P | undefined>;
  /** After a halt with TFR_RECORD_TOO_LARGE: goes on behind that record. */
  passOver(): void;
  /** Resolves when native holds neither thread nor descriptor. Idempotent. */
  close(): Promise<void>;
}

/** The memory that files share whose turn has not come. */
export interface AheadShare extends AheadBudget {
  /** A compressed file was read to its end. */
  ended(): void;
}

/**
 * Asks native code for what comes next of one handle: for filled slabs, or for pieces. Answers come in the order of the
 * requests. Behind the end or a halt, those already under way repeat it.
 */
export interface Requests<P extends Portion> {
  /** True if native code reads ahead of the requests by itself. */
  readonly readsAhead: boolean;
  /** Requests worth having under way: those that are `needed`, and those that read ahead. */
  underWay(needed: number): number;
  /** Memory that the next request takes, where `bytes` of the input are at hand. */
  nextBytes(bytes: number | undefined): number;
  /** The next request. @throws TFRecordError ENOMEM */
  ask(bytes: number | undefined): Request<P>;
  /** Feeds a handle that has no file; `last` ends the stream behind `chunk`. */
  feed(chunk: Uint8Array, last: boolean): void;
  passOver(): void;
  /** Ends what is under way, as Cancelled. To be called once. */
  close(): Promise<void>;
}

export interface Request<P extends Portion> {
  /** Memory that it takes, as far as that is known. */
  readonly bytes: number;
  readonly answer: Promise<Answer<P>>;
}

/** The answer to a request. Either take or drop it, once, before the handle is closed. */
export interface Answer<P extends Portion> {
  readonly outcome: FillOutcome;
  readonly compression: Compression;
  readonly compressedBytes: number;
  /** Memory that it holds. */
  memory(): number;
  /** What came, in the order of the requests. Nothing where native code needs a larger slab or more input first. */
  take(): P[];
  /** Gives up what came. */
  drop(): void;
}

/**
 * What comes next of a file: something to hand out; `skipped`, a record was, ask again; `fill`, what was loaded is used
 * up; `pass-over`, the next record is to be passed over; `done`, this file is over; `stop`, all reading is.
 */
export type Step<T> = T | 'skipped' | 'fill' | 'pass-over' | 'done' | 'stop';

/** Cuts what was read into what is handed out, and asks the policy about each fault when all before it was. */
export interface Splitter<P extends Portion, T extends object> {
  /** Takes what was read next of `file`; what was before is used up. */
  load(file: string, portion: P): void;
  /** Throws what the policy decides to throw. */
  next(): Step<T>;
}

/** A record of a plain file, and the byte that its header begins at. */
export interface RecordPlace {
  readonly record: number;
  readonly offset: number;
}

/** Opens the inputs of a source as streams. */
export interface StreamOpener<P extends Portion> {
  /**
   * A stream over the regular file at `path`, whose size is `bytes`. `start` is the place to begin at, only for plain
   * files. `at` is the path to open.
   */
  openFile(path: string, bytes: number, start: RecordPlace | undefined, at: string): InputStream<P>;
  /** A stream over chunks, of `bytes` in all if that is known. `open` is called last: what it opens, `close` closes. */
  openFed(file: string, open: () => ChunkPull, bytes: number | undefined): InputStream<P>;
}
