import { movedPlaces, NO_PLACES, type Places } from './origins';

/** A run of elements. Never changed once it was handed on. */
export interface Column<T = unknown> {
  readonly length: number;
  readonly places: Places;
  at(index: number): T;
  /** Elements `begin` to `end`. */
  slice(begin: number, end: number): Column<T>;
  /** The elements at `indices`. */
  select(indices: readonly number[]): Column<T>;
}

/** Elements `begin` to `end` of `column`. */
export interface Part {
  readonly column: Column;
  readonly begin: number;
  readonly end: number;
}

/** Elements in an array. */
export class ArrayColumn<T = unknown> implements Column<T> {
  readonly values: readonly T[];
  readonly places: Places;

  constructor(values: readonly T[], places: Places = NO_PLACES) {
    this.values = values;
    this.places = places;
  }

  get length(): number {
    return this.values.length;
  }

  at(index: number): T {
    return this.values[index] as T;
  }

  slice(begin: number, end: number): Column<T> {
    if (begin === 0 && end === this.values.length) return this;
    return new ArrayColumn(
      this.values.slice(begin, end),
      movedPlaces(this.places, (index) => begin + index),
    );
  }

  select(indices: readonly number[]): Column<T> {
    return new ArrayColumn(
      indices.map((index) => this.values[index] as T),
      movedPlaces(this.places, (index) => indices[index]!),
    );
  }
}

/** The elements of any column, as an array. */
export function valuesOf<T>(column: Column<T>): readonly T[] {
  if (column instanceof ArrayColumn) return column.values as readonly T[];
  const values = new Array<T>(column.length);
  for (let i = 0; i < values.length; i++) values[i] = column.at(i);
  return values;
}
