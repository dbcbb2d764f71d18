/** A table of byte strings (words) and their numbers of occurrences. */
import { randomFillSync } from 'node:crypto';

/** Initial capacity of a table, in words. */
const FIRST_WORDS = 64;

/** The key of HalfSipHash in this process: it is random, so that nobody can choose words with colliding hashes. */
const [K0 = 0, K1 = 0] = randomFillSync(new Int32Array(2));

/**
 * A few arrays hold words and counts, so that a word needs neither an object nor a string. Words are found by open
 * addressing with linear probing. They are numbered from 0, in the order in which they were added.
 */
export class WordCounts {
  #size = 0;
  /** The bytes of all words. The next array has the end of each word. */
  #data = new Uint8Array(0);
  #ends = new Int32Array(0);
  #hashes = new Int32Array(0);
  #counts = new Float64Array(0);
  /** Slots with the number of a word, plus 1; 0: empty. There are at least twice as many slots as words. */
  #slots = new Int32Array(0);

  /** Number of different words. */
  get size(): number {
    return this.#size;
  }

  /** Total length of the different words, in bytes. */
  get bytes(): number {
    return this.#begin(this.#size);
  }

  /** Word `i`: a view of the table's memory, valid until the next `add`. */
  word(i: number): Uint8Array {
    return this.#data.subarray(this.#begin(i), this.#ends[i]);
  }

  /** Number of occurrences of word `i`. */
  count(i: number): number {
    return this.#counts[i]!;
  }

  /** Counts the word in `data` from `from` to `to` (exclusive), `times` times. Returns true if it is new. */
  add(data: Uint8Array, from: number, to: number, times = 1): boolean {
    if (this.#size === this.#ends.length) this.#growTable();
    const [slots, hashes] = [this.#slots, this.#hashes];
    const mask = slots.length - 1;
    const hash = halfSipHash(data, from, to);
    let slot = hash & mask;
    for (let found = slots[slot]!; found !== 0; found = slots[slot]!) {
      if (hashes[found - 1] === hash && this.#is(found - 1, data, from, to)) {
        this.#counts[found - 1]! += times;
        return false;
      }
      slot = (slot + 1) & mask;
    }
    const begin = this.#begin(this.#size);
    const end = begin + to - from;
    if (end > this.#data.length) this.#growData(end);
    const words = this.#data;
    for (let i = from, at = begin; i < to; i++) words[at++] = data[i]!;
    hashes[this.#size] = hash;
    this.#ends[this.#size] = end;
    this.#counts[this.#size] = times;
    slots[slot] = ++this.#size;
    return true;
  }

  /** Removes all words, and frees their memory. */
  clear(): void {
    this.#size = 0;
    this.#data = new Uint8Array(0);
    this.#ends = new Int32Array(0);
    this.#hashes = new Int32Array(0);
    this.#counts = new Float64Array(0);
    this.#slots = new Int32Array(0);
  }

  #begin(i: number): number {
    return i === 0 ? 0 : this.#ends[i - 1]!;
  }

  #is(i: number, data: Uint8Array, from: number, to: number): boolean {
    let at = this.#begin(i);
    if (this.#ends[i]! - at !== to - from) return false;
    const words = this.#data;
    for (let j = from; j < to; j++) if (words[at++] !== data[j]) return false;
    return true;
  }

  #growTable(): void {
    const room = Math.max(FIRST_WORDS, 2 * this.#size);
    this.#ends = grown(this.#ends, new Int32Array(room));
    this.#hashes = grown(this.#hashes, new Int32Array(room));
    this.#counts = grown(this.#counts, new Float64Array(room));
    this.#slots = new Int32Array(2 * room);
    const mask = this.#slots.length - 1;
    for (let i = 0; i < this.#size; i++) {
      let slot = this.#hashes[i]! & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = i + 1;
    }
  }

  #growData(least: number): void {
    this.#data = grown(this.#data, new Uint8Array(Math.max(least, 2 * this.#data.length)));
  }
}

function grown<T extends Uint8Array | Int32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/**
 * HalfSipHash-1-3 with 32 bits, by Aumasson and Bernstein ("SipHash: a fast short-input PRF"), of some bytes of `data`.
 */
function halfSipHash(data: Uint8Array, from: number, to: number): number {
  let v0 = K0;
  let v1 = K1;
  let v2 = 0x6c796765 ^ K0;
  let v3 = 0x74656462 ^ K1;
  // Whole words of 4 bytes; then the rest, with the length; then three rounds.
  const whole = (to - from) >>> 2;
  for (let n = 0, i = from; n < whole + 4; n++) {
    let word = 0;
    if (n < whole) {
      word = data[i]! | (data[i + 1]! << 8) | (data[i + 2]! << 16) | (data[i + 3]! << 24);
      i += 4;
    } else if (n === whole) {
      word = (to - from) << 24;
      for (let shift = 0; i < to; shift += 8) word |= data[i++]! << shift;
    } else if (n === whole + 1) {
      v2 ^= 0xff;
    }
    v3 ^= word;
    v0 = (v0 + v1) | 0;
    v2 = (v2 + v3) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v1) | 0;
    v0 = (v0 + v3) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 << 16) | (v2 >>> 16);
    v0 ^= word;
  }
  return v1 ^ v3;
}
