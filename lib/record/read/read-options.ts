import {
  checkBoolean,
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
import type { MemoryPool } from '../../io';
import type { IndexHandle } from '../../native';
import { ErrorPolicy, type OnError } from '../error-policy';
import type { Framing } from './framing';
import { ShownMemory } from './shown-memory';
import type { AheadBudget } from './slab-sizer';

/** Options of reading. Unknown names throw. */
export interface ReadOptions {
  /**
   * Default: `auto`, which goes by content, never by name: a file is plain if the first 12 bytes have a right length
   * checksum; otherwise the magic of gzip or zlib decides. With any other value, content of another kind is an error,
   * TFR_COMPRESSION.
   */
  compression?: CompressionOption | undefined;
  /** The CRC32C checksums to verify: those of lengths and data, those of lengths only, or none. Default: `all`. */
  verify?: 'all' | 'length' | 'none' | undefined;
  /** How to handle damage. Default: `throw`, after all whole records before it were delivered. */
  onError?: OnError | undefined;
  /**
   * Longest payload, in bytes. It is checked before memory is allocated for a record. Default: 2^31 - 1; in Electron
   * 2^31 - 2^21 - 16, the longest that fits into an array there.
   */
  maxRecordBytes?: number | undefined;
  /**
   * Size of the slabs that records are read into, in bytes, from 4 KiB to 1 GiB. Longer records get slabs of their own.
   * Default: 128 to 384 KiB, for about 1,024 records like the previous ones.
   */
  batchBytes?: number | undefined;
  /** Number of slabs that native threads read ahead, 0 to 64. Default: 2. */
  readAhead?: number | undefined;
  /** Closes the reader when it aborts. The pending or next step then rejects with `signal.reason`. */
  signal?: AbortSignal | undefined;
}

/** Options of `readRecords`, `readRecordsSync` and `RecordReader.open`. Unknown names throw. */
export interface RecordReadOptions extends ReadOptions {
  /**
   * If true, a record or a batch is valid until the next step only: the next step overwrites its memory, without waiting
   * for the garbage collector. Views of that memory then show other bytes. Copy the records that you keep:
   * `record.slice()`. The records of a batch share their memory: transferring one transfers all. This is faster,
   * most of all in batches.
   *
   * Wait for calls that read a record in the background (`fs`, `zlib`, `crypto`) before the next step; otherwise they
   * read other bytes. (`writer.write` and `writer.writeBatch` copy at once.) Request one step at a time: a second call of
   * `next` may overwrite the record of the first. When a loop ends, its last record or batch stays valid. Slabs of more
   * than 64 MiB are not overwritten.
   *
   * Default false. If true, the default of `batchBytes` is 1 to 2 MiB.
   */
  transient?: boolean | undefined;
}

/** Checked options with their defaults, as the addon takes them. */
export interface ReadPlan {
  readonly compression: number;
  readonly verify: number;
  readonly maxRecordBytes: number;
  /** Default: TFRecords. */
  readonly framing?: Framing | undefined;
  readonly batchBytes: number | undefined;
  readonly readAhead: number;
  readonly policy: ErrorPolicy;
  /** The budget for slabs that are read ahead, in addition to `readAhead`. */
  readonly ahead?: AheadBudget | undefined;
  /**
   * Notes checkpoints of compressed files, by which a later reader begins in the middle of one. A start without an offset then
   * means any place before its record. Default: false.
   */
  readonly notes?: boolean | undefined;
  /** The index to which the reader adds, instead of one that it notes for later readers. */
  readonly index?: IndexHandle | undefined;
  /** See `ReaderSpec.checkpoints`. */
  readonly checkpoints?: IndexHandle | undefined;
  /** The pool for the memory of slabs. Default: each stream has a pool of its own. */
  readonly memory?: MemoryPool | undefined;
  /** The memory of records that are valid until the next step only. Default: they stay valid. */
  readonly shown?: ShownMemory | undefined;
  readonly signal: AbortSignal | undefined;
  /**
   * Waits for the turn of a file that could not be opened because no descriptor was free. Resolves, perhaps much later,
   * with true; with false if its turn had already come, or if closed. Default: its turn has come.
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

const RECORD_OPTION_NAMES = [...READ_OPTION_NAMES, 'transient'] as const;

export const VERIFICATIONS = ['all', 'length', 'none'] as const;

/** The checksums that are verified. */
export type Verification = (typeof VERIFICATIONS)[number];

/** Native code's number of `verify`, which a caller gave. @throws TypeError with Node's codes */
function verificationNumber(verify: unknown): number {
  return VERIFICATIONS.indexOf(checkVerification(verify));
}

/** Checks the option `verify`. @throws TypeError with Node's codes */
export function checkVerification(verify: unknown): Verification {
  return checkChoice('options.verify', verify, VERIFICATIONS, 'all');
}

/** `verify` of a plan for records that are only counted or measured: slabs may lack the data of large records. */
export const UNREAD = 3;

/** The same, but the checksums of lengths are verified. */
export const LENGTH_UNREAD = 4;

/**
 * `verify` of a plan for records that are only counted, as UNREAD. A batch covers many MiB and may omit all but its last record,
 * whose number is right.
 */
export const COUNTED = 5;

/** Checks `options` and fills in defaults. @throws TypeError, RangeError with Node's codes. */
export function resolveReadOptions(options: ReadOptions | undefined): ReadPlan {
  const given = checkOptions(options, READ_OPTION_NAMES);
  return {
    compression: compressionNumber(checkChoice('options.compression', given.compression, COMPRESSION_OPTIONS, 'auto')),
    verify: verificationNumber(given.verify),
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

/** Checks `options` of a reader of records and fills in defaults. @throws as {@link resolveReadOptions} */
export function resolveRecordOptions(options: RecordReadOptions | undefined): ReadPlan {
  const { transient, ...given } = checkOptions(options, RECORD_OPTION_NAMES);
  const plan = resolveReadOptions(given);
  if (!checkBoolean('options.transient', transient, false)) return plan;
  const shown = new ShownMemory();
  return { ...plan, memory: shown.pool, shown };
}
