import { COMPRESSION_OPTIONS, compressionNumber, type CompressionOption } from '../../native';
import { checkChoice, checkInteger, checkOptions, checkSignal } from '../arguments';
import { ErrorPolicy, type OnError } from '../error-policy';
import { DEFAULT_MAX_RECORD_BYTES, MAX_RECORD_BYTES } from '../format';
import type { MemoryPool } from '../memory/memory-pool';
import type { AheadBudget } from '../memory/slab-sizer';
import type { Framing } from './framing';

/** How to read. Unknown names throw. */
export interface ReadOptions {
  /**
   * `auto` judges by content, never by name: a right length checksum in the first 12 bytes is plain, then the magic of
   * gzip, then that of zlib. The others insist: other content is TFR_COMPRESSION. Default `auto`.
   */
  compression?: CompressionOption | undefined;
  /** Which CRC32C to check: of lengths and data, of lengths only, or neither. Default `all`. */
  verify?: 'all' | 'length' | 'none' | undefined;
  /** What to do about damage. Default `throw`, after all whole records before it were delivered. */
  onError?: OnError | undefined;
  /** Longest payload, in bytes, checked before anything is allocated for it. Default 2^31 - 1. */
  maxRecordBytes?: number | undefined;
  /**
   * Size of the slabs that records are read into, in bytes, 4 KiB to 1 GiB; longer records get their own. Default: what
   * holds about 1,024 records like those before, 128 to 384 KiB.
   */
  batchBytes?: number | undefined;
  /** Slabs that are read ahead beside JavaScript, 0 to 64. Default 2. */
  readAhead?: number | undefined;
  /** Aborts: the pending or next step rejects with `signal.reason`. */
  signal?: AbortSignal | undefined;
}

/** Options with defaults filled in, in the terms of the native surface. */
export interface ReadPlan {
  readonly compression: number;
  readonly verify: number;
  readonly maxRecordBytes: number;
  /** Default: TFRecords. */
  readonly framing?: Framing | undefined;
  readonly batchBytes: number | undefined;
  readonly readAhead: number;
  readonly policy: ErrorPolicy;
  /** What slabs are read ahead in, beside `readAhead`. */
  readonly ahead?: AheadBudget | undefined;
  /** The memory of slabs. Default: each stream has a pool of its own. */
  readonly memory?: MemoryPool | undefined;
  readonly signal: AbortSignal | undefined;
  /**
   * Waits for the turn of a file that could not be opened for lack of a descriptor. Resolves, perhaps much later, to false
   * if its turn had come, and when closed. Default: it has come.
   */
  readonly again?: (() => Promise<boolean>) | undefined;
}

export const READ_OPTION_NAMES = [
  'compression',
  'verify',
  'onError',
  'maxRecordBytes',
  'batchBytes',
  'readAhead',
  'signal',
] as const satisfies readonly (keyof ReadOptions)[];

const VERIFICATIONS = ['all', 'length', 'none'] as const;

/** @throws TypeError, RangeError with Node's codes. */
export function resolveReadOptions(options: ReadOptions | undefined): ReadPlan {
  const given = checkOptions(options, READ_OPTION_NAMES);
  return {
    compression: compressionNumber(checkChoice('options.compression', given.compression, COMPRESSION_OPTIONS, 'auto')),
    verify: VERIFICATIONS.indexOf(checkChoice('options.verify', given.verify, VERIFICATIONS, 'all')),
    maxRecordBytes: checkInteger(
      'options.maxRecordBytes',
      given.maxRecordBytes,
      0,
      MAX_RECORD_BYTES,
      DEFAULT_MAX_RECORD_BYTES,
    ),
    batchBytes: checkInteger('options.batchBytes', given.batchBytes, 4096, 2 ** 30, undefined),
    readAhead: checkInteger('options.readAhead', given.readAhead, 0, 64, 2),
    policy: new ErrorPolicy(given.onError),
    signal: checkSignal('options.signal', given.signal),
  };
}
