/** A sample of a stream of numbers, for quantiles. */

/** Initial size of the sample's memory. */
const FIRST_SIZE = 256;

/**
 * Keeps all numbers while they fit; then one of every 2, 4, 8 … consecutive numbers, chosen at random. For 2^16 numbers
 * that are kept, the error of a rank is then less than 1 % (five standard deviations). Choices are the same in every
 * run.
 */
/** The state of a sample, from which it goes on. */
export interface SampleState {
  /** The numbers that are kept, in the order in which they were added. */
  readonly values: Float64Array;
  readonly stride: number;
  readonly untilKept: number;
  readonly untilBlock: number;
  readonly random: number;
}

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

  /** The state now. It shares the memory of the sample until the next call of another method. */
  get state(): SampleState {
    return {
      values: this.#values.subarray(0, this.#size),
      stride: this.#stride,
      untilKept: this.#untilKept,
      untilBlock: this.#untilBlock,
      random: this.#random,
    };
  }

  /**
   * Adds the numbers of another sample, whose state it was. If that one has all its numbers, the result is that of adding
   * them; if this one is empty, it is the other one. Else both are thinned to the same stride.
   */
  merge({ values, stride, untilKept, untilBlock, random }: SampleState): void {
    if (stride === 1) {
      this.add(values);
      return;
    }
    const other = new Sample(this.#capacity);
    other.#take(values, stride, random);
    if (this.#size === 0 && this.#stride === 1) {
      this.#take(values, stride, random);
      [this.#untilKept, this.#untilBlock] = [untilKept, untilBlock];
    } else {
      while (this.#stride < stride) this.#halve();
      while (other.#stride < this.#stride) other.#halve();
      const both = new Float64Array(this.#size + other.#size);
      both.set(this.#values.subarray(0, this.#size));
      both.set(other.#values.subarray(0, other.#size), this.#size);
      this.#take(both, this.#stride, this.#random);
      this.#beginBlock();
    }
    while (this.#size >= this.#capacity) this.#halve();
  }

  /** Replaces the numbers that are kept. */
  #take(values: Float64Array, stride: number, random: number): void {
    const memory = new Float64Array(Math.max(values.length, this.#capacity));
    memory.set(values);
    [this.#values, this.#size, this.#stride, this.#random] = [memory, values.length, stride, random];
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
