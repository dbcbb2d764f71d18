import { threefryInto, type Words } from './threefry';

const TWO_32 = 2 ** 32;
const TWO_53 = 2 ** 53;

/**
 * The sequence of random numbers under one key. The order contract (`docs/datasets.md`, `order: 1`) defines it: draw i
 * is word `i & 1` of the block at `floor(i / 2)`.
 */
export class Draws {
  /** The key's words, signed: see `#word`. */
  readonly #low: number;
  readonly #high: number;
  /** The block of the last draw. */
  readonly #block = new Int32Array(2);
  #drawn: number;
  /** The last argument n of `below`, and the limit of unbiased draws for it: the largest multiple of n within 2^32. */
  #n = 1;
  #limit = TWO_32;

  /** @param drawn number of earlier draws to skip */
  constructor(key: Words, drawn = 0) {
    this.#low = key.low | 0;
    this.#high = key.high | 0;
    this.#drawn = drawn;
    this.skipTo(drawn);
  }

  /** Number of draws so far. */
  get drawn(): number {
    return this.#drawn;
  }

  /** Continues after `drawn` draws. */
  skipTo(drawn: number): void {
    this.#drawn = drawn;
    if (drawn % 2 === 1) this.#load(drawn - 1);
  }

  /** Returns an integer from 0 to 2^32 - 1. */
  uint32(): number {
    return this.#word() >>> 0;
  }

  /** Returns an integer from 0 to `n - 1`, all equally likely; `n` is from 1 to 2^32. */
  below(n: number): number {
    if (n !== this.#n) {
      this.#n = n;
      this.#limit = TWO_32 - (TWO_32 % n);
    }
    let x = this.#word() >>> 0;
    while (x >= this.#limit) x = this.#word() >>> 0;
    // `>>> 0` makes both operands uint32, for which V8 computes `%` without a call.
    return n === TWO_32 ? x : x % (n >>> 0);
  }

  /** Draws `count` integers from 0 to `n - 1` into `to`, like {@link below}; `n` is from 1 to 2^31. */
  fillBelow(n: number, to: Int32Array, count: number): void {
    for (let i = 0; i < count; i++) to[i] = this.below(n);
  }

  /** Returns a number of 53 bits in [0, 1): two draws. */
  float(): number {
    const a = this.uint32();
    const b = this.uint32();
    return ((a >>> 5) * 2 ** 26 + (b >>> 6)) / TWO_53;
  }

  /** Returns a number of the standard normal distribution: four draws. */
  normal(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.float()));
    return radius * Math.cos(2 * Math.PI * this.float());
  }

  /** Returns the next 32 bits, as a signed integer, which V8 returns without allocating. */
  #word(): number {
    const i = this.#drawn++;
    if (i % 2 === 0) this.#load(i);
    return this.#block[i % 2]!;
  }

  #load(i: number): void {
    const counter = Math.floor(i / 2);
    threefryInto(this.#block, this.#low, this.#high, counter | 0, Math.floor(counter / TWO_32));
  }
}
