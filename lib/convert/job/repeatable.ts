import { removeTemporary } from '../output/output-file';
import { temporaryName } from '../output/names';
import type { FoundInput } from '../format';
import type { Job } from './job';

/**
 * Calls `work` with the inputs of `job`, in a form that can be read repeatedly: inputs that can be read only once are
 * first copied to a temporary file beside `path`.
 */
export async function withSource<T>(job: Job, path: string, work: (source: FoundInput) => Promise<T>): Promise<T> {
  const { source, outputFormat, reading, shards } = job;
  const { shuffle, maxBytes, where } = job.plan;
  const hasColumns = outputFormat.takesTable === true || where !== undefined;
  const surveys = hasColumns && reading.spec === undefined;
  const counts = surveys || (!shuffle && (maxBytes !== undefined || shards > 1));
  const isReadTwice = counts || source.readsTwice?.(reading) === true;
  if (source.inputs.repeatable || source.copied === undefined || !isReadTwice) return work(source);
  const copy = temporaryName(path);
  try {
    return await work(await source.copied(reading, copy));
  } finally {
    await removeTemporary(copy);
  }
}
