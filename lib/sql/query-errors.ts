/**
 * Converts DuckDB's errors, and recovers errors of this package that passed through DuckDB, which keeps only their text.
 * DuckDB's errors have neither codes nor fields, so their texts are searched: here, and nowhere else.
 */
import { codeOf, firstLine, isObject, TFRecordError, worded, type Message } from '../base';

/** A fault in an argument of a query. */
export class ArgumentError extends TFRecordError {}

/** Maximum number of errors that are kept. */
const KEPT = 32;

/** Maximum length of DuckDB's message in an error, in characters. */
const REASON_LENGTH = 500;

/** Matches errors about a value for which a condition fails, such as a text that is not a number. */
const VALUE_ERROR = /^(?:Conversion|Out of Range|Invalid Input|Invalid|Mismatch Type) Error/;

/** Parts of DuckDB's messages about files that cannot grow, and the system's codes for them. */
const FULL = [
  ['No space left on device', 'ENOSPC'],
  ['Disk quota exceeded', 'EDQUOT'],
  ['File too large', 'EFBIG'],
] as const;

/** The errors of the last queries that failed, by the text that DuckDB got. */
const recent = new Map<string, TFRecordError>();

/** The text of `error` for DuckDB: one line that begins with the error's code. */
export function textForDuckDB(error: unknown): string {
  const code = codeOf(error);
  const line = firstLine(textOf(error));
  // The texts of system errors begin with their codes.
  const text = typeof code === 'string' && !line.startsWith(`${code}: `) ? `${code}: ${line}` : line;
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

/** The error of this package that made a query fail with `error`; undefined if the query failed for another reason. */
export function causeOfFailure(error: unknown): TFRecordError | undefined {
  const text = textOf(error);
  for (const [known, original] of [...recent].reverse()) if (text.includes(known)) return original;
  return undefined;
}

/** Messages that a query can throw with DuckDB's function `error`. */
export class QueryMessages {
  readonly #messages = new Map<string, Message>();

  /** The text for `error()`. The query appends the invalid value. */
  textOf(message: Message): string {
    const text = `TFR_FEATURE: ${String(message)}`;
    this.#messages.set(text, message);
    return text;
  }

  /** The message that the query threw, with the invalid value; undefined if `error` is one of DuckDB. */
  thrownBy(error: unknown): Message | undefined {
    const text = textOf(error);
    for (const [start, message] of this.#messages) {
      const at = text.indexOf(start);
      if (at >= 0) return worded`${message}${firstLine(text.slice(at + start.length))}`;
    }
    return undefined;
  }
}

/**
 * The error for an error of DuckDB, in one line. `file`: the name of the file that it is about, which DuckDB knows as
 * `path`.
 */
export function duckdbError(cause: unknown, file?: string, path?: string): TFRecordError {
  const first = firstLine(textOf(cause));
  const line = path === undefined || file === undefined ? first : first.replaceAll(path, file);
  return new TFRecordError('TFR_SQL', `${file === undefined ? '' : `${file}: `}DuckDB: ${line}`, { file, cause });
}

/** The code of the system error because of which writing a file failed; undefined for other errors. */
export function fullCodeOf(error: unknown): (typeof FULL)[number][1] | undefined {
  const line = firstLine(textOf(error));
  return FULL.find(([text]) => line.endsWith(text))?.[1];
}

/** The first line of DuckDB's message. The second one has suggestions for names. */
export function reasonOf(error: unknown): string {
  return firstLine(textOf(error)).replace(/[.!]$/, '').slice(0, REASON_LENGTH);
}

/** True for an error about a value in a record: other records may not have one. */
export function isAboutValue(error: unknown): boolean {
  return VALUE_ERROR.test(reasonOf(error));
}

/** An error of a query, in one line. */
export interface QueryFault {
  readonly text: string;
  /** True if the cause is a full disk or a file, not the query. */
  readonly isSystem: boolean;
  /** The file for which DuckDB has no reader. */
  readonly unreadable: string | undefined;
}

/** Returns DuckDB's message about a query, without the excerpt of the query after an empty line; undefined for other errors. */
export function queryFault(error: unknown): QueryFault | undefined {
  // Not `instanceof`: errors of an addon may be from another realm.
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
