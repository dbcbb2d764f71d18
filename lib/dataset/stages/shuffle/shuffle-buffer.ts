/** The buffer of a shuffle. */
import { ArrayElements, type Elements } from '../../engine/elements';
import type { Mark } from '../../engine/operator';
import { gatheredOrigins, type Origins } from '../../engine/origins';
import { GatheredRecords, RecordElements, type RecordForm, type Slab } from '../../engine/records';
import type { Draws, Words } from '../../random';
import type { DrawPoint } from './replay-shuffle';

/** Checked options of a shuffle. */
export interface ShuffleSettings {
  readonly size: number;
  readonly seed: Words | undefined;
  readonly reshuffle: boolean;
}

interface Loaded {
  readonly mark: Mark;
  /** Number of its first element in the epoch. */
  readonly first: number;
  /** The state of the draws when the chunk was loaded, or somewhat earlier. */
  readonly draws: DrawPoint;
  /** Its records, as long as one of them is in the buffer; undefined if the buffer holds values. */
  records: RecordElements | undefined;
  /** Number of its elements that were put into the buffer. */
  put: number;
  /** Number of its elements that are in the buffer. */
  held: number;
  /** True if its remaining records were copied. */
  copied: boolean;
}

/** The element of each place, and what has its origin. */
interface Values {
  readonly elements: unknown[];
  readonly origins: Origins[];
}

/** Number of chunks from which on sparse chunks are searched. */
const FEW = 8;
/**
 * A chunk is sparse if at most this share of its elements is in the buffer. All its memory is held until then: twice
 * the share would copy twice as many records, and save 3 % of the memory.
 */
const SPARSE = 1 / 8;
/** Sparse chunks are copied when they are more than this share of all: finding their records reads all places. */
const SPARSE_CHUNKS = 1 / 8;

/**
 * The elements of a shuffle buffer, which new ones replace at random places, and the chunks that they belong to. A
 * state points to the oldest chunk; resuming reads the buffer again from there.
 *
 * As long as all elements are records of one form, a place is two numbers: replacing references would burden the
 * garbage collector.
 */
export class ShuffleBuffer {
  /** The chunks, the oldest first; `#gone` is the number of chunks removed before it. */
  readonly #chunks: Loaded[] = [];
  #gone = 0;
  /** The number of the chunk of each place. */
  #of = new Int32Array(1024);
  /** The index of each place's element: in the records of its chunk, or in `#origins` of the place. */
  #index = new Int32Array(1024);
  #length = 0;
  #form: RecordForm | undefined;
  /** Undefined as long as all elements are records of one form. */
  #values: Values | undefined;
  /** The places that have an element, until the buffer is restored. */
  #restored: number[] | undefined;
  /** Places that were drawn. */
  #drawn = new Int32Array(0);

  /** Number of elements. */
  get length(): number {
    return this.#length;
  }

