/**
 * Makes TFRecord files by hand, byte by byte, and damages them. Nothing here uses the package, so that it can test it.
 */
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

export const HEADER_BYTES = 12;
export const FRAMING_BYTES = 16;
/** TensorFlow's bytes for the records "foo" and "bar" (docs/format.md), as hex. */
export const FOO = '0300000000000000b099490e666f6f618abefe';
export const FOO_BAR = `${FOO}0300000000000000b099490e6261724600e5c8`;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc >>> 0;
});

/** Computes CRC-32C, byte by byte. */
export function referenceCrc32c(bytes: Uint8Array, previous = 0): number {
  let crc = ~previous;
  // An index, because iterators of arrays of bytes take several times as long.
  // eslint-disable-next-line @typescript-eslint/prefer-for-of -- see above
  for (let i = 0; i < bytes.length; i++) crc = TABLE[(crc ^ bytes[i]!) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

export function referenceMask(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

/** Returns a header for a payload of `length` bytes, with the right checksum. */
export function header(length: number | bigint): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.writeBigUInt64LE(BigInt(length), 0);
  bytes.writeUInt32LE(referenceMask(referenceCrc32c(bytes.subarray(0, 8))), 8);
  return bytes;
}

/** Returns one whole record. */
export function frame(payload: Uint8Array | string): Buffer {
  const data = Buffer.from(payload as string);
  const footer = Buffer.alloc(4);
  footer.writeUInt32LE(referenceMask(referenceCrc32c(data)), 0);
  return Buffer.concat([header(data.length), data, footer]);
}

/** Returns a plain file of `payloads`. */
export function tfrecord(payloads: readonly (Uint8Array | string)[]): Buffer {
  return Buffer.concat(payloads.map(frame));
}

/** Returns the offset of each record's header, and of the end, in a file of `payloads`. */
export function offsets(payloads: readonly (Uint8Array | string)[]): number[] {
  const places = [0];
  for (const payload of payloads) places.push(places.at(-1)! + FRAMING_BYTES + Buffer.byteLength(payload));
  return places;
}

/** Yields `bytes` in parts of `size`. */
export function* pieces(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Returns the payloads of the whole records at the start of `bytes`, whatever their checksums. */
export function wholeRecords(bytes: Uint8Array): Buffer[] {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const records: Buffer[] = [];
  let at = 0;
  while (at + HEADER_BYTES <= view.length) {
    const end = at + FRAMING_BYTES + Number(view.readBigUInt64LE(at));
    if (end > view.length) break;
    records.push(view.subarray(at + HEADER_BYTES, end - 4));
    at = end;
  }
  return records;
}

// ---- damage: each function returns a damaged copy --------------------------------------------------------

export function flipBit(bytes: Uint8Array, byte: number, bit = 0): Buffer {
  const copy = Buffer.from(bytes);
  copy[byte] = copy[byte]! ^ (1 << bit);
  return copy;
}

/** Returns the first `length` bytes. A negative length counts from the end. */
export function cut(bytes: Uint8Array, length: number): Buffer {
  return Buffer.from(bytes.subarray(0, length));
}

export function insert(bytes: Uint8Array, at: number, extra: Uint8Array): Buffer {
  return Buffer.concat([bytes.subarray(0, at), extra, bytes.subarray(at)]);
}

export function append(bytes: Uint8Array, extra: Uint8Array): Buffer {
  return Buffer.concat([bytes, extra]);
}

/** Rewrites the header of the record at `offset` to claim `length`, with the right checksum. */
export function claimLength(bytes: Uint8Array, offset: number, length: number | bigint): Buffer {
  const copy = Buffer.from(bytes);
  header(length).copy(copy, offset);
  return copy;
}

// ---- codecs ----------------------------------------------------------------------------------------------

export type Codec = 'none' | 'gzip' | 'zlib';
export const CODECS: readonly Codec[] = ['none', 'gzip', 'zlib'];

export function compress(bytes: Uint8Array, codec: Codec): Buffer {
  if (codec === 'none') return Buffer.from(bytes);
  return codec === 'gzip' ? gzipSync(bytes) : deflateSync(bytes);
}

/** Returns one gzip member in the layout that the package writes (docs/format.md), without padding. */
export function ownMember(content: Uint8Array, records: number): Buffer {
  const header = Buffer.from('1f8b08040000000000031000' + '54520c00', 'hex');
  const sizes = Buffer.alloc(12);
  const block = deflateRawSync(content);
  const trailer = gzipSync(content).subarray(-8);
  sizes.writeBigUInt64LE(BigInt(header.length + sizes.length + block.length + trailer.length), 0);
  sizes.writeUInt32LE(records, 8);
  return Buffer.concat([header, sizes, block, trailer]);
}
