/** Values of bytes as keys of maps and sets. */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';

/** Longer values are known by their beginning and a digest. */
const MOST_BYTES = 1024;
const BEGINNING = 64;

/** The key of the bytes from `from` to before `to`: in Latin-1, so that it is short and made fast. */
export function keyOf(bytes: Buffer, from: number, to: number): string {
  if (to - from <= MOST_BYTES) return bytes.toString('latin1', from, to);
  const digest = createHash('sha256').update(bytes.subarray(from, to)).digest('hex');
  return `${bytes.toString('latin1', from, from + BEGINNING)}${digest}${to - from}`;
}

/** The key of a text. */
export function keyOfText(text: string): string {
  const bytes = Buffer.from(text);
  return keyOf(bytes, 0, bytes.length);
}

/** The bytes of a value as a buffer. */
export function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** The text of a key, for sentences; `\xff` in place of bytes that are no text. */
export function textOfKey(key: string): string {
  const bytes = Buffer.from(key, 'latin1');
  if (isUtf8(bytes)) return bytes.toString();
  // Keys of long values are cut, or are digests, so they need not be UTF-8.
  return key.replace(/[^\x20-\x7e]/g, (letter) => `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
