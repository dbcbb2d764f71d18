/** Reads protobuf's wire format (https://protobuf.dev/programming-guides/encoding) without copies. */

export const VARINT = 0;
export const FIXED64 = 1;
export const DELIMITED = 2;
export const FIXED32 = 5;
const GROUP_START = 3;
const GROUP_END = 4;

const MAX_VARINT_BYTES = 10;
/** Maximum size of a tag or a length, which are 32-bit numbers, in bytes. */
export const MAX_SHORT_BYTES = 5;
/** Maximum depth of nested groups, as in protobuf's own readers. */
const MAX_DEPTH = 100;

/** The reason why bytes are not a message, and the position. */
export class WireFault extends Error {
  constructor(what: string, at: number) {
    super(`${what} at byte ${at}`);
  }
}

/** Reads a message from its start; `at` is the position. */
export class WireReader {
  readonly bytes: Uint8Array;
  at: number;
  /** The low and high 32 bits of the tag or integer that was read last. */
  low = 0;
  high = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.at = 0;
  }

  /** Reads an integer, which must end by `end`, into `low` and `high`. Bits beyond 64 are dropped. */
  varint(end: number): void {
    const start = this.at;
    let low = 0;
    let high = 0;
    for (let shift = 0; ; shift += 7) {
      if (this.at >= end) throw new WireFault('an incomplete integer', start);
      if (shift >= 7 * MAX_VARINT_BYTES) throw new WireFault('an integer of more than 10 bytes', start);
      const byte = this.bytes[this.at++]!;
      const part = byte & 0x7f;
      if (shift < 28) low |= part << shift;
      else if (shift === 28) {
        low |= part << 28;
        high = part >>> 4;
      } else high |= part << (shift - 32);
      if (byte < 0x80) break;
    }
    this.low = low >>> 0;
    this.high = high >>> 0;
  }

  /** Reads a tag. The field's number is `tag >>> 3`, its wire type `tag & 7`. */
  tag(end: number): number {
    const start = this.at;
    this.varint(end);
    if (this.at - start > MAX_SHORT_BYTES || this.low >>> 3 === 0) throw new WireFault('an invalid field', start);
    return this.low;
  }

  /** Reads a length, and returns the end of the value that follows it. */
  delimited(end: number): number {
    const start = this.at;
    this.varint(end);
    if (this.at - start > MAX_SHORT_BYTES) throw new WireFault('a length of more than 5 bytes', start);
    if (this.high !== 0 || this.low > end - this.at) throw new WireFault('a length beyond the end', start);
    return this.at + this.low;
  }

  /** Skips the value of a field. */
  skip(tag: number, end: number, depth = 0): void {
    const start = this.at;
    switch (tag & 7) {
      case VARINT:
        this.varint(end);
        return;
      case FIXED32:
        this.move(4, end);
        return;
      case FIXED64:
        this.move(8, end);
        return;
      case DELIMITED:
        this.at = this.delimited(end);
        return;
      case GROUP_START:
        if (depth >= MAX_DEPTH) throw new WireFault('too many nested groups', start);
        for (;;) {
          const inner = this.tag(end);
          if ((inner & 7) === GROUP_END) {
            if (inner >>> 3 === tag >>> 3) return;
            throw new WireFault('the end of another group', start);
          }
          this.skip(inner, end, depth + 1);
        }
      default:
        throw new WireFault('an invalid field', start);
    }
  }

  /** Skips `count` bytes. */
  move(count: number, end: number): void {
    if (count > end - this.at) throw new WireFault('an incomplete value', this.at);
    this.at += count;
  }
}
