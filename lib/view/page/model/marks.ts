/** Returns sorted numbers as ranges, each from its first to before its second. */
export function rangesOf(numbers: Iterable<number>): [number, number][] {
  const ranges: [number, number][] = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last?.[1] === number) last[1]++;
    else ranges.push([number, number + 1]);
  }
  return ranges;
}
