/** Whether a name matches; names are never empty. */
export type NameTest = (name: string) => boolean;

type CharTest = (char: string) => boolean;

/** `*`: any characters, or none. */
const ANY = '*';

/** The classes of POSIX, as in `[[:digit:]]`, over ASCII. */
const CLASSES: ReadonlyMap<string, RegExp> = new Map([
  ['alnum', /[A-Za-z\d]/],
  ['alpha', /[A-Za-z]/],
  ['blank', /[ \t]/],
  ['cntrl', /[\0-\x1f\x7f]/],
  ['digit', /\d/],
  ['graph', /[!-~]/],
  ['lower', /[a-z]/],
  ['print', /[ -~]/],
  ['punct', /[!-/:-@[-`{-~]/],
  ['space', /[ \t-\r]/],
  ['upper', /[A-Z]/],
  ['xdigit', /[\dA-Fa-f]/],
]);

/**
 * What matches a segment of a pattern: `*`, `?`, `[ab]`, `[a-z]`, `[!ab]`, `\` before what stands for itself, all by
 * code points. A bracket that is not closed stands for itself. No expression: their engine would try all ways to share a
 * name among the stars, which for a hostile name takes for ever; this takes steps of at most the product of the lengths.
 */
export function parseSegment(text: string): NameTest {
  const chars = Array.from(text);
  const tests: (CharTest | typeof ANY)[] = [];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at]!;
    const bracket = char === '[' ? parseBracket(chars, at + 1) : undefined;
    if (char === ANY) {
      if (tests.at(-1) !== ANY) tests.push(ANY);
    } else if (char === '?') {
      tests.push(() => true);
    } else if (bracket !== undefined) {
      tests.push(bracket.test);
      at = bracket.last;
    } else {
      const literal = char === '\\' && at + 1 < chars.length ? chars[++at] : char;
      tests.push((other) => other === literal);
    }
  }
  return (name) => matches(tests, Array.from(name));
}

function matches(tests: readonly (CharTest | typeof ANY)[], chars: readonly string[]): boolean {
  let next = 0;
  // Behind the last star, and where what it stands for ends: only that one is ever tried again.
  let behindStar: number | undefined;
  let starEnd = 0;
  for (let at = 0; at < chars.length;) {
    const test = tests[next];
    if (test === ANY) {
      behindStar = ++next;
      starEnd = at;
    } else if (test?.(chars[at]!) === true) {
      next++;
      at++;
    } else if (behindStar === undefined) {
      return false;
    } else {
      next = behindStar;
      at = ++starEnd;
    }
  }
  return next === tests.length || (next === tests.length - 1 && tests[next] === ANY);
}

/** The bracket whose first character is at `at`, and where it closes; undefined when it does not. */
function parseBracket(chars: readonly string[], at: number): { test: CharTest; last: number } | undefined {
  const negated = chars[at] === '!' || chars[at] === '^';
  const start = negated ? at + 1 : at;
  const members: CharTest[] = [];
  for (let i = start; i < chars.length; i++) {
    const char = chars[i]!;
    // As the first it stands for itself.
    if (char === ']' && i > start) return { test: (other) => negated !== members.some((test) => test(other)), last: i };
    const name = char === '[' ? /^\[:([a-z]+):\]/.exec(chars.slice(i, i + 12).join(''))?.[1] : undefined;
    if (name !== undefined) {
      const expression = CLASSES.get(name);
      members.push((other) => expression?.test(other) === true);
      i += name.length + 3;
      continue;
    }
    const low = codeAt(char === '\\' ? ++i : i);
    const isRange = chars[i + 1] === '-' && i + 2 < chars.length && chars[i + 2] !== ']';
    if (isRange) i += chars[i + 2] === '\\' ? 3 : 2;
    const high = isRange ? codeAt(i) : low;
    members.push((other) => {
      const code = other.codePointAt(0)!;
      return code >= low && code <= high;
    });
  }
  return undefined;

  /** Behind the end the bracket is none, whatever this says. */
  function codeAt(index: number): number {
    return chars[index]?.codePointAt(0) ?? 0;
  }
}
