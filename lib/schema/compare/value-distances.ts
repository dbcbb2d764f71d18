/** Distances between two distributions of texts, from the numbers of their occurrences. */
import { compareUtf8 } from '../../example';
import { divergenceOf } from './divergence';

/** The numbers of occurrences of different texts, in the order of their bytes. */
export type TextCounts = ReadonlyMap<string, number>;

/** A distance, and the text that contributes most to it. */
export interface LargestDifference {
  readonly distance: number;
  /** Undefined if there is no difference. */
  readonly value: string | undefined;
}

/** Sorts counts. Of several counts of the same text, the first one applies. */
export function textCounts(counts: Iterable<readonly [text: string, count: number]>): TextCounts {
  const unique = new Map<string, number>();
  for (const [text, count] of counts) if (!unique.has(text)) unique.set(text, count);
  return new Map([...unique].sort(([a], [b]) => compareUtf8(a, b)));
}

/** The L-infinity distance: the largest difference of the fractions that a text has of each side. */
export function lInfinity(a: TextCounts, b: TextCounts): LargestDifference {
  return largestDifference(a, b, sum(a), sum(b));
}

/** The normalized absolute difference: the largest difference of two counts, over the sum of all counts. */
export function normalizedDifference(a: TextCounts, b: TextCounts): LargestDifference {
  const all = sum(a) + sum(b);
  return largestDifference(a, b, all, all);
}

/** The Jensen-Shannon divergence of the fractions; undefined if a side has no texts. */
export function textDivergence(a: TextCounts, b: TextCounts): number | undefined {
  const texts = [...new Set([...a.keys(), ...b.keys()])];
  const countsOf = (side: TextCounts): number[] => texts.map((text) => side.get(text) ?? 0);
  return divergenceOf(countsOf(a), countsOf(b));
}

/** The largest difference; if several are equal, that of the last text in the order of bytes. */
function largestDifference(a: TextCounts, b: TextCounts, totalA: number, totalB: number): LargestDifference {
  let largest: LargestDifference = { distance: 0, value: undefined };
  for (const text of [...new Set([...a.keys(), ...b.keys()])].sort(compareUtf8)) {
    const distance = Math.abs(share(a.get(text), totalA) - share(b.get(text), totalB));
    if (distance > 0 && distance >= largest.distance) largest = { distance, value: text };
  }
  return largest;
}

function share(count: number | undefined, total: number): number {
  return count === undefined || total === 0 ? 0 : count / total;
}

function sum(counts: TextCounts): number {
  let total = 0;
  for (const count of counts.values()) total += count;
  return total;
}
