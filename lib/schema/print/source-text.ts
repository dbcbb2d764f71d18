import { jsonEscape } from '../../base';

/** Characters that end a line for some tools, or that change the direction of text, so that source reads as another program. */
const HIDDEN = /[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/**
 * Returns `value` as JSON, which is TypeScript and Python, too, in printable characters: a name in the data must not show
 * generated source as something that it is not.
 *
 * @example
 * sourceText('a\u202eb'); // '"a\\u202eb"'
 */
export function sourceText(value: unknown): string {
  return JSON.stringify(value).replace(HIDDEN, jsonEscape);
}
