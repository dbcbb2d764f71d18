/** Jobs whose output is a folder of files. It appears when it is complete. */
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { asWrongUse, codeOf, fromNodeError, invalidArgValue, isUrl, tfrecordError, worded } from '../../base';
import { abandonedFor, type WriteTarget } from '../../io';
import type { ConvertPlan } from '../options';
import { FolderOutput } from '../output/folder-output';
import { checkOutside } from '../output/target';
import type { Job } from './job';
import { totalsOf, type ManifestOutput } from './manifest';
import { ONE_RANGE } from './ranges';
import { reportOf, type ConvertReport } from './report';
import { prepare, runWork, withSource } from './work';

/** Options that do not go together with an output that is a folder. */
const NOT_FOLDERS = [
  'shards',
  'maxBytes',
  'split',
  'partitionBy',
  'index',
  'shuffle',
  'part',
  'resume',
  'force',
] as const;

/** Checks that `output` is the path of a folder that is empty, or can be made. @throws TypeError; TFRecordError EEXIST */
export async function folderTarget(output: WriteTarget, to: string, plan: ConvertPlan): Promise<string> {
  const given = isUrl(output) && output.protocol === 'file:' ? fileURLToPath(output) : output;
  if (typeof given !== 'string' || given === '' || given === '-')
    throw invalidArgValue('output', `the path of a new folder for ${to}`, given);
  for (const name of NOT_FOLDERS) {
    const value: unknown = plan[name];
    if (value === undefined || value === false) continue;
    const why = name === 'force' ? 'absent: a folder is never replaced' : `absent for ${to}, which is one folder`;
    throw invalidArgValue(`options.${name === 'part' ? 'shard' : name}`, why, value);
  }
  const path = given.replace(/(?<=[^/\\:])[/\\]+$/, '');
  let entries: readonly string[] = [];
  try {
    entries = await readdir(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw fromNodeError(error, path, 'scandir');
    if (codeOf(error) === 'ENOTDIR') entries = ['a file'];
  }
  if (entries.length === 0) return path;
  const message = worded`EEXIST: '${path}' exists, and it is not an empty folder: name a new one`;
  throw asWrongUse(tfrecordError('EEXIST', message, { file: path }));
}

/** Runs a job that writes the folder `path`. */
export async function convertToFolder(job: Job, path: string): Promise<ConvertReport> {
  const { inputs, outputFormat: format } = job;
  if (inputs.root !== undefined) await checkOutside(join(path, 'file'), inputs.root);
  await removeAbandoned(path);
  const written: ManifestOutput[] = [];
  const bytesRead = await withSource(job, path, async (source) => {
    const work = await prepare(job, source);
    try {
      return await runWork(job, work, {
        ranges: ONE_RANGE,
        outputs: [[{ path: undefined, side: undefined, finished: undefined }]],
        openStream: (settings) => FolderOutput.create(path, settings, (target, own) => format.open(target, own)),
        replaces: false,
        summed: false,
        finished: (each) => {
          written.push(each);
          return Promise.resolve();
        },
      });
    } finally {
      await work.close();
    }
  });
  return reportOf(job, [path], totalsOf(written), bytesRead);
}

/** Removes the folders that killed jobs left beside `path`. */
async function removeAbandoned(path: string): Promise<void> {
  const folder = dirname(path);
  for (const entry of await readdir(folder).catch(() => [])) {
    const left = abandonedFor(entry);
    if (left?.mayBeOurs === false && left.name === basename(path))
      await rm(join(folder, entry), { recursive: true, force: true });
  }
}
