import { jsonEscape } from '../../base';

/**
 * Characters that some tools treat as line ends, or that change the direction of text, so that source looks like
 * another program.
 */
const HIDDEN = /[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/**
 * Returns `value` as JSON in printable characters, which is valid TypeScript and Python, too: a name in the data must
 * not make generated source look like something else.
 *
 * @example
 * sourceText('a\u202eb'); // '"a\\u202eb"'
 */
export function sourceText(value: unknown): string {
  return JSON.stringify(value).replace(HIDDEN, jsonEscape);
}
