/** Output files of records that are copied as they are. */
import { lstat } from 'node:fs/promises';
import { Writable } from 'node:stream';

import { RecordWriter } from '../record';
import type { Context } from './context';
import { UsageError } from './reporter';
import { lineText } from './text';

/** @throws UsageError if `path` exists and may not be replaced. */
export async function checkNew(path: string, force: boolean | undefined): Promise<void> {
  if (path === '-' || force === true) return;
  // If the path cannot be looked at, opening it reports the error.
  const found = await lstat(path).catch(() => undefined);
  // Devices and pipes are written to, not replaced.
  if (found === undefined || found.isCharacterDevice() || found.isFIFO()) return;
  throw new UsageError(`${lineText(path)} exists: --force replaces it`);
}

/** Opens a writer of `path`, `-` for standard output. The file appears when the writer is closed. */
export function openOutput(
  path: string,
  { out }: Context,
  options: { readonly signal: AbortSignal; readonly maxRecordBytes?: number | undefined },
): Promise<RecordWriter> {
  if (path !== '-') return RecordWriter.open(path, options);
  const stdout = new Writable({
    write: (chunk: Uint8Array, _encoding, done) => {
      out.bytes(chunk).then(() => done(), done);
    },
  });
  return RecordWriter.open(stdout, options);
}
