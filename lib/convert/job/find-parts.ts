/** Finds the parts of a job, and checks that they fit together. */
import { basename, dirname, join } from 'node:path';

import { advice, asWrongUse, elsewhere, TFRecordError, tfrecordError, worded, type Text } from '../../base';
import { parsePartFolder, PART_MANIFEST, partFolder } from '../output/names';
import { entriesOf } from '../output/target';
import { filesIn, shown, type Manifest } from './manifest';
import type { Part } from './parts';

/** The members of the manifest of a part that show which job it belongs to. */
export type PartIdentity = Pick<Manifest, 'complete' | 'options' | 'part' | 'inputs'>;

/** The parts of `path` whose folders exist, in any order. */
export async function partFolders(path: string): Promise<readonly Part[]> {
  const name = basename(path);
  return (await entriesOf(dirname(path))).flatMap((entry) => parsePartFolder(name, entry) ?? []);
}

/**
 * Reads the manifests of all parts, in order. `found`: the parts whose folders exist. `read` returns the manifest at a path;
 * undefined if it is missing.
 * @throws TFRecordError ENOENT if there is no part, or one is missing; TFR_STATE_MISMATCH if they do not fit together
 */
export async function readParts<M extends PartIdentity>(
  path: string,
  found: readonly Part[],
  read: (path: string) => Promise<M | undefined>,
  signal: AbortSignal | undefined,
): Promise<readonly M[]> {
  const counts = [...new Set(found.map(({ count }) => count))];
  if (counts.length === 0) {
    const file = partFolder(path, 0, 1).replace('0-of-1', '*');
    throw new TFRecordError('ENOENT', `ENOENT: there are no parts of '${path}': no folder ${file}`, { file });
  }
  if (counts.length > 1) {
    throw mismatch(path, `there are parts of several jobs: of ${counts.slice(0, 10).join(', of ')} parts`);
  }
  const count = counts[0] ?? 0;
  const there = new Set(found.map(({ index }) => index));
  const manifests: M[] = [];
  const missing: number[] = [];
  for (let index = 0; index < count; index++) {
    signal?.throwIfAborted();
    const manifest = there.has(index) ? await read(partManifest(path, index, count)) : undefined;
    if (manifest === undefined) missing.push(index);
    else manifests.push(manifest);
  }
  if (missing.length > 0) {
    const list = missing.slice(0, 10).join(', ') + (missing.length > 10 ? ', …' : '');
    const file = partFolder(path, missing[0]!, count);
    throw new TFRecordError('ENOENT', `ENOENT: ${missing.length} of ${count} parts are missing: ${list} ('${file}')`, {
      file,
    });
  }
  checkParts(path, manifests);
  return manifests;
}

/** The path of the manifest of a part. */
export function partManifest(path: string, index: number, count: number): string {
  return join(partFolder(path, index, count), PART_MANIFEST);
}

/** @throws TFRecordError TFR_STATE_MISMATCH, unless the parts are complete and belong to one job */
function checkParts(path: string, parts: readonly PartIdentity[]): void {
  const count = parts.length;
  const first = parts[0]!;
  let files = 0;
  let reached: readonly [number, number] = [0, 0];
  for (const [index, { complete, options, part, inputs }] of parts.entries()) {
    const file = partManifest(path, index, count);
    if (!complete)
      throw mismatch(
        file,
        worded`this part is not complete${advice`: run it again with ${elsewhere('resume', 'convert')}`}`,
      );
    if (part?.index !== index || part.count !== count) throw mismatch(file, 'it is the manifest of another part');
    if (part.list !== first.part!.list || part.files !== first.part!.files) {
      throw mismatch(file, 'its job found other input files than part 0');
    }
    if (part.begin !== undefined) {
      const [expected, found] = [reached, part.begin].map(([input, at]) => `place ${at} of input ${input}`);
      if (expected !== found)
        throw mismatch(file, `its first record is at ${found}, but the part before ends at ${expected}`);
      reached = part.end!;
    }
    for (const name of Object.keys(first.options)) {
      const [expected, found] = [first.options[name], options[name]].map((value) => JSON.stringify(value));
      if (expected === found) continue;
      const [here, there] = [shown(found ?? 'none'), shown(expected ?? 'none')];
      throw mismatch(file, `option "${shown(name)}" is ${here}, but ${there} in part 0`);
    }
    files += filesIn(inputs);
  }
  const isDivided = first.part!.begin !== undefined;
  if (isDivided && (reached[0] !== first.part!.files || reached[1] !== 0))
    throw mismatch(path, 'the last part is not the end');
  if (!isDivided && files !== first.part!.files)
    throw mismatch(path, `the parts have ${files} of ${first.part!.files} input files`);
}

export function mismatch(file: string, why: Text): TFRecordError {
  return asWrongUse(
    tfrecordError('TFR_STATE_MISMATCH', worded`The parts of ${file} do not fit together: ${why}.`, { file }),
  );
}
