/**
 * DuckDB's errors, and ours on their way through DuckDB, which passes on nothing but text. Nowhere else is the text of an
 * error searched: DuckDB's errors have neither codes nor fields.
 */
import { codeOf, firstLine, isObject, TFRecordError, worded, type Message } from '../base';

/** A fault in an argument of a query. */
export class ArgumentError extends TFRecordError {}

/** Most errors that are kept. */
const KEPT = 32;

/** Longest words of DuckDB's in an error. */
const REASON_LENGTH = 500;

/** Errors about a value that a condition cannot use, such as a text that is no number. */
const VALUE_ERROR = /^(?:Conversion|Out of Range|Invalid Input|Invalid|Mismatch Type) Error/;

/** The system's messages about files that cannot grow, which DuckDB repeats, and their codes. */
const FULL = [
  ['No space left on device', 'ENOSPC'],
  ['Disk quota exceeded', 'EDQUOT'],
  ['File too large', 'EFBIG'],
] as const;

/** The errors of the last queries that failed, by the text that DuckDB was given. */
const recent = new Map<string, TFRecordError>();

/** The text of `error` for DuckDB, in one line that begins with the error's code. */
export function textForDuckDB(error: unknown): string {
  const code = codeOf(error);
  const line = firstLine(textOf(error));
  const text = typeof code === 'string' ? `${code}: ${line}` : line;
  if (error instanceof TFRecordError) {
    recent.delete(text);
    recent.set(text, error);
    for (const oldest of recent.keys()) {
      if (recent.size <= KEPT) break;
      recent.delete(oldest);
    }
  }
  return text;
}

/** The error of ours that made a query fail with `error`; undefined if it has another reason. */
export function errorBehind(error: unknown): TFRecordError | undefined {
  const text = textOf(error);
  for (const [known, original] of [...recent].reverse()) if (text.includes(known)) return original;
  return undefined;
}

/** Messages that one query throws by DuckDB's function `error`. */
export class QueryMessages {
  readonly #messages = new Map<string, Message>();

  /** The text for `error()`. The query adds the value at fault. */
  textOf(message: Message): string {
    const text = `TFR_FEATURE: ${String(message)}`;
    this.#messages.set(text, message);
    return text;
  }

  /** The message that the query threw, with the value at fault; undefined if `error` is DuckDB's own. */
  behind(error: unknown): Message | undefined {
    const text = textOf(error);
    for (const [start, message] of this.#messages) {
      const at = text.indexOf(start);
      if (at >= 0) return worded`${message}${firstLine(text.slice(at + start.length))}`;
    }
    return undefined;
  }
}

/** An error of DuckDB's own, in one line. `file`: the name of the file that it is about, which DuckDB calls `path`. */
export function duckdbError(cause: unknown, file?: string, path?: string): TFRecordError {
  const first = firstLine(textOf(cause));
  const line = path === undefined || file === undefined ? first : first.replaceAll(path, file);
  return new TFRecordError('TFR_SQL', `${file === undefined ? '' : `${file}: `}DuckDB: ${line}`, { file, cause });
}

/** The code of the system error that made writing a file fail; undefined for other errors. */
export function fullCodeOf(error: unknown): (typeof FULL)[number][1] | undefined {
  const line = firstLine(textOf(error));
  return FULL.find(([text]) => line.endsWith(text))?.[1];
}

/** The first line of an error of DuckDB's. Candidates for names are on the second. */
export function reasonOf(error: unknown): string {
  return firstLine(textOf(error)).replace(/[.!]$/, '').slice(0, REASON_LENGTH);
}

/** True for an error about a value of a record, which other records may not have. */
export function isAboutValue(error: unknown): boolean {
  return VALUE_ERROR.test(reasonOf(error));
}

/** An error of a query, in one line. */
export interface QueryFault {
  readonly text: string;
  /** True if a full disk or a file is at fault, not the query. */
  readonly isSystem: boolean;
  /** The file that DuckDB has no reader for. */
  readonly unreadable: string | undefined;
}

/** Returns what DuckDB says of a query, without the place below an empty line; undefined for errors of others. */
export function queryFault(error: unknown): QueryFault | undefined {
  // No instanceof: the errors of an addon may be those of another realm.
  const { code, message } = isObject(error) ? error : {};
  if (code !== undefined || typeof message !== 'string') return undefined;
  const [text = ''] = message.split('\n\n');
  const [, unreadable] = /No extension found that is capable of reading the file "([^"]+)"/.exec(text) ?? [];
  return {
    text: text.replace(/\s*\n\s*/g, ' '),
    isSystem: /^(?:IO|Out of Memory) Error: /.test(text),
    unreadable,
  };
}

function textOf(error: unknown): string {
  const { message } = isObject(error) ? error : {};
  return String(message ?? error);
}
