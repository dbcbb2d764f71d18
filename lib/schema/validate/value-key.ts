/** Keys of byte values for maps and sets. */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';

/** Maximum length of a value in a key, in bytes. The key of a longer one has its beginning and a digest. */
const MAX_BYTES = 1024;
const BEGINNING = 64;

/** The key of the bytes from `from` to `to` (exclusive): in Latin-1, which is short and fast to make. */
export function keyOf(bytes: Buffer, from: number, to: number): string {
  if (to - from <= MAX_BYTES) return bytes.toString('latin1', from, to);
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

/** The text of a key, for sentences, with escapes (`\xff`) for bytes that are not text. */
export function textOfKey(key: string): string {
  const bytes = Buffer.from(key, 'latin1');
  if (isUtf8(bytes)) return bytes.toString();
  // Keys of long values are cut, or are digests, so they may not be UTF-8.
  return key.replace(/[^\x20-\x7e]/g, (letter) => `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
