/** Flags of a header, RFC 1952, section 2.3.1. */
const HEADER_CRC = 2;
const EXTRA = 4;
const NAME = 8;
const COMMENT = 16;
const FIXED_BYTES = 10;

/**
 * Returns the length of the header of the GZIP member that begins with `head`: undefined if it is longer than `head`, 0 if no
 * member begins there. Its checksum is not verified.
 */
export function gzipHeaderSize(head: Uint8Array): number | undefined {
  if (head.length < FIXED_BYTES) return undefined;
  if (head[0] !== 0x1f || head[1] !== 0x8b || head[2] !== 8) return 0;
  const flags = head[3]!;
  let size = FIXED_BYTES;
  if ((flags & EXTRA) !== 0) {
    if (head.length < size + 2) return undefined;
    size += 2 + head[size]! + 256 * head[size + 1]!;
  }
  for (const flag of [NAME, COMMENT]) {
    if ((flags & flag) === 0) continue;
    const end = head.indexOf(0, size);
    if (end < 0) return undefined;
    size = end + 1;
  }
  if ((flags & HEADER_CRC) !== 0) size += 2;
  return size <= head.length ? size : undefined;
}
