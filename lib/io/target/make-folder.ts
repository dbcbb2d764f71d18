import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

import { codeOf, fromNodeError } from '../../base';

/**
 * Makes `folder` and its missing parents. Resolves with the outermost folder that was made; undefined if all existed.
 * @throws TFRecordError
 */
export async function makeFolder(folder: string): Promise<string | undefined> {
  try {
    return await mkdir(folder, { recursive: true });
  } catch (error) {
    throw fromNodeError((codeOf(error) === 'ENOENT' ? await reasonOf(folder) : undefined) ?? error, folder, 'mkdir');
  }
}

/**
 * Returns the reason why `folder` cannot be made, where Node reports only ENOENT (for example, for EROFS). Undefined if
 * there is no other reason.
 */
async function reasonOf(folder: string): Promise<unknown> {
  const parent = dirname(folder);
  if (parent !== folder && (await stat(parent).catch(() => undefined)) === undefined) return reasonOf(parent);
  const error: unknown = await mkdir(folder).catch((reason: unknown) => reason);
  return codeOf(error) === 'EEXIST' ? undefined : error;
}
