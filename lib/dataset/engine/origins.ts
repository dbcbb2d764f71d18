import type { Origin } from '../../base';

/** Origins of a run of elements. Does not keep their records alive. */
export interface Origins {
  /**
   * The origin of the record that element `index` is or begins with; undefined for elements that were not read from a
   * file.
   */
  origin(index: number): Origin | undefined;
  /** The origins of all records in element `index`: those of a batch, or of the parts of a `zip`. */
  all(index: number): readonly Origin[];
  /** False for an element that was repeated to fill a shard. */
  valid(index: number): boolean;
  /** `valid` for each record of `all`. */
  valids(index: number): readonly boolean[];
}

/** The origins of elements that were not read from a file. */
export const NO_ORIGINS: Origins = {
  origin: () => undefined,
  all: () => [],
  valid: () => true,
  valids: () => [true],
};

/** Returns a view of `origins` whose element `index` is element `of(index)` of `origins`. */
export function movedOrigins(origins: Origins, of: (index: number) => number): Origins {
  if (origins === NO_ORIGINS) return origins;
  return {
    origin: (index) => origins.origin(of(index)),
    all: (index) => origins.all(of(index)),
    valid: (index) => origins.valid(of(index)),
    valids: (index) => origins.valids(of(index)),
  };
}

/** Returns origins whose element `index` is element `at[index]` of `origins[index]`. */
export function gatheredOrigins(origins: readonly Origins[], at: readonly number[]): Origins {
  if (origins.every((one) => one === NO_ORIGINS)) return NO_ORIGINS;
  return {
    origin: (index) => origins[index]?.origin(at[index]!),
    all: (index) => origins[index]?.all(at[index]!) ?? [],
    valid: (index) => origins[index]?.valid(at[index]!) ?? true,
    valids: (index) => origins[index]?.valids(at[index]!) ?? [true],
  };
}

/** Returns the origins of one element that consists of `count` elements: a batch, a window. */
export function joinedOrigins(origins: Origins, count: number): Origins {
  return {
    origin: () => origins.origin(0),
    all: () => Array.from({ length: count }, (_, i) => origins.all(i)).flat(),
    valid: () => Array.from({ length: count }, (_, i) => origins.valid(i)).every(Boolean),
    valids: () => Array.from({ length: count }, (_, i) => origins.valids(i)).flat(),
  };
}

/**
 * Returns the origins of the rows of batch `index` of `origins`: that of its record for each row if there is one record
 * for each row, else those of the batch for all rows.
 */
export function rowOrigins(origins: Origins, index: number, rows: number): Origins {
  if (origins === NO_ORIGINS) return origins;
  let known: readonly Origin[] | undefined;
  const all = (): readonly Origin[] => (known ??= origins.all(index));
  const valid = (row: number): boolean => origins.valids(index)[row] ?? true;
  const each = origins.valids(index).length === rows;
  return {
    origin: (row) => (all().length === rows ? all()[row] : origins.origin(index)),
    all: (row) => (all().length === rows ? all().slice(row, row + 1) : all()),
    valid: (row) => (each ? valid(row) : origins.valid(index)),
    valids: (row) => (each ? [valid(row)] : origins.valids(index)),
  };
}

/** Number of fields of a packed origin: index of the file, record, offset, length. */
const FIELDS = 4;

/** Origins of a run of elements, as numbers. Undefined for elements that were not read from a file. */
export type PackedOrigins =
  | undefined
  | {
      readonly files: readonly string[];
      /** {@link FIELDS} numbers for each origin. */
      readonly origins: Float64Array;
      /** The index of the first origin of each element, and the end. Undefined if each element has one origin. */
      readonly starts: Uint32Array | undefined;
      /** `valids` of each element. Undefined if each element has one record, which is valid. */
      readonly valids: readonly (readonly boolean[])[] | undefined;
    };

/** Packs the origins of the elements from `begin` to before `end`. */
export function packOrigins(origins: Origins, begin: number, end: number): PackedOrigins {
  if (origins === NO_ORIGINS) return undefined;
  const files: string[] = [];
  const numbers: number[] = [];
  const starts = new Uint32Array(end - begin + 1);
  const valids: (readonly boolean[])[] = [];
  let single = true;
  let plain = true;
  let file = -1;
  for (let i = begin; i < end; i++) {
    const each = origins.all(i);
    single &&= each.length === 1;
    for (const origin of each) {
      if (origin.file !== files[file]) file = fileNumber(files, origin.file);
      numbers.push(file, origin.record, origin.offset, origin.bytes);
    }
    starts[i - begin + 1] = numbers.length / FIELDS;
    const valid = origins.valids(i);
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

/** Restores the origins that {@link packOrigins} packed. */
export function unpackOrigins(packed: PackedOrigins): Origins {
  return packed === undefined ? NO_ORIGINS : new UnpackedOrigins(packed);
}

class UnpackedOrigins implements Origins {
  readonly #packed: NonNullable<PackedOrigins>;

  constructor(packed: NonNullable<PackedOrigins>) {
    this.#packed = packed;
  }

  origin(index: number): Origin | undefined {
    const [begin, end] = this.#range(index);
    return begin < end ? this.#at(begin) : undefined;
  }

  all(index: number): readonly Origin[] {
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
    const [file = 0, record = 0, offset = 0, bytes = 0] = origins.subarray(FIELDS * origin, FIELDS * (origin + 1));
    return { file: files[file]!, record, offset, bytes };
  }
}

function fileNumber(files: string[], file: string): number {
  const known = files.indexOf(file);
  return known >= 0 ? known : files.push(file) - 1;
}
