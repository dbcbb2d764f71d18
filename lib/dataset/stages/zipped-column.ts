import type { Origin } from '../../record';
import type { Column } from '../engine/elements';
import { NO_PLACES, type Places } from '../engine/origins';

/** Elements of several columns side by side. They are put together when somebody asks: records stay records until then. */
export class ZippedColumn implements Column {
  readonly length: number;
  readonly #columns: readonly Column[];
  readonly #names: readonly string[] | undefined;

  /** `names`: those of the columns, where elements are objects; else they are arrays. */
  constructor(columns: readonly Column[], names: readonly string[] | undefined, length: number) {
    this.length = length;
    this.#columns = columns;
    this.#names = names;
  }

  get places(): Places {
    const places = this.#columns.map((column) => column.places);
    return places.every((place) => place === NO_PLACES) ? NO_PLACES : new ZippedPlaces(places);
  }

  at(index: number): unknown {
    const values = this.#columns.map((column) => column.at(index));
    if (this.#names === undefined) return values;
    // Own properties, whatever they are called.
    return Object.fromEntries(this.#names.map((name, i) => [name, values[i]]));
  }

  slice(begin: number, end: number): ZippedColumn {
    if (begin === 0 && end === this.length) return this;
    return new ZippedColumn(
      this.#columns.map((column) => column.slice(begin, end)),
      this.#names,
      end - begin,
    );
  }

  select(indices: readonly number[]): ZippedColumn {
    return new ZippedColumn(
      this.#columns.map((column) => column.select(indices)),
      this.#names,
      indices.length,
    );
  }
}

/** The origin of the first part that has one; those of all. */
class ZippedPlaces implements Places {
  readonly #parts: readonly Places[];

  constructor(parts: readonly Places[]) {
    this.#parts = parts;
  }

  origin(index: number): Origin | undefined {
    for (const part of this.#parts) {
      const origin = part.origin(index);
      if (origin !== undefined) return origin;
    }
    return undefined;
  }

  origins(index: number): readonly Origin[] {
    return this.#parts.flatMap((part) => part.origins(index));
  }

  valids(index: number): readonly boolean[] {
    return this.#parts.flatMap((part) => part.valids(index));
  }

  valid(index: number): boolean {
    return this.#parts.every((part) => part.valid(index));
  }
}
