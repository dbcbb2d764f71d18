/** Reads logs once, from their beginnings: a run after another, into blocks of values. */
import { tfrecordError, worded, type Origin, type TFRecordError } from '../base';
import type { ClassifiedSource } from '../io';
import { ErrorPolicy, type ReadPlan, type RecordBatch } from '../record';
import type { LogFile } from './find-logs';
import { breathe, wait, type LogSteps } from './log-steps';
import { RunReading, type ValueChoice } from './run-reading';

/** The records of logs, batch by batch. Batches are valid until the next call. */
export interface LogRecords {
  /** Returns undefined at the end. */
  next(): RecordBatch | undefined | Promise<RecordBatch | undefined>;
  /** Number of the file of the last batch. */
  readonly input: number;
  close(): void | Promise<void>;
}

/** The settings of reading logs. */
export interface LogPlan {
  readonly read: ReadPlan;
  readonly open: (source: ClassifiedSource, read: ReadPlan) => LogRecords;
  readonly choice: ValueChoice;
  /** True to keep the values that a restart made obsolete. */
  readonly keepsObsolete: boolean;
}

/** The files of `files`, literally. */
export function sourceOf(files: readonly LogFile[], folder: string | undefined): ClassifiedSource {
  return { kind: 'paths', paths: files.map(({ path }) => ({ path, expands: false })), folder };
}

/**
 * Gives the values of `files`, those of a run together. If a run cannot be held, reads it twice: for its restarts, then for
 * its values. At damage, throws after the values before it.
 */
export function* readLogs(files: readonly LogFile[], folder: string | undefined, plan: LogPlan): LogSteps {
  // Standard input gives its bytes once.
  const once = new Set(files.filter(({ path }) => path === '-').map(({ run }) => run));
  yield* readSource(sourceOf(files, folder), plan, {
    runOf: (input) => files[input]!.run,
    again: (input) => {
      const file = files[input]!;
      return once.has(file.run) ? undefined : sourceOf([file], folder);
    },
  });
}

/** The runs of a source. Its files are numbered: two may show the same name. */
interface SourceRuns {
  /** Returns the run of a file. */
  runOf(input: number): string;
  /** Returns the source of a file, to read it a second time; undefined if a file of its run cannot be. */
  again(input: number): ClassifiedSource | undefined;
}

/** The records of a file that a reading took. */
export interface TakenPart {
  readonly source: ClassifiedSource;
  records: number;
  /** The last of them. */
  last: Origin;
}

/** Gives the values of `source`. */
export function* readSource(source: ClassifiedSource, plan: LogPlan, runs: SourceRuns): LogSteps {
  const { policy, signal } = plan.read;
  const records = plan.open(source, plan.read);
  let current: RunReading | undefined;
  let parts: TakenPart[] = [];
  let input = -1;
  const end = function* (): LogSteps {
    const reading = current;
    current = undefined;
    if (reading !== undefined) yield* valuesOf(reading, plan, parts);
  };
  try {
    for (;;) {
      const batch = yield* wait(records.next());
      if (batch === undefined) break;
      const run = runs.runOf(records.input);
      if (current?.run !== run) {
        yield* end();
        if (policy.stopped) return;
        parts = [];
        const limit = runs.again(records.input) === undefined ? Infinity : undefined;
        current = new RunReading(run, plan.choice, plan.keepsObsolete ? 'stream' : 'hold', limit);
      }
      if (records.input !== input) {
        input = records.input;
        const again = runs.again(input);
        if (again !== undefined) parts.push({ source: again, records: 0, last: batch.origin(0)! });
      }
      if (parts.length > 0) notePart(parts.at(-1)!, batch);
      if (!(yield* taken(current, batch, policy))) break;
    }
  } catch (error) {
    if (signal?.aborted !== true) yield* end();
    throw error;
  } finally {
    yield* wait(records.close());
  }
  yield* end();
}

/** Notes that the records of `batch` were taken. */
export function notePart(part: TakenPart, batch: RecordBatch): void {
  part.records += batch.length;
  part.last = batch.origin(-1)!;
}

/**
 * Takes the first `count` records of `batch` (default: all), and gives the blocks that are ready, also before an error.
 * Returns false if `policy` ends reading.
 */
export function* taken(
  reading: RunReading,
  batch: RecordBatch,
  policy: ErrorPolicy,
  count = batch.length,
): LogSteps<boolean> {
  let at = 0;
  try {
    while (at >= 0 && at < count) {
      at = reading.take(batch, at, count, policy);
      yield* breathe();
    }
  } catch (error) {
    yield* reading.ready();
    throw error;
  }
  yield* reading.ready();
  return at >= 0;
}

/**
 * Gives the values of a run whose records, those of `parts`, were all taken. @throws TFRecordError TFR_STATE_MISMATCH if it
 * must be read a second time, and a file no longer has these records
 */
export function* valuesOf(reading: RunReading, plan: LogPlan, parts: readonly TakenPart[]): LogSteps {
  if (!reading.overflowed) {
    yield* reading.end();
    return;
  }
  reading.again();
  for (const part of parts) if (!(yield* takenAgain(reading, plan, part))) return;
}

/** Takes the records of `part` a second time, and no others. Returns false if the policy ends reading. */
function* takenAgain(reading: RunReading, { read, open }: LogPlan, part: TakenPart): LogSteps<boolean> {
  // Damage was judged when it was met first. If there is more of it now, records are missing.
  const action = read.policy.salvages ? 'salvage' : 'skip';
  const policy = new ErrorPolicy(read.policy.endsAtFirst ? 'stop' : { action, maxRate: 1 });
  const records = open(part.source, { ...read, policy });
  let left = part.records;
  try {
    while (left > 0) {
      const batch = yield* wait(records.next());
      if (batch === undefined) break;
      const count = Math.min(batch.length, left);
      left -= count;
      if (left === 0 && !isSame(batch.origin(count - 1)!, part.last)) break;
      if (!(yield* taken(reading, batch, read.policy, count))) return false;
      if (left === 0) return true;
    }
  } finally {
    yield* wait(records.close());
  }
  read.signal?.throwIfAborted();
  throw changedError(part);
}

function isSame(a: Origin, b: Origin): boolean {
  return a.record === b.record && a.offset === b.offset && a.bytes === b.bytes;
}

function changedError({ last: { file, record, offset, bytes }, records }: TakenPart): TFRecordError {
  return tfrecordError(
    'TFR_STATE_MISMATCH',
    worded`${file} changed while its run was read: the last of its ${records} records is no longer at byte ${offset}, or records before it are lost.`,
    { file, record, offset, expected: `${bytes} bytes of record ${record}` },
  );
}
