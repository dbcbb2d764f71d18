import { endianness } from 'node:os';

/** Whether the numbers of this machine are little-endian. */
export const HOST_IS_LITTLE_ENDIAN = endianness() === 'LE';

/** Reverses each group of `width` (1, 2, 4 or 8) bytes where it lies; `bytes` has whole groups only. */
export function swapBytes(bytes: Uint8Array, width: number): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (width === 2) buffer.swap16();
  else if (width === 4) buffer.swap32();
  else if (width === 8) buffer.swap64();
}
