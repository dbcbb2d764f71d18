/** Output files. */
import { randomBytes } from 'node:crypto';
import { lstat, open, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Writable } from 'node:stream';

import { fromNodeError } from '../base';
import { giveName } from '../io';
import { RecordWriter } from '../record';
import type { Context } from './context';
import { UsageError } from './terminal/reporter';
import { lineText } from './terminal/text';

/** @throws UsageError if `path` was no UTF-8: Node has put U+FFFD in its place, so the file would have another name */
export function checkName(path: string): void {
  if (path.includes('\ufffd'))
    throw new UsageError(`the output ${lineText(path)} has a name that is no UTF-8: choose another`);
}

/** @throws UsageError if `path` exists and may not be replaced, or is no UTF-8 */
export async function checkNew(path: string, force: boolean | undefined): Promise<void> {
  checkName(path);
  if (path === '-' || force === true) return;
  // If the path cannot be looked at, opening it reports the error.
  const found = await lstat(path).catch(() => undefined);
  // Devices and pipes are written to, not replaced.
  if (found === undefined || found.isCharacterDevice() || found.isFIFO()) return;
  throw new UsageError(`${lineText(path)} exists: --force replaces it`);
}

/** @throws UsageError if `path` is one of `inputs`, by this or another name */
export async function checkApart(path: string, inputs: readonly string[]): Promise<void> {
  const found = path === '-' ? undefined : await stat(path).catch(() => undefined);
  if (found?.isFile() !== true) return;
  for (const input of inputs) {
    const other = await stat(input).catch(() => undefined);
    if (other?.ino !== found.ino || other.dev !== found.dev) continue;
    throw new UsageError(`${lineText(path)} is an input: write to another name`);
  }
}

/** The file that a link leads to, so that it is replaced, and not the link; other paths as they are. */
async function behindLinks(path: string): Promise<string> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isSymbolicLink() === true ? realpath(path).catch(() => path) : path;
}

/** Opens a writer of `path`, `-` for standard output. The file appears when the writer is closed. */
export async function openOutput(
  path: string,
  { out }: Context,
  options: { readonly signal: AbortSignal; readonly maxRecordBytes?: number | undefined },
): Promise<RecordWriter> {
  return RecordWriter.open(path === '-' ? standardOutput(out) : await behindLinks(path), options);
}

/** Standard output for bytes. They come behind the lines of `out`. */
export function standardOutput(out: Context['out']): Writable {
  return new Writable({
    write: (chunk: Uint8Array, _encoding, done) => {
      out.bytes(chunk).then(() => done(), done);
    },
  });
}

/**
 * Writes a whole file, which appears when it is complete. Devices and pipes are written to.
 * @throws TFRecordError, naming `name`, for errors of the system; the reason of `signal`
 */
export async function writeWhole(name: string, content: string | Uint8Array, signal: AbortSignal): Promise<void> {
  const path = await behindLinks(name);
  const found = await lstat(path).catch(() => undefined);
  const inPlace = found?.isCharacterDevice() === true || found?.isFIFO() === true;
  const random = randomBytes(6).toString('hex');
  const written = inPlace ? path : join(dirname(path), `.${basename(path)}.${process.pid}-${random}.tmp`);
  try {
    const file = await open(written, inPlace ? 'w' : 'wx');
    try {
      await file.writeFile(content);
    } finally {
      await file.close();
    }
    signal.throwIfAborted();
    if (!inPlace) await giveName(written, path);
  } catch (error) {
    if (!inPlace) await rm(written, { force: true }).catch(() => undefined);
    throw fromNodeError(error, name);
  }
}
