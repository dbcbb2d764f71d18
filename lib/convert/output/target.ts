/** The target of a job, and the outputs that already exist there. */
import { lstat, readdir, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import {
  codeOf,
  fromNodeError,
  shownUrl,
  invalidArgValue,
  isUrl,
  asWrongUse,
  tfrecordError,
  advice,
  named,
  worded,
} from '../../base';
import {
  abandonedFor,
  existsError,
  INDEX_SUFFIX,
  isShardOf,
  manifestName,
  objectUrl,
  type WriteTarget,
} from '../../io';
import type { Inputs } from '../input/inputs';
import { readManifest, type Manifest } from '../job/manifest';
import type { ConvertPlan } from '../options';
import { isOutputOf, PART_MANIFEST, partFolder, sideName } from './names';

/** Outputs that are files. */
export interface FileTarget {
  /** The path from which outputs are named: that of the caller, in the folder of the part. */
  readonly output: string;
  /** The path of the caller, which may be a link to `output`. */
  readonly given: string;
  /** Path of the manifest; undefined for a job without one. */
  readonly manifest: string | undefined;
  /** The folder of a part. */
  readonly folder: string | undefined;
  /** True for several outputs, with numbers or sides in their names. */
  readonly isSet: boolean;
  readonly sides: readonly (string | undefined)[];
}

/** Outputs that are objects of a store. */
export interface ObjectTarget {
  /** The URL from which outputs are named. */
  readonly output: string;
  readonly isObject: true;
  /** As {@link FileTarget.isSet}. */
  readonly isSet: boolean;
  readonly sides: readonly (string | undefined)[];
}

/** A stream, or a device or pipe at a path, where data appears as it is written. */
export interface StreamTarget {
  readonly stream: WriteTarget;
}

/** Resolves the argument `output`. @throws TypeError if it does not suit `plan`; TFRecordError EISDIR for a folder */
export async function findTarget(
  output: WriteTarget,
  plan: ConvertPlan,
): Promise<FileTarget | ObjectTarget | StreamTarget> {
  const url = objectUrl(output);
  if (url !== undefined) {
    refuseOptions(plan, ['partitionBy', 'index', 'part', 'resume']);
    if (/[*?]/.test(url)) throw invalidArgValue('output', ONE_NAME, shownUrl(url));
    return { output: url, isObject: true, ...setOf(plan) };
  }
  const given = isUrl(output) ? fileURLToPath(output) : output;
  if (typeof given !== 'string') return streamTarget(given, plan);
  const path = await withoutMissing(given);
  if (path === '-') throw invalidArgValue('output', 'a path, or a stream such as process.stdout', path);
  if (/[*?]/.test(path)) throw invalidArgValue('output', ONE_NAME, path);
  if (path === '' || path.endsWith('/'))
    throw invalidArgValue('output', 'the name of a file, such as out/train.tfrecord', path);
  const there = await stat(path).catch(() => undefined);
  if (there?.isDirectory() === true) {
    const cure = advice` Name a file in it: ${join(path, 'out.tfrecord')}`;
    throw asWrongUse(tfrecordError('EISDIR', worded`EISDIR: '${path}' is a folder.${cure}`, { file: path }));
  }
  if (there !== undefined && !there.isFile()) return streamTarget(path, plan);
  const { part, resume } = plan;
  const { isSet, sides } = setOf(plan);
  if (part === undefined) {
    // If the path is a link, the file that it names is replaced.
    const isLink = (await lstat(path).catch(() => undefined))?.isSymbolicLink() === true;
    const file = isLink && there !== undefined ? await realpath(path) : path;
    return {
      given: path,
      output: file,
      manifest: isSet || resume ? manifestName(file) : undefined,
      folder: undefined,
      isSet,
      sides,
    };
  }
  const folder = partFolder(path, part.index, part.count);
  return {
    given: path,
    output: join(folder, basename(path)),
    manifest: join(folder, PART_MANIFEST),
    folder,
    isSet,
    sides,
  };
}

/**
 * Removes `..` after folders that do not exist from `path`, so that it refers to the file that it will refer to once
 * they exist: otherwise `new/../a`, where `a` is an input, would look like a new file.
 */
async function withoutMissing(path: string): Promise<string> {
  if (!/(?:^|[/\\])\.\.[/\\]/.test(path)) return path;
  let folder = dirname(path);
  while ((await stat(folder).catch(() => undefined)) === undefined) {
    if (folder === dirname(folder)) return path;
    folder = dirname(folder);
  }
  const missing = path.slice(folder.length);
  return folder === dirname(path) ? path : join(await realpath(folder), folder === '.' ? path : missing);
}

const ONE_NAME = 'the name of one file, without * and ?, which are for the names of inputs';

/** Options that make several outputs, or need files. */
const FILE_OPTIONS = ['shards', 'maxBytes', 'split', 'partitionBy', 'index', 'part', 'resume'] as const;

function setOf({ split, part, shards, maxBytes }: ConvertPlan): Pick<FileTarget, 'isSet' | 'sides'> {
  return {
    isSet: split !== undefined || shards !== undefined || maxBytes !== undefined || part !== undefined,
    sides: split === undefined ? [undefined] : Object.keys(split),
  };
}

function streamTarget(stream: WriteTarget, plan: ConvertPlan): StreamTarget {
  refuseOptions(plan, FILE_OPTIONS);
  return { stream };
}

/** @throws TypeError for one of the options `names`, for an output that is not a file */
function refuseOptions(plan: ConvertPlan, names: readonly (typeof FILE_OPTIONS)[number][]): void {
  for (const name of names) {
    const value: unknown = plan[name];
    if (value === undefined || value === false || (name === 'shards' && value === 1)) continue;
    throw invalidArgValue(
      `options.${name === 'part' ? 'shard' : name}`,
      'absent for an output that is not a file',
      value,
    );
  }
}

/** The outputs and the manifest of an earlier job. */
export interface EarlierOutputs {
  /** Names of outputs, in their folder. */
  readonly outputs: readonly string[];
  readonly manifest: Manifest | undefined;
}

/** Finds outputs of earlier jobs, and removes temporary files that killed jobs left. */
export async function lookAround(target: FileTarget, { force }: ConvertPlan): Promise<EarlierOutputs> {
  const { output, sides, isSet, manifest } = target;
  const folder = dirname(output);
  const name = basename(output);
  const isOutput = (entry: string): boolean => {
    if (!isSet) return entry === name;
    return (
      isShardOf(output, sides, entry) ||
      sides.some((side) => side !== undefined && entry === basename(sideName(output, side)))
    );
  };
  const manifestFile = manifest === undefined ? undefined : basename(manifest);
  const outputs: string[] = [];
  for (const entry of await entriesOf(folder)) {
    if (isOutput(entry)) outputs.push(entry);
    const left = abandonedFor(entry);
    if (left === undefined) continue;
    const isOfJob = isOutput(left.name) || left.name === name || left.name === manifestFile;
    if (!isOfJob || (left.mayBeOurs && (await isNew(join(folder, entry))))) continue;
    await rm(join(folder, entry), { recursive: true, force: true });
  }
  return { outputs, manifest: manifest === undefined ? undefined : await readOld(manifest, force) };
}

/** True if `path` was written after this process began. */
async function isNew(path: string): Promise<boolean> {
  const there = await stat(path).catch(() => undefined);
  return there === undefined || there.mtimeMs >= Date.now() - 1000 * process.uptime();
}

export async function entriesOf(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw fromNodeError(error, folder, 'scandir');
  }
}

