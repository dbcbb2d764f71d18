import {
  checkCallback,
  checkChoice,
  checkInteger,
  checkOptions,
  checkSignal,
  COMPRESSION_OPTIONS,
  compressionNumber,
  DEFAULT_MAX_RECORD_BYTES,
  MAX_RECORD_BYTES,
  type CompressionOption,
} from '../../base';
import { verificationNumber, type Verification } from '../read/read-options';
import type { IndexSettings } from './index-scan';

/** The progress of a scan. */
export interface ScanProgress {
  /** Number of records that are known, damaged ones included. */
  readonly records: number;
  /** Bytes of the file that were read. */
  readonly compressedBytes: number;
  /** Size of the file; 0 until the scan has opened it. */
  readonly totalBytes: number;
  /** The scan is over: at the end of the file, or where damage ends it. */
  readonly complete: boolean;
}

export interface IndexOptions {
  /** As for `readRecords`. Default: `auto`. */
  readonly compression?: CompressionOption | undefined;
  /** As for `readRecords`. Default: `all`. */
  readonly verify?: Verification | undefined;
  /** As for `readRecords`. Longer records have no data, but an error. Default: 2^31 - 1. */
  readonly maxRecordBytes?: number | undefined;
  /** Closes the index when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Called about 20 times a second while the scan finds more, and once at its end. */
  readonly onProgress?: ((progress: ScanProgress) => void) | undefined;
}

/** Checked options. */
export interface CheckedIndexOptions extends IndexSettings {
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: ScanProgress) => void) | undefined;
}

/** @throws TypeError or RangeError for wrong options */
export function checkIndexOptions(options: IndexOptions | undefined): CheckedIndexOptions {
  const given = checkOptions(options, ['compression', 'verify', 'maxRecordBytes', 'signal', 'onProgress']);
  const compression = checkChoice('options.compression', given.compression, COMPRESSION_OPTIONS, 'auto');
  return {
    compression: compressionNumber(compression),
    verify: verificationNumber(given.verify),
    maxRecordBytes: checkInteger(
      'options.maxRecordBytes',
      given.maxRecordBytes,
      0,
      MAX_RECORD_BYTES,
      DEFAULT_MAX_RECORD_BYTES,
    ),
    onProgress: checkCallback('options.onProgress', given.onProgress),
    signal: checkSignal('options.signal', given.signal),
  };
}
