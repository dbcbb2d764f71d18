import type { FillResult } from '../native';
import type { Bytes } from './origin';

/** A slab with what native found in it. The outcome is More, End or Halt. */
export interface Filled {
  readonly slab: Bytes;
  readonly result: FillResult;
}

/** The framed bytes of one file or stream: one native handle. */
export interface RecordStream {
  /** The path, or `-`, `<bytes>`, `<stream>`. */
  readonly file: string;
  /** Size of the input in bytes, when it is known before it is read. */
  readonly inputBytes: number | undefined;
  /** Starts to read ahead. */
  prime(): void;
  /**
   * The next slab; undefined when the stream was closed. Not after End; after Halt only behind `passOver`. One at a
   * time. Rejects with the error of a source, never for damage.
   */
  next(): Promise<Filled | undefined>;
  /** After a halt with TFR_RECORD_TOO_LARGE: goes on behind that record. */
  passOver(): void;
  /** Resolves when native holds neither thread nor descriptor. Idempotent. */
  close(): Promise<void>;
}
