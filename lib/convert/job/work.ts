/** The steps of a job between its inputs and its outputs, shared by files and streams. */
import type { Words } from '../../dataset';
import type { Table } from '../../table';
import type { RecordBatch } from '../../record';
import type { FoundInput, PreparedInput } from '../format';
import { temporaryName } from '../../io';
import { removeTemporary } from '../output/output-file';
import { findPictures } from '../hugging-face/find-pictures';
import { HuggingFaceForm } from '../hugging-face/form';
import { findColumns } from '../table/job-table';
import { expectedBytes, Shuffled } from '../transform/shuffle';
import { Transform } from '../transform/transform';
import { progressOf, type Job } from './job';
import { countRanges, evenRanges, ONE_RANGE, rangeFinder, type Ranges } from './ranges';
import { runAtOnce } from './run-at-once';
import type { Run } from './run';

/** A job that is ready to run. */
export interface Work {
  readonly input: PreparedInput;
  /** Changes the records. Undefined if they stay as they are. */
  readonly transform: Transform | undefined;
  /** The columns to write, for outputs that have columns. */
  readonly table: Table | undefined;
  /** See `WriteSettings`. */
  readonly huggingFace: HuggingFaceForm | undefined;
  /** Releases the input and the transform. */
  close(): Promise<void>;
}

/**
 * Calls `work` with the inputs of `job`, in a form that can be read repeatedly: inputs that can be read only once are
 * first copied to a temporary file beside `path`.
 */
export async function withSource<T>(job: Job, path: string, work: (source: FoundInput) => Promise<T>): Promise<T> {
  const { source, outputFormat, reading, shards } = job;
  const { shuffle, maxBytes, where, huggingface } = job.plan;
  const hasColumns = outputFormat.takesTable === true || where !== undefined;
  const surveys = hasColumns && reading.spec === undefined;
  const counts = surveys || (!shuffle && (maxBytes !== undefined || shards > 1));
  const looks = huggingface !== undefined && huggingface.images === undefined;
  const isReadTwice = counts || looks || source.readsTwice?.(reading) === true;
  if (source.inputs.repeatable || source.copied === undefined || !isReadTwice) return work(source);
  const copy = temporaryName(path);
  try {
    return await work(await source.copied(reading, copy));
  } finally {
    await removeTemporary(copy);
  }
}

/**
 * Prepares `source`, the inputs of `job`, and finds its columns, for which it may read all inputs. Close the result at
 * the end.
 */
export async function prepare(job: Job, source: FoundInput): Promise<Work> {
  const { outputFormat, reading: settings } = job;
  const { where, signal } = job.plan;
  const { choice } = settings;
  const progress = progressOf(job, 'count');
  const input = await source.prepared(settings, progress);
  try {
    const takesTable = outputFormat.takesTable === true;
    const request = { source, prepared: input, settings, progress };
    const columns = takesTable || where !== undefined ? await findColumns(request) : undefined;
    // Outputs of columns leave out the other features themselves.
    const table = takesTable ? columns!.output() : undefined;
    const huggingFace = await huggingFaceOf(job, source, input, table);
    const transform = await Transform.open(where, columns, takesTable ? undefined : choice, signal);
    const close = async (): Promise<void> => {
      transform?.close();
      await input.close?.();
    };
    return { input, transform, table, huggingFace, close };
  } catch (error) {
    await input.close?.();
    throw error;
  }
}

async function huggingFaceOf(
  { plan: { huggingface }, reading }: Job,
  source: FoundInput,
  input: PreparedInput,
  table: Table | undefined,
): Promise<HuggingFaceForm | undefined> {
  if (huggingface === undefined || table === undefined) return undefined;
  const { images } = huggingface;
  const pictures = images === undefined ? await findPictures(input, table, reading) : new Set(images);
  return new HuggingFaceForm(table, huggingface, pictures, source.classNames);
}

/** Changes and shuffles all records, in temporary files beside `output`. Remove the result at the end. */
export async function shuffle(job: Job, { input, transform }: Work, output: string, seed: Words): Promise<Shuffled> {
  const { faults, inputs, plan } = job;
  const reader = input.open(0);
  const progress = progressOf(job, 'shuffle');
  const next = async (): Promise<RecordBatch | undefined> => {
    for (;;) {
      const portion = faults.stopped ? undefined : await reader.next();
      progress(reader.bytes);
      if (portion === undefined) return undefined;
      const batch = transform === undefined ? portion.batch : await transform.apply(portion.batch, faults);
      if (batch.length > 0) return batch;
    }
  };
  try {
    return await Shuffled.of({ next }, seed, expectedBytes(inputs.files), output, plan.signal);
  } finally {
    await reader.close();
  }
}

/** Divides the records of `source`, or of `shuffled`, into the ranges of `job`. */
export async function divide(job: Job, source: FoundInput, shuffled: Shuffled | undefined): Promise<Ranges> {
  const { inputs, reading, faults, shards } = job;
  const { maxBytes } = job.plan;
  if (inputs.files.length === 0) return { ranges: [], bases: [] };
  if (shuffled !== undefined) return { ranges: evenRanges(shuffled.records, shards), bases: [] };
  if (maxBytes === undefined && shards === 1) return ONE_RANGE;
  const limits = { shards, maxBytes };
  const counted = await countRanges(source, reading, limits, progressOf(job, 'count'));
  faults.rangeOf = rangeFinder(inputs.files, counted);
  return counted;
}

/** Runs `work`. Returns the stored bytes that it read. If it rejects, no unfinished output is left. */
export async function runWork(
  job: Job,
  { input, transform, table, huggingFace }: Work,
  run: Pick<Run, 'ranges' | 'outputs' | 'openStream' | 'replaces' | 'summed' | 'finished'>,
): Promise<number> {
  const { outputFormat: format, writing, split, faults } = job;
  // Shuffled records were changed before they were shuffled.
  const transforms = transform !== undefined && !(input instanceof Shuffled);
  const progress = progressOf(job, 'write');
  let bytesRead = 0;
  await runAtOnce({
    ...run,
    input,
    split,
    transform: transforms ? (batch) => transform.apply(batch, faults) : undefined,
    format,
    settings: { ...writing, table, huggingFace, sums: run.summed },
    faults,
    progress: (bytes, records) => {
      bytesRead = bytes;
      progress(bytes, records);
    },
    beforeLast: () => transform?.checkSeen(),
  });
  return bytesRead;
}
