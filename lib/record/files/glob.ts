/**
 * A pattern, taken apart at its slashes. How much of it a path has matched is a set of positions: numbers of the
 * segments that may come next, because `**` can stand for any number of folders.
 */
export interface GlobPattern {
  /** The fixed folders before the first wildcard, with their last slash: no pattern, whatever characters they hold. */
  readonly prefix: string;
  /** Where a match begins, in the folder `prefix`. */
  readonly start: readonly number[];
  /** The positions behind an entry called `name`; none when nothing at or below it can match. */
  after(positions: readonly number[], name: string): readonly number[];
  /** True if a path that came to `positions` matches, as a file. */
  isEnd(positions: readonly number[]): boolean;
  /** True if something below a folder that came to `positions` may match. */
  goesOn(positions: readonly number[]): boolean;
}

const WILDCARD = /[*?[]/;
const ANY_FOLDERS = '**';

type Segment = typeof ANY_FOLDERS | NameTest;

/** True if `path` has a wildcard. */
export function isPattern(path: string): boolean {
  return WILDCARD.test(path);
}

/** `path` has a wildcard. */
export function parseGlob(path: string): GlobPattern {
  const slashed = process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
  const prefix = slashed.slice(0, slashed.lastIndexOf('/', slashed.search(WILDCARD)) + 1);
  const segments = slashed
    .slice(prefix.length)
    .replace(/\/(?:\.?\/)+/g, '/')
    .split('/')
    .map(parse);
  // Files in the folder and at any depth below it.
  if (segments.at(-1) === ANY_FOLDERS) segments.push(() => true);
  const end = segments.length;
  /** What may come next when a position is reached: it, and what is behind `**`, which may stand for no folder. */
  const reach = Array.from({ length: end + 1 }, (_, position) => {
    const all = [position];
    for (let next = position; segments[next] === ANY_FOLDERS; next++) all.push(next + 1);
    return all;
  });

  const after = (positions: readonly number[], name: string): readonly number[] => {
    let reached: readonly number[] = [];
    for (const position of positions) {
      const segment = segments[position];
      if (segment === undefined || (segment !== ANY_FOLDERS && !segment(name))) continue;
      const more = reach[segment === ANY_FOLDERS ? position : position + 1] as readonly number[];
      reached = reached.length === 0 ? more : [...new Set([...reached, ...more])].sort((a, b) => a - b);
    }
    return reached;
  };
  return {
    prefix,
    start: reach[0] as readonly number[],
    after,
    isEnd: (positions) => positions.includes(end),
    goesOn: (positions) => positions.some((position) => position < end),
  };
}

function parse(text: string): Segment {
  if (text === ANY_FOLDERS) return ANY_FOLDERS;
  // Behind a slash at the end: no file.
  return text === '' ? () => false : parseSegment(text);
}

/** True if a name matches; names are never empty. */
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
