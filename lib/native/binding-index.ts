/** The addon's functions for jumping to a record. The rules of `binding.ts` for callers hold here, too. */
import type { Compression, Fault } from '../base';
import type { IndexHandle, ReaderSpec, ReadStart } from './binding';

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

/** The way to some records. */
export interface IndexJump {
  /** The last known place at or before the first of them. */
  readonly start: IndexStart;
  /** Number of bytes of the content from that place to the end of the records. */
  readonly bytes: number;
}

/** `IndexStatus` of core/index/index_file.h. */
export const enum IndexStatus {
  Right = 0,
  /** The bytes are no index. */
  Foreign = 1,
  /** A later version wrote it. */
  Newer = 2,
  /** The bytes are incomplete or changed. */
  Damaged = 3,
  NoMemory = 4,
}

/** The identity of an indexed file, as docs/format.md states it. */
export interface IndexedFile {
  readonly size: number;
  readonly headCrc: number;
  readonly tailCrc: number;
  /** Nanoseconds since 1970. */
  readonly time: bigint;
}

/** A saved index that was read. Unless `status` is `Right`, nothing else of it may be used. */
export interface LoadedIndex extends IndexedFile {
  readonly status: IndexStatus;
  readonly handle: IndexHandle;
  readonly records: number;
  /** Number of records with wrong data. */
  readonly damaged: number;
  /** Damage ended the scan. */
  readonly cut: boolean;
  readonly compression: Compression;
  /** As `ReaderSpec.verify`. */
  readonly verified: number;
}

/** A place by which a reader begins, and the first byte of the file that it reads. */
export interface IndexStart extends ReadStart {
  readonly position: number;
}

export interface IndexBinding {
  /**
   * Makes an empty index of the regular file at `path`, which a scan fills. The scan goes on after damage and counts lost
   * bytes, whatever `spec` says.
   */
  indexOpen(path: string, spec: ReaderSpec): IndexHandle;
  /** Makes an empty index, which readers fill: at most a checkpoint each `checkpointBytes`, of `mostBytes` in all. */
  indexNew(path: string, spec: ReaderSpec, checkpointBytes: number, mostBytes: number): IndexHandle;
  /** Reads a saved index. */
  indexLoad(path: string, spec: ReaderSpec, bytes: Uint8Array): LoadedIndex;
  /** Saves an index that was loaded or whose scan is complete. Undefined if it is not, or when memory runs out. */
  indexSave(
    handle: IndexHandle,
    size: number,
    headCrc: number,
    tailCrc: number,
    time: bigint,
  ): Uint8Array<ArrayBuffer> | undefined;
  /** Finds where a reader begins that needs the records from `record` on. Undefined: with the file, as far as is known. */
  indexStart(handle: IndexHandle, record: number): IndexStart | undefined;
  /** Scans on for about `milliseconds`, on native threads. One call at a time. Damage never rejects the promise. */
  indexAdvance(handle: IndexHandle, milliseconds: number): Promise<IndexProgress>;
  /** Finds the way to the records from `first` to before `last`. Undefined if `first` is not known. */
  indexJump(handle: IndexHandle, first: number, last: number): IndexJump | undefined;
  /** Cancels the scan. Resolves when it uses no thread and no descriptor any more. Its readers go on. Idempotent. */
  indexClose(handle: IndexHandle): Promise<void>;
}
