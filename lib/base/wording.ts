/** Texts and numbers in messages and in output. */

// C0 and C1 controls and DEL, which terminals obey; the separators that end a line in old JavaScript; characters that change
// the direction of text, so that it reads as another one.
const UNSAFE = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Escapes the characters of `text` that are unsafe on a terminal. The result of JSON in one line is JSON of the same value. */
export function escapeUnsafe(text: string): string {
  return text.replace(UNSAFE, jsonEscape);
}

/** Returns `text` to the end of its first line. */
export function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/** Returns the JSON escape of a character. */
export function jsonEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Formats a number with digits in groups of three, and at most one decimal place: `12,345.6`. Independent of the locale:
 * formatting with one loads data of ICU, which takes 5 MB of memory. Numbers from 10^21 on have no groups.
 */
export function grouped(value: number | bigint): string {
  const digits = typeof value === 'bigint' ? String(value) : value.toFixed(1).replace(/\.0$/, '');
  return digits.replace(/^-?\d{4,}/, (whole) => whole.replace(/(?<=\d)(?=(?:\d{3})+$)/g, ','));
}

/**
 * Returns `1 byte`, `2 bytes` and so on. `shown`: the count as it is to be printed; `several`: the plural, if it is not the
 * noun with an s.
 *
 * @example
 * counted(1200, 'record', '1,200'); // '1,200 records'
 * counted(3, 'value or row', undefined, 'values or rows'); // '3 values or rows'
 */
export function counted(count: number | bigint, noun: string, shown = String(count), several = `${noun}s`): string {
  return `${shown} ${Number(count) === 1 ? noun : several}`;
}
