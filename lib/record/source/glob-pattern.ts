import picomatch from 'picomatch';

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
  /** Whether a path that came to `positions` matches, as a file. */
  isEnd(positions: readonly number[]): boolean;
  /** Whether something below a folder that came to `positions` may match. */
  goesOn(positions: readonly number[]): boolean;
}

const WILDCARD = /[*?[]/;
/** Characters beyond `*`, `?`, `[ab]` and `\` that the matcher has a meaning for, and we have none. */
const ORDINARY = /[(){}|"+@]|^!/g;
const ANY_FOLDERS = '**';

type Segment = typeof ANY_FOLDERS | ((name: string) => boolean);

/** Whether `path` has a wildcard. */
export function isPattern(path: string): boolean {
  return WILDCARD.test(path);
}

/** `path` has a wildcard. */
export function parseGlob(path: string): GlobPattern {
  const slashed = process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
  const prefix = slashed.slice(0, slashed.lastIndexOf('/', slashed.search(WILDCARD)) + 1);
  const segments = slashed.slice(prefix.length).replace(/\/+/g, '/').split('/').map(parseSegment);
  const end = segments.length;

  const closed = (positions: Iterable<number>): number[] => {
    const all = new Set(positions);
    // A set gives what is added to it meanwhile, too.
    for (const position of all) if (segments[position] === ANY_FOLDERS) all.add(position + 1);
    return [...all].sort((a, b) => a - b);
  };
  const after = (positions: readonly number[], name: string): number[] => {
    const next: number[] = [];
    for (const position of positions) {
      const segment = segments[position];
      if (segment === ANY_FOLDERS) next.push(position);
      else if (segment?.(name) === true) next.push(position + 1);
    }
    return closed(next);
  };
  return {
    prefix,
    start: closed([0]),
    after,
    isEnd: (positions) => positions.includes(end),
    goesOn: (positions) => positions.some((position) => position < end),
  };
}

function parseSegment(text: string): Segment {
  if (text === ANY_FOLDERS) return ANY_FOLDERS;
  // Behind a slash at the end: no file.
  if (text === '') return () => false;
  return picomatch(text.replace(ORDINARY, '\\$&'), {
    dot: true,
    nobrace: true,
    noextglob: true,
    nonegate: true,
    posix: true,
    regex: false,
    windows: false,
    maxLength: Infinity,
  });
}
