/**
 * The one error class of the package, and the argument errors that look like Node's own.
 *
 * Damage, foreign content and failed system calls are {@link TFRecordError}s. Wrong arguments are `TypeError` or
 * `RangeError` with Node's codes. An aborted signal rejects with `signal.reason`, whatever that is.
 */

/** Codes of the package's own errors. System errors carry Node's (`ENOENT`, `EACCES` …) instead. */
export type TFRecordErrorCode =
  /** A record, its header or a compressed stream is cut. */
  | 'TFR_TRUNCATED'
  /** Bytes after the last gzip member or zlib stream start no other. */
  | 'TFR_TRAILING_DATA'
  /** The CRC32C of a record's length is wrong: nothing behind it can be found. */
  | 'TFR_CORRUPT_LENGTH'
  /** The CRC32C of a record's data is wrong: the next record can be read. */
  | 'TFR_CORRUPT_DATA'
  /** The first bytes belong to another kind of file, which the message names. */
  | 'TFR_NOT_TFRECORD'
  /** The compressed stream is damaged, or is not of the kind that was named. */
  | 'TFR_COMPRESSION'
  /** A record is longer than `maxRecordBytes`. */
  | 'TFR_RECORD_TOO_LARGE'
  /** The bytes are no Example. */
  | 'TFR_EXAMPLE'
  /** A feature is missing, of the wrong kind or of the wrong count. */
  | 'TFR_FEATURE'
  /** The spec itself is wrong. */
  | 'TFR_SPEC'
  /** A value or message cannot be decoded. */
  | 'TFR_DECODE'
  /** A function of the caller's threw, which is the `cause`. */
  | 'TFR_USER'
  /** A state or a cache belongs to another dataset, or to other files. */
  | 'TFR_STATE_MISMATCH'
  /** A closed reader or writer was used. */
  | 'TFR_CLOSED';

/** Places and facts of a {@link TFRecordError}; what does not apply is left out. */
export interface TFRecordErrorDetails {
  /** The path, or `-`, `<bytes>`, `<stream>`. */
  readonly file?: string | undefined;
  /** Number of the record in that file, from 0. */
  readonly record?: number | undefined;
  /** First byte of that record's header in the uncompressed stream. */
  readonly offset?: number | undefined;
  /** Position in the compressed file. */
  readonly compressedOffset?: number | undefined;
  /** Bytes that are lost because they cannot be read: see {@link TFRecordError.lostBytes}. */
  readonly lostBytes?: number | undefined;
  /** Name of the feature at fault. */
  readonly feature?: string | undefined;
  /** The stage of a pipeline that failed. */
  readonly stage?: string | undefined;
  /** What should have been there, to be read by people. */
  readonly expected?: string | undefined;
  /** What was there. */
  readonly found?: string | undefined;
  /** Node's (negative) error number. */
  readonly errno?: number | undefined;
  /** The call that failed. */
  readonly syscall?: string | undefined;
  /** The error behind this one. */
  readonly cause?: unknown;
}

const DETAIL_NAMES = [
  'file',
  'record',
  'offset',
  'compressedOffset',
  'lostBytes',
  'feature',
  'stage',
  'expected',
  'found',
  'errno',
  'syscall',
] as const;

/**
 * Something is wrong with the data, or with the file or machine that should give or take it. The message says what
 * happened, where, what was expected and found, and what to do; the fields say the same for programs. Fields that do
 * not apply are absent.
 */
export class TFRecordError extends Error {
  /** One of {@link TFRecordErrorCode}, or Node's code of a system error. */
  readonly code: TFRecordErrorCode | (string & {});
  /** The path, or `-`, `<bytes>`, `<stream>`. */
  declare readonly file?: string;
  /** Number of the record in that file, from 0. */
  declare readonly record?: number;
  /** First byte of that record's header in the uncompressed stream. */
  declare readonly offset?: number;
  /** Position in the compressed file. */
  declare readonly compressedOffset?: number;
  /**
   * If damage makes the rest of a source unreadable: the bytes from `offset` to the end that cannot be read as records.
   * They are uncompressed bytes, framing included; where inflating fails, stored bytes are counted. Undefined if
   * counting would need further reading: for compressed files unless `onError` may skip, and for streams unless it is
   * `'skip'` (a function is called at once).
   */
  declare readonly lostBytes?: number;
  /** Name of the feature at fault. */
  declare readonly feature?: string;
  /** The stage of a pipeline that failed. */
  declare readonly stage?: string;
  /** What should have been there, to be read by people. */
  declare readonly expected?: string;
  /** What was there. */
  declare readonly found?: string;
  /** Of system errors: Node's (negative) error number. */
  declare readonly errno?: number;
  /** Of system errors: the call that failed. */
  declare readonly syscall?: string;

