/** Counts the different values of a feature of bytes. */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';

import type { LoopTurns } from '../../base';
import { WordCounts } from './word-counts';
import type { TakeWord, Word, WordAppender, WordTables } from './word-tables';

/**
 * Maximum length of a value, in bytes. Longer ones are represented by digests, and TensorFlow Data Validation does not
 * show them, either.
 */
const MAX_BYTES = 1024;
/**
 * Maximum length of a value that is not UTF-8, in bytes. A longer one makes the feature binary, for example one of
 * tensors or of pictures in rare formats.
 */
const MAX_BINARY_BYTES = 256;
/** The first byte of the digest of a value. It cannot start UTF-8. */
const DIGEST = Buffer.of(0xff);
/** Number of values between two checks of the clock. */
const AT_ONCE = 4096;
/** Minimum fraction of values that repeat earlier ones, for a feature to be counted in memory. */
const MIN_REPEATED = 0.5;

/** The words of a feature. */
export interface WordSummary {
  /** Number of different values. */
  readonly unique: number;
  /**
   * The most frequent values that are UTF-8 and not too long. Values of equal frequency are in descending order of
   * their bytes.
   */
  readonly top: readonly Word[];
  /** Number of values that are UTF-8 and too long. */
  readonly large: number;
}

/** The values of one feature. */
export class Words {
  /** The values, or the digests of long ones. */
  readonly #counts = new WordCounts();
  /** Number of values that were added since the memory was last cleared. */
  #added = 0;
  #large = 0;
  #binary = false;
  #stored: { readonly table: string; readonly appender: WordAppender } | undefined;
  /** True if values are written to the table directly, because few of them repeat. */
  #direct = false;

  /** True if values are too long to be counted. Then none are counted. */
  get binary(): boolean {
    return this.#binary;
  }

  /** Number of values in memory. */
  get size(): number {
    return this.#counts.size;
  }

  /** Total size of the values in memory, in bytes. */
  get bytes(): number {
    return this.#counts.bytes;
  }

  /** Stops counting values. */
  setBinary(): void {
    this.#binary = true;
    this.#clear();
  }

  /** Counts the values `begin` to `end` (exclusive) of `data`. `offsets`: the starts of the values. */
  add(data: Uint8Array, offsets: Int32Array, begin: number, end: number): void {
    if (this.#direct) {
      this.#addDirectly(data, offsets, begin, end);
      return;
    }
    const counts = this.#counts;
    this.#added += end - begin;
    for (let i = begin; i < end && !this.#binary; i++) {
      const from = offsets[i]!;
      const to = offsets[i + 1]!;
      if (to - from <= MAX_BINARY_BYTES) counts.add(data, from, to);
      else this.#addLong(data.subarray(from, to));
    }
  }

  /** Counts `word`, a value or the digest of one, `times` times: those of another object. */
  addCounted(word: Uint8Array, times: number): void {
    if (this.#binary) return;
    this.#added++;
    if (this.#direct) this.#stored!.appender.add(word, times);
    else this.#counts.add(word, 0, word.length, times);
  }

  /** Number of long values that {@link addCounted} does not count. */
  addLarge(count: number): void {
    this.#large += count;
  }

  get large(): number {
    return this.#large;
  }

  /** Calls `take` with all values and the numbers of their occurrences. Nothing can be added afterwards. */
  async each(tables: WordTables, take: TakeWord, turns: LoopTurns): Promise<void> {
    if (this.#stored !== undefined) {
      await this.moveTo(tables, turns);
      this.#stored.appender.close();
      await tables.each(this.#stored.table, take, turns);
      return;
    }
    for (let i = 0; i < this.#counts.size; i++) {
      const taken = take(this.#counts.word(i), this.#counts.count(i));
      if (taken !== undefined) await taken;
      else if (i % AT_ONCE === 0) await turns.breathe();
    }
  }

  #addLong(value: Uint8Array): void {
    const word = value.length > MAX_BYTES ? this.#digest(value) : value;
    if (this.#counts.add(word, 0, word.length) && !isUtf8(value)) this.setBinary();
  }

  #addDirectly(data: Uint8Array, offsets: Int32Array, begin: number, end: number): void {
    const { appender } = this.#stored!;
    for (let i = begin; i < end && !this.#binary; i++) {
      const value = data.subarray(offsets[i], offsets[i + 1]);
      appender.add(value.length > MAX_BYTES ? this.#digest(value) : value, 1);
      if (value.length > MAX_BINARY_BYTES && !isUtf8(value)) this.setBinary();
    }
  }

  #digest(value: Uint8Array): Buffer {
    this.#large++;
    return Buffer.concat([DIGEST, createHash('sha256').update(value).digest()]);
  }

  #clear(): void {
    this.#counts.clear();
    this.#added = 0;
  }

  /** Moves the counts to a table. */
  async moveTo(tables: WordTables, turns: LoopTurns): Promise<void> {
    const { appender } = (this.#stored ??= await tables.create());
    this.#direct = this.#added * (1 - MIN_REPEATED) < this.#counts.size;
    const counts = this.#counts;
    for (let i = 0; i < counts.size; i++) {
      appender.add(counts.word(i), counts.count(i));
      if (i % AT_ONCE === 0) await turns.breathe();
    }
    this.#clear();
  }

  /** The summary of all values, with at most `most` words. */
  async summary(tables: WordTables, most: number, turns: LoopTurns): Promise<WordSummary> {
    const large = this.#large;
    if (this.#stored !== undefined) {
      await this.moveTo(tables, turns);
      this.#stored.appender.close();
      return { ...(await tables.summary(this.#stored.table, most)), large };
    }
    return { unique: this.#counts.size, top: most === 0 ? [] : await this.#top(most, turns), large };
  }

  async #top(most: number, turns: LoopTurns): Promise<Word[]> {
    const counts = this.#counts;
    let top: number[] = [];
    let some: number[] = [];
    let least = 0;
    const sift = (): void => {
      top = [...top, ...some]
        .sort((a, b) => counts.count(b) - counts.count(a) || Buffer.compare(counts.word(b), counts.word(a)))
        .slice(0, most);
      least = top.length < most ? 0 : counts.count(top.at(-1)!);
      some = [];
    };
    for (let i = 0; i < counts.size; i++) {
      if (counts.count(i) >= least && isUtf8(counts.word(i))) some.push(i);
      if (some.length < AT_ONCE) continue;
      sift();
      await turns.breathe();
    }
    sift();
    return top.map((i) => ({ value: Buffer.from(counts.word(i)).toString(), count: counts.count(i) }));
  }
}
