/**
 * A pattern, split at its slashes. The progress of a match is a set of positions: indices of the segments that may come
 * next. It is a set because `**` can stand for any number of folders.
 */
export interface GlobPattern {
  /** The fixed folders before the first wildcard, with their last slash. They are taken literally. */
  readonly prefix: string;
  /** The positions at the folder `prefix`. */
  readonly start: readonly number[];
  /**
   * Returns the positions after an entry called `name`; empty if nothing at or below it can match. As in shells, only a
   * segment that begins with a dot matches a name that does.
   */
  after(positions: readonly number[], name: string): readonly number[];
  /** True if only the dot at the start of `name` keeps the entry from matching. */
  hides(positions: readonly number[], name: string): boolean;
  /** True if a file whose path has led to `positions` matches. */
  isEnd(positions: readonly number[]): boolean;
  /** True if something in or below a folder whose path has led to `positions` may match. */
  continues(positions: readonly number[]): boolean;
}

const WILDCARD = /[*?[]/;
const ANY_FOLDERS = '**';

type Segment = typeof ANY_FOLDERS | NameTest;

const BEGINS_WITH_DOT = /^\\?\./;

/** True if `path` has a wildcard. */
export function isPattern(path: string): boolean {
  return WILDCARD.test(path) && !isVerbatim(path);
}

/** True if `path` begins with `\\?\`, and Windows takes it as it is: its question mark is no wildcard. */
export function isVerbatim(path: string): boolean {
  return process.platform === 'win32' && path.startsWith('\\\\?\\');
}

/** Parses `path`, which must have a wildcard. */
export function parseGlob(path: string): GlobPattern {
  const slashed = process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
  const prefix = slashed.slice(0, slashed.lastIndexOf('/', slashed.search(WILDCARD)) + 1);
  const texts = slashed
    .slice(prefix.length)
    .replace(/\/(?:\.?\/)+/g, '/')
    .split('/');
  const segments = texts.map(parse);
  // A `**` at the end matches files in the folder and at any depth below it.
  if (segments.at(-1) === ANY_FOLDERS) segments.push(() => true);
  const end = segments.length;
  /** For each position: the position itself and, because `**` may stand for no folder, those after each `**`. */
  const reach = Array.from({ length: end + 1 }, (_, position) => {
    const all = [position];
    for (let next = position; segments[next] === ANY_FOLDERS; next++) all.push(next + 1);
    return all;
  });

  const shows = segments.map((_, position) => BEGINS_WITH_DOT.test(texts[position] ?? ''));

  const after = (positions: readonly number[], name: string): readonly number[] => {
    const hidden = name.startsWith('.');
    let reached: readonly number[] = [];
    for (const position of positions) {
      if (hidden && shows[position] !== true) continue;
      const segment = segments[position];
      if (segment === undefined || (segment !== ANY_FOLDERS && !segment(name))) continue;
      const more = reach[segment === ANY_FOLDERS ? position : position + 1]!;
      reached = reached.length === 0 ? more : [...new Set([...reached, ...more])].sort((a, b) => a - b);
    }
    return reached;
  };
  return {
    prefix,
    start: reach[0]!,
    after,
    hides: (positions, name) =>
      name.startsWith('.') &&
      positions.some((position) => {
        const segment = segments[position];
        return shows[position] === false && (segment === ANY_FOLDERS || segment?.(name) === true);
      }),
    isEnd: (positions) => positions.includes(end),
    continues: (positions) => positions.some((position) => position < end),
  };
}

function parse(text: string): Segment {
  if (text === ANY_FOLDERS) return ANY_FOLDERS;
  // A slash at the end of the pattern matches no file.
  return text === '' ? () => false : parseSegment(text);
}

/** True if a name matches; names are never empty. */
type NameTest = (name: string) => boolean;

type CharTest = (char: string) => boolean;

/** `*`: any number of characters. */
const ANY = '*';

/** POSIX character classes, as in `[[:digit:]]`, for ASCII. */
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
 * Returns the test for one segment of a pattern: `*`, `?`, `[ab]`, `[a-z]`, `[!ab]`, and `\` before a literal character.
 * Characters are code points. A bracket that is not closed is literal. This is not a regular expression, because their
 * engine backtracks, which takes exponential time for a hostile name; this takes at most (length of the name) × (length
 * of the segment) steps.
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
  // The test after the last star, and where the text of that star ends. Only the last star is ever tried again.
  let afterStar: number | undefined;
  let starEnd = 0;
  for (let at = 0; at < chars.length;) {
    const test = tests[next];
    if (test === ANY) {
      afterStar = ++next;
      starEnd = at;
    } else if (test?.(chars[at]!) === true) {
      next++;
      at++;
    } else if (afterStar === undefined) {
      return false;
    } else {
      next = afterStar;
      at = ++starEnd;
    }
  }
  return next === tests.length || (next === tests.length - 1 && tests[next] === ANY);
}

/** Parses the bracket whose first character is at `at`. `last` is the index of its end; undefined if it has none. */
function parseBracket(chars: readonly string[], at: number): { test: CharTest; last: number } | undefined {
  const negated = chars[at] === '!' || chars[at] === '^';
  const start = negated ? at + 1 : at;
  const members: CharTest[] = [];
  for (let i = start; i < chars.length; i++) {
    const char = chars[i]!;
    // As the first character, `]` is literal.
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

  /** Returns 0 beyond the end: the bracket is not closed then, and the result is not used. */
  function codeAt(index: number): number {
    return chars[index]?.codePointAt(0) ?? 0;
  }
}
