// C0 and C1 controls and DEL, which terminals obey; other line ends; characters that change the direction of text.
const UNSAFE = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** `text` made safe for one line. File names may hold any character, and a terminal must not obey one. */
export function lineText(text: string): string {
  return text.replace(UNSAFE, escaped);
}

/** `text` made safe, with its line feeds kept. */
export function linesText(text: string): string {
  return text.replace(UNSAFE, (character) =>
    character === '\n' || character === '\t' ? character : escaped(character),
  );
}

/** `value` as JSON in one line, with the unsafe characters escaped. */
export function lineJson(value: unknown): string {
  return lineText(JSON.stringify(value));
}

/** The character as JSON's escape. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** `1 record`, `12,345 records`. */
export function plural(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Digits in groups of three, whatever the locale. */
export function grouped(count: number): string {
  return count.toLocaleString('en-US', { maximumFractionDigits: 1 });
}
