import { parseSegment, type NameTest } from './glob-segment';

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
const ANY_FOLDERS = '**';

type Segment = typeof ANY_FOLDERS | NameTest;

/** Whether `path` has a wildcard. */
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
