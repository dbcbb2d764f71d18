import type { RecordSource, WriteTarget } from '../io';
import type { ReadSettings } from './format';
import { inputFormat, inputFormatOf, isFolderFormat } from './formats';
import { findInputs } from './input/inputs';
import { JobFaults } from './job/faults';
import { checkJob } from './job/job';
import type { ConvertReport } from './job/report';
import { convertToFiles } from './job/to-files';
import { convertToFolder, folderTarget } from './job/to-folder';
import { convertToObjects } from './job/to-objects';
import { convertToPartitions } from './job/to-partitions';
import { convertToStream } from './job/to-stream';
import { checkConvertOptions, type ConvertOptions } from './options';
import { findTarget } from './output/target';

/**
 * Converts files. TFRecord → TFRecord recompresses, reshards, merges, splits, shuffles and projects; records that only
 * move are copied, neither parsed nor encoded.
 *
 * Outputs get their names when they are complete; an error or an abort leaves no incomplete ones. A job of several
 * outputs writes a manifest, `OUT.manifest.json` (docs/conversion.md), from which `resume` continues after a kill.
 *
 * @param input - A path, pattern, shard set or list of these, or a stream, as readers accept; or a folder of pictures.
 * @param output - The path of the output, from which the names of shards are made, or the URL of an object; or a stream.
 * @throws TypeError or RangeError with Node's codes for wrong arguments; TFRecordError: EEXIST if the output exists,
 *   TFR_STATE_MISMATCH if `resume` finds the manifest of another job, the codes of damage and of the file system;
 *   `signal.reason`.
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

/**
 * Converts as {@link convert}. `digits`: the kind, without a spec, of features of JSON Lines whose values are integers
 * in strings.
 */
export async function runConversion(
  input: RecordSource,
  output: WriteTarget,
  options: ConvertOptions | undefined,
  digits: ReadSettings['digits'],
): Promise<ConvertReport> {
  const begun = performance.now();
  const plan = checkConvertOptions(options);
  const faults = new JobFaults(plan.onError);
  const folder = isFolderFormat(plan.to) ? await folderTarget(output, plan.to, plan) : undefined;
  const target = folder === undefined ? await findTarget(output, plan) : undefined;
  plan.signal?.throwIfAborted();
  const given = await findInputs(input);
  const from = inputFormatOf(plan.from, given.files);
  const all = await inputFormat(from).find(given, plan);
  const source = plan.part === undefined ? all : await all.partOf(plan.part);
  const job = checkJob({ plan, faults, source, allFiles: all.inputs.files, begun, from }, output, digits);
  if (target === undefined) return convertToFolder(job, folder!);
  if ('isObject' in target) return convertToObjects(job, target);
  if ('stream' in target) return convertToStream(job, target.stream);
  if (plan.partitionBy !== undefined) return convertToPartitions(job, target.given, plan.partitionBy);
  return convertToFiles(job, target);
}
