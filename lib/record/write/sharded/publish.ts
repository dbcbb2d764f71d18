/** Gives the files of a set their names, all or none. */
import { open, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';

import { codeOf, counted, fromNodeError, messageOf, TFRecordError, tfrecordError, worded } from '../../../base';
import {
  existsError,
  forgetTemporary,
  giveName,
  giveNewName,
  makeFolder,
  temporaryName,
  writeWhole,
} from '../../../io';
import type { Earlier } from './earlier';

/** Files that are to appear together. */
export interface Publication {
  readonly files: readonly { readonly temporary: string; readonly path: string }[];
  /** The files that are replaced: they go away, the first one first. */
  readonly replaced: Earlier;
  readonly manifest: { readonly path: string; readonly text: string };
}

/**
 * Gives all files their names, and the manifest last. After a failure none of them has its name, and what was to be
 * replaced is as it was; the message says so if that failed, too. A process that is killed meanwhile may leave some.
 * @throws TFRecordError EEXIST for a name that something has meanwhile, such as a second name that the file system takes
 *   for the same
 */
export async function publish({ files, replaced, manifest }: Publication): Promise<void> {
  const moved: { readonly from: string; readonly to: string }[] = [];
  const named: string[] = [];
  const folders: string[] = [];
  try {
    for (const from of replaced.files) {
      const to = temporaryName(from);
      await asOurs(from, rename(from, to)).finally(() => {
        // A file that cannot be put back must stay when the process ends.
        forgetTemporary(to);
      });
      moved.push({ from, to });
    }
    let last: string | undefined;
    for (const { temporary, path } of files) {
      const folder = dirname(path);
      if (folder !== last) {
        const made = await makeFolder(folder);
        if (made !== undefined) folders.push(made);
        last = folder;
      }
      await asOurs(path, giveNewName(temporary, path));
      named.push(path);
    }
    await asOurs(manifest.path, writeWhole(manifest.path, manifest.text, { publish: giveNewName }));
  } catch (error) {
    throw await undone(error, named, moved, folders);
  }
  const aside = [...moved.map(({ to }) => to), ...replaced.movedAside];
  for (const path of aside) await rm(path, { force: true }).catch(() => undefined);
  await syncFolders(new Set([...named, manifest.path].map((path) => dirname(path))));
}

async function undone(
  error: unknown,
  named: readonly string[],
  moved: readonly { readonly from: string; readonly to: string }[],
  folders: readonly string[],
): Promise<unknown> {
  const kept: string[] = [];
  for (const path of named) await rm(path).catch(() => kept.push(path));
  for (const { from, to } of moved) await giveName(to, from).catch(() => kept.push(`${from} (now ${to})`));
  for (const path of named) await removeMade(dirname(path), folders);
  const [first] = kept;
  if (first === undefined || !(error instanceof TFRecordError)) return error;
  const files = counted(kept.length, 'file');
  const message = worded`${messageOf(error)} ${files} could not be put back, such as '${first}': remove what is incomplete.`;
  return tfrecordError(error.code, message, { file: first, cause: error });
}

/** Removes `folder` and its parents as far as they are in one of `made`, and empty. */
export async function removeMade(folder: string, made: readonly string[]): Promise<void> {
  for (let at = folder; made.some((each) => at === each || at.startsWith(join(each, sep))); at = dirname(at)) {
    if (
      !(await rmdir(at).then(
        () => true,
        () => false,
      ))
    )
      return;
  }
}

async function asOurs(path: string, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw codeOf(error) === 'EEXIST' ? existsError(path) : fromNodeError(error, path, 'rename');
  }
}

/** Makes the names survive a power cut. Windows does so by itself, and cannot open folders. */
async function syncFolders(folders: ReadonlySet<string>): Promise<void> {
  if (process.platform === 'win32') return;
  for (const folder of folders) {
    try {
      const handle = await open(folder);
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
    } catch (error) {
      throw fromNodeError(error, folder, 'fsync', 'All files have their names, but may not survive a power cut');
    }
  }
}
