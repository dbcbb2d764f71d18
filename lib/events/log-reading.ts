/** Reads logs once, from their beginnings: a run after another, into blocks of values. */
import { LoopTurns, type Compression } from '../base';
import type { ClassifiedSource } from '../io';
import {
  ErrorPolicy,
  partsOf,
  recordSequence,
  REUSED_SLAB_BYTES,
  SlabLeases,
  type ReadPlan,
  type RecordBatch,
  type RecordSequence,
  type SequenceStart,
} from '../record';
import type { LogFile } from './find-logs';
import { RunReading, type ValueChoice } from './run-reading';
import type { ValueBlock } from './value-block';

/** The settings of reading logs. */
export interface LogPlan {
  readonly read: ReadPlan;
  readonly choice: ValueChoice;
  /** True to keep the values that a restart made obsolete. */
  readonly keepsObsolete: boolean;
}

/** Reads batches of records whose memory is used again. */
export class LogRecords {
  readonly #inputs: RecordSequence;
  readonly #slabs = new SlabLeases();

  constructor(source: ClassifiedSource, plan: ReadPlan, start?: SequenceStart) {
    const batchBytes = plan.batchBytes ?? REUSED_SLAB_BYTES;
    this.#inputs = recordSequence(source, { ...plan, batchBytes, memory: this.#slabs.memory }, start);
  }

  /** Resolves with the next batch, valid until the next call; undefined at the end. */
  async next(): Promise<RecordBatch | undefined> {
    const batch = await this.#inputs.next();
    if (batch !== undefined) this.#slabs.enter(batch);
    return batch;
  }

  /** The compression of the file read last; undefined before its first bytes were read. */
  get compression(): Compression | undefined {
    return this.#inputs.compression;
  }

  async close(): Promise<void> {
    this.#slabs.close();
    await this.#inputs.close();
  }
}

/** The files of `files`, literally. */
export function sourceOf(files: readonly LogFile[], folder: string | undefined): ClassifiedSource {
  return { kind: 'paths', paths: files.map(({ path }) => ({ path, expands: false })), folder };
}

/**
 * Gives the values of `files`, those of a run together. If a run cannot be held, reads it twice: for its restarts, then for
 * its values. At damage, throws after the values before it.
 */
export async function* readLogs(
  files: readonly LogFile[],
  folder: string | undefined,
  plan: LogPlan,
): AsyncGenerator<ValueBlock, void> {
  const runs = new Map(files.map(({ path, run }) => [path, run]));
  yield* readSource(sourceOf(files, folder), plan, {
    runOf: (file) => runs.get(file) ?? '.',
    again: (run) => {
      const own = files.filter((file) => file.run === run);
      // Standard input gives its bytes once.
      return own.some(({ path }) => path === '-') ? undefined : sourceOf(own, folder);
    },
  });
}

/** The runs of a source. */
interface SourceRuns {
  /** Returns the run of a file. */
  runOf(file: string): string;
  /** Returns the source of one run, to read it a second time; undefined if that cannot be. */
  again(run: string): ClassifiedSource | undefined;
}

/** Gives the values of `source`. */
export async function* readSource(
  source: ClassifiedSource,
  plan: LogPlan,
  runs: SourceRuns,
): AsyncGenerator<ValueBlock, void> {
  const { policy, signal } = plan.read;
  const records = new LogRecords(source, plan.read);
  let current: RunReading | undefined;
  const end = async function* (): AsyncGenerator<ValueBlock, void> {
    const reading = current;
    current = undefined;
    if (reading !== undefined) yield* valuesOf(reading, plan, runs.again(reading.run));
  };
  try {
    for (let batch = await records.next(); batch !== undefined; batch = await records.next()) {
      const run = runs.runOf(partsOf(batch).source.file);
      if (current?.run !== run) {
        yield* end();
        if (policy.stopped) return;
        const limit = runs.again(run) === undefined ? Infinity : undefined;
        current = new RunReading(run, plan.choice, plan.keepsObsolete ? 'stream' : 'hold', limit);
      }
      const more = await takeAll(current, batch, policy);
      yield* current.ready();
      if (!more) break;
    }
  } catch (error) {
    if (signal?.aborted !== true) yield* end();
    throw error;
  } finally {
    await records.close();
  }
  yield* end();
}

const turns = new LoopTurns();

/**
 * Takes the records of `batch`, until the run has `events` of them (default: all). Resolves with false if `policy` ends
 * reading.
 */
export async function takeAll(
  reading: RunReading,
  batch: RecordBatch,
  policy: ErrorPolicy,
  events = Infinity,
): Promise<boolean> {
  const count = Math.min(batch.length, events - reading.events);
  for (let at = 0; at < count;) {
    at = reading.take(batch, at, count, policy);
    if (at < 0) return false;
    await turns.breathe();
  }
  return true;
}

/** Gives the values of a run whose records were all taken. */
export async function* valuesOf(
  reading: RunReading,
  { read }: LogPlan,
  again: ClassifiedSource | undefined,
): AsyncGenerator<ValueBlock, void> {
  if (!reading.overflowed) {
    yield* reading.end();
    return;
  }
  // Damage of files was judged when it was met first.
  const action = read.policy.salvages ? 'salvage' : 'skip';
  const policy = new ErrorPolicy({ action, maxRate: 1 });
  const { events } = reading;
  const records = new LogRecords(again!, { ...read, policy });
  reading.again();
  try {
    while (reading.events < events) {
      const batch = await records.next();
      if (batch === undefined) break;
      const more = await takeAll(reading, batch, read.policy, events);
      yield* reading.ready();
      if (!more) return;
    }
  } finally {
    await records.close();
  }
}
