import { ArrayElements, type Elements } from './elements';
import { gatheredOrigins, type Origins } from './origins';
import { GatheredRecords, RecordElements, type RecordForm, type Slab } from './records';

/**
 * Gathers single elements, to be replaced in place or handed on together. Records stay frames in slabs: it makes
 * neither views nor copies.
 */
export class Store {
  /** Either records of one form, with their slabs and frames, or other elements, with their values; never both. */
  #form: RecordForm | undefined;
  #slabs: Slab[];
  #frames: number[];
  #values: unknown[] | undefined;
  #origins: Origins[] = [];
  #at: number[] = [];
  #length = 0;

  /** @param room expected number of elements */
  constructor(room = 0) {
    this.#slabs = new Array<Slab>(room);
    this.#frames = new Array<number>(room);
  }

  get length(): number {
    return this.#length;
  }

  /** Adds element `index` of `from`. */
  push(from: Elements, index: number): void {
    this.set(this.#length, from, index);
  }

  /** Sets element `at`, which exists or is the next one to add, to element `index` of `from`. */
  set(at: number, from: Elements, index: number): void {
    if (this.#values === undefined && from instanceof RecordElements && from.form === (this.#form ??= from.form)) {
      this.#slabs[at] = from.slab(index);
      this.#frames[at] = from.frame(index);
    } else {
      this.#values ??= this.#toValues();
      this.#values[at] = from.at(index);
      this.#origins[at] = from.origins;
      this.#at[at] = index;
    }
    if (at === this.#length) this.#length++;
  }

  /** Adds element `index` of another store. */
  pushFrom(from: Store, index: number): void {
    if (from.#values === undefined) {
      const slab = from.#slabs[index]!;
      const frame = from.#frames[index]!;
      if (this.#values === undefined && from.#form === (this.#form ??= from.#form)) {
        this.#slabs[this.#length] = slab;
        this.#frames[this.#length++] = frame;
      } else {
        this.push(new GatheredRecords(from.#form!, [slab], [frame]), 0);
      }
      return;
    }
    this.#values ??= this.#toValues();
    this.#values[this.#length] = from.#values[index];
    this.#origins[this.#length] = from.#origins[index]!;
    this.#at[this.#length++] = from.#at[index]!;
  }

  /** Moves the last element to `at`, and removes its old place. */
  fillFromEnd(at: number): void {
    const last = --this.#length;
    const lists: unknown[][] =
      this.#values === undefined ? [this.#slabs, this.#frames] : [this.#values, this.#origins, this.#at];
    for (const list of lists) {
      list[at] = list[last];
      list.length = last;
    }
  }

  /** Returns the elements at `places`, if they are records of one form. */
  recordsAt(places: readonly number[]): RecordElements | undefined {
    if (this.#values !== undefined || this.#form === undefined) return undefined;
    return new GatheredRecords(
      this.#form,
      places.map((at) => this.#slabs[at]!),
      places.map((at) => this.#frames[at]!),
    );
  }

  /** Returns all elements, and empties the store. */
  take(): Elements {
    this.#slabs.length = this.#frames.length = this.#values === undefined ? this.#length : 0;
    const elements =
      this.#values !== undefined || this.#form === undefined
        ? new ArrayElements(this.#values ?? [], this.#originsTaken())
        : new GatheredRecords(this.#form, this.#slabs, this.#frames);
    this.#form = undefined;
    this.#slabs = [];
    this.#frames = [];
    this.#values = undefined;
    this.#origins = [];
    this.#at = [];
    this.#length = 0;
    return elements;
  }

  #originsTaken(): Origins {
    return gatheredOrigins(this.#origins, this.#at);
  }

  /** Converts the records so far to values, because another kind of element is added. */
  #toValues(): unknown[] {
    if (this.#form === undefined) return [];
    const records = new GatheredRecords(this.#form, this.#slabs, this.#frames);
    const { origins } = records;
    const values = Array.from({ length: this.#length }, (_, index) => records.at(index));
    this.#origins = values.map(() => origins);
    this.#at = values.map((_, index) => index);
    this.#slabs = [];
    this.#frames = [];
    return values;
  }
}
