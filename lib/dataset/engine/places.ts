import type { Origin } from '../../record';

/** Where the elements of a run came from. Holds no records. */
export interface Places {
  /** Of the record that element `index` is, or begins with; undefined for what was not read. */
  origin(index: number): Origin | undefined;
  /** Of all records in element `index`: those of a batch, the parts of a `zip`. */
  origins(index: number): readonly Origin[];
  /** False for an element that was repeated to fill a shard. */
  valid(index: number): boolean;
  /** Of all that `origins` tells. */
  valids(index: number): readonly boolean[];
}

/** Of elements that no file gave. */
export const NO_PLACES: Places = {
  origin: () => undefined,
  origins: () => [],
  valid: () => true,
  valids: () => [true],
};

/** Element `index` of the view is `of(index)` of `places`. */
export function movedPlaces(places: Places, of: (index: number) => number): Places {
  if (places === NO_PLACES) return places;
  return {
    origin: (index) => places.origin(of(index)),
    origins: (index) => places.origins(of(index)),
    valid: (index) => places.valid(of(index)),
    valids: (index) => places.valids(of(index)),
  };
}

/** Element `index` is `at[index]` of `places[index]`. */
export function gatheredPlaces(places: readonly Places[], at: readonly number[]): Places {
  if (places.every((one) => one === NO_PLACES)) return NO_PLACES;
  return {
    origin: (index) => places[index]?.origin(at[index]!),
    origins: (index) => places[index]?.origins(at[index]!) ?? [],
    valid: (index) => places[index]?.valid(at[index]!) ?? true,
    valids: (index) => places[index]?.valids(at[index]!) ?? [true],
  };
}

/** One element made of `count` elements: a batch, a window. */
export function joinedPlaces(places: Places, count: number): Places {
  return {
    origin: () => places.origin(0),
    origins: () => Array.from({ length: count }, (_, i) => places.origins(i)).flat(),
    valid: () => Array.from({ length: count }, (_, i) => places.valid(i)).every(Boolean),
    valids: () => Array.from({ length: count }, (_, i) => places.valids(i)).flat(),
  };
}
