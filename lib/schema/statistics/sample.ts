/** A sample of a stream of numbers, for quantiles. */

/** Initial size of the sample's memory. */
const FIRST_SIZE = 256;

/**
 * Keeps all numbers while they fit; then one of every 2, 4, 8 … consecutive numbers, chosen at random. For 2^16 numbers
 * that are kept, the error of a rank is then less than 1 % (five standard deviations). Choices are the same in every
 * run.
 */
export class Sample {
  #values = new Float64Array(FIRST_SIZE);
  #size = 0;
  #capacity: number;
  /** One of `#stride` numbers is kept. */
  #stride = 1;
  /** Numbers to skip before the next one to keep, and before the next block of `#stride` numbers. */
  #untilKept = 0;
  #untilBlock = 1;
  #random = 0x9e3779b9;

  /** `capacity`: maximum number of numbers to keep, a power of 2. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Number of numbers that are kept. */
  get size(): number {
    return this.#size;
  }

  /** One of `stride` numbers is kept. 1: all are. */
  get stride(): number {
    return this.#stride;
  }

  /** Reduces the capacity to `capacity` numbers. */
  limit(capacity: number): void {
    this.#capacity = Math.min(this.#capacity, capacity);
    while (this.#size > this.#capacity) this.#halve();
  }

  /** Adds numbers. None of them may be NaN. */
  add(values: Float32Array | Float64Array): void {
    let from = 0;
    while (this.#stride === 1 && from < values.length) {
      const count = Math.min(values.length - from, this.#capacity - this.#size);
      this.#reserve(this.#size + count);
      this.#values.set(values.subarray(from, from + count), this.#size);
      this.#size += count;
      from += count;
      if (this.#size === this.#capacity) this.#halve();
    }
    if (this.#stride > 1) this.#pick(values.length - from, (index) => values[from + index]!);
  }

  /** Adds `value` `count` times. */
  addRun(value: number, count: number): void {
    let left = count;
    while (this.#stride === 1 && left > 0) {
      const some = Math.min(left, this.#capacity - this.#size);
      this.#reserve(this.#size + some);
      this.#values.fill(value, this.#size, this.#size + some);
      this.#size += some;
      left -= some;
      if (this.#size === this.#capacity) this.#halve();
    }
    if (this.#stride > 1) this.#pick(left, () => value);
  }

  /** The numbers that are kept, in ascending order. */
  sorted(): Float64Array {
    return this.#values.slice(0, this.#size).sort();
  }

  /** Keeps some of the next `count` numbers. */
  #pick(count: number, value: (index: number) => number): void {
    let passed = 0;
    for (;;) {
      if (passed + this.#untilKept < count) {
        this.#values[this.#size++] = value(passed + this.#untilKept);
        this.#untilKept = Infinity;
        if (this.#size === this.#capacity) {
          passed += this.#untilBlock;
          this.#halve();
          if (passed > count) {
            this.#untilKept += passed - count;
            this.#untilBlock += passed - count;
            return;
          }
          continue;
        }
      }
      if (passed + this.#untilBlock > count) {
        this.#untilKept -= count - passed;
        this.#untilBlock -= count - passed;
        return;
      }
      passed += this.#untilBlock;
      this.#beginBlock();
    }
  }

  /** Drops one number of each two, at random, and begins a block. */
  #halve(): void {
    const values = this.#values;
    this.#size >>>= 1;
    for (let i = 0; i < this.#size; i++) values[i] = values[2 * i + (this.#next() & 1)]!;
    this.#stride *= 2;
    this.#beginBlock();
  }

  #beginBlock(): void {
    this.#untilKept = this.#next() % this.#stride;
    this.#untilBlock = this.#stride;
  }

  #reserve(size: number): void {
    if (size <= this.#values.length) return;
    const larger = new Float64Array(Math.min(this.#capacity, Math.max(size, 2 * this.#values.length)));
    larger.set(this.#values.subarray(0, this.#size));
    this.#values = larger;
  }

  /** The next number of xorshift32. */
  #next(): number {
    let x = this.#random;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return (this.#random = x >>> 0);
  }
}
