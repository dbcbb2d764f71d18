/** The index of a file, saved beside it as FILE.tfindex: commands that need few records of a file use it. */
import { stat } from 'node:fs/promises';

import { objectScheme } from '../base';
import { indexBeside, loadBeside, type RecordBatch, type RecordIndex } from '../record';
import type { Context } from './context';
import type { ContentFlags } from './flags';
import { batchOfOne } from './read-batches';

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
  const path = file === '-' ? undefined : indexBeside(file);
  if (path === undefined || !(await exists(path))) return undefined;
  return loadBeside(file, { compression, verify, maxRecordBytes }, ({ reason, message }) => {
    reporter.note(`${reason ?? message} The command reads the file without it.`);
  });
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
  if (index === undefined || (index.damaged === 0 && !index.isCut)) return index;
  await index.close();
  return undefined;
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
