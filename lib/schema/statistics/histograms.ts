/** Histograms of numbers, from a sorted sample of them. */
import { firstIndex } from '../../base';
import type { BucketMessage, HistogramMessage } from './message';

/** Number of buckets in a histogram. */
const BUCKETS = 10;
export const STANDARD = 0;
export const QUANTILES = 1;

/** The quantile `numerator / denominator` of `sorted`. */
function quantile(sorted: Float64Array, numerator: number, denominator: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * numerator) / denominator))]!;
}

/** The median of `sorted`; for an even number, the upper one of the two middle numbers. */
export function median(sorted: Float64Array): number {
  return quantile(sorted, 1, 2);
}

/** Numbers, or a sample of them. */
export interface Numbers {
  /** The sample, or all numbers, in ascending order. Not empty. */
  readonly sorted: Float64Array;
  /** Number of all numbers. */
  readonly count: number;
  readonly min: number;
  readonly max: number;
}

/** Ten buckets, each with a tenth of the numbers. */
export function quantilesHistogram({ sorted, count, min, max }: Numbers, numNan = 0): HistogramMessage {
  const bounds = Array.from({ length: BUCKETS + 1 }, (_, i) =>
    i === 0 ? min : i === BUCKETS ? max : quantile(sorted, i, BUCKETS),
  );
  const buckets = bounds
    .slice(1)
    .map((high, i): BucketMessage => ({ lowValue: bounds[i]!, highValue: high, sampleCount: count / BUCKETS }));
  return histogram(QUANTILES, buckets, numNan);
}

/** The bounds of finite numbers, and the counts of others. */
export interface Bounds {
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly nans: number;
  readonly negativeInfinities: number;
  readonly positiveInfinities: number;
}

/** Ten buckets of equal width over the finite numbers (one, if all are equal), and one for each infinity. */
export function standardHistogram(sorted: Float64Array, finite: number, bounds: Bounds): HistogramMessage {
  const { min, max, nans, negativeInfinities, positiveInfinities } = bounds;
  const buckets: BucketMessage[] = [];
  const infinite = (value: number, count: number): void => {
    if (count > 0) buckets.push({ lowValue: value, highValue: value, sampleCount: count });
  };
  infinite(-Infinity, negativeInfinities);
  if (min !== undefined && max !== undefined) buckets.push(...equalBuckets(sorted, finite, min, max));
  infinite(Infinity, positiveInfinities);
  return histogram(STANDARD, buckets, nans);
}

function equalBuckets(sorted: Float64Array, count: number, min: number, max: number): BucketMessage[] {
  if (min === max) return [{ lowValue: min, highValue: max, sampleCount: count }];
  const lows = Array.from({ length: BUCKETS }, (_, i) => min + (i / BUCKETS) * (max - min));
  const begin = firstAbove(sorted, -Infinity);
  const end = firstNotBelow(sorted, Infinity);
  // A sample may lack the numbers.
  const scale = end > begin ? count / (end - begin) : 0;
  let from = begin;
  return lows.map((lowValue, i) => {
    const highValue = lows[i + 1] ?? max;
    const to = i === BUCKETS - 1 ? end : firstNotBelow(sorted, highValue);
    const sampleCount = (to - from) * scale;
    from = to;
    return { lowValue, highValue, sampleCount };
  });
}

/** Index of the first number that is at least `value`. */
function firstNotBelow(sorted: Float64Array, value: number): number {
  return firstIndex(sorted.length, (i) => !(sorted[i]! < value));
}

function firstAbove(sorted: Float64Array, value: number): number {
  let index = firstNotBelow(sorted, value);
  while (index < sorted.length && sorted[index] === value) index++;
  return index;
}

function histogram(type: number, buckets: BucketMessage[], numNan: number): HistogramMessage {
  return { numNan: BigInt(numNan), numUndefined: 0n, buckets, type, name: '' };
}

/** A histogram that contains only the number of NaN. */
export function onlyNaN(type: number, nans: number): HistogramMessage {
  return histogram(type, [], nans);
}
