/** Writes several outputs of a job at once, if one thread encodes each, and reading can begin in the middle. */
import { availableParallelism, totalmem } from 'node:os';

import { recordAt } from './ranges';
import { isUnfinished, runJob, type Run } from './run';

/** Maximum number of outputs that are written at once. */
const AT_ONCE = 4;
/** Memory of the machine, or of its container, for each of them. It takes up to 200 MB: a group of rows, and its pages. */
const BYTES_EACH = 1024 ** 3;
/** The maximum share of the inputs that may be read in vain before the first records of the parts. */
const VAIN_SHARE = 1 / 8;

/** Consecutive ranges, from number `first` to before number `end`. */
interface Part {
  readonly first: number;
  readonly end: number;
}

/** A run whose inputs are files with sizes. */
type Sized = Run & { readonly sizes: readonly number[]; readonly records: number };

/**
 * Runs `run` to its end. If it rejects, no unfinished output is left, and the error is that of the first record that has
 * one.
 */
export async function runAtOnce(run: Run): Promise<void> {
  const sized = sizedRun(run);
  const parts = sized && partsOf(sized);
  await (parts === undefined ? runJob(run) : runParts(sized!, parts));
}

async function runParts(run: Sized, parts: readonly Part[]): Promise<void> {
  const records = parts.map(() => 0);
  let failed = Infinity;
  const outcomes = await Promise.allSettled(
    parts.map(async (part, number) => {
      const progress = (_: number, written: number): void => {
        records[number] = written;
        report(run, records);
      };
      try {
        // Parts before a failed one go on: an earlier error takes precedence, as it does without parts.
        await runJob({ ...run, progress }, { ...part, isGivenUp: () => number > failed });
      } catch (error) {
        failed = Math.min(failed, number);
        throw error;
      }
    }),
  );
  const rejected = outcomes.find(({ status }) => status === 'rejected');
  if (rejected?.status === 'rejected') throw rejected.reason;
}

/** Reports the records of all parts, and their share of the stored bytes. */
function report({ progress, records, sizes }: Sized, written: readonly number[]): void {
  const sum = sumOf(written);
  progress(Math.round((sumOf(sizes) * sum) / records), sum);
}

/** Returns `run` with the sizes of its inputs, if parts of it can run at once. */
function sizedRun(run: Run): Sized | undefined {
  const { format, openStream, split, transform, faults, input, ranges } = run;
  const { records } = ranges;
  if (format.onOneThread !== true || openStream !== undefined || split !== undefined) return undefined;
  // With errors that are left out, the parts would have to agree about numbers, rates and the end.
  if (transform !== undefined || !faults.policy.alwaysThrows || !records) return undefined;
  const files = input.native?.()?.files;
  return files && { ...run, records, sizes: files.map(({ bytes }) => bytes!) };
}

/** Divides the outputs to write into as many parts as can run at once. Undefined: only one can. */
function partsOf(run: Sized): readonly Part[] | undefined {
  const wanted = run.outputs.flatMap((outputs, range) => (isUnfinished(outputs) ? [range] : []));
  for (let count = Math.min(AT_ONCE, processors(), wanted.length); count > 1; count--) {
    const firsts = Array.from({ length: count }, (_, i) => wanted[Math.floor((wanted.length * i) / count)]!);
    const vain = sumOf(firsts.map((range) => bytesBefore(run, range)));
    if (vain > sumOf(run.sizes) * VAIN_SHARE) continue;
    return firsts.map((first, i) => ({ first, end: firsts[i + 1] ?? Infinity }));
  }
  return undefined;
}

/** Number of processors for which there is memory. */
function processors(): number {
  // Not every runtime has it. 0 or a huge number: there is no limit.
  const limit = (process as Partial<NodeJS.Process>).constrainedMemory?.() ?? 0;
  const memory = limit > 0 ? Math.min(totalmem(), limit) : totalmem();
  return Math.min(availableParallelism(), Math.floor(memory / BYTES_EACH));
}

/** Stored bytes that a reader must read before the first record of a range. */
function bytesBefore({ ranges, sizes, records }: Sized, range: number): number {
  const { places, bases } = ranges;
  const start = recordAt(ranges, ranges.ranges[range]!.begin);
  // Indexes know a place nearby, and so does counting in plain files.
  if (places === undefined || places.before(start) !== undefined) return 0;
  const { input, number } = start;
  return (sizes[input]! * number) / Math.max((bases[input + 1] ?? records) - bases[input]!, 1);
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
