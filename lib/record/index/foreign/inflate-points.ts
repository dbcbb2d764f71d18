import { advice, callNative, tfrecordError, worded } from '../../../base';
import type { RangedSource } from '../../../io';
import { native, type IndexHandle } from '../../../native';
import { readRange } from '../index-source';

/** The window of deflate. Other programs expect all of it, however little content comes before a point. */
export const WINDOW_BYTES = 32_768;

/** Bytes of a member's header that are read at first; names and comments can be longer. */
const HEADER_BYTES = 512;
const MOST_HEADER_BYTES = 2 ** 20;

/** Flags of a header, RFC 1952, section 2.3.1. */
const HEADER_CRC = 2;
const EXTRA = 4;
const NAME = 8;
const COMMENT = 16;
/** A header without fields. */
export const LEAST_HEADER = 10;

/** A point of a GZIP file at which an inflater of raw deflate data begins. */
export interface RawPoint {
  /** First byte of the file that belongs to no byte before the point. */
  readonly position: number;
  /** Offset in the content. */
  readonly offset: number;
  /** Bits of the byte before `position` that are after the point. */
  readonly bits: number;
  /** The content before the point, zeros in front if that is short; undefined where deflate data begins. */
  readonly window: Uint8Array<ArrayBuffer> | undefined;
}

/**
 * Yields the points of the index of a GZIP file of `size` bytes, the beginning of the file first. Headers of members are read
 * from `source`.
 * @throws TFRecordError TFR_STATE_MISMATCH if no member begins where the index says, or the source's own error
 */
export async function* rawPoints(handle: IndexHandle, source: RangedSource, size: number): AsyncGenerator<RawPoint> {
  yield { position: await deflateStart(source, 0), offset: 0, bits: 0, window: undefined };
  let last = 0;
  for (let at = 0; ; at++) {
    const point = callNative(source.name, () => native().indexPoint(handle, at));
    if (point === undefined) return;
    // Other programs take two points at one offset for damage, and need none at the beginning.
    if (point === null || point.offset <= last) continue;
    last = point.offset;
    const { position, offset, bits = 0, window } = point;
    if (window !== undefined) yield { position, offset, bits, window: whole(window) };
    else if (position < size) yield { position: await deflateStart(source, position), offset, bits, window };
  }
}

function whole(window: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (window.length === WINDOW_BYTES) return window;
  const padded = new Uint8Array(WINDOW_BYTES);
  padded.set(window, WINDOW_BYTES - window.length);
  return padded;
}

/** Returns where the deflate data of the member begins whose header is at `position`. */
async function deflateStart(source: RangedSource, position: number): Promise<number> {
  for (let length = HEADER_BYTES; length <= MOST_HEADER_BYTES; length *= 8) {
    const head = await readRange(source, position, length);
    const size = gzipHeaderSize(head);
    if (size === 0) break;
    if (size !== undefined) return position + size;
  }
  const [expected, found] = [`a GZIP member at byte ${position}`, 'other bytes'];
  throw tfrecordError(
    'TFR_STATE_MISMATCH',
    worded`The index does not fit ${source.name}: expected ${expected}, found ${found}.${advice` Make it again.`}`,
    { file: source.name, compressedOffset: position, expected, found },
  );
}

/**
 * Returns the length of the header of the GZIP member that begins with `head`: undefined if it is longer than `head`, 0 if no
 * member begins there. Its checksum is not verified.
 */
export function gzipHeaderSize(head: Uint8Array): number | undefined {
  if (head.length < LEAST_HEADER) return undefined;
  if (head[0] !== 0x1f || head[1] !== 0x8b || head[2] !== 8) return 0;
  const flags = head[3]!;
  let size = LEAST_HEADER;
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
