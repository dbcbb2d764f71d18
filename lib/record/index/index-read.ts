import { faultError, HEADER_BYTES, type Bytes, type Fault, type TFRecordError } from '../../base';
import type { ClassifiedSource } from '../../io';
import { FillOutcome, type IndexJump } from '../../native';
import { ErrorPolicy } from '../error-policy';
import { InputSequence } from '../read/input-sequence';
import type { FilledSlab, Splitter, Step } from '../read/input-stream';
import { slabStreams } from '../read/record-cursor';
import type { AheadBudget } from '../read/slab-sizer';
import { isSkippable } from '../read/splitter';
import type { IndexSettings } from './index-scan';

/** A record that was read by its number. */
export interface PlacedRecord {
  /** Its number, from 0. */
  readonly record: number;
  /** First byte of its header in the uncompressed content. */
  readonly offset: number;
  /** Its data, without framing; empty for a record that is longer than `maxRecordBytes`. */
  readonly data: Bytes;
  /** The error, if the data is damaged or the record is too long. */
  readonly error?: TFRecordError | undefined;
}

/** The records to read: those from `first` to before `last`, as far as their data fits `maxBytes`. */
export interface PlacedRange {
  readonly first: number;
  readonly last: number;
  readonly maxBytes: number;
}

const LEAST_SLAB = 4096;
/** Taking the records of a slab must not hold up the event loop. */
const MAX_SLAB = 256 * 1024;

/** Reads no more than what is asked for. */
const NOTHING_AHEAD: AheadBudget = { room: 0, hold: () => undefined, release: () => undefined };

/** Reads some records of a source, which an index knows, as any reader does that begins at a place. */
export class IndexRead {
  readonly #range: PlacedRange;
  readonly #splitter: PlacedSplitter;
  readonly #sequence: InputSequence<FilledSlab, PlacedRecord[]>;
  #closed = false;

  /** `settings`: how the source is read. `jump`: the way to the first record. */
  constructor(source: ClassifiedSource, settings: IndexSettings, { start, bytes }: IndexJump, range: PlacedRange) {
    const plan = {
      ...settings,
      batchBytes: Math.min(Math.max(bytes, LEAST_SLAB), MAX_SLAB),
      readAhead: 0,
      ahead: NOTHING_AHEAD,
      policy: new ErrorPolicy('throw'),
      signal: undefined,
    };
    this.#range = range;
    this.#splitter = new PlacedSplitter(range);
    this.#sequence = new InputSequence(source, plan, slabStreams(plan), this.#splitter, { input: 0, place: start });
  }

  /**
   * Returns the records, or undefined if it was closed. `check` rejects if the source has changed.
   * @throws TFRecordError if the records are not there any more
   */
  async records(check: () => Promise<void>): Promise<PlacedRecord[] | undefined> {
    const found: PlacedRecord[] = [];
    try {
      for (let some = await this.#sequence.next(); some !== undefined; some = await this.#sequence.next()) {
        for (const placed of some) found.push(placed);
      }
      if (!this.#splitter.complete && !this.#closed) throw this.#missing(found.length);
    } catch (error) {
      await check();
      throw error;
    }
    if (this.#closed) return undefined;
    await check();
    return found;
  }

  close(): Promise<void> {
    this.#closed = true;
    return this.#sequence.close();
  }

  #missing(count: number): TFRecordError {
    return missingRecord(this.#range.first + count, this.#sequence.files[0] ?? String(this.#sequence.sourceName));
  }
}

/** The error of a record that an index knows, and `file` lacks. */
export function missingRecord(record: number, file: string): TFRecordError {
  const fault: Fault = { code: 'TFR_TRUNCATED', part: 'data', detail: '', expected: 0n, found: 0n, record };
  return faultError(fault, { file });
}

/** Takes the records of a range out of slabs. A damaged record has its error. */
class PlacedSplitter implements Splitter<FilledSlab, PlacedRecord[]> {
  readonly #range: PlacedRange;
  #file = '';
  /** The slab whose records were not taken yet. */
  #filled: FilledSlab | undefined;
  #result: FilledSlab['result'] | undefined;
  #any = false;
  #bytes = 0;
  /** True after the last record of the range. */
  complete = false;

  constructor(range: PlacedRange) {
    this.#range = range;
  }

  load(file: string, filled: FilledSlab): void {
    this.#file = file;
    this.#filled = filled;
    this.#result = filled.result;
  }

  next(): Step<PlacedRecord[]> {
    if (this.#filled !== undefined) {
      const found = this.#take(this.#filled);
      this.#filled = undefined;
      if (found.length > 0) return found;
    }
    if (this.complete) return 'stop';
    const { outcome, halt } = this.#result ?? {};
    this.#result = undefined;
    if (outcome === FillOutcome.End) return 'done';
    if (outcome !== FillOutcome.Halt) return 'fill';
    if (isSkippable(halt!)) return 'skip';
    throw faultError(halt!, { file: this.#file });
  }

  /** Takes the records of a slab, and the one that is too long after them. */
  #take({ slab, result: { frames, faults, firstRecord, base, outcome, halt } }: FilledSlab): PlacedRecord[] {
    const found: PlacedRecord[] = [];
    let fault = 0;
    for (let i = 0; i < frames.length / 2 && !this.complete; i++) {
      const record = firstRecord + i;
      const damaged = faults[fault]?.record === record ? faults[fault++] : undefined;
      if (record < this.#range.first) continue;
      const start = frames[2 * i]!;
      const length = frames[2 * i + 1]!;
      // A short record must not keep a long slab alive.
      const data = slab.subarray(start, start + length);
      this.#add(found, {
        record,
        offset: base + start - HEADER_BYTES,
        data: length * 2 >= slab.length ? data : data.slice(),
        error: damaged === undefined ? undefined : faultError(damaged, { file: this.#file }),
      });
    }
    if (this.complete || outcome !== FillOutcome.Halt || !isSkippable(halt!)) return found;
    if (halt!.record! < this.#range.first) return found;
    const error = faultError(halt!, { file: this.#file });
    this.#add(found, { record: halt!.record!, offset: halt!.offset!, data: new Uint8Array(0), error });
    return found;
  }

  #add(found: PlacedRecord[], placed: PlacedRecord): void {
    const { length } = placed.data;
    const fits = !this.#any || this.#bytes + length <= this.#range.maxBytes;
    this.complete = !fits || placed.record + 1 >= this.#range.last;
    if (!fits) return;
    found.push(placed);
    this.#any = true;
    this.#bytes += length;
  }
}
