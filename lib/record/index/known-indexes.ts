/** Indexes that readers of this thread made of compressed files, by which later readers begin near the record they need. */
import type { Identity } from '../../io';
import { native, type IndexHandle, type ReaderSpec, type ReadStart } from '../../native';

/** Content between two checkpoints that a reader notes, at least. Small enough to be inflated in some 10 ms. */
const DISTANCE = 4 * 2 ** 20;
/** Memory of the checkpoints of one file. With more, the distances double. */
const MEMORY = 4 * 2 ** 20;
const MAX_FILES = 4;

/** The index used last comes last. */
const known = new Map<string, IndexHandle>();

/**
 * Where damage is skipped, the numbers of records depend on what was damaged and on what is verified: only readers that end
 * at damage note an index or begin by one, and those that verify the same share it.
 */
function keyOf(
  at: string,
  { key }: Identity,
  { continues, verify, compression, framing }: ReaderSpec,
): string | undefined {
  return continues ? undefined : `${key}:${verify}:${compression}:${framing?.join() ?? ''}:${at}`;
}

/** Returns the index to which a reader with `spec` of the file at the full path `at` adds; undefined if it adds to none. */
export function notedIndex(at: string, identity: Identity, spec: ReaderSpec): IndexHandle | undefined {
  const key = keyOf(at, identity, spec);
  if (key === undefined) return undefined;
  const handle = known.get(key) ?? native().indexNew(DISTANCE, MEMORY, true, 0);
  known.delete(key);
  known.set(key, handle);
  for (const oldest of known.keys()) {
    if (known.size <= MAX_FILES) break;
    known.delete(oldest);
  }
  return handle;
}

/**
 * Finds where a reader of the file at the full path `at` begins that needs the records from `record` on, by what readers
 * noted. Undefined: at the beginning of the file.
 */
export function findStart(at: string, identity: Identity, record: number, spec: ReaderSpec): ReadStart | undefined {
  const key = keyOf(at, identity, spec);
  const handle = key === undefined ? undefined : known.get(key);
  return handle === undefined ? undefined : native().indexStart(handle, record);
}
