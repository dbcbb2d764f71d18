/** Patterns of tags: names in which `*` stands for any characters, and `?` for one. */
import { invalidArgType, isList } from '../base';

/** Returns a function that tells the tags of `patterns`: all if they are undefined. @throws TypeError */
export function tagMatcher(patterns: unknown): (name: string) => boolean {
  if (patterns === undefined) return () => true;
  const list: readonly unknown[] = isList(patterns) ? patterns : [patterns];
  const checked = list.map((pattern, i) => {
    if (typeof pattern === 'string') return pattern;
    const name = isList(patterns) ? `options.tags[${i}]` : 'options.tags';
    throw invalidArgType(name, 'a name or a pattern of tags', pattern);
  });
  return (name) => checked.some((pattern) => matches(pattern, name));
}

/**
 * True if `pattern` stands for `name`. Not a regular expression, which would try all places of each `*`: here only those
 * of the last one, because an earlier `*` that takes less is never worse.
 */
function matches(pattern: string, name: string): boolean {
  let at = 0;
  let i = 0;
  /** The place after the last `*`, and the first character that it does not take. */
  let star = -1;
  let free = 0;
  while (i < name.length) {
    const wanted = pattern[at];
    if (wanted === '*') {
      star = ++at;
      free = i;
    } else if (wanted === '?') {
      at++;
      i += width(name, i);
    } else if (wanted === name[i]) {
      at++;
      i++;
    } else if (star < 0) {
      return false;
    } else {
      at = star;
      i = free += width(name, free);
    }
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}

/** Number of UTF-16 units of the character at `i`. */
function width(name: string, i: number): number {
  return name.codePointAt(i)! > 0xffff ? 2 : 1;
}
