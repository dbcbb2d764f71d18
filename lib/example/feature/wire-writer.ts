import { TextEncoder } from 'node:util';

/** Bytes that the varint of an unsigned 32-bit number takes. */
export function varintSize(value: number): number {
  if (value < 0x80) return 1;
  if (value < 0x4000) return 2;
  if (value < 0x20_0000) return 3;
  return value < 0x1000_0000 ? 4 : 5;
}

/** Bytes of a field with a one-byte tag whose content has `size` bytes. */
export function fieldSize(size: number): number {
  return 1 + varintSize(size) + size;
}

/** Writes protobuf into memory whose size is known beforehand. */
export class WireWriter {
  readonly bytes: Uint8Array<ArrayBuffer>;
  position = 0;

  constructor(size: number) {
    this.bytes = new Uint8Array(size);
  }

  /** The head of a length-delimited field: a one-byte tag, and how many bytes follow. */
  head(tag: number, size: number): void {
    this.bytes[this.position++] = tag;
    this.varint(size);
  }

  /** An unsigned 32-bit number. */
  varint(value: number): void {
    const { bytes } = this;
    let { position } = this;
    while (value >= 0x80) {
      bytes[position++] = (value & 0x7f) | 0x80;
      value >>>= 7;
    }
    bytes[position++] = value;
    this.position = position;
  }
}

const encoder = new TextEncoder();
/** Below this many characters a loop is faster than the encoder. */
const SHORT = 24;

/** Length of `text` in UTF-8, in bytes. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** Writes `text` as UTF-8 to `target` from `at` on, which must have the room. */
export function writeUtf8(target: Uint8Array, text: string, at: number): void {
  if (text.length <= SHORT) {
    let i = 0;
    for (; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit >= 0x80) break;
      target[at + i] = unit;
    }
    if (i === text.length) return;
  }
  encoder.encodeInto(text, target.subarray(at));
}

/** True if typed arrays have the byte order of protobuf. */
export const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Index of the low and of the high word in the two words of an int64. */
export const LOW_WORD = LITTLE_ENDIAN ? 0 : 1;
export const HIGH_WORD = 1 - LOW_WORD;
