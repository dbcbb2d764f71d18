/** JSON text, numbers as they are written, names at most once in an object. */
import { losslessJson } from './lazy';

/** A number as it is written. */
export class NumberText {
  constructor(readonly text: string) {}
}

/**
 * The value of strict JSON; numbers are {@link NumberText}s. @throws SyntaxError when it is no JSON or a name comes twice in
 * an object.
 */
export function parseJson(text: string): unknown {
  const value = losslessJson().parse(text, null, (number) => new NumberText(number));
  // The parser accepts a name that comes again with an equal value.
  refuseDuplicates(text);
  return value;
}

/** Strings, and what opens, closes and parts; the text is known to be JSON. */
const TOKENS = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}]/g;

/** `text` is JSON, and no object of it has a name twice. @throws SyntaxError */
export function refuseDuplicates(text: string): void {
  const objects: Set<string>[] = [];
  for (const [token, isName] of text.matchAll(TOKENS)) {
    if (token === '{') objects.push(new Set());
    else if (token === '}') objects.pop();
    else if (isName !== undefined) {
      const name = JSON.parse(token.slice(0, token.length - isName.length)) as string;
      const names = objects.at(-1);
      if (names?.has(name)) throw new SyntaxError(`The name ${JSON.stringify(name)} comes twice in an object`);
      names?.add(name);
    }
  }
}
