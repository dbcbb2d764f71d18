/**
 * The package's one error class, and argument errors in the form of Node's own.
 *
 * Damaged data, foreign content and failed system calls throw a {@link TFRecordError}. Wrong arguments throw a
 * `TypeError` or `RangeError` with Node's codes. An aborted signal rejects with `signal.reason`, whatever that is.
 */
import type { LostRegion } from './lost-region';
import { named, received as shown, withMessage, worded, type Mention, type Message, type Text } from './message';

/** Codes of the package's own errors. System errors carry Node's (`ENOENT`, `EACCES` …) instead. */
export type TFRecordErrorCode =
  /** A record, its header or a compressed stream is cut short. */
  | 'TFR_TRUNCATED'
  /** The bytes after the last gzip member or zlib stream do not start another one. */
  | 'TFR_TRAILING_DATA'
  /** The CRC32C of a record's length is wrong, so no later record can be found. */
  | 'TFR_CORRUPT_LENGTH'
  /** The CRC32C of a record's data is wrong. The next record can still be read. */
  | 'TFR_CORRUPT_DATA'
  /** The first bytes belong to another kind of file, which the message names. */
  | 'TFR_NOT_TFRECORD'
  /** The compressed stream is damaged, or is not of the kind that the caller named. */
  | 'TFR_COMPRESSION'
  /** A record is longer than `maxRecordBytes`, or data are longer than one array can be. */
  | 'TFR_RECORD_TOO_LARGE'
  /** The bytes are not an Example. */
  | 'TFR_EXAMPLE'
  /** A feature is missing, has the wrong kind, or has the wrong number of values. */
  | 'TFR_FEATURE'
  /** The spec itself, or a file that defines messages, is wrong. */
  | 'TFR_SPEC'
  /** A file that is to be converted as a picture is not a picture, or it changed meanwhile. */
  | 'TFR_NOT_IMAGE'
  /** DuckDB cannot read or write a file, or a condition fails for a record. */
  | 'TFR_SQL'
  /** A value or message cannot be decoded. */
  | 'TFR_DECODE'
  /** A function that the caller passed threw an error, which is the `cause`. */
  | 'TFR_USER'
  /** A saved state or a cache belongs to another dataset or to other files. */
  | 'TFR_STATE_MISMATCH'
  /** A store does not answer, or answers wrongly: an object cannot be read or written. */
  | 'TFR_REMOTE'
  /** A closed reader or writer was used. */
  | 'TFR_CLOSED';

/** Where a {@link TFRecordError} happened and what was found. Fields that do not apply are left out. */
export interface TFRecordErrorDetails {
  /** The path, or `-`, `<bytes>`, `<stream>`. */
  readonly file?: string | undefined;
  /** Number of the record in that file, from 0. */
  readonly record?: number | undefined;
  /** First byte of that record's header in the uncompressed stream. */
  readonly offset?: number | undefined;
  /** Position in the compressed file. */
  readonly compressedOffset?: number | undefined;
  /** Number of bytes that cannot be read: see {@link TFRecordError.lostBytes}. */
  readonly lostBytes?: number | undefined;
  /** With `onError: 'salvage'`: the lost bytes, and the records around them. */
  readonly region?: LostRegion | undefined;
  /** Name of the feature at fault. */
  readonly feature?: string | undefined;
  /** The pipeline stage that failed. */
  readonly stage?: string | undefined;
  /** The expected value, in words for people. */
  readonly expected?: string | undefined;
  /** The value that was found instead, in words for people. */
  readonly found?: string | undefined;
  /** The message without advice; absent if it has none. */
  readonly reason?: string | undefined;
  /** The option that helps, and the value to give it, if the message names one: {@link TFRecordError.hint}. */
  readonly hint?:
    | {
        /** Name of the option; with `()`, of the method of datasets. */
        readonly option: string;
        /** The value that helps; absent if it depends on the data or on what is wanted. */
        readonly value?: string | number | boolean | undefined;
      }
    | undefined;
  /** Node's (negative) error number. */
  readonly errno?: number | undefined;
  /** Name of the system call that failed. */
  readonly syscall?: string | undefined;
  /** The error that led to this one. */
  readonly cause?: unknown;
}

