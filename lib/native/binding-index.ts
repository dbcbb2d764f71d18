/** The addon's functions for jumping to a record. The rules of `binding.ts` for callers hold here, too. */
import type { Bytes, Compression, Fault } from '../base';
import type { GatherHandle, IndexHandle, ReaderSpec, ReadStart } from './binding';

/** How much of its source an index knows. */
export interface IndexState {
  /** Number of records that are known, damaged ones included. */
  readonly records: number;
  /** Bytes of the content up to the end of the last known record. */
  readonly contentBytes: number;
  /** Memory that the places and checkpoints take. */
  readonly heldBytes: number;
  /** Compression of the source, once the index is complete. */
  readonly compression: Compression;
  /** Damage ended the scan, once the index is complete. */
  readonly cut: boolean;
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
  readonly records: number;
  /** Number of records with wrong data. */
  readonly damaged: number;
  /** Damage ended the scan. */
  readonly cut: boolean;
  readonly compression: Compression;
  /** As `ReaderSpec.verify`. */
  readonly verified: number;
}

/** Why the keys of a record cannot be taken: `FeatureKeys::Outcome` of core/example/parse/feature_keys.h, and `TooMany`. */
export const enum KeyFaultCode {
  /** The record is no Example. */
  Malformed = 1,
  /** The feature holds floats. */
  Floats = 2,
  TooMany = 4,
}

export interface KeyFault {
  /** The frame of the record. */
  readonly row: number;
  readonly code: KeyFaultCode;
}

/** The keys that an index has. */
export interface IndexKeys {
  /** Name of the feature whose values are keys. */
  readonly feature: string;
  /** Number of keys of records. */
  readonly count: number;
}

/** A place by which a reader begins, and the first byte of the file that it reads. */
export interface IndexStart extends ReadStart {
  readonly position: number;
}

/** A point of a compressed file from which an inflater can continue. */
export interface InflatePoint {
  /** Position in the file: the first whole byte after the point. Between members, that of the next one. */
  readonly position: number;
  /** Offset in the content. */
  readonly offset: number;
  /** Bits of the byte before `position` that are after the point. Undefined between members. */
  readonly bits?: number;
  /** The content before the point, at most 32 KiB. Undefined between members. */
  readonly window?: Uint8Array<ArrayBuffer>;
}

/** Records that are to be read by their numbers. */
export interface PlannedGather {
  readonly handle: GatherHandle;
  /** Offset and length of the data of each record, in the order asked for, in a slab of `bytes` bytes. */
  readonly frames: Uint32Array<ArrayBuffer>;
  readonly bytes: number;
}

export interface IndexBinding {
  /**
   * Makes an empty index, which readers fill: at most a checkpoint each `checkpointBytes`, of `maxBytes` in all.
   * `compressedOnly`: it stays empty for plain content. `offsetBytes`: memory of the offsets of all records; with more, or
   * if it is 0, there are none.
   */
  indexNew(checkpointBytes: number, maxBytes: number, compressedOnly: boolean, offsetBytes: number): IndexHandle;
  /** How much of the source is known. */
  indexState(handle: IndexHandle): IndexState;
  /**
   * States that readers have added the whole source: its compression (the index in `COMPRESSIONS`), the stored bytes that
   * were read, the number of records with wrong data. `cut`: damage ended reading.
   */
  indexComplete(handle: IndexHandle, compression: number, stored: number, damaged: number, cut: boolean): void;
  /**
   * States that a writer has written `framed`, framed records that follow those before, at `stored` in the file; if it is
   * compressed (the index in `COMPRESSIONS`), as a member of its own.
   */
  indexWrote(handle: IndexHandle, framed: Bytes, compression: number, stored: number): void;
  /**
   * Adds a point of a GZIP file that another program states, after those before: its position in the file, its offset in the
   * content, and its state as core/deflate/roles.h has it; without one, a member begins there. Such an index serves only as
   * `ReaderSpec.checkpoints`. False if the state is invalid, or when memory runs out. WebAssembly does nothing.
   */
  indexAddPoint(handle: IndexHandle, position: number, offset: number, state: Bytes | undefined): boolean;
  /**
   * Adds the values of `feature` as keys of the records that are the frames from `begin` to before `end` of `slab`; the first
   * has the number `first`. Stops at a record at fault, which it returns.
   */
  keysAdd(
    handle: IndexHandle,
    feature: string,
    slab: Bytes,
    frames: Uint32Array,
    begin: number,
    end: number,
    first: number,
  ): KeyFault | undefined;
  /** The keys of an index; undefined if it has none. */
  keysOf(handle: IndexHandle): IndexKeys | undefined;
  /** Finds the numbers of records that may have `key`, in rising order. */
  keysFind(handle: IndexHandle, key: Uint8Array): Float64Array;
  /** Returns part number `part` of the saved keys; `sum` is the CRC-32C of the parts before it. Undefined after the last one. */
  keysSave(handle: IndexHandle, part: number, sum: number): Uint8Array<ArrayBuffer> | undefined;
  /** True if one of the values of `feature` in `record` is `key`. */
  keysHold(feature: string, record: Uint8Array, key: Uint8Array): boolean;
  /** Begins to read a saved index of `size` bytes. */
  indexLoad(size: number): IndexHandle;
  /** Reads the next bytes of a saved index. */
  indexLoadPart(handle: IndexHandle, bytes: Uint8Array): void;
  /** Ends reading a saved index, all of whose bytes were read. Then the index may be used if the status says so. */
  indexLoaded(handle: IndexHandle): LoadedIndex;
  /**
   * Saves an index that is complete or was loaded, but for its keys: all parts of {@link keysSave} follow if there are any.
   * Undefined if it is neither, or when memory runs out.
   */
  indexSave(
    handle: IndexHandle,
    size: number,
    headCrc: number,
    tailCrc: number,
    time: bigint,
  ): Uint8Array<ArrayBuffer> | undefined;
  /** Finds where a reader begins that needs the records from `record` on. Undefined: with the file, as far as is known. */
  indexStart(handle: IndexHandle, record: number): IndexStart | undefined;
  /** Finds the way to the records from `first` to before `last`. Undefined if `first` is not known. */
  indexJump(handle: IndexHandle, first: number, last: number): IndexJump | undefined;
  /**
   * Returns checkpoint number `at`, in order. Undefined after the last one, null if other inflaters cannot continue there.
   * Throws ENOSYS in WebAssembly.
   */
  indexPoint(handle: IndexHandle, at: number): InflatePoint | null | undefined;
  /**
   * Returns where each of `count` records from number `first` on begins and ends in the content. Undefined unless the index
   * has the offsets of all records, these among them.
   */
  indexExtents(handle: IndexHandle, first: number, count: number): Float64Array<ArrayBuffer> | undefined;
  /**
   * Plans to read `records`, numbers in any order, on a native thread; nobody may change them meanwhile. Resolves with
   * undefined unless the index has the offsets of all records, these among them, none is longer than `maxRecordBytes`, and
   * their data fits 4 GiB. Always undefined in WebAssembly.
   */
  gatherPlan(handle: IndexHandle, records: Float64Array, maxRecordBytes: number): Promise<PlannedGather | undefined>;
  /**
   * Reads the records of the regular file `path` into `slab`, which has `bytes` bytes, on native threads. `spec`: that of the
   * index; its start and its framing are not used. Resolves with the fault of a record that could not be read: then the slab
   * may not be used. Once for each plan.
   */
  gatherRead(handle: GatherHandle, path: string, spec: ReaderSpec, slab: Bytes): Promise<Fault | undefined>;
}
