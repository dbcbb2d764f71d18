import { FRAME_BYTES, HEADER_BYTES, type Bytes } from '../../base';
import { setBytes } from '../../io';
import { native } from '../../native';
import type { ListedRecords } from '../batch/gather-records';

/** Size of a slab, and so of a gzip member. More than 1 MiB costs memory and is not faster. */
export const SLAB_BYTES = 1024 * 1024;
/** Maximum number of bytes that one UTF-16 code unit takes in UTF-8. */
const MAX_UTF8_PER_UNIT = 3;

/**
 * Memory in which records are framed as in the file, except for the two CRCs of each, which native threads fill in. User
 * code never sees it.
 */
export class FrameSlab {
  /** A slab without room. It replaces the current slab while no record may be written. */
  static readonly none = new FrameSlab(new Uint8Array(0), 0, 0);

  readonly buffer: Buffer<ArrayBuffer>;
  /** Number of bytes used by whole frames, from the start. */
  used = 0;
  records = 0;
  readonly #view: DataView;
  readonly #capacity: number;
  readonly #maxRecordBytes: number;

  /** `memory`: all of a buffer. `capacity`: maximum number of bytes that frames may use of it. */
  constructor({ buffer }: Bytes, capacity: number, maxRecordBytes: number) {
    this.buffer = Buffer.from(buffer);
    this.#view = new DataView(buffer);
    this.#capacity = capacity;
    this.#maxRecordBytes = maxRecordBytes;
  }

  /** Sum of the lengths of the records. */
  get payloadBytes(): number {
    return this.used - this.records * FRAME_BYTES;
  }

  /** Appends a copy of `record`, which has `length` bytes. Returns false if there is no room or the record is too long. */
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

  /**
   * Appends copies of the records of `list`, from number `first` on, until there is no more room. No record may be longer
   * than allowed. Returns the number of the first record that was not appended.
   */
  appendListed({ slabs, records }: ListedRecords, first: number): number {
    const start = this.used;
    let end = start;
    let next = first;
    for (; 3 * next < records.length; next++) {
      const frameEnd = end + records[3 * next + 2]! + FRAME_BYTES;
      if (frameEnd > this.#capacity) break;
      end = frameEnd;
    }
    const count = next - first;
    if (count > 0) native().frame(slabs, records.subarray(3 * first, 3 * next), count, this.buffer, start);
    this.used = end;
    this.records += count;
    return next;
  }

  /** Appends `text` as UTF-8. Returns false if there might be no room, or the record might be too long. */
  appendText(text: string): boolean {
    const start = this.used;
    const most = text.length * MAX_UTF8_PER_UNIT;
    if (start + most + FRAME_BYTES > this.#capacity || most > this.#maxRecordBytes) return false;
    return this.#encode(text, start);
  }

  /** Appends `text`, which takes `bytes` in UTF-8. Returns false if there is no room. */
  appendTextOf(text: string, bytes: number): boolean {
    return this.used + bytes + FRAME_BYTES <= this.#capacity && this.#encode(text, this.used);
  }

  /** Takes a copy of the frames of `other`, for which this empty slab has room. */
  copyFrom(other: FrameSlab): void {
    this.buffer.set(other.buffer.subarray(0, other.used));
    this.used = other.used;
    this.records = other.records;
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
