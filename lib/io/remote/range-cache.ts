import { onAbort } from '../../base';
import type { ObjectReader, RangeChunks } from './object-reader';
import { readAheadAfter } from './policy';

/** A range that is being fetched, or has been. */
class Span {
  readonly start: number;
  /** Where the range ends; earlier once the object turns out to end there. */
  end: number;
  /** Its bytes, from `start` to before `reached`. */
  readonly bytes: Uint8Array;
  reached: number;
  /** Number of bytes that reads have returned. */
  taken = 0;
  /** Number of reads that wait for it. */
  waiting = 0;
  /** True once all bytes have arrived, or no more will. */
  over = false;
  failure: { readonly error: unknown } | undefined;
  readonly chunks: RangeChunks | undefined;
  #wake: (() => void)[] = [];

  constructor(start: number, bytes: Uint8Array, chunks?: RangeChunks) {
    this.start = start;
    this.end = start + bytes.length;
    this.bytes = bytes;
    this.reached = chunks === undefined ? this.end : start;
    this.over = chunks === undefined;
    this.chunks = chunks;
  }

  has(at: number): boolean {
    return this.start <= at && at < this.end;
  }

  /** Resolves when the bytes before `to` have arrived, or no more will, or `isOver` returns true after `wake`. */
  async until(to: number, isOver: () => boolean): Promise<void> {
    while (this.reached < to && !this.over && !isOver()) await new Promise<void>((resolve) => this.#wake.push(resolve));
  }

  wake(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}

/**
 * The ranges of one object that readers wait for, and those that they will need next: the longer a reader reads in order, the
 * further the cache fetches ahead, several ranges at a time. Bytes are dropped as soon as they have been read.
 */
export class RangeCache {
  readonly #reader: ObjectReader;
  /** In the order of their starts. */
  #spans: Span[] = [];
  /** Signals of readers that may read on. When the last one aborts, nothing more is fetched ahead. */
  readonly #readers = new Map<AbortSignal, () => void>();
  /** Number of bytes that were read in order, and the byte after them. */
  #run = 0;
  #runEnd = 0;

  /** `head`: the first bytes of the object. */
  constructor(reader: ObjectReader, head: Uint8Array) {
    this.#reader = reader;
    if (head.length > 0) this.#spans.push(new Span(0, head));
  }

  /**
   * Resolves with 1 to `length` bytes from `at` on; with none only at the end of the object. Rejects with a TFRecordError, or
   * with the signal's reason. Without a signal, nothing is fetched ahead.
   */
  async read(at: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
    signal?.throwIfAborted();
    const end = Math.min(at + length, this.#size);
    if (at >= end) return new Uint8Array(0);
    if (signal !== undefined) this.#know(signal);
    this.#follow(at, end);
    this.#fetch(at, end, end - at);
    if (signal !== undefined) this.#fetchAhead(end);
    const span = this.#spans.find((one) => one.has(at))!;
    const to = Math.min(end, span.end);
    const forget = signal && onAbort(signal, () => span.wake());
    span.waiting++;
    try {
      await span.until(to, () => signal?.aborted === true);
    } finally {
      span.waiting--;
      if (signal?.aborted === true && this.#readers.size === 0) this.#dropUnwanted();
      forget?.();
    }
    signal?.throwIfAborted();
    if (at >= span.reached) {
      this.#drop(span);
      if (span.failure !== undefined) throw span.failure.error;
      return new Uint8Array(0);
    }
    const bytes = span.bytes.subarray(at - span.start, Math.min(to, span.reached) - span.start);
    span.taken += bytes.length;
    if (span.taken >= span.end - span.start) this.#drop(span);
    return bytes;
  }

  get #size(): number {
    return this.#reader.facts?.size ?? Infinity;
  }

  /** Notes a reader until its signal aborts. */
  #know(signal: AbortSignal): void {
    if (this.#readers.has(signal)) return;
    const forget = onAbort(signal, () => {
      this.#readers.get(signal)?.();
      this.#readers.delete(signal);
      if (this.#readers.size === 0) this.#dropUnwanted();
    });
    this.#readers.set(signal, forget);
  }

  /** Notes a read. If it does not continue another one, it is a jump: ranges that were fetched ahead are dropped. */
  #follow(at: number, end: number): void {
    const goesOn = at === this.#runEnd || this.#spans.some((span) => span.has(at));
    if (!goesOn) {
      this.#run = 0;
      this.#dropUnwanted();
    }
    if (goesOn && end <= this.#runEnd) return;
    this.#run += end - Math.max(at, goesOn ? this.#runEnd : at);
    this.#runEnd = end;
  }

  /** Fetches what is missing from `from` to before `to`, in ranges of at most `range` bytes. */
  #fetch(from: number, to: number, range: number): void {
    for (let at = from; at < to;) {
      const begun = this.#spans.find((span) => span.has(at));
      if (begun !== undefined) {
        at = begun.end;
        continue;
      }
      const next = Math.min(to, ...this.#spans.filter(({ start }) => start > at).map(({ start }) => start));
      const end = Math.min(next, at + range);
      this.#begin(at, end);
      at = end;
    }
  }

  #fetchAhead(from: number): void {
    const { ahead, range } = readAheadAfter(this.#run, this.#reader.policy);
    if (ahead < range) return;
    const to = Math.min(from + ahead, this.#size);
    let at = this.#spans.reduce(
      (reached, span) => (span.has(reached) || span.start === reached ? span.end : reached),
      from,
    );
    while (at < to && this.#underWay() < this.#reader.policy.concurrency) {
      // The last range of the reach waits until it is long enough.
      const end = Math.min(at + range, this.#size);
      if (end > to && at > from) return;
      this.#fetch(at, end, range);
      at = end;
    }
  }

  #underWay(): number {
    return this.#spans.reduce((count, { over }) => count + (over ? 0 : 1), 0);
  }

  #begin(start: number, end: number): void {
    const span = new Span(start, new Uint8Array(end - start), this.#reader.range(start, end));
    this.#spans.push(span);
    this.#spans.sort((a, b) => a.start - b.start);
    void this.#fill(span, span.chunks!);
  }

  async #fill(span: Span, chunks: RangeChunks): Promise<void> {
    try {
      for (let chunk = await chunks.next(); chunk !== undefined; chunk = await chunks.next()) {
        span.bytes.set(chunk, span.reached - span.start);
        span.reached += chunk.length;
        span.wake();
      }
    } catch (error) {
      span.failure = { error };
    }
    // Later reads request what is missing, or learn that the object ends here. A failure is that of the first missing byte.
    span.over = true;
    span.end = span.failure === undefined ? span.reached : span.reached + 1;
    span.wake();
  }

  #dropUnwanted(): void {
    for (const span of [...this.#spans]) if (span.waiting === 0) this.#drop(span);
  }

  #drop(span: Span): void {
    this.#spans = this.#spans.filter((one) => one !== span);
    if (!span.over) span.chunks?.close();
  }
}
