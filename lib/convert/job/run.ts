/** Passes the records of a job to its outputs, one range after the other. Knows nothing about formats. */
import { basename } from 'node:path';

import { TFRecordError } from '../../base';
import type { RecordBatch } from '../../record';
import { sliceOf } from '../batches';
import {
  indexOf,
  type CopyProgress,
  type NativeRecords,
  type OutputFormat,
  type PreparedInput,
  type WriteSettings,
} from '../format';
import { OutputFile, type FinishedOutput, type OutputStream } from '../output/output-file';
import type { PartitionedOutput } from '../output/partitioned-output';
import type { FolderOutput } from '../output/folder-output';
import type { Split } from '../transform/split';
import type { JobFaults } from './faults';
import type { ManifestOutput } from './manifest';
import { recordAt, type RecordRange, type Ranges } from './ranges';

/** An output of a range. */
export interface PlannedOutput {
  /** Path of the file, or URL of the object; undefined for a stream. */
  readonly path: string | undefined;
  readonly side: string | undefined;
  /** Its entry in the manifest, if an earlier run finished it. */
  readonly finished: ManifestOutput | undefined;
}

/** A run of a job: its input, its outputs, and the steps between. */
export interface Run {
  readonly input: PreparedInput;
  readonly ranges: Ranges;
  /** For each range its outputs: one, or one for each side of the split. */
  readonly outputs: readonly (readonly PlannedOutput[])[];
  readonly split: Split | undefined;
  /** Changes each batch. */
  readonly transform: ((batch: RecordBatch) => RecordBatch | Promise<RecordBatch>) | undefined;
  readonly format: OutputFormat;
  readonly settings: WriteSettings;
  readonly faults: JobFaults;
  /** Opens an output that is not a file; undefined for files. */
  readonly openStream:
    | ((settings: WriteSettings, path: string | undefined) => Promise<OutputStream | PartitionedOutput | FolderOutput>)
    | undefined;
  /** True if outputs may replace files with their names that appeared while the job ran. */
  readonly replaces: boolean;
  /** True if checksums of the outputs are wanted. */
  readonly summed: boolean;
  /** Called with the stored bytes that this run read, and with the records that it wrote. */
  readonly progress: (bytes: number, records: number) => void;
  /** Called before the last output gets its name. May throw. */
  readonly beforeLast: () => void;
  /** Called with each finished output, its range and its side. */
  readonly finished: (output: ManifestOutput, range: number, side: number) => Promise<void>;
}

/** Some consecutive ranges of a run. */
export interface RunPart {
  readonly first: number;
  /** Number after that of the last. */
  readonly end: number;
  /** True once nobody wants these ranges any more. */
  readonly isGivenUp: () => boolean;
}

/** Runs `run`, or a part of it, to its end. If it rejects, no unfinished output is left. */
export async function runJob(run: Run, part?: RunPart): Promise<void> {
  await new Runner(run, part).run();
}

/** True if one of `outputs` is to be written. */
export function isUnfinished(outputs: readonly PlannedOutput[]): boolean {
  return outputs.some(({ finished }) => finished === undefined);
}

const WHOLE: RunPart = { first: 0, end: Infinity, isGivenUp: () => false };

class Runner {
  readonly #run: Run;
  readonly #ranges: readonly RecordRange[];
  /** Number of the current range. */
  #at: number;
  /** The outputs of the current range, once one is needed. */
  #open: RangeOutputs | undefined;
  /** The last range with an output to write. */
  readonly #last: number;
  /** Completing the outputs of the previous range, while records of the current one are read. */
  #finishing: Promise<void> = Promise.resolve();
  #completing: RangeOutputs | undefined;
  #records = 0;
  readonly #isGivenUp: () => boolean;

  constructor(run: Run, { first, end, isGivenUp }: RunPart = WHOLE) {
    this.#run = run;
    this.#ranges = run.ranges.ranges;
    this.#at = first;
    this.#last = run.outputs.findLastIndex((outputs, range) => range < end && isUnfinished(outputs));
    this.#isGivenUp = isGivenUp;
  }

