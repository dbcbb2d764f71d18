/** Makes lines of the buckets of curves. */
import {
  BUCKET_WIDTH,
  COUNT,
  MAX,
  MAX_STEP,
  MAX_TIME,
  MEAN,
  MIN,
  MIN_STEP,
  MIN_TIME,
  STEP,
  TIME,
} from '../../protocol/buckets';

/** The measure of the x axis. `relative`: seconds since the first value of each curve. */
export type XAxis = 'step' | 'relative' | 'time';

/** Points by ascending x. A y of NaN is a gap. */
export interface Line {
  readonly xs: Float64Array;
  readonly ys: Float64Array;
}

/** Buckets of a curve, one after another, and the time of its first value. */
export interface Buckets {
  readonly numbers: Float64Array;
  readonly start: number;
}

/** Returns the line through the least and the greatest value of each bucket. */
export function rawLine({ numbers, start }: Buckets, axis: XAxis): Line {
  const points = new Points((2 * numbers.length) / BUCKET_WIDTH);
  const add = (at: number, step: number, time: number, value: number): void =>
    points.add(axis === 'step' ? numbers[at + step]! : numbers[at + time]! - (axis === 'time' ? 0 : start), value);
  for (let at = 0; at < numbers.length; at += BUCKET_WIDTH) {
    const count = numbers[at + COUNT]!;
    if (count === 0) {
      add(at, STEP, TIME, NaN);
      continue;
    }
    add(at, MIN_STEP, MIN_TIME, numbers[at + MIN]!);
    if (count > 1) add(at, MAX_STEP, MAX_TIME, numbers[at + MAX]!);
  }
  return points.line();
}

/**
 * Returns the exponential moving average of the values, as TensorBoard computes it: each value counts 1 − `weight`, and the
 * average is divided by the sum of the weights, so that it does not begin near zero. A bucket of n values counts as n times
 * its mean. `weight`: from 0 to less than 1.
 */
export function smoothLine({ numbers, start }: Buckets, axis: XAxis, weight: number): Line {
  const points = new Points(numbers.length / BUCKET_WIDTH);
  let sum = 0;
  let count = 0;
  for (let at = 0; at < numbers.length; at += BUCKET_WIDTH) {
    const more = numbers[at + COUNT]!;
    const x = axis === 'step' ? numbers[at + STEP]! : numbers[at + TIME]! - (axis === 'time' ? 0 : start);
    if (more === 0) {
      points.add(x, NaN);
      continue;
    }
    const kept = weight ** more;
    sum = sum * kept + (1 - kept) * numbers[at + MEAN]!;
    count += more;
    points.add(x, sum / (1 - weight ** count));
  }
  return points.line();
}

/** Collects points, which logs may have in any order. */
class Points {
  readonly #xs: Float64Array;
  readonly #ys: Float64Array;
  #count = 0;
  #ascends = true;

  constructor(most: number) {
    this.#xs = new Float64Array(most);
    this.#ys = new Float64Array(most);
  }

  add(x: number, y: number): void {
    if (!Number.isFinite(x)) return;
    if (this.#count > 0 && x < this.#xs[this.#count - 1]!) this.#ascends = false;
    this.#xs[this.#count] = x;
    this.#ys[this.#count++] = y;
  }

  line(): Line {
    const xs = this.#xs.subarray(0, this.#count);
    const ys = this.#ys.subarray(0, this.#count);
    if (this.#ascends) return { xs, ys };
    const order = Array.from(xs.keys()).sort((a, b) => xs[a]! - xs[b]!);
    return { xs: Float64Array.from(order, (i) => xs[i]!), ys: Float64Array.from(order, (i) => ys[i]!) };
  }
}

/** Returns the index of the point of `xs` that is nearest to `x`; -1 if there is none. */
export function nearest(xs: Float64Array, x: number): number {
  let low = 0;
  let high = xs.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (xs[middle]! < x) low = middle + 1;
    else high = middle;
  }
  if (low > 0 && x - xs[low - 1]! < xs[low]! - x) low--;
  return xs.length === 0 ? -1 : low;
}
