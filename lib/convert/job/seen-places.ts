import { firstIndex } from '../../base';
import type { SourceStart } from '../../record';
import type { RecordNumber, UnitBatch } from '../format';
import { bytesOf, type Inputs } from '../input/inputs';

/** Maximum number of places, about. */
const PLACES = 8192;

/** Places at which reading may begin, seen when the records of a job were counted. */
export class SeenPlaces {
  /** By input, in order. */
  readonly #places: { readonly number: number; readonly place: SourceStart }[][] = [];
  /** Minimum distance of two places, in bytes. */
  readonly #distance: number;

  constructor(inputs: Inputs) {
    this.#distance = bytesOf(inputs) / PLACES;
  }

  note({ input, numbers, place }: UnitBatch): void {
    if (place === undefined) return;
    const places = (this.#places[input] ??= []);
    const last = places.at(-1)?.place.offset ?? -Infinity;
    if (place.offset - last >= this.#distance) places.push({ number: numbers, place });
  }

  /** The last place at or before a record. Undefined: none was seen in its input. */
  before({ input, number }: RecordNumber): SourceStart | undefined {
    const places = this.#places[input] ?? [];
    return places[firstIndex(places.length, (i) => places[i]!.number > number) - 1]?.place;
  }
}
