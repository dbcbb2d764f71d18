/** The index of a file, saved beside it as FILE.tfindex: commands that need few records of a file use it. */
import { stat } from 'node:fs/promises';

import { objectScheme, shownUrl, TFRecordError } from '../base';
import { INDEX_SUFFIX } from '../io';
import { indexBesideObject, isIndexMissing, RecordIndex, type RecordBatch } from '../record';
import type { Context } from './context';
import type { ContentFlags } from './flags';
import { batchOfOne } from './read-batches';

/** Returns the path, or the URL, of the index beside `file`; undefined if it can have none. */
export function sideCarOf(file: string): string | undefined {
  return objectScheme(file) === undefined ? `${file}${INDEX_SUFFIX}` : indexBesideObject(file);
}

async function exists(path: string): Promise<boolean> {
  // Nothing is known of an object before it is read.
  return objectScheme(path) !== undefined || (await stat(path).catch(() => undefined)) !== undefined;
}

/**
 * Opens the index beside `file`. Resolves with undefined if there is none, or, after a note that says why, if it does not
 * fit the file.
 */
export async function openSideCar(
  file: string,
  { compression, verify, maxRecordBytes }: ContentFlags,
  { reporter }: Context,
): Promise<RecordIndex | undefined> {
  const path = sideCarOf(file);
  if (file === '-' || path === undefined || !(await exists(path))) return undefined;
  try {
    return await RecordIndex.load(path, file, { compression, verify, maxRecordBytes });
  } catch (error) {
    if (!(error instanceof TFRecordError) || error.file !== shownUrl(path)) throw error;
    if (isIndexMissing(error, path)) return undefined;
    reporter.note(`${error.reason ?? error.message} The command reads the file without it.`);
    return undefined;
  }
}

/**
 * As `openSideCar`, but only an index of a file without damage: others number damaged records, too, which readers leave out.
 */
export async function openWholeSideCar(
  file: string,
  flags: ContentFlags,
  context: Context,
): Promise<RecordIndex | undefined> {
  const index = await openSideCar(file, flags, context);
  return index?.damaged === 0 && !index.isCut ? index : undefined;
}

/**
 * Reads record number `record` by an index of `file`, checked as any record is, as a batch with its origin.
 * @throws TFRecordError if the record is damaged, or the file has changed
 */
export async function readPlaced(index: RecordIndex, file: string, record: number): Promise<RecordBatch> {
  const [placed] = await index.read(record, 1);
  if (placed === undefined) throw new RangeError(`There is no record ${record}.`);
  if (placed.error !== undefined) throw placed.error;
  return batchOfOne(file, placed);
}
