/** The index beside a damaged file, at whose checkpoints a reader that salvages goes on. */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';

import { INDEX_SUFFIX } from '../../io';
import { IndexStatus, native, type IndexHandle } from '../../native';
import { largestIndex, READ_FLAGS } from './index-file';

/**
 * Returns the index that is saved beside the compressed file of `fileSize` bytes at the full path `at`. Undefined if there is none
 * that can be read, or the file was plain. It need not fit: native code believes a checkpoint only if records follow it.
 */
export function salvageIndex(at: string, fileSize: number): IndexHandle | undefined {
  const bytes = regularFile(`${at}${INDEX_SUFFIX}`, largestIndex(fileSize));
  if (bytes === undefined) return undefined;
  const handle = native().indexLoad(bytes.length);
  native().indexLoadPart(handle, bytes);
  const { status, compression } = native().indexLoaded(handle);
  return status === IndexStatus.Right && compression !== 'none' ? handle : undefined;
}

/** Returns the bytes of the regular file at `path`; undefined if it cannot be read, or has more than `most`. */
function regularFile(path: string, most: number): Uint8Array | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, READ_FLAGS);
    const stats = fstatSync(descriptor);
    return stats.isFile() && stats.size <= most ? readFileSync(descriptor) : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
