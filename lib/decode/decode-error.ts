import { TFRecordError } from '../errors';

/** What is wrong, and where. */
export interface DecodeFault {
  /** What the message begins with: the record and field, or the input. */
  readonly where: string;
  /** Index of the record in the input; undefined when the input is one record. */
  readonly record?: number | undefined;
  readonly expected: string;
  readonly found: string;
  /** What to do about it. */
  readonly advice?: string | undefined;
  readonly cause?: unknown;
}

/** A TFR_DECODE error. */
export function decodeError({ where, record, expected, found, advice, cause }: DecodeFault): TFRecordError {
  const message = `${where}: expected ${expected}, found ${found}.${advice === undefined ? '' : ` ${advice}`}`;
  return new TFRecordError('TFR_DECODE', message, { record, expected, found, cause });
}

const SHOWN_BYTES = 48;

/** The beginning of `bytes` as a quoted text; what no terminal should obey is escaped. */
export function shown(bytes: Uint8Array): string {
  const clipped = bytes.byteLength > SHOWN_BYTES;
  const text = JSON.stringify(Buffer.from(bytes.subarray(0, SHOWN_BYTES)).toString());
  const safe = text.replace(/[\x7f-\x9f\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return clipped ? `${safe.slice(0, -1)}…" (${bytes.byteLength} bytes)` : safe;
}

/** `1 byte`, `2 bytes`. */
export function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