async function readOld(path: string, force: boolean): Promise<Manifest | undefined> {
  try {
    return await readManifest(path);
  } catch (error) {
    if (force && codeOf(error) === 'TFR_STATE_MISMATCH') return undefined;
    throw error;
  }
}

/** Refuses to overwrite an input. @throws TypeError */
export async function checkApart(
  { output }: FileTarget,
  found: EarlierOutputs,
  { paths, root }: Inputs,
): Promise<void> {
  if (root !== undefined) await checkOutside(output, root);
  if (found.outputs.length === 0) return;
  const folders = new Map<string, string>();
  const real = async (folder: string): Promise<string> => {
    const known = folders.get(folder) ?? (await realpath(folder).catch(() => folder));
    folders.set(folder, known);
    return known;
  };
  const names = new Set(found.outputs);
  const folder = await real(dirname(output));
  for (const path of paths) {
    if (!names.has(basename(path)) || (await real(dirname(path))) !== folder) continue;
    throw invalidArgValue('output', 'another name: one of its files is an input', path);
  }
}

/** Refuses an output in the folder of pictures, because it would be one of them. @throws TypeError */
export async function checkOutside(output: string, root: string): Promise<void> {
  for (let folder = resolve(dirname(output)); ; folder = dirname(folder)) {
    const real = await realpath(folder).catch(() => undefined);
    if (real !== undefined) {
      if (real !== root && !real.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)) return;
      throw invalidArgValue('output', `outside of the folder of pictures, ${root}`, output);
    }
    if (folder === dirname(folder)) return;
  }
}

/** @throws TFRecordError EEXIST, if a job would replace something */
export function checkAbsent({ output, manifest: path }: FileTarget, { outputs, manifest }: EarlierOutputs): void {
  const name = outputs[0] === undefined ? path : join(dirname(output), outputs[0]);
  if (name === undefined || (outputs.length === 0 && manifest === undefined)) return;
  const how =
    manifest?.complete === false
      ? advice` A job has not finished it: ${named('resume', 'resume', true)} goes on with it, ${named('force', 'force', true)} begins anew.`
      : undefined;
  throw existsError(name, how);
}

/**
 * Removes the outputs of an earlier set. A single file is replaced in one step instead, when the new one is complete.
 */
export async function removeOld(target: FileTarget, { outputs, manifest }: EarlierOutputs): Promise<void> {
  if (!target.isSet) return;
  const folder = dirname(target.output);
  const listed = manifest?.outputs.filter(({ file, side }) => isOutputOf(target.output, side, file)) ?? [];
  const names = new Set([...outputs, ...listed.map(({ file }) => file)]);
  for (const name of names) {
    await rm(join(folder, name), { force: true });
    await rm(join(folder, `${name}${INDEX_SUFFIX}`), { force: true });
  }
  if (target.manifest !== undefined) await rm(target.manifest, { force: true });
}
