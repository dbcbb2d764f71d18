/** The values of one tag of one run, in bounded memory: neighbours share a bucket if there are many. */
import { BUCKET_WIDTH, COUNT, MAX, MAX_TIME, MEAN, MIN, MIN_TIME, packNumbers, STEP, TIME } from '../../protocol';

const FIRST_BUCKETS = 16;

/**
 * A curve of at most `limit` buckets. While there are no more values, each has a bucket of its own. Then all buckets are merged
 * in pairs, so that the extremes, the number and the mean of the values in a bucket stay exact.
 */
export class Curve {
  #numbers = new Float64Array(FIRST_BUCKETS * BUCKET_WIDTH);
  #buckets = 0;
  /** Number of values in a full bucket, and in the last one. */
  #perBucket = 1;
  #inLast = 0;
  #limit: number;
  #generation = 0;
  #values = 0;
  #gaps = 0;
  #start = 0;

  /** @param limit an even number */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Number of values. */
  get values(): number {
    return this.#values;
  }

  /** Number of values that are NaN or infinite. */
  get gaps(): number {
    return this.#gaps;
  }

  /** Time of the first value. */
  get start(): number {
    return this.#start;
  }

  /** Number of buckets. Only the last one changes, until `generation` does. */
  get buckets(): number {
    return this.#buckets;
  }

  /** Number of times that buckets were merged. */
  get generation(): number {
    return this.#generation;
  }

  /** Adds a value, which was logged at `time` (seconds since 1970). */
  add(step: number, time: number, value: number): void {
    if (this.#values++ === 0) this.#start = time;
    if (this.#inLast === this.#perBucket || this.#buckets === 0) this.#begin();
    const numbers = this.#numbers;
    const at = (this.#buckets - 1) * BUCKET_WIDTH;
    this.#inLast++;
    numbers[at + STEP] = step;
    numbers[at + TIME] = time;
    if (!Number.isFinite(value)) {
      this.#gaps++;
      return;
    }
    const count = ++numbers[at + COUNT]!;
    // Divided first, because a difference of finite values may be infinite.
    numbers[at + MEAN]! += value / count - numbers[at + MEAN]! / count;
    if (count === 1 || value < numbers[at + MIN]!) numbers.set([value, step, time], at + MIN);
    if (count === 1 || value > numbers[at + MAX]!) numbers.set([value, step, time], at + MAX);
  }

  /** Merges buckets until there are at most `limit`, now and later. */
  limitTo(limit: number): void {
    this.#limit = limit;
    while (this.#buckets > limit) this.#merge();
    const size = Math.max(FIRST_BUCKETS, this.#buckets) * BUCKET_WIDTH;
    if (this.#numbers.length > 2 * size) this.#numbers = this.#numbers.slice(0, size);
  }

  /** Returns the buckets from number `from` on. */
  packed(from: number): Uint8Array {
    return packNumbers(this.#numbers.subarray(from * BUCKET_WIDTH, this.#buckets * BUCKET_WIDTH));
  }

  /** Makes room for a value in the last bucket. */
  #begin(): void {
    if (this.#buckets >= this.#limit) {
      this.#merge();
      if (this.#inLast < this.#perBucket) return;
    }
    const at = this.#buckets++ * BUCKET_WIDTH;
    if (at === this.#numbers.length) {
      const grown = new Float64Array(Math.min(2 * at, this.#limit * BUCKET_WIDTH));
      grown.set(this.#numbers);
      this.#numbers = grown;
    }
    this.#numbers.fill(0, at, at + BUCKET_WIDTH);
    this.#inLast = 0;
  }

  #merge(): void {
    const numbers = this.#numbers;
    const pairs = this.#buckets >> 1;
    for (let pair = 0; pair < pairs; pair++) {
      const first = 2 * pair * BUCKET_WIDTH;
      mergeInto(numbers, first, first + BUCKET_WIDTH);
      numbers.copyWithin(pair * BUCKET_WIDTH, first, first + BUCKET_WIDTH);
    }
    if (this.#buckets % 2 === 1) {
      const last = (this.#buckets - 1) * BUCKET_WIDTH;
      numbers.copyWithin(pairs * BUCKET_WIDTH, last, last + BUCKET_WIDTH);
    } else this.#inLast += this.#perBucket;
    this.#buckets -= pairs;
    this.#perBucket *= 2;
    this.#generation++;
  }
}

/** Adds the values of the bucket at `second` to the one at `first`, which is before it. */
function mergeInto(numbers: Float64Array, first: number, second: number): void {
  numbers.copyWithin(first + STEP, second + STEP, second + TIME + 1);
  const [before, more] = [numbers[first + COUNT]!, numbers[second + COUNT]!];
  if (more === 0) return;
  const count = before + more;
  numbers[first + COUNT] = count;
  numbers[first + MEAN] = numbers[first + MEAN]! * (before / count) + numbers[second + MEAN]! * (more / count);
  if (before === 0 || numbers[second + MIN]! < numbers[first + MIN]!) {
    numbers.copyWithin(first + MIN, second + MIN, second + MIN_TIME + 1);
  }
  if (before === 0 || numbers[second + MAX]! > numbers[first + MAX]!) {
    numbers.copyWithin(first + MAX, second + MAX, second + MAX_TIME + 1);
  }
}