  constructor(code: TFRecordErrorCode | (string & {}), message: string, details: TFRecordErrorDetails = {}) {
    const restore = lookDeeper();
    super(
      message,
      Object.hasOwn(details, 'cause') && details.cause !== undefined ? { cause: details.cause } : undefined,
    );
    restore?.();
    this.code = code;
    for (const name of DETAIL_NAMES) {
      if (Object.hasOwn(details, name) && details[name] !== undefined) {
        Object.defineProperty(this, name, { value: details[name], enumerable: true, configurable: true });
      }
    }
  }
}
Object.defineProperty(TFRecordError.prototype, 'name', {
  value: 'TFRecordError',
  configurable: true,
  writable: true,
});

/** `TypeError` ERR_INVALID_ARG_TYPE: `name` (`source`, `options.signal`) must be `expected` (`a string or a URL`). */
export function invalidArgType(name: string, expected: string, received: unknown): TypeError {
  return coded(new TypeError(`"${name}" must be ${expected}. Received ${describe(received)}`), 'ERR_INVALID_ARG_TYPE');
}

/** `TypeError` ERR_INVALID_ARG_VALUE: the type of `name` is right, its value is not; `reason` goes on after "must be". */
export function invalidArgValue(name: string, reason: string, received: unknown): TypeError {
  return coded(new TypeError(`"${name}" must be ${reason}. Received ${describe(received)}`), 'ERR_INVALID_ARG_VALUE');
}

/** `TypeError` ERR_INVALID_ARG_VALUE for an option that does not exist. */
export function unknownOption(name: string, known: readonly string[]): TypeError {
  return coded(
    new TypeError(`Unknown option "${name}". The options are: ${known.join(', ')}`),
    'ERR_INVALID_ARG_VALUE',
  );
}

/** `RangeError` ERR_OUT_OF_RANGE: `range` goes on after "must be" (`an integer from 0 to 9`). */
export function outOfRange(name: string, range: string, received: unknown): RangeError {
  return coded(new RangeError(`"${name}" must be ${range}. Received ${describe(received)}`), 'ERR_OUT_OF_RANGE');
}

/** `TypeError` ERR_ILLEGAL_CONSTRUCTOR: `use` (`RecordReader.open()`) makes what `new` was tried for. */
export function illegalConstructor(use: string): TypeError {
  return coded(new TypeError(`Illegal constructor: use ${use}`), 'ERR_ILLEGAL_CONSTRUCTOR');
}

/** `TypeError` ERR_INVALID_STATE: the call is right, but not now. */
export function invalidState(message: string): TypeError {
  return coded(new TypeError(message), 'ERR_INVALID_STATE');
}

function coded<E extends Error>(error: E, code: string): E {
  return Object.defineProperty(error, 'code', { value: code, enumerable: true, configurable: true, writable: true });
}

function describe(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value.length > 64 ? `${value.slice(0, 64)}…` : value);
    case 'bigint':
      return `${value}n`;
    case 'function':
      return `function ${value.name || '(anonymous)'}`;
    case 'object': {
      if (value === null) return 'null';
      const name: unknown = (value as { constructor?: { name?: unknown } }).constructor?.name;
      return typeof name === 'string' && name !== '' ? `an instance of ${name}` : 'an object';
    }
    default:
      return String(value);
  }
}

const DEFAULT_FRAMES = 10;
const DEEPER = 30;

/**
 * Lets the next stack reach beyond our own frames, to the user's line, unless the program has set the depth of stacks
 * itself.
 */
function lookDeeper(): (() => void) | undefined {
  if (Error.stackTraceLimit !== DEFAULT_FRAMES) return undefined;
  try {
    Error.stackTraceLimit = DEEPER;
  } catch {
    return undefined; // `Error` is frozen.
  }
  return () => {
    Error.stackTraceLimit = DEFAULT_FRAMES;
  };
}
