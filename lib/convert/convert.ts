import { invalidArgValue } from '../errors';
import type { RecordSource, WriteTarget } from '../record';
import type { ReadSettings } from './format';
import { formatOf, type InputFormatName } from './formats';
import { findPictures, partOfPictures } from './images/find-pictures';
import { findInputs, inputsOf, type Inputs } from './input/inputs';
import { JobFaults } from './job/faults';
import { checkJob } from './job/job';
import { partOfList, type Part } from './job/parts';
import type { ConvertReport } from './job/report';
import { convertToFiles } from './job/to-files';
import { convertToStream } from './job/to-stream';
import { checkConvertOptions, type ConvertOptions, type ConvertPlan } from './options';
import { findTarget } from './output/target';

/**
 * Converts files. TFRecord → TFRecord recompresses, reshards, merges, splits, shuffles and projects; records that only
 * move are copied, neither parsed nor encoded.
 *
 * Outputs get their names when they are complete; an error or an abort leaves no others. A job of several outputs writes
 * a manifest, `OUT.manifest.json` (docs/conversion.md), with which `resume` goes on after a kill.
 *
 * @param input - A path, pattern, shard set or list of these, or a stream, as readers take; or a folder of pictures.
 * @param output - The path of the output, from which the names of shards are made; or a stream.
 * @throws TypeError or RangeError with Node's codes for wrong arguments; TFRecordError: EEXIST if the output exists,
 *   TFR_STATE_MISMATCH if `resume` finds another job, the codes of damage and of the file system; `signal.reason`.
 *
 * @example
 * const { records } = await convert('train-*.gz', 'out/train.tfrecord.gz', { shards: 16 });
 */
export async function convert(
  input: RecordSource,
  output: WriteTarget,
  options?: ConvertOptions,
): Promise<ConvertReport> {
  return runConversion(input, output, options, 'text');
}

/** Converts as {@link convert}. `digits`: what JSON Lines make of features of integers in strings, without a spec. */
export async function runConversion(
  input: RecordSource,
  output: WriteTarget,
  options: ConvertOptions | undefined,
  digits: ReadSettings['digits'],
): Promise<ConvertReport> {
  const begun = performance.now();
  const plan = checkConvertOptions(options);
  const faults = new JobFaults(plan.onError);
  const target = await findTarget(output, plan);
  plan.signal?.throwIfAborted();
  const found = await findInputs(input);
  const from = formatFrom(found, plan);
  const all = from === 'images' ? await findPictures(found, plan) : found;
  const inputs = plan.part === undefined ? all : partOf(all, plan.part);
  const job = checkJob({ plan, faults, inputs, allFiles: all.files, begun, from }, output, digits);
  return 'stream' in target ? convertToStream(job, target.stream) : convertToFiles(job, target);
}

/** The format of the input. One folder is one of pictures. */
function formatFrom({ files }: Inputs, { from: given, labels, classes }: ConvertPlan): InputFormatName {
  const isFolder = files.length > 0 && files.every((file) => file.isFolder === true);
  if (isFolder && files.length > 1 && given === undefined) {
    throw invalidArgValue('input', 'one folder of pictures: that above these', files[0]!.file);
  }
  const from = formatOf(
    'from',
    given ?? (isFolder ? 'images' : undefined),
    files.map(({ file }) => file),
  );
  if (from !== 'images' && (labels ?? classes) !== undefined) {
    const name = labels === undefined ? 'classes' : 'labels';
    throw invalidArgValue(`options.${name}`, 'absent, because the input is no folder of pictures', labels ?? classes);
  }
  return from;
}

function partOf(all: Inputs, part: Part): Inputs {
  return all.pictures === undefined ? inputsOf(partOfList(all.files, part)) : partOfPictures(all, part);
}
