/** Jobs whose outputs are objects of a store: one, or a set with a manifest. */
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { advice, asWrongUse, invalidArgValue, shownUrl, tfrecordError, worded } from '../../base';
import {
  existsError,
  isShardOf,
  listObjects,
  listsObjects,
  manifestName,
  objectExists,
  suffixesAt,
  writeObject,
} from '../../io';
import { isOutputOf } from '../output/names';
import { OutputStream } from '../output/output-file';
import type { ObjectTarget } from '../output/target';
import type { Shuffled } from '../transform/shuffle';
import { identityOf, seedOf } from './identity';
import { bytesOf } from '../input/inputs';
import type { Job } from './job';
import { manifestOf, manifestText, totalsOf, type ManifestOutput } from './manifest';
import { plannedOutputs } from './planned-outputs';
import { reportOf, type ConvertReport } from './report';
import { divide, prepare, runWork, shuffle, withSource } from './work';

/**
 * Runs a job that writes objects. Each appears whole, when its records are complete. A set has a manifest, which appears last: it
 * says that the set is complete. A job that fails leaves the objects that were complete before.
 */
export async function convertToObjects(job: Job, target: ObjectTarget): Promise<ConvertReport> {
  const { outputFormat: format, plan, inputs, begun, to } = job;
  const { output: url, isSet } = target;
  if (format.filesOnly === true)
    throw invalidArgValue('output', `a file, because ${to} cannot be written to a stream`, shownUrl(url));
  const earlier = await earlierObjects(target);
  const [first] = earlier;
  if (first !== undefined && !plan.force) throw existsError(shownUrl(first));
  const manifest = manifestName(url);
  const seed = seedOf(plan, undefined);
  const identity = identityOf(job, seed);
  const written: ManifestOutput[] = [];
  const text = (complete: boolean): string =>
    manifestText(manifestOf(identity, written, { complete, bytesIn: bytesOf(inputs), begun }));
  // Temporary files lie on this machine.
  const beside = join(tmpdir(), 'tfrecord');
  return withSource(job, beside, async (source) => {
    const work = await prepare(job, source);
    let shuffled: Shuffled | undefined;
    try {
      shuffled = seed === undefined ? undefined : await shuffle(job, work, beside, seed);
      const ranges = await divide(job, source, shuffled);
      const outputs = plannedOutputs(job, target, ranges, new Map());
      const urls = outputs.flat().map(({ path }) => path!);
      if (isSet && !listsObjects(url) && !plan.force) await checkAbsent(urls);
      const own = new Set([...urls, manifest]);
      const other = earlier.find((each) => !own.has(each));
      if (other !== undefined) throw otherObject(other);
      // Until the new one is there, none may say that the set is complete.
      if (isSet && earlier.includes(manifest)) await writeObject(manifest, text(false), plan.signal);
      const bytesRead = await runWork(
        job,
        { ...work, input: shuffled ?? work.input },
        {
          ranges,
          outputs,
          openStream: (settings, path) => OutputStream.create(path!, format, settings),
          replaces: true,
          summed: isSet,
          finished: (each) => {
            written.push(each);
            return Promise.resolve();
          },
        },
      );
      if (isSet) await writeObject(manifest, text(true), plan.signal);
      return reportOf(job, urls.map(shownUrl), totalsOf(written), bytesRead);
    } finally {
      await shuffled?.remove();
      await work.close();
    }
  });
}

/** Returns the objects that have names of outputs of `target`, or of its manifest, as far as the store can list them. */
async function earlierObjects({ output, sides, isSet }: ObjectTarget): Promise<string[]> {
  if (!isSet) return (await objectExists(output)) ? [output] : [];
  const manifest = manifestName(output);
  if (!listsObjects(output)) return (await objectExists(manifest)) ? [manifest] : [];
  const stem = output.slice(0, suffixesAt(output));
  const folder = output.slice(0, output.lastIndexOf('/') + 1);
  const found = await listObjects(stem);
  return found.filter((each) => {
    const name = each.slice(folder.length);
    if (name.includes('/')) return false;
    const isSide = sides.some((side) => side !== undefined && isOutputOf(output, side, name));
    return each === manifest || isSide || isShardOf(output, sides, basename(name));
  });
}

/** @throws TFRecordError EEXIST if one of the objects exists */
async function checkAbsent(urls: readonly string[]): Promise<void> {
  for (const url of urls) if (await objectExists(url)) throw existsError(shownUrl(url));
}

/** The error of an object that a new set does not replace, so that it would be one of its objects. */
function otherObject(url: string): Error {
  const file = shownUrl(url);
  const cure = advice` Remove it first: objects are replaced, but never removed.`;
  const message = worded`EEXIST: '${file}' belongs to an earlier set, and the new one would not replace it.${cure}`;
  return asWrongUse(tfrecordError('EEXIST', message, { file }));
}
