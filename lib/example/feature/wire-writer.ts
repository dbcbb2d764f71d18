import { TextEncoder } from 'node:util';

/** Returns the number of bytes in the varint of an unsigned 32-bit number. */
export function varintSize(value: number): number {
  if (value < 0x80) return 1;
  if (value < 0x4000) return 2;
  if (value < 0x20_0000) return 3;
  return value < 0x1000_0000 ? 4 : 5;
}

/** Returns the number of bytes in a field with a one-byte tag and `size` bytes of content. */
export function fieldSize(size: number): number {
  return 1 + varintSize(size) + size;
}

/** Writes protobuf into memory of a known size. */
export class WireWriter {
  readonly bytes: Uint8Array<ArrayBuffer>;
  position = 0;

  constructor(size: number) {
    this.bytes = new Uint8Array(size);
  }

  /** Writes the head of a length-delimited field: a one-byte tag, and the number of bytes that follow. */
  head(tag: number, size: number): void {
    this.bytes[this.position++] = tag;
    this.varint(size);
  }

  /** Writes an unsigned 32-bit number. */
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
/** Number of characters below which a loop is faster than the encoder. */
const SHORT = 24;

/** Returns the length of `text` in UTF-8, in bytes. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** Writes `text` as UTF-8 to `target` from `at` on, where it must fit. */
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