const DETAIL_NAMES = [
  'file',
  'record',
  'offset',
  'compressedOffset',
  'lostBytes',
  'region',
  'feature',
  'stage',
  'expected',
  'found',
  'reason',
  'hint',
  'errno',
  'syscall',
] as const;

/**
 * An error in the data, or in the file or machine that holds it. The message says what happened, where, what was
 * expected and found, and what to do. The fields give the same facts to programs; fields that do not apply are absent.
 *
 * @example
 * try {
 *   await countRecords('old.tfrecord');
 * } catch (error) {
 *   if (error instanceof TFRecordError) console.error(error.code, error.file, error.record, error.offset);
 * }
 */
export class TFRecordError extends Error {
  /** One of {@link TFRecordErrorCode}, or Node's code for a system error. */
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
   * If damage makes the rest of a source unreadable: the number of lost bytes, from `offset` to the end. In a GZIP file
   * that this library wrote, `onError: 'skip'` continues with a later member, and the number ends there; with `onError: 'salvage'`, it ends where reading goes on.
   * It counts
   * uncompressed bytes, framing included, or stored bytes where inflating failed. Undefined if counting would require
   * reading on: for compressed files unless `onError` may skip, and for streams unless `onError` is `'skip'` (a
   * function is called at once).
   */
  declare readonly lostBytes?: number;
  /** With `onError: 'salvage'`: the lost bytes, and the records around them. */
  declare readonly region?: LostRegion;
  /** Name of the feature at fault. */
  declare readonly feature?: string;
  /** The pipeline stage that failed. */
  declare readonly stage?: string;
  /** The expected value, in words for people. */
  declare readonly expected?: string;
  /** The value that was found instead, in words for people. */
  declare readonly found?: string;
  /** The message without advice: what happened, where, what was expected and found. Absent if it has no advice. */
  declare readonly reason?: string;
  /**
   * The option that helps, and the value to give it, if the message names one: `{ option: 'onError', value: 'stop' }`. No
   * value: the option takes what only the caller knows.
   */
  declare readonly hint?: {
    /** Name of the option; with `()`, of a method of datasets: `onError()`. */
    readonly option: string;
    /** The value that helps; absent if it depends on the data or on what is wanted. */
    readonly value?: string | number | boolean;
  };
  /** For system errors: Node's (negative) error number. */
  declare readonly errno?: number;
  /** For system errors: name of the call that failed. */
  declare readonly syscall?: string;

