// C0 and C1 controls and DEL, which terminals obey; other line ends; characters that change the direction of text.
const UNSAFE = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Escapes characters so that `text` is safe in one line: a file name may have characters that a terminal obeys. */
export function lineText(text: string): string {
  return text.replace(UNSAFE, escaped);
}

/** Escapes characters as {@link lineText} does, except line feeds and tabs. */
export function linesText(text: string): string {
  return text.replace(UNSAFE, (character) =>
    character === '\n' || character === '\t' ? character : escaped(character),
  );
}

/** Returns `value` as JSON in one line, with unsafe characters escaped. */
export function lineJson(value: unknown): string {
  return lineText(JSON.stringify(value));
}

/** Returns the JSON escape of a character. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Returns `text` as one word for a shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns `1 record`, `12,345 records` and so on. */
export function plural(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats a number with digits in groups of three, independent of the locale. */
export function grouped(count: number): string {
  return count.toLocaleString('en-US', { maximumFractionDigits: 1 });
}
