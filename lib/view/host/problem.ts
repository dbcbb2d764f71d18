import { TFRecordError, adviceOf, textForPeople, isObject } from '../../base';
import type { Fault, Problem } from '../protocol';

/** Returns the error ERR_OUT_OF_RANGE for a missing record or value. */
export function notThere(message: string, record?: number): TFRecordError {
  return new TFRecordError('ERR_OUT_OF_RANGE', message, { record });
}

/** Returns the description of `error` for a page. */
export function problemOf(error: unknown): Problem {
  const { code, record } = isObject(error) ? error : {};
  return {
    code: typeof code === 'string' ? code : error instanceof SyntaxError ? 'ERR_INVALID_ARG_VALUE' : 'ERR_INTERNAL',
    message: messageFor(error),
    record: typeof record === 'number' ? record : null,
    ...(error instanceof TFRecordError ? adviceOf(error) : {}),
  };
}

/** Returns the description of damage for a page. */
export function faultOf(error: TFRecordError): Fault {
  const { offset, compressedOffset, lostBytes, code } = error;
  const ends = code !== 'TFR_CORRUPT_DATA' && code !== 'TFR_RECORD_TOO_LARGE';
  return {
    ...problemOf(error),
    offset: offset ?? null,
    stored: compressedOffset ?? null,
    lost: lostBytes ?? (ends ? null : 0),
  };
}

/** Returns the message of `error` without its advice for programs, such as to skip damage or to open the file again. */
function messageFor(error: unknown): string {
  const { message } = isObject(error) ? error : {};
  if (typeof message !== 'string') return String(error);
  return error instanceof Error ? textForPeople(error) : message;
}
