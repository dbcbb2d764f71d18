/** The different values of features of bytes, and how often each occurs. */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';

import type { LoopTurns } from '../../base';
import { WordCounts } from './word-counts';
import type { Word, WordAppender, WordTables } from './word-tables';

/** Longer values are known by their digests. TensorFlow Data Validation does not show them, either. */
const MOST_BYTES = 1024;
/** A longer value that is not UTF-8 makes a feature binary, such as one of tensors or of pictures of rare formats. */
const MOST_BINARY_BYTES = 256;
/** Begins the digest of a value. No UTF-8 begins with it. */
const DIGEST = Buffer.of(0xff);
/** Values that are looked at between two looks at the clock. */
const AT_ONCE = 4096;
/** A feature is counted in memory while a value of it is found there so often. */
const LEAST_FOUND = 0.5;

/** The words of a feature. */
export interface WordSummary {
  /** Number of different values. */
  readonly unique: number;
  /** The most frequent ones that are UTF-8 and not too long; of equals, the greater one in the order of bytes first. */
  readonly top: readonly Word[];
  /** Number of values that are UTF-8 and too long. */
  readonly large: number;
}

/** The values of one feature. */
export class Words {
  /** The values, or the digests of long ones. */
  readonly #counts = new WordCounts();
  /** Number of values that were counted in memory since it was empty. */
  #added = 0;
  #large = 0;
  #binary = false;
  #stored: { readonly table: string; readonly appender: WordAppender } | undefined;
  /** Values go to the table at once, because few come again. */
  #direct = false;

  /** True if values were found that are too long to be counted. Then none are. */
  get binary(): boolean {
    return this.#binary;
  }

  /** Number of values in memory. */
  get size(): number {
    return this.#counts.size;
  }

  /** Size of the values in memory. */
  get bytes(): number {
    return this.#counts.bytes;
  }

  /** Counts no values any more. */
  setBinary(): void {
    this.#binary = true;
    this.#clear();
  }

  /** Counts the values that begin at `offsets` in `data`, from number `begin` to the one before `end`. */
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
      if (to - from <= MOST_BINARY_BYTES) counts.add(data, from, to);
      else this.#addLong(data.subarray(from, to));
    }
  }

  #addLong(value: Uint8Array): void {
    const word = value.length > MOST_BYTES ? this.#digest(value) : value;
    if (this.#counts.add(word, 0, word.length) && !isUtf8(value)) this.setBinary();
  }

  #addDirectly(data: Uint8Array, offsets: Int32Array, begin: number, end: number): void {
    const { appender } = this.#stored!;
    for (let i = begin; i < end && !this.#binary; i++) {
      const value = data.subarray(offsets[i], offsets[i + 1]);
      appender.add(value.length > MOST_BYTES ? this.#digest(value) : value, 1);
      if (value.length > MOST_BINARY_BYTES && !isUtf8(value)) this.setBinary();
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

  /** Moves what was counted to a table. */
  async moveTo(tables: WordTables, turns: LoopTurns): Promise<void> {
    const { appender } = (this.#stored ??= await tables.create());
    this.#direct = this.#added * (1 - LEAST_FOUND) < this.#counts.size;
    const counts = this.#counts;
    for (let i = 0; i < counts.size; i++) {
      appender.add(counts.word(i), counts.count(i));
      if (i % AT_ONCE === 0) await turns.breathe();
    }
    this.#clear();
  }

  /** The summary of all that was counted, with up to `most` words. */
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
