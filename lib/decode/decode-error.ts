import { advice, escapeUnsafe, tfrecordError, worded, type Text, type TFRecordError } from '../base';

/** A decoding fault and its position. */
interface DecodeFault {
  /** The start of the message: the record and field, or the input. */
  readonly where: string;
  /** Index of the record in the input; undefined if the input is a single record. */
  readonly record?: number | undefined;
  readonly expected: string;
  readonly found: string;
  /** A sentence that says more about what was found. */
  readonly detail?: string | undefined;
  /** A sentence of advice. */
  readonly cure?: Text | undefined;
  readonly cause?: unknown;
}

/** Returns a TFR_DECODE error. */
export function decodeError({ where, record, expected, found, detail, cure, cause }: DecodeFault): TFRecordError {
  const more = detail === undefined ? '' : ` ${detail}`;
  const help = cure === undefined ? undefined : advice` ${cure}`;
  const message = worded`${where}: expected ${expected}, found ${found}.${more}${help}`;
  return tfrecordError('TFR_DECODE', message, { record, expected, found, cause });
}

const SHOWN_BYTES = 48;

/** Returns the beginning of `bytes` as quoted text. Characters that are unsafe on a terminal are escaped. */
export function shown(bytes: Uint8Array): string {
  const clipped = bytes.byteLength > SHOWN_BYTES;
  const text = JSON.stringify(Buffer.from(bytes.subarray(0, SHOWN_BYTES)).toString());
  const safe = escapeUnsafe(text);
  return clipped ? `${safe.slice(0, -1)}…" (${bytes.byteLength} bytes)` : safe;
}
