import { readFile } from 'node:fs/promises';

import { callNative, counted, fromNodeError, TFRecordError } from '../../base';
import { type Identity, writeWhole } from '../../io';
import { IndexStatus, native, type LoadedIndex } from '../../native';
import type { SeenSource } from './index-source';

/** Bytes at both ends of a file by which an index recognises it: docs/format.md. */
const END_BYTES = 65_536;

/**
 * Reads the index at `indexPath`. `size`: its own, in bytes.
 * @throws TFRecordError TFR_STATE_MISMATCH if it is damaged, or the file system's error
 */
export async function loadIndex(indexPath: string): Promise<{ loaded: LoadedIndex; size: number }> {
  const bytes = await readFile(indexPath).catch((cause: unknown) => {
    throw fromNodeError(cause, indexPath, 'open');
  });
  const loaded = callNative(indexPath, () => native().indexLoad(bytes));
  const { status } = loaded;
  if (status === IndexStatus.NoMemory) throw fromNodeError(Object.assign(new Error(), { code: 'ENOMEM' }), indexPath);
  if (status !== IndexStatus.Right) throw unusable(indexPath, 'an undamaged index of version 1', FOUND[status]);
  return { loaded, size: bytes.length };
}

const FOUND = {
  [IndexStatus.Foreign]: 'other data',
  [IndexStatus.Newer]: 'an index that a later version of this package wrote',
  [IndexStatus.Damaged]: 'a damaged index',
} as const;

/**
 * @throws TFRecordError TFR_STATE_MISMATCH unless `loaded` is the index of the file of `identity`, as it is now. `ends` reads
 *   both its ends.
 */
export async function checkIndex(
  indexPath: string,
  loaded: LoadedIndex,
  identity: Identity,
  ends: SeenSource['ends'],
): Promise<void> {
  const { size, headCrc, tailCrc, time } = loaded;
  if (size !== identity.size) {
    throw unusable(indexPath, `the index of a file of ${counted(identity.size, 'byte')}`, counted(size, 'byte'));
  }
  if (time !== identity.time) {
    throw unusable(indexPath, `the index of a file of ${dateOf(identity.time)}`, dateOf(time));
  }
  const now = await sumsOf(ends, size);
  if (headCrc !== now.headCrc || tailCrc !== now.tailCrc) {
    throw unusable(indexPath, 'the index of a file with these bytes', 'that of a file with other bytes');
  }
}

/** Returns the CRC-32C of the first and of the last 64 KiB of a file, of which `ends` reads both ends. */
export async function sumsOf(ends: SeenSource['ends'], size: number): Promise<{ headCrc: number; tailCrc: number }> {
  const [head, tail] = await ends(size, Math.min(size, END_BYTES));
  return { headCrc: native().crc32c(head, 0), tailCrc: native().crc32c(tail, 0) };
}

/** The error of an index that no file could be checked against later: its source is named `name`. */
export function notAFile(name: string): TFRecordError {
  const [expected, found] = ['a file', 'a source that has no identity'];
  return new TFRecordError(
    'TFR_STATE_MISMATCH',
    `The index of ${name} can be neither saved nor loaded: expected ${expected}, found ${found}, so nothing says later ` +
      'whether it is still the same. Scan it, or index a file by its path or its FileHandle.',
    { file: name, expected, found },
  );
}

/** Writes a saved index to `path`, in the place of an older one. */
export async function writeIndex(path: string, bytes: Uint8Array): Promise<void> {
  await writeWhole(path, bytes).catch((cause: unknown) => {
    throw fromNodeError(cause, path, 'open');
  });
}

function unusable(indexPath: string, expected: string, found: string): TFRecordError {
  return new TFRecordError(
    'TFR_STATE_MISMATCH',
    `${indexPath} cannot be used: expected ${expected}, found ${found}. Make it again, or remove it.`,
    { file: indexPath, expected, found },
  );
}

function dateOf(nanoseconds: bigint): string {
  const milliseconds = Number(nanoseconds / 1_000_000n);
  return Math.abs(milliseconds) <= 8.64e15 ? new Date(milliseconds).toISOString() : 'an unknown time';
}
