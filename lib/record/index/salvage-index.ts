/** The index beside a damaged file, at whose checkpoints a reader that salvages goes on. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

import { INDEX_SUFFIX } from '../../io';
import { IndexStatus, native, type IndexHandle } from '../../native';
import { largestIndex } from './index-file';

// Windows lacks O_NONBLOCK.
const { O_RDONLY, O_NONBLOCK = 0 } = constants as Partial<typeof constants> & { O_RDONLY: number };

/**
 * Returns the index that is saved beside the compressed file of `fileSize` bytes at the full path `at`. Undefined if there is none
 * that can be read, or the file was plain. It need not fit: native code believes a checkpoint only if records follow it.
 */
export function salvageIndex(at: string, fileSize: number): IndexHandle | undefined {
  const bytes = regularFile(`${at}${INDEX_SUFFIX}`, largestIndex(fileSize));
  if (bytes === undefined) return undefined;
  const { status, compression, handle } = native().indexLoad(bytes);
  return status === IndexStatus.Right && compression !== 'none' ? handle : undefined;
}

/** Returns the bytes of the regular file at `path`; undefined if it cannot be read, or has more than `most`. */
function regularFile(path: string, most: number): Uint8Array | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, O_RDONLY | O_NONBLOCK);
    const stats = fstatSync(descriptor);
    return stats.isFile() && stats.size <= most ? readFileSync(descriptor) : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
