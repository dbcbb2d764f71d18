import {
  callNative,
  checkCallback,
  checkInteger,
  checkOptions,
  checkSignal,
  checkWellFormed,
  invalidArgType,
  invalidArgValue,
  type CompressionOption,
} from '../../base';
import { native, type IndexHandle } from '../../native';
import { resolveReadOptions, type Verification } from '../read/read-options';
import type { IndexSettings } from './index-scan';

/** The progress of a scan. */
export interface ScanProgress {
  /** Number of records found so far, damaged ones included. */
  readonly records: number;
  /** Number of bytes of the file that were read. */
  readonly compressedBytes: number;
  /** Size of the file in bytes; 0 until the scan has opened it. */
  readonly totalBytes: number;
  /** True once the scan has ended, at the end of the file or at damage. */
  readonly complete: boolean;
}

/** Options of an index. Unknown names throw. */
export interface IndexOptions {
  /** As for `readRecords`. Default: `auto`. */
  readonly compression?: CompressionOption | undefined;
  /**
   * The checksums that the scan and each read verify: `all`, those of the lengths only (`length`), or `none`. Unless it is
   * `all`, the scan of a plain file does not read the data of records of 16 KiB and more. A saved index is not used by a reader
   * that verifies more than the scan did. Default: `all`.
   */
  readonly verify?: Verification | undefined;
  /** As for `readRecords`, in bytes. A longer record has an error instead of data. Default: 2^31 - 1. */
  readonly maxRecordBytes?: number | undefined;
  /**
   * Content between two checkpoints of a GZIP or ZLIB file, from which reading can begin, in bytes, at least 64 KiB. A read
   * inflates half as much on average before its first record. A checkpoint takes up to 32 KiB of memory and of a saved index,
   * typically 12 KiB. Default: 4 MiB.
   */
  readonly checkpointBytes?: number | undefined;
  /**
   * Name of a feature of the Examples, such as `image/filename`, by whose values {@link RecordIndex.find} finds records. The
   * values are bytes or integers, at most 10,000,000; each takes 8 bytes of a saved index. An open index keeps about 500,000 of
   * them in memory, and more in temporary files. Default: none.
   */
  readonly keys?: string | undefined;
  /** Closes the index when it aborts: the scan and reads under way reject with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called about 20 times a second during the scan, and once at its end. */
  readonly onProgress?: ((progress: ScanProgress) => void) | undefined;
}

/** Checked options. */
export interface CheckedIndexOptions extends IndexSettings {
  readonly checkpointBytes: number;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: ScanProgress) => void) | undefined;
}

export const INDEX_OPTION_NAMES = [
  'compression',
  'verify',
  'maxRecordBytes',
  'checkpointBytes',
  'keys',
  'signal',
  'onProgress',
] as const satisfies readonly (keyof IndexOptions)[];

/** Content between two checkpoints. */
const CHECKPOINT_BYTES = 4 * 2 ** 20;
const LEAST_CHECKPOINT_BYTES = 2 ** 16;

/** @throws TypeError or RangeError for wrong options */
export function checkIndexOptions(options: IndexOptions | undefined): CheckedIndexOptions {
  const given = checkOptions(options, INDEX_OPTION_NAMES);
  const { compression, verify, maxRecordBytes } = resolveReadOptions({
    compression: given.compression,
    verify: given.verify,
    maxRecordBytes: given.maxRecordBytes,
  });
  return {
    compression,
    verify,
    maxRecordBytes,
    checkpointBytes: checkInteger(
      'options.checkpointBytes',
      given.checkpointBytes,
      LEAST_CHECKPOINT_BYTES,
      Number.MAX_SAFE_INTEGER,
      CHECKPOINT_BYTES,
    ),
    keys: checkKeys(given.keys),
    onProgress: checkCallback('options.onProgress', given.onProgress),
    signal: checkSignal('options.signal', given.signal),
  };
}

function checkKeys(keys: unknown): string | undefined {
  if (keys === undefined) return undefined;
  if (typeof keys !== 'string') throw invalidArgType('options.keys', 'the name of a feature', keys);
  if (keys === '') throw invalidArgValue('options.keys', 'the name of a feature', keys);
  checkWellFormed('options.keys', keys);
  return keys;
}

/** Memory of all checkpoints; with more, the distances double. */
const MEMORY = 64 * 2 ** 20;
/** Memory of the offsets of all records. With more, a record is found by the place before it. */
const OFFSETS = 2 ** 31;

/** Returns an empty index of the source that is named `file`. @throws TFRecordError ENOMEM */
export function newIndex(file: string, { checkpointBytes }: Pick<CheckedIndexOptions, 'checkpointBytes'>): IndexHandle {
  return callNative(file, () => native().indexNew(checkpointBytes, MEMORY, false, OFFSETS));
}
