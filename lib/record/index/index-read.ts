import { type TFRecordError, type Fault, faultError, startNative, HEADER_BYTES, type Bytes } from '../../base';
import { FillOutcome, native, type IndexReader, type ReaderHandle, type SlabFill } from '../../native';
import { newSlab } from '../../io';
import { isPassable } from '../read/splitter';

/** A record that was read by its number. */
export interface PlacedRecord {
  readonly record: number;
  /** First byte of its header in the uncompressed stream. */
  readonly offset: number;
  /** Empty for a record that is longer than `maxRecordBytes`. */
  readonly data: Bytes;
  /** Says that the data is damaged, or the record too long. */
  readonly error?: TFRecordError | undefined;
}

const LEAST_SLAB = 4096;
/** Taking the records of a slab must not hold up the event loop. */
const MOST_SLAB = 256 * 1024;

/** Reads some records that a scan has found. */
export class IndexRead {
  readonly #file: string;
  readonly #reader: ReaderHandle;
  readonly #first: number;
  readonly #last: number;
  readonly #maxBytes: number;
  #slabBytes: number;
  #found: PlacedRecord[] = [];
  #bytes = 0;
  #closed: Promise<void> | undefined;

  /** Reads the records from `first` to before `last`, all of which are known. */
  constructor(file: string, opened: IndexReader, first: number, last: number, maxBytes: number) {
    this.#file = file;
    this.#reader = opened.reader;
    this.#first = first;
    this.#last = last;
    this.#maxBytes = maxBytes;
    this.#slabBytes = Math.min(Math.max(opened.bytes, LEAST_SLAB), MOST_SLAB);
  }

  /**
   * Returns the records, or undefined if it was closed. `check` rejects if the file has changed.
   * @throws TFRecordError if the records are not there any more
   */
  async records(check: () => Promise<void>): Promise<PlacedRecord[] | undefined> {
    for (;;) {
      const slab = newSlab(this.#slabBytes, this.#file);
      const fill = await startNative(this.#file, () => native().readerFill(this.#reader, slab));
      if (this.#closed !== undefined || fill.outcome === FillOutcome.Cancelled) return undefined;
      const more = this.#take(slab, fill);
      if (!more) break;
      if (fill.outcome === FillOutcome.Grow) {
        this.#slabBytes = fill.growTo;
      } else if (fill.outcome === FillOutcome.Halt && isPassable(fill.halt!)) {
        native().readerSkip(this.#reader);
      } else if (fill.outcome !== FillOutcome.More) {
        await check();
        throw faultError(fill.halt ?? this.#missing(), { file: this.#file });
      }
    }
    await check();
    return this.#found;
  }

  close(): Promise<void> {
    return (this.#closed ??= startNative(this.#file, () => native().readerClose(this.#reader)));
  }

  /** Takes the records of a slab. Returns false after the last. */
  #take(slab: Bytes, { frames, faults, firstRecord, base, outcome, halt }: SlabFill): boolean {
    let fault = 0;
    for (let i = 0; i < frames.length / 2; i++) {
      const record = firstRecord + i;
      const damaged = faults[fault]?.record === record ? faults[fault++] : undefined;
      if (record < this.#first) continue;
      const start = frames[2 * i]!;
      const length = frames[2 * i + 1]!;
      // A short record must not keep a long slab alive.
      const data = slab.subarray(start, start + length);
      const placed = {
        record,
        offset: base + start - HEADER_BYTES,
        data: length * 2 >= slab.length ? data : data.slice(),
        error: damaged === undefined ? undefined : faultError(damaged, { file: this.#file }),
      };
      if (!this.#add(placed)) return false;
    }
    if (outcome !== FillOutcome.Halt || !isPassable(halt!) || halt!.record! < this.#first) return true;
    const error = faultError(halt!, { file: this.#file });
    return this.#add({ record: halt!.record!, offset: halt!.offset!, data: new Uint8Array(0), error });
  }

  /** Returns false if no more is wanted. */
  #add(placed: PlacedRecord): boolean {
    const { length } = placed.data;
    if (this.#found.length > 0 && this.#bytes + length > this.#maxBytes) return false;
    this.#found.push(placed);
    this.#bytes += length;
    return placed.record + 1 < this.#last;
  }

  #missing(): Fault {
    const record = this.#found.length === 0 ? this.#first : this.#found.at(-1)!.record + 1;
    return { code: 'TFR_TRUNCATED', part: 'data', detail: '', expected: 0n, found: 0n, record };
  }
}
