/** The addon's functions for jumping to a record. The rules of `binding.ts` for callers hold here, too. */
import type { Fault, Compression } from '../base';
import type { ReaderHandle, ReaderSpec } from './binding';

/** An opaque handle to the index of a file. Its scan ends when it is collected. */
export interface IndexHandle {
  readonly __index: never;
}

/** The state of a scan. */
export interface IndexProgress {
  /** Number of records that are known, damaged ones included. */
  readonly records: number;
  readonly compressedBytes: number;
  /** Size of the file if it is known, else -1. */
  readonly totalBytes: number;
  readonly compression: Compression;
  /** The scan is over. */
  readonly complete: boolean;
  /** Damaged records since the last answer, and records that are too long. At most 10,000 in all. */
  readonly faults: readonly Fault[];
  /** The fault that ended the scan, if one did. */
  readonly halt: Fault | undefined;
  /** Memory that the places and checkpoints take. */
  readonly heldBytes: number;
}

/** A reader that begins at the last known place at or before a record. */
export interface IndexReader {
  readonly reader: ReaderHandle;
  /** Number of bytes of the stream from that place to the end of the wanted records. */
  readonly bytes: number;
}

export interface IndexBinding {
  /**
   * Makes an empty index of the regular file at `path`, which a scan fills. The scan goes on after damage and counts lost
   * bytes in any case; `spec` says whether the readers of `indexReader` do.
   */
  indexOpen(path: string, spec: ReaderSpec): IndexHandle;
  /** Scans on for about `milliseconds`, on native threads. One call at a time. Damage never rejects the promise. */
  indexAdvance(handle: IndexHandle, milliseconds: number): Promise<IndexProgress>;
  /** Makes a reader for the records from `first` to before `last`. Undefined if `first` is not known. */
  indexReader(handle: IndexHandle, first: number, last: number): IndexReader | undefined;
  /** Cancels the scan. Resolves when it uses no thread and no descriptor any more. Its readers go on. Idempotent. */
  indexClose(handle: IndexHandle): Promise<void>;
}
