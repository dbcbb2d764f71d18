import type { Origin } from '../../record';

/** Where the elements of a run came from. Holds no records. */
export interface Places {
  /** The origin of the record that element `index` is, or begins with; undefined for elements that were not read. */
  origin(index: number): Origin | undefined;
  /** The origins of all records in element `index`: of a batch, of the parts of a `zip`. */
  origins(index: number): readonly Origin[];
  /** False for an element that was repeated to fill a shard. */
  valid(index: number): boolean;
  /** The same for each record of `origins`. */
  valids(index: number): readonly boolean[];
}

/** The places of elements that no file gave. */
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

/** Numbers of an origin: of its file, its record, its offset, its length. */
const FIELDS = 4;

/** Where neighbours came from, as numbers. Undefined for what no file gave. */
export type PackedPlaces =
  | undefined
  | {
      readonly files: readonly string[];
      /** {@link FIELDS} numbers an origin. */
      readonly origins: Float64Array;
      /** The number of the first origin of each element, and the end. Undefined where each element has one. */
      readonly starts: Uint32Array | undefined;
      /** `valids` of each element. Undefined where each has one that is true. */
      readonly valids: readonly (readonly boolean[])[] | undefined;
    };

/** The places of elements `begin` to `end`. */
export function packPlaces(places: Places, begin: number, end: number): PackedPlaces {
  if (places === NO_PLACES) return undefined;
  const files: string[] = [];
  const numbers: number[] = [];
  const starts = new Uint32Array(end - begin + 1);
  const valids: (readonly boolean[])[] = [];
  let single = true;
  let plain = true;
  let file = -1;
  for (let i = begin; i < end; i++) {
    const origins = places.origins(i);
    single &&= origins.length === 1;
    for (const origin of origins) {
      if (origin.file !== files[file]) file = fileNumber(files, origin.file);
      numbers.push(file, origin.record, origin.offset, origin.bytes);
    }
    starts[i - begin + 1] = numbers.length / FIELDS;
    const valid = places.valids(i);
    plain &&= valid.length === 1 && valid[0] === true;
    valids.push(valid);
  }
  return {
    files,
    origins: Float64Array.from(numbers),
    starts: single ? undefined : starts,
    valids: plain ? undefined : valids,
  };
}

/** The places that {@link packPlaces} was given. */
export function unpackPlaces(packed: PackedPlaces): Places {
  return packed === undefined ? NO_PLACES : new UnpackedPlaces(packed);
}

class UnpackedPlaces implements Places {
  readonly #packed: NonNullable<PackedPlaces>;

  constructor(packed: NonNullable<PackedPlaces>) {
    this.#packed = packed;
  }

  origin(index: number): Origin | undefined {
    const [begin, end] = this.#range(index);
    return begin < end ? this.#at(begin) : undefined;
  }

  origins(index: number): readonly Origin[] {
    const [begin, end] = this.#range(index);
    return Array.from({ length: end - begin }, (_, i) => this.#at(begin + i));
  }

  valid(index: number): boolean {
    return this.valids(index).every(Boolean);
  }

  valids(index: number): readonly boolean[] {
    return this.#packed.valids?.[index] ?? [true];
  }

  #range(index: number): readonly [begin: number, end: number] {
    const { starts } = this.#packed;
    return starts === undefined ? [index, index + 1] : [starts[index]!, starts[index + 1]!];
  }

  #at(origin: number): Origin {
    const { files, origins } = this.#packed;
    const [file, record, offset, bytes] = origins.subarray(FIELDS * origin) as unknown as [
      number,
      number,
      number,
      number,
    ];
    return { file: files[file]!, record, offset, bytes };
  }
}

function fileNumber(files: string[], file: string): number {
  const known = files.indexOf(file);
  return known >= 0 ? known : files.push(file) - 1;
}
