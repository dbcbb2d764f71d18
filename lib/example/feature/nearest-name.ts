/** Maximum length of a name to compare: the time grows with the square of the length. */
const MAX_LENGTH = 64;
/** Maximum number of names to compare. */
const MAX_NAMES = 4096;

/**
 * Returns the name among `names` that `name` was probably meant to be: at most a third of its characters differ, or
 * only their case. Undefined if there is none.
 *
 * @example
 * nearestName('image/encode', ['image/encoded', 'label']); // 'image/encoded'
 */
export function nearestName(name: string, names: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let least = Math.floor(Math.min(name.length, 12) / 3) + 1;
  let looked = 0;
  for (const other of names) {
    if (++looked > MAX_NAMES) break;
    if (other === name || other.length > MAX_LENGTH || name.length > MAX_LENGTH) continue;
    const distance = other.toLowerCase() === name.toLowerCase() ? 0.5 : distanceOf(name, other);
    if (distance < least) [nearest, least] = [other, distance];
  }
  return nearest;
}

/** Returns ` Did you mean "age"?` for a name among `names` that is near to `name`; empty text if there is none. */
export function nearestHint(name: string, names: Iterable<string>): string {
  const nearest = nearestName(name, names);
  return nearest === undefined ? '' : ` Did you mean ${JSON.stringify(nearest)}?`;
}

/**
 * Returns the edit distance of `a` and `b`: the number of characters to insert, remove, replace or swap with the next.
 */
function distanceOf(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1);
      row.push(cost);
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
}
