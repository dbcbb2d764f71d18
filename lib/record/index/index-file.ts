import { constants } from 'node:fs';
import { open, realpath, writeFile, type FileHandle } from 'node:fs/promises';

import {
  advice,
  aside,
  callNative,
  counted,
  folderError,
  fromNodeError,
  invalidArgValue,
  memoryError,
  objectScheme,
  setting,
  shownUrl,
  type TFRecordError,
  tfrecordError,
  worded,
  type Message,
} from '../../base';
import { Identity, writeObject, writeWhole, type RangedSource } from '../../io';
import { IndexStatus, native, type IndexHandle, type LoadedIndex } from '../../native';
import { VERIFICATIONS } from '../read/read-options';
import { INDEX_PART_BYTES, readIndexObject, type TakeIndex } from './index-object';
import { readRange, type SeenSource } from './index-source';

/** Number of bytes at each end of a file by which an index recognises it: docs/format.md. */
const END_BYTES = 65_536;

/** An index of a file of n bytes has at most INDEX_BYTES + INDEX_BYTES_PER_BYTE * n bytes, and never more than LARGEST_INDEX. */
const LARGEST_INDEX = 2 ** 30;
const INDEX_BYTES = 65_536;
const INDEX_BYTES_PER_BYTE = 36;

/** Returns the size of the largest index that a file of `fileSize` bytes can have. */
export function largestIndex(fileSize: number): number {
  return Math.min(INDEX_BYTES + INDEX_BYTES_PER_BYTE * fileSize, LARGEST_INDEX);
}

/** Flags that open a file for reading, and wait for no writer of a pipe. Windows lacks O_NONBLOCK: undefined adds no bit. */
export const READ_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

/**
 * Reads the index at `indexPath` of a file of `fileSize` bytes, for readers that verify `verify`, a number of `ReaderSpec`.
 * `size`: its own, in bytes.
 * @throws TFRecordError TFR_STATE_MISMATCH if it is damaged or no regular file, if it is longer than such an index can be, or
 *   if its scan verified less; or the file system's error
 */
export async function loadIndex(
  indexPath: string,
  fileSize: number,
  verify: number,
): Promise<{ handle: IndexHandle; loaded: LoadedIndex; size: number }> {
  const most = largestIndex(fileSize);
  let begun: IndexHandle | undefined;
  // Part by part, because an index of many keys is large.
  const take: TakeIndex = (size, bytes) => {
    callNative(indexPath, () => {
      native().indexLoadPart((begun ??= native().indexLoad(size)), bytes);
    });
  };
  const size =
    objectScheme(indexPath) === undefined
      ? await readIndexFile(indexPath, most, take)
      : await readIndexObject(indexPath, most, take);
  if (size === undefined) throw unusable(indexPath, `an index of at most ${counted(most, 'byte')}`, 'a larger object');
  const handle = begun ?? native().indexLoad(size);
  const loaded = callNative(indexPath, () => native().indexLoaded(handle));
  const { status, verified } = loaded;
  if (status === IndexStatus.NoMemory) throw memoryError(indexPath);
  if (status !== IndexStatus.Right) throw unusable(indexPath, 'an undamaged index of version 1', FOUND[status]);
  if (verified > verify) {
    throw unusable(
      indexPath,
      `one whose scan verified ${CHECKED[verify]}`,
      `one whose scan verified ${CHECKED[verified]}`,
      advice` Make it again, or read with ${setting('verify', VERIFICATIONS[verified]!)}.`,
    );
  }
  return { handle, loaded, size };
}

/** The checksums of each `Verification`, in the order of its numbers. */
const CHECKED = ['all checksums', 'those of lengths', 'none'];

/**
 * Passes the regular file at `indexPath`, of at most `most` bytes, to `take`, part by part. Opens neither pipes nor devices.
 * Resolves with its size.
 */
async function readIndexFile(indexPath: string, most: number, take: TakeIndex): Promise<number> {
  // Checked before opening, because opening some devices has effects, and after it, because the file may have been replaced.
  checkRegular(await Identity.of(indexPath, indexPath), indexPath);
  let handle: FileHandle | undefined;
  try {
    handle = await open(indexPath, READ_FLAGS);
    const file = handle;
    const { kind, size } = await Identity.by(indexPath, () => file.stat({ bigint: true }));
    checkRegular({ kind }, indexPath);
    if (size > most) {
      throw unusable(indexPath, `an index of at most ${counted(most, 'byte')}`, counted(size, 'byte'));
    }
    const part = new Uint8Array(Math.min(size, INDEX_PART_BYTES));
    for (let at = 0; at < size;) {
      const { bytesRead } = await file.read(part, 0, Math.min(part.length, size - at), at);
      if (bytesRead === 0) break;
      take(size, part.subarray(0, bytesRead));
      at += bytesRead;
    }
    return size;
  } catch (cause) {
    throw fromNodeError(cause, indexPath, handle === undefined ? 'open' : 'read');
  } finally {
    await handle?.close();
  }
}

function checkRegular({ kind }: Pick<Identity, 'kind'>, indexPath: string): void {
  if (kind === 'folder') throw folderError(indexPath);
  if (kind !== 'file') throw unusable(indexPath, 'a regular file', kind === 'pipe' ? 'a pipe' : 'a device');
}

const FOUND = {
  [IndexStatus.Foreign]: 'other data',
  [IndexStatus.Newer]: 'an index that a later version of this package wrote',
  [IndexStatus.Damaged]: 'a damaged index',
} as const;

/**
 * Checks that `loaded` is the index of the file of `identity`, as it is now. `withRanges`: that of its source. Resolves with
 * false if only the time of its last change differs: some of its records must then be checked.
 * @throws TFRecordError TFR_STATE_MISMATCH for the index of another file
 */
