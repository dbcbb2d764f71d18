/** Names of `FaultCode` in core/base/fault.h. */
type FaultName =
  | 'TFR_TRUNCATED'
  | 'TFR_TRAILING_DATA'
  | 'TFR_CORRUPT_LENGTH'
  | 'TFR_CORRUPT_DATA'
  | 'TFR_NOT_TFRECORD'
  | 'TFR_COMPRESSION'
  | 'TFR_RECORD_TOO_LARGE'
  | 'SYSTEM'
  | 'OUT_OF_MEMORY';

/** One fault, as a plain value. Numbers and places that do not apply are undefined. */
export interface Fault {
  readonly code: FaultName;
  /** The part of the format at fault ("gzip trailer CRC32"), or the failed system call. */
  readonly part: string;
  /**
   * For TFR_NOT_TFRECORD and TFR_COMPRESSION: what the bytes look like instead ("zip archive"). For TFR_CORRUPT_LENGTH
   * and TFR_TRUNCATED: the cause, if it is known ("the file changed while it was read"). For SYSTEM: a key of
   * `SYSTEM_HINTS` in lib/base/faults.ts. Otherwise ''.
   */
  readonly detail: string;
  readonly expected: bigint;
  readonly found: bigint;
  readonly record?: number | undefined;
  readonly offset?: number | undefined;
  readonly compressedOffset?: number | undefined;
  /** For a wrong trailer of compressed data: position of its end. A trailer holds no data, so its bytes are not lost. */
  readonly trailerEnd?: number | undefined;
  /**
   * For a reader with `countsLost` that halts: number of bytes from the fault to the end, or to the place where reading can
   * go on. Uncompressed bytes, or stored bytes where inflating failed.
   */
  readonly lostBytes?: number | undefined;
  /**
   * True if a reader with `continues` can go on after the fault, with a later gzip member that this library wrote: call
   * `readerSkip`. Without `countsLost`, nobody has looked for that member yet, and reading may end instead.
   */
  readonly resumes?: boolean | undefined;
  /** The stored byte at which that member begins, if it was looked for. */
  readonly resumesAt?: number | undefined;
  /**
   * For readers that salvage: offset of the content at which the lost bytes end, if the content itself is damaged. Reading
   * goes on there if `resumes` is true.
   */
  readonly regionEnd?: number | undefined;
  /** For readers that salvage: number of the record with which reading goes on, if it is known. */
  readonly resumesWith?: number | undefined;
  /** Number of whole records in the lost bytes that are data of the damaged record. */
  readonly inside?: number | undefined;
  /** Number of records directly before the fault that may be data of an earlier damaged record. */
  readonly doubtful?: number | undefined;
  /**
   * For a wrong checksum of the first record: the number of records, from there on, that fit by their lengths alone. Their
   * writer may have made wrong checksums. 0 or undefined if unknown.
   */
  readonly fitting?: number | undefined;
  /** For SYSTEM: the errno, as a positive number. */
  readonly systemError?: number | undefined;
}
