import { lengthOf } from '../../base';
import { RANGE_BYTES, useRange, type RangedSource } from '../../io';
import type { RangeFeed } from './input-stream';

/** A range at the end of the reach is read once it has so many bytes: it grows while native code reads. */
const LEAST_BYTES = 256 * 1024;

/**
 * Reads the ranges that native code wants, several at a time, and feeds it with the answers in the order in which they
 * come. It reads nothing twice: retries and the joining of ranges are up to the source.
 */
export class RangeFetcher {
  readonly #source: RangedSource;
  readonly #feed: RangeFeed;
  readonly #most: number;
  /** The reads under way: from where to where. */
  readonly #reads = new Map<number, number>();
  readonly #closing = new AbortController();
  /** The failed read that lies first, of those that native code may still need. */
  #failure: { readonly at: number; readonly error: unknown } | undefined;
  #wake: (() => void) | undefined;
  /** Number of answers that native code was fed with. */
  answers = 0;

  /** `most`: the number of reads to have under way. */
  constructor(source: RangedSource, feed: RangeFeed, most: number) {
    this.#source = source;
    this.#feed = feed;
    this.#most = most;
  }

  /** Begins to read what is wanted. `dry`: native code waits for the first range. */
  start(dry = false): void {
    if (this.#closing.signal.aborted) return;
    const wants = this.#feed.wants();
    const failedAt = this.#failedAfter(wants[0]);
    for (let i = 0; i < wants.length; i += 2) {
      const at = wants[i]!;
      const end = at + wants[i + 1]!;
      const isLast = i + 2 === wants.length && end !== this.#source.size;
      this.#begin(at, Math.min(end, failedAt), isLast, dry && i === 0);
      if (end >= failedAt) return;
    }
  }

  /**
   * Resolves when there were more than `seen` answers, or when closed. Native code must be dry. Rejects with the source's
   * error if the first range that it wants could not be read.
   */
  async answered(seen: number): Promise<void> {
    while (this.answers <= seen && !this.#closing.signal.aborted) {
      const at = this.#feed.wants()[0];
      if (this.#failure !== undefined && at === this.#failure.at) throw this.#failure.error;
      this.start(true);
      if (this.#reads.size === 0) return;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** Aborts all reads, and waits for none. */
  close(): void {
    this.#closing.abort();
    this.#awake();
  }

  /** Returns where the failed read begins; Infinity if there is none. Native code no longer needs those before `at`. */
  #failedAfter(at: number | undefined): number {
    if (at !== undefined && this.#failure !== undefined && this.#failure.at < at) this.#failure = undefined;
    return this.#failure?.at ?? Infinity;
  }

  /**
   * Begins the reads for a wanted range, as far as none is under way. `grows`: the end of the reach, which is worth a read
   * only when it is long enough. `urgent`: its first byte is needed now.
   */
  #begin(from: number, end: number, grows: boolean, urgent: boolean): void {
    for (let at = from; at < end;) {
      const read = [...this.#reads].find(([begin, until]) => begin <= at && at < until);
      if (read !== undefined) {
        at = read[1];
        continue;
      }
      const next = Math.min(end, ...[...this.#reads.keys()].filter((begin) => begin > at));
      const to = Math.min(next, at + RANGE_BYTES);
      const isUrgent = urgent && at === from;
      if (!isUrgent && (this.#reads.size >= this.#most || (grows && to === end && to - at < LEAST_BYTES))) return;
      void this.#read(at, to - at);
      at = to;
    }
  }

  async #read(at: number, length: number): Promise<void> {
    const { signal } = this.#closing;
    this.#reads.set(at, at + length);
    try {
      await useRange(this.#source, at, length, (bytes) => this.#take(at, bytes), signal);
      if (signal.aborted) return;
      this.#reads.delete(at);
      this.start();
    } catch (error) {
      this.#reads.delete(at);
      if (this.#failure === undefined || at < this.#failure.at) this.#failure = { at, error };
    }
    this.#awake();
  }

  #take(at: number, bytes: Uint8Array): void {
    if (this.#closing.signal.aborted) return;
    if (lengthOf(bytes) === 0) this.#feed.endAt(at);
    else this.#feed.feedRange(at, bytes);
    this.answers++;
  }

  #awake(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}
