import type { TFRecordError } from '../../errors';
import type { FillResult } from '../../native';
import type { Bytes } from '../origin';
import type { ChunkPull } from '../source/pull-bytes';

/** Something that was read of a file, and how reading stands behind it: the outcome is More, End or Halt. */
export interface Read {
  readonly result: Pick<FillResult, 'outcome' | 'compressedBytes' | 'compression'> & Partial<Pick<FillResult, 'halt'>>;
  /** The error that ended it, if native code found no fault. */
  readonly fault?: TFRecordError | undefined;
}

/** One file or stream on its way through native threads: one native handle. */
export interface InputStream<R extends Read> {
  /** The path, or `-`, `<bytes>`, `<stream>`. */
  readonly file: string;
  /** Size of the file, where it is one. */
  readonly inputBytes?: number | undefined;
  /** Starts to read ahead. */
  prime(): void;
  /**
   * What comes next; undefined when the stream was closed. Not after End; after Halt only behind `passOver`. One at a
   * time. Rejects with the error of a source, never for damage.
   */
  next(): Promise<R | undefined>;
  /** After a halt with TFR_RECORD_TOO_LARGE: goes on behind that record. */
  passOver(): void;
  /** Resolves when native holds neither thread nor descriptor. Idempotent. */
  close(): Promise<void>;
}

/**
 * What comes next of a file: something to hand out; `skipped`, a record was, ask again; `fill`, what was loaded is used
 * up; `pass-over`, the next record is to be passed over; `done`, this file is over; `stop`, all reading is.
 */
export type Step<T> = T | 'skipped' | 'fill' | 'pass-over' | 'done' | 'stop';

/** Cuts what was read into what is handed out, and asks the policy about each fault when all before it was. */
export interface Splitter<R extends Read, T extends object> {
  /** Takes what was read next of `file`; what was before is used up. */
  load(file: string, read: R): void;
  /** Throws what the policy decides to throw. */
  next(): Step<T>;
}

/** A record of a plain file, and the byte that its header begins at. */
export interface RecordPlace {
  readonly record: number;
  readonly offset: number;
}

/** A way of reading: to records, or to parsed Examples. */
export interface Lane<R extends Read, T extends object> {
  readonly splitter: Splitter<R, T>;
  /**
   * A stream over the regular file at `path`, whose size is `bytes`. `start` is the place to begin at, only for plain
   * files. `at` is the path to open.
   */
  openFile(path: string, bytes: number, start: RecordPlace | undefined, at: string): InputStream<R>;
  /** A stream over chunks, of `bytes` in all if that is known. `open` is called last: what it opens, `close` closes. */
  openFed(file: string, open: () => ChunkPull, bytes: number | undefined): InputStream<R>;
}

/** A slab with what native found in it. The outcome is More, End or Halt. */
export interface Filled {
  readonly slab: Bytes;
  readonly result: FillResult;
}
