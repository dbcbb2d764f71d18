import { ArrayElements, type Elements } from './elements';
import { gatheredOrigins, type Origins } from './origins';
import { GatheredRecords, RecordElements, type RecordForm, type Slab } from './records';

/** Gathers single elements, to be handed on together. Records stay frames in slabs: it makes neither views nor copies. */
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
    const at = this.#length;
    if (this.#values === undefined && from instanceof RecordElements && from.form === (this.#form ??= from.form)) {
      this.#slabs[at] = from.slab(index);
      this.#frames[at] = from.frame(index);
    } else {
      this.#values ??= this.#toValues();
      this.#values[at] = from.at(index);
      this.#origins[at] = from.origins;
      this.#at[at] = index;
    }
    // Last: making an element may throw.
    this.#length++;
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
