import { open, readFile } from 'node:fs/promises';

import { callNative, counted, fromNodeError, TFRecordError } from '../../base';
import { type Identity, writeWhole } from '../../io';
import { IndexStatus, native, type LoadedIndex, type ReaderSpec } from '../../native';

/** Bytes at both ends of a file by which an index recognises it: docs/format.md. */
const END_BYTES = 65_536;

/**
 * Reads the index at `indexPath`, of the file at the full path `at`. `size`: its own, in bytes.
 * @throws TFRecordError TFR_STATE_MISMATCH if it is damaged, or the file system's error
 */
export async function loadIndex(
  indexPath: string,
  at: string,
  spec: ReaderSpec,
): Promise<{ loaded: LoadedIndex; size: number }> {
  const bytes = await readFile(indexPath).catch((cause: unknown) => {
    throw fromNodeError(cause, indexPath, 'open');
  });
  const loaded = callNative(indexPath, () => native().indexLoad(at, spec, bytes));
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

/** @throws TFRecordError TFR_STATE_MISMATCH unless `loaded` is the index of the file of `identity`, as it is now */
export async function checkIndex(
  indexPath: string,
  loaded: LoadedIndex,
  identity: Identity,
  at: string,
): Promise<void> {
  const { size, headCrc, tailCrc, time } = loaded;
  if (size !== identity.size) {
    throw unusable(indexPath, `the index of a file of ${counted(identity.size, 'byte')}`, counted(size, 'byte'));
  }
  if (time !== identity.time) {
    throw unusable(indexPath, `the index of a file of ${dateOf(identity.time)}`, dateOf(time));
  }
  const ends = await endsOf(indexPath, at, size);
  if (headCrc !== ends.headCrc || tailCrc !== ends.tailCrc) {
    throw unusable(indexPath, 'the index of a file with these bytes', 'that of a file with other bytes');
  }
}

/** Returns the CRC-32C of the first and of the last 64 KiB of the file at `at`. `file`: its name in errors. */
export async function endsOf(file: string, at: string, size: number): Promise<{ headCrc: number; tailCrc: number }> {
  const length = Math.min(size, END_BYTES);
  try {
    const handle = await open(at);
    try {
      const crcAt = async (position: number): Promise<number> => {
        const { buffer, bytesRead } = await handle.read(new Uint8Array(length), 0, length, position);
        return native().crc32c(buffer.subarray(0, bytesRead), 0);
      };
      return { headCrc: await crcAt(0), tailCrc: await crcAt(size - length) };
    } finally {
      await handle.close();
    }
  } catch (cause) {
    throw fromNodeError(cause, file, 'read');
  }
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
