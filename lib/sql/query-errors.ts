/** DuckDB's errors, and ours on their way through DuckDB, which passes on nothing but their text. */
import { TFRecordError } from '../base';

/** A fault in an argument of a query. */
export class ArgumentError extends TFRecordError {}

/** Most errors that are kept. */
const KEPT = 32;

/** The errors of the last queries that failed, by the text that DuckDB was given. */
const recent = new Map<string, TFRecordError>();

/** The text of `error` for DuckDB, in one line that begins with the error's code. */
export function textForDuckDB(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const [line = ''] = String(message ?? error).split('\n');
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
  const text = String((error as { message?: unknown } | undefined)?.message);
  for (const [known, original] of [...recent].reverse()) if (text.includes(known)) return original;
  return undefined;
}

/** An error of DuckDB's own, in one line. `file`: the name of the file that it is about, which DuckDB calls `path`. */
export function duckdbError(cause: unknown, file?: string, path?: string): TFRecordError {
  const [first = ''] = String((cause as { message?: unknown }).message ?? cause).split('\n');
  const line = path === undefined || file === undefined ? first : first.replaceAll(path, file);
  return new TFRecordError('TFR_SQL', `${file === undefined ? '' : `${file}: `}DuckDB: ${line}`, { file, cause });
}