  constructor(code: TFRecordErrorCode | (string & {}), message: string, details: TFRecordErrorDetails = {}) {
    const restore = deepenStack();
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

type ErrorClass<E> = new (code: TFRecordErrorCode | (string & {}), message: string, details: TFRecordErrorDetails) => E;

/** Returns an error whose `reason` and `hint` are those of `message`, unless `details` has others. */
export function tfrecordError(code: string, message: Message, details: TFRecordErrorDetails): TFRecordError;
export function tfrecordError<E extends TFRecordError>(
  code: string,
  message: Message,
  details: TFRecordErrorDetails,
  type: ErrorClass<E>,
): E;
export function tfrecordError(
  code: string,
  message: Message,
  details: TFRecordErrorDetails,
  type: ErrorClass<TFRecordError> = TFRecordError,
): TFRecordError {
  const { reason = message.reason, hint = message.hint } = details;
  return withMessage(new type(code, String(message), { ...details, reason, hint }), message);
}

/** The message of what was thrown, which may be anything. */
export function thrownText(thrown: unknown): string {
  return typeof thrown === 'object' && thrown !== null && 'message' in thrown ? String(thrown.message) : String(thrown);
}

/** The fields of a report about the advice of `error`: those that it has. */
export function adviceOf({ reason, hint }: TFRecordError): Pick<TFRecordError, 'reason' | 'hint'> {
  return { ...(reason === undefined ? {} : { reason }), ...(hint === undefined ? {} : { hint }) };
}

const wrongUses = new WeakSet<object>();

/** Returns `error`, and remembers that its reason is what the caller asked for, not damage. */
export function asWrongUse<E extends object>(error: E): E {
  wrongUses.add(error);
  return error;
}

/** True for an error that {@link asWrongUse} returned. */
export function isWrongUse(error: object): boolean {
  return wrongUses.has(error);
}

/**
 * Returns a `TypeError` ERR_INVALID_ARG_TYPE: `name` (for example `options.signal`) must be `expected` (for example `a
 * string or a URL`).
 */
export function invalidArgType(name: Text, expected: Text, received: unknown): TypeError {
  return argumentError(TypeError, 'ERR_INVALID_ARG_TYPE', name, expected, received);
}

/**
 * Returns a `TypeError` ERR_INVALID_ARG_VALUE for an argument of the right type with a wrong value. `reason` follows
 * "must be" in the message.
 */
export function invalidArgValue(name: Text, reason: Text, received: unknown): TypeError {
  return argumentError(TypeError, 'ERR_INVALID_ARG_VALUE', name, reason, received);
}

/** Returns a `TypeError` ERR_INVALID_ARG_VALUE for an option that does not exist. */
export function unknownOption(name: string, known: readonly string[]): TypeError {
  return coded(
    new TypeError(`Unknown option "${name}". The options are: ${known.join(', ')}`),
    'ERR_INVALID_ARG_VALUE',
  );
}

/** Returns a `RangeError` ERR_OUT_OF_RANGE. `range` follows "must be" in the message: `an integer from 0 to 9`. */
export function outOfRange(name: Text, range: Text, received: unknown): RangeError {
  return argumentError(RangeError, 'ERR_OUT_OF_RANGE', name, range, received);
}

/** Returns a `TypeError` ERR_ILLEGAL_CONSTRUCTOR. `use` names the call that replaces `new`: `RecordReader.open()`. */
export function illegalConstructor(use: string): TypeError {
  return coded(new TypeError(`Illegal constructor: use ${use}`), 'ERR_ILLEGAL_CONSTRUCTOR');
}

/** Returns a `TypeError` ERR_INVALID_STATE: the call is valid, but not in the object's current state. */
export function invalidState(message: string): TypeError {
  return coded(new TypeError(message), 'ERR_INVALID_STATE');
}

function argumentError<E extends Error>(
  type: new (message: string) => E,
  code: string,
  name: Text,
  expected: Text,
  received: unknown,
): E {
  const found = `. Received ${describe(received)}`;
  const message = worded`${argument(name)} must be ${expected}${isWritten(received) ? found : shown`${found}`}`;
  return withMessage(coded(new type(String(message)), code), message);
}

/** True for a value that has the same form in every language. */
function isWritten(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
}

const OPTIONS = 'options.';

function argument(name: Text): Mention | Message {
  return typeof name === 'string' && name.startsWith(OPTIONS)
    ? named(name.slice(OPTIONS.length), `"${name}"`)
    : worded`"${name}"`;
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
      const name = classNameOf(value);
      return typeof name === 'string' && name !== '' ? `an instance of ${name}` : 'an object';
    }
    default:
      return String(value);
  }
}

/** The name of the class of `value`; undefined if a getter or a revoked Proxy refuses to say it. */
function classNameOf(value: object): unknown {
  try {
    return (value as { constructor?: { name?: unknown } }).constructor?.name;
  } catch {
    return undefined;
  }
}

const DEFAULT_FRAMES = 10;
const DEEPER_FRAMES = 30;

/**
 * Raises `Error.stackTraceLimit` so that the next stack reaches past our own frames to the user's line. Returns the
 * function that restores the limit, or undefined if the program has set a limit of its own.
 */
function deepenStack(): (() => void) | undefined {
  if (Error.stackTraceLimit !== DEFAULT_FRAMES) return undefined;
  try {
    Error.stackTraceLimit = DEEPER_FRAMES;
  } catch {
    return undefined; // `Error` is frozen.
  }
  return () => {
    Error.stackTraceLimit = DEFAULT_FRAMES;
  };
}
