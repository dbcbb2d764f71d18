import { rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import type { Words } from '../../dataset';
import { invalidArgValue } from '../../base';
import type { FoundInput } from '../format';
import { makeFolder } from '../../io';
import { loadBeside, scanAndSave } from '../../record';
import { checkAbsent, checkApart, lookAround, removeOld, type FileTarget } from '../output/target';
import type { Shuffled } from '../transform/shuffle';
import { identityOf, seedOf } from './identity';
import { bytesOf } from '../input/inputs';
import type { Job } from './job';
import { checkSameJob, finishedOutputs } from './manifest';
import { ManifestKeeper } from './manifest-keeper';
import { plannedOutputs, type FinishedOutputs } from './planned-outputs';
import { reportOf, type ConvertReport } from './report';
import { divide, prepare, runWork, shuffle, withSource } from './work';

/** Runs, or resumes, a job that writes files. */
export async function convertToFiles(job: Job, target: FileTarget): Promise<ConvertReport> {
  const { plan, inputs, begun } = job;
  const { resume, force } = plan;
  const found = await lookAround(target, plan);
  await checkApart(target, found, inputs);
  if (resume && !inputs.repeatable) {
    throw invalidArgValue('options.resume', 'absent, because an input is not a file', resume);
  }
  const seed = seedOf(plan, found.manifest);
  const identity = identityOf(job, seed);
  const old = found.manifest;
  const folder = dirname(target.output);
  if (resume && old !== undefined) checkSameJob(target.manifest!, old, identity);
  else if (!force) checkAbsent(target, found);
  const kept: FinishedOutputs = resume && old !== undefined ? await finishedOutputs(folder, old) : new Map();
  if (resume && old?.complete === true && kept.size === old.outputs.length) {
    const paths = old.outputs.map(({ file }) => join(folder, file));
    if (plan.index) await saveMissingIndexes(paths);
    const files = paths.map((path) => shownPath(target, path));
    return { ...reportOf(job, files, old, 0, kept.size), bytesIn: old.bytesIn, upToDate: true };
  }
  const created = await makeFolder(folder);
  if (force) await removeOld(target, found);
  const keeper = new ManifestKeeper(target.manifest, identity, bytesOf(inputs), begun);
  try {
    return await withSource(job, target.output, (source) => write(job, source, target, seed, keeper, kept));
  } catch (error) {
    await keeper.giveUp();
    if (created !== undefined) await rmdir(folder).catch(() => undefined);
    throw error;
  }
}

/** The path of an output in the form in which the caller gave it. */
function shownPath({ output, given, isSet }: FileTarget, path: string): string {
  return !isSet && basename(path) === basename(output) ? given : path;
}

/** Writes all outputs, except those in `kept`. */
async function write(
  job: Job,
  source: FoundInput,
  target: FileTarget,
  seed: Words | undefined,
  keeper: ManifestKeeper,
  kept: FinishedOutputs,
): Promise<ConvertReport> {
  const work = await prepare(job, source);
  let shuffled: Shuffled | undefined;
  try {
    shuffled = seed === undefined ? undefined : await shuffle(job, work, target.output, seed);
    const ranges = await divide(job, source, shuffled);
    const outputs = plannedOutputs(job, target, ranges, kept);
    const before = outputs.flat().filter(({ finished }) => finished !== undefined);
    if (job.plan.index) await saveMissingIndexes(before.map(({ path }) => path!));
    await keeper.begin(outputs.map((sides) => sides.map(({ finished }) => finished)));
    const bytesRead = await runWork(
      job,
      { ...work, input: shuffled ?? work.input },
      {
        ranges,
        outputs,
        openStream: undefined,
        // A killed run may have left an output that its manifest does not list: it is replaced.
        replaces: job.plan.force || job.plan.resume,
        summed: target.manifest !== undefined,
        finished: (output, range, side) => keeper.note(output, range, side),
      },
    );
    const totals = await keeper.complete();
    const files = outputs.flat().map(({ path }) => shownPath(target, path!));
    return reportOf(job, files, totals, bytesRead, kept.size);
  } finally {
    await shuffled?.remove();
    await work.close();
  }
}

/** Saves the indexes of finished outputs that have none, or another one: their run was killed before, or wanted none. */
async function saveMissingIndexes(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const index = await loadBeside(path, {});
    if (index === undefined) await scanAndSave(path);
    else await index.close();
  }
}
