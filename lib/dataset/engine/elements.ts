import { movedOrigins, NO_ORIGINS, type Origins } from './origins';

/** A run of elements. Immutable once it was handed on. */
export interface Elements<T = unknown> {
  readonly length: number;
  readonly origins: Origins;
  at(index: number): T;
  /** The elements from `begin` to before `end`. */
  slice(begin: number, end: number): Elements<T>;
  /** The elements at `indices`. */
  select(indices: readonly number[]): Elements<T>;
}

/** A range of `elements`, from `begin` to before `end`. */
export interface ElementRange {
  readonly elements: Elements;
  readonly begin: number;
  readonly end: number;
}

/** Elements in an array. */
export class ArrayElements<T = unknown> implements Elements<T> {
  readonly values: readonly T[];
  readonly origins: Origins;

  constructor(values: readonly T[], origins: Origins = NO_ORIGINS) {
    this.values = values;
    this.origins = origins;
  }

  get length(): number {
    return this.values.length;
  }

  at(index: number): T {
    return this.values[index] as T;
  }

  slice(begin: number, end: number): Elements<T> {
    if (begin === 0 && end === this.values.length) return this;
    return new ArrayElements(
      this.values.slice(begin, end),
      movedOrigins(this.origins, (index) => begin + index),
    );
  }

  select(indices: readonly number[]): Elements<T> {
    return new ArrayElements(
      indices.map((index) => this.values[index] as T),
      movedOrigins(this.origins, (index) => indices[index]!),
    );
  }
}

/** Returns all elements as an array. */
export function valuesOf<T>(elements: Elements<T>): readonly T[] {
  if (elements instanceof ArrayElements) return elements.values as readonly T[];
  const values = new Array<T>(elements.length);
  for (let i = 0; i < values.length; i++) values[i] = elements.at(i);
  return values;
}
