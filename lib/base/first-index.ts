/**
 * Returns the first index below `count` for which `holds` is true; `count` if there is none. Searches by halving, so `holds` must
 * be true for all indexes after one for which it is true.
 */
export function firstIndex(count: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    // Not by shifts of bits: numbers of records can have more than 31.
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
