import { invalidArgType } from '../../errors';
import type { Origin } from '../../record';
import { countRows } from '../../tensor';
import { NO_PLACES, type Places } from '../engine/places';

/** Number of rows of an element of the stage at `path`. @throws TypeError for what is no batch */
export function countedRows(batch: unknown, path: string): number {
  const rows = countRows(batch);
  if (rows === undefined) throw invalidArgType(`element of ${path}`, 'a batch: an array, records or columns', batch);
  return rows;
}

/**
 * Where the rows of batch `index` of `places` were read: each where its own record was, if there was one record a row,
 * else all where the batch was.
 */
export function rowPlaces(places: Places, index: number, rows: number): Places {
  if (places === NO_PLACES) return places;
  let known: readonly Origin[] | undefined;
  const origins = (): readonly Origin[] => (known ??= places.origins(index));
  const valid = (row: number): boolean => places.valids(index)[row] ?? true;
  const each = places.valids(index).length === rows;
  return {
    origin: (row) => (origins().length === rows ? origins()[row] : places.origin(index)),
    origins: (row) => (origins().length === rows ? origins().slice(row, row + 1) : origins()),
    valid: (row) => (each ? valid(row) : places.valid(index)),
    valids: (row) => (each ? [valid(row)] : places.valids(index)),
  };
}
