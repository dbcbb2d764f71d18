import { lstat, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import {
  checkBoolean,
  checkOptions,
  checkSignal,
  counted,
  fromNodeError,
  invalidArgType,
  invalidArgValue,
  isUrl,
  TFRecordError,
  tfrecordError,
  advice,
  elsewhere,
  worded,
} from '../../base';
import { existsError, giveName, INDEX_SUFFIX, isShardOf, manifestName, shardName } from '../../io';
import { PART_MANIFEST, partFolder } from '../output/names';
import { entriesOf } from '../output/target';
import { mismatch, partFolders, partManifest, readParts } from './find-parts';
import { readManifest, totalsOf, writeManifest, type Manifest, type ManifestOutput } from './manifest';
import type { Part } from './parts';
import type { ConvertReport } from './report';

/** The option with which `convert` makes a part, or the output, anew. */
const FORCE = elsewhere('force', 'convert');

/** Options of {@link mergeParts}. Unknown names throw. */
export interface MergeOptions {
  /** True: replaces outputs of that name. Default: false, which throws if there are any. */
  force?: boolean | undefined;
  /** Aborts the merge. A later call continues it. */
  signal?: AbortSignal | undefined;
}

/** A file of a part, and its new place. */
interface Move {
  readonly from: string;
  readonly to: string;
  readonly output: ManifestOutput;
}

/**
 * Joins the parts of a job that ran with `shard`: checks that all of the folders `OUT.part-i-of-N` are there, complete
 * and of one job, renames their outputs to one set, `NAME-00000-of-00012.EXT`, and adds up their manifests to
 * `OUT.manifest.json`. The folders are removed. After a kill, another call continues.
 *
 * @param output - The path that was given to {@link convert}.
 * @throws TFRecordError: ENOENT if a part is missing, TFR_STATE_MISMATCH if one is not complete, or belongs to another
 *   job, EEXIST if there is another set of outputs; TypeError for wrong arguments; `signal.reason`.
 *
 * @example
 * const { files } = await mergeParts('out/train.tfrecord');
 */
export async function mergeParts(output: string | URL, options?: MergeOptions): Promise<ConvertReport> {
  const begun = performance.now();
  const given = checkOptions(options, ['force', 'signal']);
  const force = checkBoolean('options.force', given.force, false);
  const signal = checkSignal('options.signal', given.signal);
  const path: unknown = isUrl(output) ? fileURLToPath(output) : output;
  if (typeof path !== 'string') throw invalidArgType('output', 'a path or a file URL', path);
  if (path === '' || path.endsWith('/') || path.endsWith(sep))
    throw invalidArgValue('output', 'the name that the parts were made for', path);
  signal?.throwIfAborted();

  const target = manifestName(path);
  const before = await readManifest(target, FORCE);
  const parts = await findParts(path, before, signal);
  if (parts === undefined) return reportOf(path, before!, begun, true);
  const merged = joined(parts, (performance.now() - begun) / 1000);
  const moves = movesOf(path, parts);
  await checkMoves(path, moves, before, force, signal);
  // From here on the outputs belong to this job: after an interruption, another call continues without `force`.
  const outputs = moves.map(({ output: { side, ...rest }, to }) => ({
    ...rest,
    file: basename(to),
    ...(side === undefined ? {} : { side }),
  }));
  await writeManifest(target, { ...merged, complete: false, outputs });
  for (const move of moves) {
    signal?.throwIfAborted();
    await perform(move);
  }
  const whole = { ...merged, outputs, finished: new Date().toISOString() };
  await writeManifest(target, whole);
  await removeParts(
    path,
    parts.map((_, index) => ({ index, count: parts.length })),
  );
  return reportOf(path, whole, begun, false);
}

/** The error about `file` of a part, which has `found` bytes instead of `expected`. */
function damaged(file: string, found: number, expected: number): TFRecordError {
  const cure = advice` Run the part again: ${elsewhere('resume', 'convert')} goes on with it.`;
  const message = worded`${file} is damaged: it has ${counted(found, 'byte')}, not ${expected} as its manifest says.${cure}`;
  return tfrecordError('TFR_STATE_MISMATCH', message, {
    file,
    expected: counted(expected, 'byte'),
    found: counted(found, 'byte'),
  });
}

/** The manifests of all parts, in order; undefined if an earlier call merged them. @throws TFRecordError */
async function findParts(
  path: string,
  before: Manifest | undefined,
  signal: AbortSignal | undefined,
): Promise<readonly Manifest[] | undefined> {
  const found = await partFolders(path);
  if (before?.complete === true && before.merged !== undefined && found.every(({ count }) => count === before.merged)) {
    // A kill may have interrupted the removal of the folders. A folder with outputs belongs to another job.
    const isLeft = await Promise.all(found.map((part) => isEmptied(path, part)));
    if (isLeft.every((left) => left)) {
      await removeParts(path, found);
      return undefined;
    }
  }
  const manifests = await readParts(path, found, (file) => readManifest(file, FORCE), signal);
  for (const [index, { outputs }] of manifests.entries()) checkOutputs(path, index, manifests.length, outputs);
  return manifests;
}

/** True if the folder of a part has no output. */
async function isEmptied(path: string, { index, count }: Part): Promise<boolean> {
  const entries = await entriesOf(partFolder(path, index, count));
  return entries.every((entry) => entry === PART_MANIFEST);
}

/** A manifest may be forged: names in it must refer to outputs of its part. @throws TFRecordError TFR_STATE_MISMATCH */
function checkOutputs(path: string, index: number, count: number, outputs: readonly ManifestOutput[]): void {
  const file = partManifest(path, index, count);
  const names = new Set<string>();
  for (const { file: output, side } of outputs) {
    if (!isShardOf(path, [side], output))
      throw mismatch(file, `it lists ${JSON.stringify(output)}, which is not an output`);
    if (names.has(output)) throw mismatch(file, `it lists ${JSON.stringify(output)} twice`);
    names.add(output);
  }
}

/** The manifest of all parts together, without outputs. */
function joined(parts: readonly Manifest[], seconds: number): Manifest {
  const { part: _part, ...first } = parts[0]!;
  const sum = (of: (manifest: Manifest) => number): number => parts.reduce((all, manifest) => all + of(manifest), 0);
  const lostBytes = sum((manifest) => manifest.lostBytes ?? 0);
  return {
    ...first,
    complete: true,
    merged: parts.length,
    // A part that begins within a file has it together with the part before.
    inputs: parts.flatMap(({ inputs, part }) => inputs.slice((part?.begin?.[1] ?? 0) > 0 ? 1 : 0)),
    outputs: [],
    records: sum((manifest) => manifest.records),
    skipped: sum((manifest) => manifest.skipped),
    ...(lostBytes === 0 ? {} : { lostBytes }),
    bytesIn: sum((manifest) => manifest.bytesIn),
    bytesOut: sum((manifest) => manifest.bytesOut),
    seconds: sum((manifest) => manifest.seconds) + seconds,
    finished: new Date().toISOString(),
  };
}

/** The moves of the outputs of all parts, in order. */
function movesOf(path: string, parts: readonly Manifest[]): Move[] {
  const all = parts.flatMap(({ outputs }, index) =>
    outputs.map((output) => ({ output, from: join(partFolder(path, index, parts.length), output.file) })),
  );
  const totals = new Map<string | undefined, number>();
  for (const { output } of all) totals.set(output.side, (totals.get(output.side) ?? 0) + 1);
  const numbers = new Map<string | undefined, number>();
  return all.map(({ output, from }) => {
    const number = numbers.get(output.side) ?? 0;
    numbers.set(output.side, number + 1);
    return { from, output, to: shardName(path, output.side, number, totals.get(output.side)!) };
  });
}

/**
 * Checks that each file is in its part, or was already moved. @throws TFRecordError EEXIST, ENOENT, TFR_STATE_MISMATCH
 */
async function checkMoves(
  path: string,
  moves: readonly Move[],
  before: Manifest | undefined,
  force: boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  const isOurs = before?.complete === false && before.merged !== undefined;
  for (const { from, to, output } of moves) {
    signal?.throwIfAborted();
    const [source, there] = await Promise.all([sizeOf(from), sizeOf(to)]);
    if (source === output.bytes) continue;
    if (source !== undefined) throw damaged(from, source, output.bytes);
    if (!isOurs || there !== output.bytes) {
      throw new TFRecordError('ENOENT', `ENOENT: '${from}' is missing, which the manifest of its part lists`, {
        file: from,
      });
    }
  }
  const sides = [...new Set(moves.map(({ output }) => output.side))];
  const names = new Set(moves.map(({ to }) => basename(to)));
  const old = (await entriesOf(dirname(path))).filter((entry) => isShardOf(path, sides, entry));
  for (const entry of old) {
    if (isOurs && names.has(entry)) continue;
    const file = join(dirname(path), entry);
    if (!force) throw existsError(file);
    await rm(file, { force: true });
    await rm(`${file}${INDEX_SUFFIX}`, { force: true });
  }
  if (before !== undefined && !isOurs && !force) {
    const file = manifestName(path);
    throw existsError(file);
  }
}

/**
 * The size of a file; undefined if it is missing. @throws TFRecordError TFR_STATE_MISMATCH if it is not a regular file
 */
async function sizeOf(path: string): Promise<number | undefined> {
  const there = await lstat(path).catch(() => undefined);
  if (there?.isFile() === false) throw mismatch(path, 'it is not a regular file');
  return there?.size;
}

async function perform({ from, to }: Move): Promise<void> {
  // `checkMoves` found the file, so a missing one was already moved.
  await move(from, to);
  await move(`${from}${INDEX_SUFFIX}`, `${to}${INDEX_SUFFIX}`);
}

/** Renames the file `from` if it is there. */
async function move(from: string, to: string): Promise<void> {
  if ((await sizeOf(from)) === undefined) return;
  await giveName(from, to).catch((error: unknown) => {
    throw fromNodeError(error, to, 'rename');
  });
}

/** Removes the folders of `parts`. Keeps a folder with other files. */
async function removeParts(path: string, parts: readonly Part[]): Promise<void> {
  for (const { index, count } of parts) {
    const folder = partFolder(path, index, count);
    await rm(join(folder, PART_MANIFEST), { force: true });
    await rmdir(folder).catch(() => undefined);
  }
}

function reportOf(path: string, manifest: Manifest, begun: number, upToDate: boolean): ConvertReport {
  const files = manifest.outputs.map(({ file }) => join(dirname(path), file));
  return {
    files,
    ...totalsOf(manifest.outputs),
    lostBytes: manifest.lostBytes ?? 0,
    bytesIn: manifest.bytesIn,
    seconds: (performance.now() - begun) / 1000,
    kept: upToDate ? files.length : 0,
    upToDate,
    notes: [],
  };
}
