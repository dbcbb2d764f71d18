import type { FoundInput, ReadSettings, RecordNumber } from '../format';
import { frameSizes } from '../input/framed-input';
import type { Inputs } from '../input/inputs';
import type { JobFaults } from './faults';
import { SeenPlaces } from './seen-places';

/** Consecutive records, numbered across all inputs. They go to one output, or to one for each side of a split. */
export interface RecordRange {
  readonly begin: number;
  /** Number after that of the last record. Infinity: all that follow. */
  readonly end: number;
}

/** The ranges of a job. */
export interface Ranges {
  readonly ranges: readonly RecordRange[];
  /** For each input, the number of its first record; empty if nothing was counted. */
  readonly bases: readonly number[];
  /** Number of all records. Undefined if they were not counted. */
  readonly records?: number | undefined;
  /** Places that were seen when the records were counted. Undefined: they were not read, but known by indexes. */
  readonly places?: SeenPlaces | undefined;
}

/** A single range of all records. */
export const ONE_RANGE: Ranges = { ranges: [{ begin: 0, end: Infinity }], bases: [] };

/** Divides `records` into `shards` ranges that differ by one record at most. */
export function evenRanges(records: number, shards: number): RecordRange[] {
  return Array.from({ length: shards }, (_, i) => ({
    begin: Math.floor((records * i) / shards),
    end: i === shards - 1 ? Infinity : Math.floor((records * (i + 1)) / shards),
  }));
}

/**
 * Counts the records of all inputs, and divides them into ranges: a number of them (`shards`), or ranges of limited
 * size (`maxBytes`). `progress` is called with the stored bytes that were read so far.
 */
export async function countRanges(
  source: FoundInput,
  settings: ReadSettings,
  { shards, maxBytes }: { readonly shards: number; readonly maxBytes: number | undefined },
  progress: (bytes: number) => void,
): Promise<Ranges> {
  const known = maxBytes === undefined ? await source.counts?.(settings) : undefined;
  if (known !== undefined) return evenlyCounted(known, shards);
  const counts = source.inputs.files.map(() => 0);
  const places = new SeenPlaces(source.inputs);
  const ends: number[] = [];
  // Damaged records that the caller accepts leave gaps in the numbers. They do not count for sizes.
  let input = 0;
  let base = 0;
  let size = 0;
  const reader = source.units(settings, maxBytes !== undefined);
  try {
    for (let portion = await reader.next(); portion !== undefined; portion = await reader.next()) {
      while (input < portion.input) base += counts[input++]!;
      const first = portion.numbers;
      places.note(portion);
      counts[input] = first + portion.batch.length;
      if (maxBytes !== undefined) {
        let number = base + first;
        for (const bytes of frameSizes(portion)) {
          if (size > 0 && size + bytes > maxBytes) {
            ends.push(number);
            size = 0;
          }
          size += bytes;
          number++;
        }
      }
      progress(reader.bytes);
    }
  } finally {
    await reader.close();
  }
  if (maxBytes === undefined) return { ...evenlyCounted(counts, shards), places };
  const begins = [0, ...ends];
  const ranges = begins.map((begin, i) => ({ begin, end: ends[i] ?? Infinity }));
  return { ranges, ...numbersOf(counts), places };
}

/** Even ranges of inputs with so many records each. */
function evenlyCounted(counts: readonly number[], shards: number): Ranges {
  const numbers = numbersOf(counts);
  return { ranges: evenRanges(numbers.records, shards), ...numbers };
}

function numbersOf(counts: readonly number[]): { readonly bases: number[]; readonly records: number } {
  let records = 0;
  const bases = counts.map((count) => (records += count) - count);
  return { bases, records };
}

/** The input with record `number`, and the number of the record in it. */
export function recordAt({ bases }: Ranges, number: number): RecordNumber {
  const input = Math.max(
    bases.findLastIndex((base) => base <= number),
    0,
  );
  return { input, number: number - (bases[input] ?? 0) };
}

/**
 * Returns a function that finds the range of a damaged record. Damage after the last record of a file belongs to the
 * range of that record.
 */
export function rangeFinder(files: Inputs['files'], { ranges, bases }: Ranges): JobFaults['rangeOf'] {
  return ({ file, record = 0 }, place) => {
    const input =
      place?.input ??
      Math.max(
        files.findIndex((each) => each.file === file),
        0,
      );
    const base = bases[input] ?? 0;
    const at = base + (place?.number ?? record - (files[input]?.first ?? 0));
    const number = Math.max(Math.min(at, (bases[input + 1] ?? Infinity) - 1), base);
    return Math.max(
      ranges.findLastIndex(({ begin }) => begin <= number),
      0,
    );
  };
}
