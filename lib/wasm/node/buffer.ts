/** What the rooms use of `node:buffer`, for a page. */
export { Buffer } from 'buffer/';

/** The limits of V8 on systems of 64 bits. */
export const constants = { MAX_LENGTH: 2 ** 53 - 1, MAX_STRING_LENGTH: 2 ** 29 - 24 };

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    // A decoder takes no shared memory.
    strict.decode(bytes.buffer instanceof ArrayBuffer ? bytes : bytes.slice());
    return true;
  } catch {
    return false;
  }
}

export function isAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 0x80);
}
