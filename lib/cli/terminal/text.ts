import { counted, escapeUnsafe, grouped, shownUrl } from '../../base';

/**
 * Escapes control characters and line ends, so that `text` is safe in one line: a file name may have characters that
 * control a terminal.
 */
export function lineText(text: string): string {
  return escapeUnsafe(text);
}

/** Returns the name of an input for output in one line. That of an object lacks what may be a secret. */
export function fileText(file: string): string {
  return lineText(shownUrl(file));
}

/** Escapes characters like {@link lineText}, except line feeds and tabs. */
export function linesText(text: string): string {
  return text.replace(/[^\n\t]+/g, escapeUnsafe);
}

/** Returns `value` as JSON in one line, with control characters escaped. */
export function lineJson(value: unknown): string {
  return lineText(JSON.stringify(value));
}

/** Returns `text` as one word for a shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns `1 record`, `12,345 records` and so on. */
export function plural(count: number, noun: string): string {
  return counted(count, noun, grouped(count));
}
