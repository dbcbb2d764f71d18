import { onAbort, type Bytes } from '../../base';
import { MemoryPool } from '../memory/memory-pool';
import type { ObjectReader, RangeChunks } from './object-reader';
import { readAheadAfter, SPARE_BYTES } from './policy';

/** A range that is being fetched, or has been. */
class Span {
  readonly start: number;
  /** Where the range ends; earlier once the object turns out to end there. */
  end: number;
  /** Its bytes, from `start` to before `reached`. */
  readonly bytes: Bytes;
  reached: number;
  /** Number of bytes that reads have returned. */
  taken = 0;
  /** Number of reads that wait for it, or use its bytes. */
  reads = 0;
  /** True once all bytes have arrived, or no more will. */
  over = false;
  /** True once the cache has forgotten it. */
  dropped = false;
  /** True while nobody else has its memory: `read` has returned none of it, and the pool has not got it back. */
  ownsMemory = true;
  failure: { readonly error: unknown } | undefined;
  readonly chunks: RangeChunks | undefined;
  #wake: (() => void)[] = [];

  constructor(start: number, end: number, bytes: Bytes, chunks?: RangeChunks) {
    this.start = start;
    this.end = end;
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
 * The ranges of one object that readers wait for, and those that they will need next: as long as a reader that reads in order
 * has to wait, the cache fetches further ahead, several ranges at a time. Bytes are dropped as soon as they have been read.
 */
export class RangeCache {
  readonly #reader: ObjectReader;
  /** In the order of their starts. */
  #spans: Span[] = [];
  /** The memory of the spans. */
  readonly #pool = new MemoryPool(SPARE_BYTES);
  /** Signals of readers that may read on. When the last one aborts, nothing more is fetched ahead. */
  readonly #readers = new Map<AbortSignal, () => void>();
  /** Number of bytes that were read in order, and the byte after them. */
  #run = 0;
  #runEnd = 0;
  /** Number of bytes that had been read in order at the last read that had to wait. */
  #waitedRun = 0;

  /** `head`: the first bytes of the object. */
  constructor(reader: ObjectReader, head: Bytes) {
    this.#reader = reader;
    if (head.length > 0) this.#spans.push(new Span(0, head.length, head));
  }

  /**
   * Resolves with 1 to `length` bytes from `at` on; with none only at the end of the object. Rejects with a TFRecordError, or
   * with the signal's reason. Without a signal, nothing is fetched ahead.
   */
  read(at: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
    return this.#take(
      at,
      length,
      (bytes, span) => {
        if (span !== undefined) span.ownsMemory = false;
        return bytes;
      },
      signal,
    );
  }

  /** Reads as `read` does, and resolves with the result of `use`: right after that call, the bytes may change. */
  lend<T>(at: number, length: number, use: (bytes: Uint8Array) => T, signal?: AbortSignal): Promise<T> {
    return this.#take(at, length, use, signal);
  }

  async #take<T>(
    at: number,
    length: number,
    use: (bytes: Uint8Array, span?: Span) => T,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    signal?.throwIfAborted();
    const end = Math.min(at + length, this.#size);
    if (at >= end) return use(new Uint8Array(0));
    if (signal !== undefined) this.#know(signal);
    this.#follow(at, end);
    this.#fetch(at, end, end - at);
    const span = this.#spans.find((one) => one.has(at))!;
    const to = Math.min(end, span.end);
    if (span.reached < to) this.#waitedRun = this.#run;
    if (signal !== undefined) this.#fetchAhead(end);
    const forget = signal && onAbort(signal, () => span.wake());
    span.reads++;
    try {
      await span.until(to, () => signal?.aborted === true);
      signal?.throwIfAborted();
      if (at >= span.reached) {
        this.#drop(span);
        if (span.failure !== undefined) throw span.failure.error;
        return use(new Uint8Array(0));
      }
      const bytes = span.bytes.subarray(at - span.start, Math.min(to, span.reached) - span.start);
      span.taken += bytes.length;
      return use(bytes, span);
    } finally {
      span.reads--;
      forget?.();
      if (signal?.aborted === true && this.#readers.size === 0) this.#dropUnwanted();
      // Another read may wait for bytes that are still to come.
      if (span.reads === 0 && span.taken >= span.end - span.start) this.#drop(span);
      this.#recycle(span);
    }
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

  /** Fetches ahead of a read that ends at `end`. */
  #fetchAhead(end: number): void {
    const { ahead, range } = readAheadAfter(this.#waitedRun, this.#reader.policy);
    if (ahead < range) return;
    // Reads that are under way together go on in any order: what they have read up to the end of the run may be dropped by now.
    const from = this.#runEnd - end < ahead ? this.#runEnd : end;
    const to = Math.min(from + ahead, this.#size);
    let at = this.#spans.reduce(
      (reached, span) => (span.has(reached) || span.start === reached ? span.end : reached),
      from,
    );
    while (at < to && this.#underWay() < this.#reader.policy.concurrency) {
      // The last range of the reach waits until it is long enough.
      const next = Math.min(at + range, this.#size);
      if (next > to && at > from) return;
      this.#fetch(at, next, range);
      at = next;
    }
  }

  #underWay(): number {
    return this.#spans.reduce((count, { over }) => count + (over ? 0 : 1), 0);
  }

  #begin(start: number, end: number): void {
    const span = new Span(start, end, this.#pool.lease(end - start, this.#reader.name), this.#reader.range(start, end));
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
    this.#recycle(span);
  }

  #dropUnwanted(): void {
    for (const span of [...this.#spans]) if (span.reads === 0) this.#drop(span);
  }

  #drop(span: Span): void {
    this.#spans = this.#spans.filter((one) => one !== span);
    span.dropped = true;
    if (!span.over) span.chunks?.close();
    this.#recycle(span);
  }

  /** Lets later ranges use the memory of `span` once nobody fills or reads it any more. */
  #recycle(span: Span): void {
    if (!span.dropped || !span.over || span.reads > 0 || !span.ownsMemory) return;
    span.ownsMemory = false;
    this.#pool.end(span.bytes);
  }
}
