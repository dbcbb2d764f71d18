/** Indexes that readers of this thread made of compressed files, by which later readers begin near the record they need. */
import { access } from 'node:fs/promises';

import type { Identity } from '../../io';
import { native, type IndexHandle, type IndexStart, type ReaderSpec, type ReadStart } from '../../native';
import { checkIndex, indexPathOf, loadIndex } from './index-file';

/** Content between two checkpoints that a reader notes, at least. Small enough to be inflated in some 10 ms. */
const DISTANCE = 4 * 2 ** 20;
/** Memory of the checkpoints of one file. With more, the distances double. */
const MEMORY = 4 * 2 ** 20;
const MOST_FILES = 4;

/** The index used last comes last. */
const known = new Map<string, IndexHandle>();

function keyOf(at: string, { key }: Identity): string {
  return `${key}:${at}`;
}

/** Returns the index to which a reader with `spec` of the file at the full path `at` adds. */
export function notedIndex(at: string, identity: Identity, spec: ReaderSpec): IndexHandle {
  const key = keyOf(at, identity);
  const handle = known.get(key) ?? native().indexNew(at, spec, DISTANCE, MEMORY);
  known.delete(key);
  known.set(key, handle);
  for (const oldest of known.keys()) {
    if (known.size <= MOST_FILES) break;
    known.delete(oldest);
  }
  return handle;
}

/**
 * Finds where a reader of the file at the full path `at` begins that needs the records from `record` on: by what readers
 * noted, else by the index beside the file. Undefined: at the beginning of the file.
 */
export async function findStart(
  at: string,
  identity: Identity,
  record: number,
  spec: ReaderSpec,
): Promise<ReadStart | undefined> {
  const handle = known.get(keyOf(at, identity));
  const noted = handle === undefined ? undefined : native().indexStart(handle, record);
  const saved = await savedStart(at, identity, record, spec);
  return saved === undefined || (noted !== undefined && noted.record >= saved.record) ? noted : saved;
}

/** An index that is missing, damaged or of another file is no reason to fail: reading begins with the file. */
async function savedStart(
  at: string,
  identity: Identity,
  record: number,
  spec: ReaderSpec,
): Promise<IndexStart | undefined> {
  const indexPath = indexPathOf(at);
  try {
    await access(indexPath);
    const { loaded } = await loadIndex(indexPath, at, spec);
    await checkIndex(indexPath, loaded, identity, at);
    return native().indexStart(loaded.handle, record);
  } catch {
    return undefined;
  }
}
