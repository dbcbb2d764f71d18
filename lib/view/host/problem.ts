import { TFRecordError } from '../../base';
import type { Fault, Problem } from '../protocol';

/** The error ERR_OUT_OF_RANGE for a record, or a value of one, that is not there. */
export function notThere(message: string, record?: number): TFRecordError {
  return new TFRecordError('ERR_OUT_OF_RANGE', message, { record });
}

/** Returns what a page is told of `error`. */
export function problemOf(error: unknown): Problem {
  const { code, message, record } = Object(error) as Partial<TFRecordError>;
  return {
    code: typeof code === 'string' ? code : error instanceof SyntaxError ? 'ERR_INVALID_ARG_VALUE' : 'ERR_INTERNAL',
    message: typeof message === 'string' ? withoutAdvice(message) : String(error),
    record: record ?? null,
  };
}

/** Returns what a page is told of damage. */
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

/** Messages for programs name what a program does: the option that goes on at damage, opening a file again. */
function withoutAdvice(message: string): string {
  return message.replace(/; onError: [^.]*\./g, '.').replace(/ Open it again\.$/, '');
}