  async run(): Promise<void> {
    try {
      if (this.#last < this.#at) return;
      if (!(await this.#copied())) await this.#read();
      while (this.#at <= this.#last) await this.#endRange();
      await this.#finishing;
    } catch (error) {
      await this.#finishing.catch(() => undefined);
      await Promise.all([this.#open?.abort(), this.#completing?.abort()]);
      throw error;
    }
  }

  /** Has native code write all records. Returns false, without effect, if that is not possible. */
  async #copied(): Promise<boolean> {
    const { input, ranges, split, transform, openStream, format, progress } = this.#run;
    const isWhole = ranges.ranges.length === 1 && ranges.ranges[0]!.end === Infinity;
    if (format.copies !== true || !isWhole || split !== undefined || transform !== undefined) return false;
    const records = openStream === undefined ? input.native?.() : undefined;
    if (records === undefined) return false;
    this.#open = await this.#openRange();
    return this.#open.copy(records, progress);
  }

  async #read(): Promise<void> {
    const { input, ranges, faults, progress } = this.#run;
    while (!this.#isNeeded(this.#at)) this.#at++;
    // The range includes damage before its first record, so that reading begins at the start of a file.
    const start = recordAt(ranges, this.#ranges[this.#at]!.begin);
    const first = firstOf(ranges.bases, start.input);
    const place = first === start.input ? ranges.places?.before(start) : undefined;
    const reader = input.open(first, start.number, undefined, place);
    try {
      for (;;) {
        if (this.#isGivenUp()) throw new TFRecordError('TFR_CLOSED', 'another part of the job failed');
        const portion = await reader.next();
        if (portion === undefined || faults.stopped) break;
        const base = ranges.bases[portion.input] ?? 0;
        await this.#take(portion.batch, (number) => indexOf(portion, number - base));
        progress(reader.bytes, this.#records);
        if (faults.stopped || this.#at > this.#last) break;
      }
    } finally {
      await reader.close();
    }
  }

  /**
   * Passes the records of `batch` to their ranges. `indexOf` finds the first record whose number is at least `number`.
   */
  async #take(batch: RecordBatch, index: (number: number) => number): Promise<void> {
    let at = 0;
    while (at < batch.length && this.#at <= this.#last && !this.#run.faults.stopped) {
      const { begin, end } = this.#ranges[this.#at]!;
      const stop = end === Infinity ? batch.length : index(end);
      const start = Math.max(at, begin === 0 ? 0 : index(begin));
      if (start < stop && this.#isNeeded(this.#at)) await this.#write(sliceOf(batch, start, stop));
      at = Math.max(at, stop);
      if (at < batch.length) await this.#endRange();
    }
  }

  async #write(batch: RecordBatch): Promise<void> {
    const { transform, faults } = this.#run;
    faults.range = this.#at;
    const changed = transform === undefined ? batch : await transform(batch);
    if (changed.length === 0) return;
    this.#open ??= await this.#openRange();
    this.#records += changed.length;
    const full = this.#open.write(changed);
    if (full !== undefined) await full;
  }

  #isNeeded(range: number): boolean {
    return isUnfinished(this.#run.outputs[range] ?? []);
  }

  #openRange(): Promise<RangeOutputs> {
    return RangeOutputs.open(this.#run, this.#run.outputs[this.#at]!);
  }

  /** Completes the outputs of this range while the next is being read. */
  async #endRange(): Promise<void> {
    const range = this.#at;
    if (this.#isNeeded(range)) {
      const outputs = (this.#open ??= await this.#openRange());
      await this.#finishing;
      if (range === this.#last) this.#run.beforeLast();
      this.#open = undefined;
      this.#completing = outputs;
      this.#finishing = outputs.finish(range);
      // The next `await` of it throws the error.
      this.#finishing.catch(() => undefined);
    }
    this.#at++;
  }
}

/** Waits for all `writes`, because they use the memory of one batch. @throws the error of the first that failed */
async function allOf(writes: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(writes)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/** The first input to read so that no record from input `first` on is missed: inputs before it may be empty. */
function firstOf(bases: readonly number[], first: number): number {
  let input = first;
  while (input > 0 && bases[input - 1] === bases[first]) input--;
  return input;
}

type AnyOutput = OutputFile | OutputStream | PartitionedOutput | FolderOutput;

/** The outputs of one range. Each is completed on its own. */
class RangeOutputs {
  readonly #run: Run;
  readonly #planned: readonly PlannedOutput[];
  /** By the number of the side; undefined where an earlier run finished the output. */
  readonly #open: (AnyOutput | undefined)[];

  private constructor(run: Run, planned: readonly PlannedOutput[], open: (AnyOutput | undefined)[]) {
    this.#run = run;
    this.#planned = planned;
    this.#open = open;
  }

  static async open(run: Run, planned: readonly PlannedOutput[]): Promise<RangeOutputs> {
    const open: (AnyOutput | undefined)[] = [];
    const outputs = new RangeOutputs(run, planned, open);
    try {
      for (const { path, finished } of planned) {
        if (finished !== undefined) open.push(undefined);
        else if (run.openStream !== undefined) open.push(await run.openStream(run.settings, path));
        else open.push(await OutputFile.create(path!, run.format, run.settings));
      }
    } catch (error) {
      await outputs.abort();
      throw error;
    }
    return outputs;
  }

  /** Returns a promise if the caller should wait. */
  write(batch: RecordBatch): Promise<void> | undefined {
    const { split, faults } = this.#run;
    if (split === undefined) return this.#open[0]?.write(batch);
    const waits: Promise<void>[] = [];
    for (const [side, part] of split.divide(batch, faults).entries()) {
      const full = part && this.#open[side]?.write(part);
      if (full !== undefined) waits.push(full);
    }
    return waits.length === 0 ? undefined : allOf(waits);
  }

  /** See {@link OutputSink.copy}. For a single file. */
  copy(records: NativeRecords, progress: CopyProgress): Promise<boolean> {
    return (this.#open[0] as OutputFile).copy(records, progress);
  }

  async finish(range: number): Promise<void> {
    const { replaces, summed, finished, faults } = this.#run;
    for (const [side, output] of this.#open.entries()) {
      if (output === undefined) continue;
      const { records, bytes, crc32c }: FinishedOutput = await output.finish(summed, replaces);
      this.#open[side] = undefined;
      const { path, side: name } = this.#planned[side]!;
      const file = path === undefined ? '-' : basename(path);
      // The first side of a split counts the faults of all sides.
      const [skipped, lostBytes] = side === 0 ? [faults.skippedIn(range), faults.lostIn(range)] : [0, 0];
      const lost = lostBytes === 0 ? {} : { lostBytes };
      await finished({ file, side: name, records, skipped, ...lost, bytes, crc32c: crc32c ?? '' }, range, side);
    }
  }

  /** Discards unfinished outputs. Never rejects. */
  async abort(): Promise<void> {
    await Promise.all(this.#open.map(async (output) => output?.abort()));
  }
}
