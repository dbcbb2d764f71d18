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
