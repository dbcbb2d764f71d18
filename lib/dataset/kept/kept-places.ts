import type { Origin } from '../../record';
import { NO_PLACES, type Places } from '../core/places';

/** The places of a run of elements, to be written. */
export interface PlacesData {
  /** Of each origin: number of its file, record, offset, bytes. */
  readonly table: Float64Array;
  readonly files: readonly string[];
  /** Origins of each element. */
  readonly counts: Uint32Array;
  /** What is told of each to be valid. */
  readonly valids: readonly (readonly boolean[])[] | null;
}

/** Of the elements 0 to `length - 1` of `places`; null for elements that no file gave. */
export function placesData(places: Places, length: number): PlacesData | null {
  if (places === NO_PLACES) return null;
  const files = new Map<string, number>();
  const numbers: number[] = [];
  const counts = new Uint32Array(length);
  const valids: (readonly boolean[])[] = [];
  let usual = true;
  for (let i = 0; i < length; i++) {
    const origins = places.origins(i);
    counts[i] = origins.length;
    for (const { file, record, offset, bytes } of origins) {
      if (!files.has(file)) files.set(file, files.size);
      numbers.push(files.get(file) as number, record, offset, bytes);
    }
    const valid = places.valids(i);
    valids.push(valid);
    usual &&= valid.length === 1 && valid[0] === true;
  }
  return { table: Float64Array.from(numbers), files: [...files.keys()], counts, valids: usual ? null : valids };
}

/** Places that were written. */
export function keptPlaces(data: PlacesData | null): Places {
  return data === null ? NO_PLACES : new KeptPlaces(data);
}

class KeptPlaces implements Places {
  readonly #data: PlacesData;
  /** Number of the first origin of each element. */
  readonly #firsts: Uint32Array;

  constructor(data: PlacesData) {
    this.#data = data;
    this.#firsts = new Uint32Array(data.counts.length);
    for (let i = 1; i < this.#firsts.length; i++) {
      this.#firsts[i] = (this.#firsts[i - 1] as number) + (data.counts[i - 1] as number);
    }
  }

  origin(index: number): Origin | undefined {
    return (this.#data.counts[index] ?? 0) > 0 ? this.#at(this.#firsts[index] as number) : undefined;
  }

  origins(index: number): readonly Origin[] {
    const first = this.#firsts[index] as number;
    return Array.from({ length: this.#data.counts[index] ?? 0 }, (_, i) => this.#at(first + i));
  }

  valid(index: number): boolean {
    return this.valids(index).every(Boolean);
  }

  valids(index: number): readonly boolean[] {
    return this.#data.valids?.[index] ?? [true];
  }

  #at(number: number): Origin {
    const [file, record, offset, bytes] = this.#data.table.subarray(4 * number) as unknown as number[];
    return {
      file: this.#data.files[file as number] as string,
      record: record as number,
      offset: offset as number,
      bytes: bytes as number,
    };
  }
}