  /**
   * Loads a chunk, whose elements can be put into the buffer from now on. Its first element is at `mark`, number
   * `first` of the epoch; `draws` is the state of the draws.
   */
  load(elements: Elements, mark: Mark, first: number, draws: DrawPoint): void {
    const last = this.#chunks.at(-1);
    if (last?.held === 0) last.records = undefined;
    let records: RecordElements | undefined;
    if (this.#values === undefined) {
      if (elements instanceof RecordElements && elements.form === (this.#form ??= elements.form)) records = elements;
      else this.#values = this.#toValues();
    }
    this.#chunks.push({ mark, first, draws, records, put: 0, held: 0, copied: false });
  }

  /** Adds element `index` of the last chunk, whose elements are `elements`. */
  add(elements: Elements, index: number): void {
    this.#put(this.#length, elements, index);
    this.#length++;
  }

  /** Like {@link add}, at place `at` of a buffer to restore. It has no elements until {@link restored} is called. */
  restore(at: number, elements: Elements, index: number): void {
    this.#put(at, elements, index);
    (this.#restored ??= []).push(at);
  }

  /** Ends the restoring of a buffer, whose first `length` places all have an element. */
  restored(length: number): void {
    this.#restored = undefined;
    this.#length = length;
  }

  #put(at: number, elements: Elements, index: number): void {
    while (at >= this.#of.length) this.#grow();
    if (this.#values !== undefined) {
      this.#values.elements[at] = elements.at(index);
      this.#values.origins[at] = elements.origins;
    }
    const last = this.#chunks.length - 1;
    const chunk = this.#chunks[last]!;
    chunk.put++;
    chunk.held++;
    this.#of[at] = this.#gone + last;
    this.#index[at] = index;
  }

  /**
   * Draws `count` elements into `drawn`, and puts in the place of each the next one of the last chunk, whose elements
   * are `elements`, from `index` on.
   */
  exchange(draws: Draws, drawn: DrawnElements, elements: Elements, index: number, count: number): void {
    if (this.#drawn.length < count) this.#drawn = new Int32Array(count);
    const places = this.#drawn;
    draws.fillBelow(this.#length, places, count);
    if (this.#values !== undefined) {
      for (let i = 0; i < count; i++) {
        this.#drawValue(places[i]!, drawn, this.#values);
        this.#put(places[i]!, elements, index + i);
      }
      return;
    }
    const [of, indexes, chunks, gone] = [this.#of, this.#index, this.#chunks, this.#gone];
    const { slabs, frames } = drawn;
    const last = chunks.length - 1;
    const lastChunk = chunks[last]!;
    // All at once, because a draw may take an element that an earlier one put.
    lastChunk.put += count;
    lastChunk.held += count;
    const number = gone + last;
    let { length } = drawn;
    for (let i = 0; i < count; i++) {
      const at = places[i]!;
      const chunk = chunks[of[at]! - gone]!;
      const records = chunk.records!;
      const from = indexes[at]!;
      slabs[length] = records.slab(from);
      frames[length++] = records.frame(from);
      if (--chunk.held === 0 && chunk !== lastChunk) chunk.records = undefined;
      of[at] = number;
      indexes[at] = index + i;
    }
    drawn.length = length;
  }

  /** Draws `count` elements into `drawn`; the last one moves to the place of each. */
  drain(draws: Draws, drawn: DrawnElements, count: number): void {
    for (let i = 0; i < count; i++) {
      const at = draws.below(this.#length);
      const chunk = this.#chunks[this.#of[at]! - this.#gone]!;
      if (this.#values === undefined) {
        drawn.pushRecord(chunk.records!, this.#index[at]!);
        if (--chunk.held === 0) chunk.records = undefined;
      } else {
        this.#drawValue(at, drawn, this.#values);
      }
      const last = --this.#length;
      this.#of[at] = this.#of[last]!;
      this.#index[at] = this.#index[last]!;
      if (this.#values === undefined) continue;
      for (const list of [this.#values.elements, this.#values.origins]) {
        list[at] = list[last];
        list.length = last;
      }
    }
  }

  /** Form of the elements if all are records of one form; else undefined, once and for all. */
  get form(): RecordForm | undefined {
    return this.#values === undefined ? this.#form : undefined;
  }

  /** Returns the oldest chunk that has an element in the buffer. Requires a loaded chunk. */
  oldest(): Pick<Loaded, 'mark' | 'first' | 'draws'> {
    let gone = 0;
    while (gone < this.#chunks.length - 1 && this.#chunks[gone]?.held === 0) gone++;
    if (gone > 0) this.#chunks.splice(0, gone);
    this.#gone += gone;
    return this.#chunks[0]!;
  }

  /**
   * Replaces the remaining records of sparse chunks by copies, which `copy` makes. Otherwise a few records, which can
   * stay for several times the size of the buffer, would keep the slabs of all their neighbours alive.
   */
  compact(copy: (records: RecordElements) => RecordElements): void {
    const end = this.#chunks.length - 1;
    if (end <= FEW || this.#length === 0 || this.#values !== undefined) return;
    const sparse = new Map<number, number[]>();
    for (let i = 0; i < end; i++) {
      const { put, held, copied } = this.#chunks[i]!;
      if (!copied && held > 0 && held <= SPARSE * put) sparse.set(this.#gone + i, []);
    }
    if (sparse.size <= SPARSE_CHUNKS * end) return;
    const isSparse = new Uint8Array(end + 1);
    for (const number of sparse.keys()) isSparse[number - this.#gone] = 1;
    const [of, gone, length] = [this.#of, this.#gone, this.#length];
    for (let at = 0; at < length; at++) {
      const number = of[at]!;
      if (isSparse[number - gone] === 1) sparse.get(number)!.push(at);
    }
    for (const [number, places] of sparse) {
      const chunk = this.#chunks[number - gone]!;
      chunk.records = copy(this.#recordsAt(places));
      chunk.copied = true;
      places.forEach((at, i) => (this.#index[at] = i));
    }
  }

  #drawValue(at: number, drawn: DrawnElements, { elements, origins }: Values): void {
    drawn.pushValue(elements[at], origins[at]!, this.#index[at]!);
    this.#chunks[this.#of[at]! - this.#gone]!.held--;
  }

  #recordsAt(places: readonly number[]): GatheredRecords {
    const slabs: Slab[] = [];
    const frames: number[] = [];
    for (const at of places) {
      const records = this.#chunks[this.#of[at]! - this.#gone]!.records!;
      slabs.push(records.slab(this.#index[at]!));
      frames.push(records.frame(this.#index[at]!));
    }
    return new GatheredRecords(this.#form!, slabs, frames);
  }

  /** Converts the records so far to values, because another kind of element is added. */
  #toValues(): Values {
    const values: Values = { elements: [], origins: [] };
    if (this.#form === undefined) return values;
    const places = this.#restored ?? Array.from({ length: this.#length }, (_, at) => at);
    const records = this.#recordsAt(places);
    const { origins } = records;
    places.forEach((at, index) => {
      values.elements[at] = records.at(index);
      values.origins[at] = origins;
      this.#index[at] = index;
    });
    for (const chunk of this.#chunks) chunk.records = undefined;
    return values;
  }

  #grow(): void {
    this.#of = twice(this.#of);
    this.#index = twice(this.#index);
  }
}

function twice(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(2 * numbers.length);
  longer.set(numbers);
  return longer;
}

/** Elements that left the buffer, in the order of the draws: records of one form, or values. */
export class DrawnElements {
  readonly #form: RecordForm | undefined;
  /** Number of elements. */
  length = 0;
  /** The slab of each record, and its frame there. */
  readonly slabs: Slab[];
  readonly frames: number[];
  readonly #values: unknown[] = [];
  readonly #origins: Origins[] = [];
  readonly #index: number[] = [];

  /**
   * @param form the form of the elements if they are records
   * @param room maximum number of elements
   */
  constructor(form: RecordForm | undefined, room: number) {
    this.#form = form;
    this.slabs = new Array<Slab>(form === undefined ? 0 : room);
    this.frames = new Array<number>(form === undefined ? 0 : room);
  }

  pushRecord(records: RecordElements, index: number): void {
    this.slabs[this.length] = records.slab(index);
    this.frames[this.length++] = records.frame(index);
  }

  /** `origins` has the element's origin at `index`. */
  pushValue(value: unknown, origins: Origins, index: number): void {
    this.#values.push(value);
    this.#origins.push(origins);
    this.#index.push(index);
    this.length++;
  }

  /** All elements. */
  elements(): Elements {
    if (this.#form === undefined) return new ArrayElements(this.#values, gatheredOrigins(this.#origins, this.#index));
    this.slabs.length = this.frames.length = this.length;
    return new GatheredRecords(this.#form, this.slabs, this.frames);
  }
}
