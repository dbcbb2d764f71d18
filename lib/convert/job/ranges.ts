import type { FoundInput, ReadSettings } from '../format';
import { frameSizes } from '../input/framed-input';
import type { Inputs } from '../input/inputs';
import type { JobFaults } from './faults';

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
  if (maxBytes === undefined) return evenlyCounted(counts, shards);
  const begins = [0, ...ends];
  return { ranges: begins.map((begin, i) => ({ begin, end: ends[i] ?? Infinity })), bases: basesOf(counts) };
}

/** Even ranges of inputs with so many records each. */
function evenlyCounted(counts: readonly number[], shards: number): Ranges {
  const bases = basesOf(counts);
  return { ranges: evenRanges(bases.at(-1)! + counts.at(-1)!, shards), bases };
}

function basesOf(counts: readonly number[]): number[] {
  let sum = 0;
  return counts.map((count) => (sum += count) - count);
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
