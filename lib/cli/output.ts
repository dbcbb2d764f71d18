/** Output files. */
import { lstat, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { Writable } from 'node:stream';

import { fromNodeError, messageOf, objectScheme, TFRecordError, tfrecordError, type Compression } from '../base';
import { forgetTemporary, giveName, objectExists, temporaryName, writeWhole } from '../io';
import { RecordWriter } from '../record';
import type { Context } from './context';
import { UsageError } from './terminal/reporter';
import { lineText } from './terminal/text';

/**
 * Checks a path. @throws UsageError if it was not UTF-8: Node has replaced bytes by U+FFFD, so the file would have
 * another name
 */
export function checkName(path: string): void {
  if (path.includes('\ufffd'))
    throw new UsageError(`the output ${lineText(path)} has a name that is no UTF-8: choose another`);
}

/** Checks that `path` can be written. @throws UsageError if it exists and may not be replaced, or is not UTF-8 */
export async function checkNew(path: string, force: boolean | undefined): Promise<void> {
  checkName(path);
  if (path === '-' || force === true) return;
  if (objectScheme(path) === undefined) {
    // If `lstat` fails, opening the path reports the error.
    const found = await lstat(path).catch(() => undefined);
    // Devices and pipes are written to, not replaced.
    if (found === undefined || found.isCharacterDevice() || found.isFIFO()) return;
  } else if (!(await objectExists(path))) return;
  throw new UsageError(`${lineText(path)} exists: --force replaces it`);
}

/** Checks that `path` is not an input. @throws UsageError if it is one of `inputs`, by this or another name */
export async function checkApart(path: string, inputs: readonly string[]): Promise<void> {
  const found = path === '-' ? undefined : await stat(path).catch(() => undefined);
  if (found?.isFile() !== true) return;
  for (const input of inputs) {
    const other = await stat(input).catch(() => undefined);
    if (other?.ino !== found.ino || other.dev !== found.dev) continue;
    throw new UsageError(`${lineText(path)} is an input: write to another name`);
  }
}

/** Resolves a link, so that its target is replaced, not the link; returns other paths unchanged. */
async function behindLinks(path: string): Promise<string> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isSymbolicLink() === true ? realpath(path).catch(() => path) : path;
}

/** Opens a writer of `path`; `-` is standard output. The file gets its name when the writer is closed. */
export async function openOutput(
  path: string,
  { out }: Context,
  options: {
    readonly signal: AbortSignal;
    readonly maxRecordBytes?: number | undefined;
    readonly compression?: Compression;
  },
): Promise<RecordWriter> {
  return RecordWriter.open(path === '-' ? standardOutput(out) : await behindLinks(path), options);
}

/** Returns a stream that writes bytes to standard output, after the pending lines of `out`. */
export function standardOutput(out: Context['out']): Writable {
  return new Writable({
    write: (chunk: Uint8Array, _encoding, done) => {
      out.bytes(chunk).then(() => done(), done);
    },
  });
}

/**
 * Calls `write` with the path of a file to write, which gets the name `name` when it is complete. Devices and pipes are
 * written to, not replaced. @throws what `write` throws, about `name`; the reason of `signal`
 */
export async function newFile<T>(name: string, signal: AbortSignal, write: (path: string) => Promise<T>): Promise<T> {
  const path = await behindLinks(name);
  const found = await lstat(path).catch(() => undefined);
  if (found?.isCharacterDevice() === true || found?.isFIFO() === true) return write(path);
  const temporary = temporaryName(path);
  try {
    const result = await write(temporary);
    signal.throwIfAborted();
    await giveName(temporary, path);
    forgetTemporary(temporary);
    return result;
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    forgetTemporary(temporary);
    throw aboutFile(fromNodeError(error, name), temporary, name);
  }
}

/** Returns `error`; if it is about the file `temporary`, an error about `name` instead, which the user knows. */
function aboutFile(error: unknown, temporary: string, name: string): unknown {
  if (!(error instanceof TFRecordError) || error.file !== temporary) return error;
  const { code, errno, syscall } = error;
  return tfrecordError(code, messageOf(error).withValue(temporary, name), { file: name, errno, syscall, cause: error });
}

/**
 * Writes a file, which gets its name when it is complete. Devices and pipes are written to, not replaced.
 * @throws TFRecordError, which names `name`, for errors of the system; the reason of `signal`
 */
export async function writeOutput(name: string, content: string | Uint8Array, signal: AbortSignal): Promise<void> {
  const path = await behindLinks(name);
  const found = await lstat(path).catch(() => undefined);
  const inPlace = found?.isCharacterDevice() === true || found?.isFIFO() === true;
  const publish = async (temporary: string): Promise<void> => {
    signal.throwIfAborted();
    await giveName(temporary, path);
  };
  try {
    if (!inPlace) {
      await writeWhole(path, content, { publish });
      return;
    }
    await writeFile(path, content);
    signal.throwIfAborted();
  } catch (error) {
    throw fromNodeError(error, name);
  }
}
