/** Describes one part of the records: counts them, or finds their schema or statistics, for {@link openDescription}. */
import { lstat, mkdir, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';

import { asWrongUse, codeOf, fromNodeError, invalidArgValue, shownUrl, TFRecordError, type Text } from '../../base';
import { existsError } from '../../io';
import { RecycledBatches, resolveReadOptions, type DividedFiles, type ReadOptions, type ReadStats } from '../../record';
import type { Schema, SliceBy } from '../../schema';
import {
  checkNames,
  partValidation,
  sliceByJson,
  writeSchemaPart,
  writeStatisticsPart,
  writeValidationPart,
} from '../../schema/parts';
import { dividedInputs } from '../input/divide-files';
import { inputsOf, lookAtFiles, type InputFile, type Inputs } from '../input/inputs';
import { manifestPart } from '../job/identity';
import { partManifest } from '../job/find-parts';
import { checkSameJob, manifestInputs, type JobIdentity } from '../job/manifest';
import { partOf, partOfList } from '../job/parts';
import { partFolder } from '../output/names';
import {
  readDescription,
  writeDescription,
  type DescribeCommand,
  type DescriptionManifest,
  type FileCount,
} from './description-manifest';

/** Name of the file with what a part has found, in its folder. */
export const PART_FILE = 'part.tfrecord';

/** For `index`: does the work for whole files. Resolves with the number of their records, and the lines about them. */
export type PartWork = (
  files: readonly string[],
) => Promise<{ readonly records: number; readonly lines: readonly string[] }>;

/** Options of {@link describePart}. */
export interface DescribeOptions {
  /** `i/N`, or `auto`. */
  readonly shard: string;
  /** Options of reading. */
  readonly reading: ReadOptions;
  /** The names of the features that statistics describe. Default: all. */
  readonly features?: readonly string[] | undefined;
  /** The features whose values make slices of statistics. Default: none. */
  readonly sliceBy?: readonly SliceBy[] | undefined;
  /** For `validate`: the schema, and the environment of the data. */
  readonly validation?: { readonly schema: Schema; readonly environment: string | undefined } | undefined;
  /** More settings that the merge needs and that must be the same in all parts, as JSON: the form of the output, the name of the data set. */
  readonly output: Readonly<Record<string, unknown>>;
  /** True: a part that is complete does nothing. */
  readonly resume?: boolean | undefined;
  /** True: replaces a part that exists. */
  readonly force?: boolean | undefined;
  readonly onProgress?: ((progress: ReadStats) => void) | undefined;
  readonly work?: PartWork | undefined;
}

/** The result of {@link describePart}. */
export interface DescribedPart {
  /** The folder of the part. */
  readonly folder: string;
  readonly records: number;
  readonly skipped: number;
  readonly lostBytes: number;
  /** True if the part was complete before. */
  readonly upToDate: boolean;
  readonly notes: readonly Text[];
}

/**
 * Describes part `shard` of the records of `files`, whose names are known, and leaves the result in the folder of the part of `output`.
 * @throws TFRecordError EEXIST if the part exists; TFR_STATE_MISMATCH with `resume` if it belongs to another job; the errors
 *   of reading. TypeError or RangeError for wrong arguments, and for streams.
 */
export async function describePart(
  command: DescribeCommand,
  files: readonly string[],
  output: string,
  options: DescribeOptions,
): Promise<DescribedPart> {
  const begun = performance.now();
  const part = partOf(options.shard)!;
  // Wrong options are errors before anything is made.
  resolveReadOptions(options.reading);
  const all = await lookAtFiles(files);
  if (!all.repeatable) throw invalidArgValue('files', 'files, which all parts can read, not streams', files);
  // The numbers of records in a part of a file are not known.
  const areWhole = command === 'index' || command === 'validate';
  const inputs = areWhole ? inputsOf(partOfList(all.files, part)) : await dividedInputs(all, part);
  const identity: JobIdentity = {
    options: optionsOf(options),
    inputs: manifestInputs(inputs.files),
    part: manifestPart(part, all.files, inputs),
  };
  const folder = partFolder(output, part.index, part.count);
  const path = partManifest(output, part.index, part.count);
  const notes = inputs.notes ?? [];
  const before = await complete(path, options);
  if (before !== undefined) {
    checkSameJob(path, before, identity);
    if (before.command !== command) throw otherCommand(path, before.command, command);
    if (await isWhole(folder, before)) return { folder, ...totals(before), upToDate: true, notes };
  }
  await mkdir(folder, { recursive: true });
  const found = await describe(command, inputs, folder, options).catch(async (error: unknown) => {
    // A folder with files of an earlier run stays.
    await rmdir(folder).catch(() => undefined);
    throw error;
  });
  await writeDescription(path, {
    complete: true,
    command,
    ...identity,
    ...found,
    seconds: (performance.now() - begun) / 1000,
    finished: new Date().toISOString(),
  });
  return { folder, ...totals(found), upToDate: false, notes };
}

function otherCommand(file: string, expected: string, found: string): TFRecordError {
  return asWrongUse(
    new TFRecordError('TFR_STATE_MISMATCH', `${file} is the manifest of tfrecord ${expected}, not of ${found}.`, {
      file,
      expected,
      found,
    }),
  );
}

function totals({ records, skipped, lostBytes }: Omit<FileCount, 'file'>): Omit<FileCount, 'file'> {
  return { records, skipped, lostBytes };
}

/** The manifest of a part that need not be described again. Removes one that is replaced. @throws TFRecordError EEXIST */
async function complete(path: string, { resume, force }: DescribeOptions): Promise<DescriptionManifest | undefined> {
  if (force === true) {
    await rm(path, { force: true });
    return undefined;
  }
  if (resume === true) return readDescription(path);
  const there = await stat(path).catch(() => undefined);
  if (there !== undefined) throw existsError(path);
  return undefined;
}

/** True if the folder has all that the manifest of its part says. */
async function isWhole(folder: string, { complete, bytes }: DescriptionManifest): Promise<boolean> {
  if (!complete || bytes === undefined) return complete;
  const there = await lstat(join(folder, PART_FILE)).catch(() => undefined);
  return there?.isFile() === true && there.size === bytes;
}

/** The options that change the result, and what the merge needs. */
function optionsOf({ reading, features, sliceBy, output, validation }: DescribeOptions): JobIdentity['options'] {
  const { compression = 'auto', verify = 'all', onError } = reading;
  return {
    ...output,
    ...(validation === undefined ? {} : validationJson(validation)),
    features: features ?? null,
    ...(sliceBy === undefined ? {} : { sliceBy: sliceByJson(sliceBy) }),
    compression,
    verify,
    onError:
      typeof onError === 'object' ? onError.action : typeof onError === 'function' ? 'stop' : (onError ?? 'throw'),
  };
}

function validationJson({ schema, environment }: NonNullable<DescribeOptions['validation']>): JobIdentity['options'] {
  const { schema: text, isRead } = partValidation(schema, environment, undefined);
  return { schema: text, isRead, environment: environment ?? null };
}

type Found = Pick<DescriptionManifest, 'records' | 'skipped' | 'lostBytes' | 'counts' | 'lines' | 'bytes'>;

async function describe(
  command: DescribeCommand,
  inputs: Inputs,
  folder: string,
  { reading, features, sliceBy, onProgress, work, validation }: DescribeOptions,
): Promise<Found> {
  if (work !== undefined) return { ...(await work(inputs.files.map(({ file }) => file))), skipped: 0, lostBytes: 0 };
  if (command === 'count') return countPart(inputs, reading, onProgress);
  const path = join(folder, PART_FILE);
  // A part that was killed may have left it.
  await unlink(path).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw fromNodeError(error, path, 'unlink');
  });
  const plan = resolveReadOptions(reading);
  const wanted = checkNames(features);
  if (validation !== undefined) {
    const agreed = partValidation(validation.schema, validation.environment, wanted);
    const { stats } = await writeValidationPart(path, inputs.source, plan, agreed, onProgress);
    return { ...totals(stats), bytes: (await stat(path)).size };
  }
  const options = { wanted, sliceBy, slice: inputs.slice, onProgress };
  const write = command === 'schema' ? writeSchemaPart : writeStatisticsPart;
  const { stats } = await write(path, inputs.source, plan, options);
  return { ...totals(stats), bytes: (await stat(path)).size };
}