export async function checkIndex(
  indexPath: string,
  loaded: LoadedIndex,
  identity: Identity,
  withRanges: SeenSource['withRanges'],
): Promise<boolean> {
  const { size, headCrc, tailCrc, time } = loaded;
  if (size !== identity.size) {
    throw unusable(indexPath, `the index of a file of ${counted(identity.size, 'byte')}`, counted(size, 'byte'));
  }
  const now = await withRanges((source) => sumsOf(source, size));
  if (headCrc !== now.headCrc || tailCrc !== now.tailCrc) {
    throw unusable(indexPath, 'the index of this file', 'that of a file with other bytes at its ends');
  }
  return time === identity.time;
}

/** The error of an index whose file was changed later, as the time of its last change and its records show. */
export function olderIndex(indexPath: string): TFRecordError {
  return unusable(indexPath, 'the index of the file as it is now', 'that of an earlier state of it');
}

/** The error of a file that was replaced before the index of what was written could be saved. */
export function replacedFile(file: string): TFRecordError {
  const [expected, found] = ['the file that was written', 'another one'];
  return tfrecordError(
    'TFR_STATE_MISMATCH',
    worded`The index of ${file} cannot be saved: expected ${expected}, found ${found}.${advice` Another program has replaced the file: write it again, or index the new one.`}`,
    { file, expected, found },
  );
}

/** The error of an index that has no keys, or those of another feature than `feature`. */
export function otherKeys(indexPath: string, feature: string, found: string | undefined): TFRecordError {
  const keys = found === undefined ? 'none' : `those of "${found}"`;
  return unusable(indexPath, `the keys of the feature "${feature}"`, keys);
}

/**
 * Saves the index of a source as `path`, and replaces an older one. `file`: the name of the source in errors.
 * @throws TFRecordError TFR_STATE_MISMATCH if the source has no identity, or has changed since the scan; Node's code if the
 *   index cannot be written
 */
export async function saveIndex(
  handle: IndexHandle,
  file: string,
  { identity, withRanges }: Pick<SeenSource, 'identity' | 'withRanges'>,
  path: string,
  signal: AbortSignal | undefined,
): Promise<'saved' | 'incomplete'> {
  if (identity === undefined) throw notAFile(file);
  const { headCrc, tailCrc } = await withRanges((source) => sumsOf(source, identity.size));
  await identity.check();
  const bytes = native().indexSave(handle, identity.size, headCrc, tailCrc, identity.time);
  if (bytes === undefined) return 'incomplete';
  const content = native().keysOf(handle) === undefined ? bytes : withKeys(handle, file, bytes);
  await writeIndex(path, content, identity, signal);
  return 'saved';
}

/** The bytes of an index: `bytes`, and those of its keys, part by part. */
async function* withKeys(handle: IndexHandle, file: string, bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
  let sum = 0;
  for (let part = 0; ; part++) {
    const keys = callNative(file, () => native().keysSave(handle, part, sum));
    if (keys === undefined) return;
    sum = native().crc32c(keys, sum);
    yield keys;
  }
}

/** Returns the CRC-32C of the first and of the last 64 KiB of a source of `size` bytes. */
async function sumsOf(source: RangedSource, size: number): Promise<{ headCrc: number; tailCrc: number }> {
  const length = Math.min(size, END_BYTES);
  const head = await readRange(source, 0, length);
  const tail = await readRange(source, size - length, length);
  return { headCrc: native().crc32c(head, 0), tailCrc: native().crc32c(tail, 0) };
}

/** The error of an index whose source, named `name`, has no identity. */
export function notAFile(name: string): TFRecordError {
  const [expected, found] = ['a file or an object', 'a source that cannot be recognised later'];
  return tfrecordError(
    'TFR_STATE_MISMATCH',
    worded`The index of ${name} can be neither saved nor loaded: expected ${expected}, found ${found}.${advice` Scan it, or index a file by its path or its FileHandle.`}`,
    { file: name, expected, found },
  );
}

/**
 * Writes an index of `source` to `path`, in the place of an older one; `path` may be the URL of an object. A symbolic link stays
 * one; a device takes the bytes, and so does a pipe that is being read. An abort of `signal` ends an upload.
 * @throws TypeError if `path` is the source itself; TFRecordError if it cannot be written; the reason of `signal`
 */
export async function writeIndex(
  path: string,
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
  source: Identity | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (objectScheme(path) !== undefined) return writeObject(path, bytes, signal);
  const found = await Identity.of(path, path).catch(() => undefined);
  if (found !== undefined && source?.isFile(found) === true) {
    throw invalidArgValue('file', 'the path of an index, not that of the indexed file', path);
  }
  try {
    if (found?.kind === 'pipe') await writePipe(path, bytes);
    else if (found?.kind === 'other') await writeFile(path, bytes);
    else await writeWhole(found === undefined ? path : await realpath(path), bytes);
  } catch (cause) {
    throw fromNodeError(cause, path, 'write');
  }
}

/** Writes to a pipe. @throws errors of Node, ENXIO if nobody reads it: waiting for a reader would block a thread forever */
async function writePipe(path: string, bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
  const probe = await open(path, constants.O_WRONLY | constants.O_NONBLOCK);
  try {
    await writeFile(path, bytes);
  } finally {
    await probe.close();
  }
}

/** The error of the index at `indexPath`, which is damaged, or does not fit its file. */
export function unusable(
  indexPath: string,
  expected: string,
  found: string,
  cure: Message = aside` Make it again, or remove it.`,
): TFRecordError {
  const file = shownUrl(indexPath);
  return tfrecordError(
    'TFR_STATE_MISMATCH',
    worded`${file} cannot be used: expected ${expected}, found ${found}.${cure}`,
    { file, expected, found },
  );
}
