/** The Jensen-Shannon divergence of two histograms, over common boundaries. */
import { firstIndex } from '../../base';
import type { BucketMessage, HistogramMessage } from '../statistics/message';
import { divergenceOf } from './divergence';

/**
 * The divergence of two histograms of one type. Both are divided at the boundaries of both; within a bucket, values are
 * taken to be spread evenly. A bucket without width is a cell of its own, apart from the bucket around it. NaN and
 * infinities always count as different, even if both sides have them. Undefined if a side has no values.
 */
export function histogramDivergence(a: HistogramMessage, b: HistogramMessage): number | undefined {
  const [one, two] = [partsOf(a), partsOf(b)];
  const boundaries = sortedBoundaries([...one.wide, ...two.wide]);
  const points = [...new Set([...one.points.keys(), ...two.points.keys()])];
  const cellsOf = ({ wide, points: own }: Parts): number[] => [
    ...divided(wide, boundaries),
    ...points.map((point) => own.get(point) ?? 0),
  ];
  return divergenceOf([...cellsOf(one), one.infinite, 0, one.nans, 0], [...cellsOf(two), 0, two.infinite, 0, two.nans]);
}

/** True if the buckets are in ascending order, do not overlap, and have no negative count. */
export function isOrderly({ buckets }: HistogramMessage): boolean {
  let reached = -Infinity;
  return buckets.every((bucket) => {
    const { lowValue: low, highValue: high, sampleCount: count } = bucket;
    if (!(count >= 0 && count < Infinity)) return false;
    if (!isFinite(bucket)) return true;
    const fits = low >= reached && high >= low;
    reached = high;
    return fits;
  });
}

/** The buckets of a histogram by their form. */
interface Parts {
  /** Buckets with a width. */
  readonly wide: readonly BucketMessage[];
  /** Counts of buckets without a width, by their value. */
  readonly points: ReadonlyMap<number, number>;
  /** Number of values in buckets with an infinite bound. */
  readonly infinite: number;
  readonly nans: number;
}

function partsOf({ buckets, numNan }: HistogramMessage): Parts {
  const wide: BucketMessage[] = [];
  const points = new Map<number, number>();
  let infinite = 0;
  for (const bucket of buckets) {
    const { lowValue, highValue, sampleCount } = bucket;
    if (!isFinite(bucket)) infinite += sampleCount;
    else if (lowValue === highValue) points.set(lowValue, (points.get(lowValue) ?? 0) + sampleCount);
    else wide.push(bucket);
  }
  return { wide, points, infinite, nans: Number(numNan) };
}

function isFinite({ lowValue, highValue }: BucketMessage): boolean {
  return Number.isFinite(lowValue) && Number.isFinite(highValue);
}

function sortedBoundaries(buckets: readonly BucketMessage[]): Float64Array {
  const values = new Set(buckets.flatMap(({ lowValue, highValue }) => [lowValue, highValue]));
  return Float64Array.from(values).sort();
}

/** The number of values between each two neighbouring boundaries, which include those of the buckets. */
function divided(buckets: readonly BucketMessage[], boundaries: Float64Array): number[] {
  const cells = Array.from({ length: Math.max(boundaries.length - 1, 0) }, () => 0);
  for (const { lowValue: low, highValue: high, sampleCount } of buckets) {
    // The difference of two large numbers may overflow.
    const scale = Number.isFinite(high - low) ? 1 : 0.25;
    const width = high * scale - low * scale;
    for (let i = firstIndex(boundaries.length, (at) => boundaries[at]! >= low); boundaries[i]! < high; i++) {
      cells[i]! += ((boundaries[i + 1]! * scale - boundaries[i]! * scale) / width) * sampleCount;
    }
  }
  return cells;
}