/** Counts the records of each file. */
async function countPart(
  { files, slice }: Inputs,
  reading: ReadOptions,
  onProgress: DescribeOptions['onProgress'],
): Promise<Found> {
  const counts: FileCount[] = [];
  let before = NOTHING_READ;
  for (const [i, file] of files.entries()) {
    const begin = i === 0 ? slice?.begin : undefined;
    const end = i === files.length - 1 ? slice?.end : undefined;
    const stats = await countFile(file, reading, slice && { ...slice, first: 0, last: 1, begin, end }, (soFar) => {
      onProgress?.(sum(before, soFar));
    });
    before = sum(before, stats);
    counts.push({ file: shownUrl(file.file), ...totals(stats) });
  }
  return { ...totals(before), counts };
}

const NOTHING_READ: ReadStats = {
  records: 0,
  bytes: 0,
  compressedBytes: 0,
  totalBytes: undefined,
  compression: undefined,
  skipped: 0,
  lostBytes: 0,
};

function sum(a: ReadStats, b: ReadStats): ReadStats {
  return {
    ...b,
    records: a.records + b.records,
    bytes: a.bytes + b.bytes,
    compressedBytes: a.compressedBytes + b.compressedBytes,
    totalBytes: undefined,
    skipped: a.skipped + b.skipped,
    lostBytes: a.lostBytes + b.lostBytes,
  };
}

/** Counts the records of a file, or of the `slice` of it. */
async function countFile(
  file: InputFile,
  reading: ReadOptions,
  slice: DividedFiles | undefined,
  onProgress: (soFar: ReadStats) => void,
): Promise<ReadStats> {
  const plan = resolveReadOptions(reading);
  const { policy } = plan;
  const inputs = new RecycledBatches(inputsOf([file]).source, plan, { slice });
  let [records, bytes] = [0, 0];
  const stats = (): ReadStats => {
    const { compressedBytes, compression, totalBytes } = inputs;
    const { skipped, lostBytes } = policy;
    return { records, bytes, compressedBytes, totalBytes, compression, skipped, lostBytes };
  };
  try {
    for (let batch = await inputs.next(); batch !== undefined; batch = await inputs.next()) {
      records += batch.length;
      bytes += batch.byteLength;
      onProgress(stats());
    }
    return stats();
  } finally {
    await inputs.close();
  }
}
