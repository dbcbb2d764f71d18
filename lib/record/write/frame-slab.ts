import { setBytes, newSlab } from '../bytes';
import { FRAME_BYTES, HEADER_BYTES } from '../format';

/** A slab, and so a gzip member. 1 MiB: above it memory grows and nothing gets faster. */
export const SLAB_BYTES = 1024 * 1024;
/** No UTF-16 unit takes more bytes than this in UTF-8. */
const MAX_UTF8_PER_UNIT = 3;

/**
 * Memory in which records are laid out as they will stand in the file, but for the two CRCs, which native threads fill
 * in. User code never sees it.
 */
export class FrameSlab {
  /** A slab that nothing fits into: stands where no record may be written. */
  static readonly none = new FrameSlab(0, 0, '');

  readonly buffer: Buffer;
  /** Bytes of whole frames, from the start. */
  used = 0;
  records = 0;
  readonly #view: DataView;
  readonly #capacity: number;
  readonly #maxRecordBytes: number;

  /** @throws TFRecordError ENOMEM, naming `file`. */
  constructor(capacity: number, maxRecordBytes: number, file: string) {
    const memory = newSlab(capacity, file).buffer;
    this.buffer = Buffer.from(memory);
    this.#view = new DataView(memory);
    this.#capacity = capacity;
    this.#maxRecordBytes = maxRecordBytes;
  }

  /** Sum of the lengths of its records. */
  get payloadBytes(): number {
    return this.used - this.records * FRAME_BYTES;
  }

  /** Appends a copy of `record`, which has `length` bytes; false if there is no room, or it is too long. */
  append(record: Uint8Array, length: number): boolean {
    const start = this.used;
    const end = start + length + FRAME_BYTES;
    if (end > this.#capacity || length > this.#maxRecordBytes) return false;
    this.#view.setUint32(start, length, true);
    this.#view.setUint32(start + 4, 0, true);
    setBytes(this.buffer, record, start + HEADER_BYTES, length);
    this.used = end;
    this.records++;
    return true;
  }

  /** Appends `text` as UTF-8; false if there may be no room, or it may be too long. */
  appendText(text: string): boolean {
    const start = this.used;
    const most = text.length * MAX_UTF8_PER_UNIT;
    if (start + most + FRAME_BYTES > this.#capacity || most > this.#maxRecordBytes) return false;
    return this.#encode(text, start);
  }

  /** The same when it is known that the encoded text takes `bytes`. */
  appendTextOf(text: string, bytes: number): boolean {
    return this.used + bytes + FRAME_BYTES <= this.#capacity && this.#encode(text, this.used);
  }

  reset(): void {
    this.used = 0;
    this.records = 0;
  }

  #encode(text: string, start: number): true {
    const length = this.buffer.write(text, start + HEADER_BYTES);
    this.#view.setUint32(start, length, true);
    this.#view.setUint32(start + 4, 0, true);
    this.used = start + length + FRAME_BYTES;
    this.records++;
    return true;
  }
}
