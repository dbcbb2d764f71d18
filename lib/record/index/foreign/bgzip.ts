/**
 * The index of bgzip, `.gzi`, little-endian: the number of entries, and for each block with content but the first, where it
 * begins in the file and in the content. It fits only files that bgzip wrote: each member of such a file, a block, states its
 * length in the field BC of its header.
 */
import { advice, tfrecordError, worded } from '../../../base';
import type { RangedSource } from '../../../io';
import { readRange } from '../index-source';
import type { ForeignBytes } from './foreign-bytes';
import type { ForeignSizes, PointList } from './point-list';

/** Bytes of the number of entries, and of an entry. */
export const COUNT_BYTES = 8;
export const ENTRY_BYTES = 16;
/** Bytes of a block's header as bgzip writes it, and of the largest block. */
const HEADER_BYTES = 18;
const MOST_BLOCK = 65_536;
const READ_BYTES = 2 ** 20;
/** The size of a block's content, at its end. */
const CONTENT_SIZE_BYTES = 4;

/** Yields the bytes of such an index of `source`. @throws TFRecordError TFR_STATE_MISMATCH for a file of another kind */
export async function* toBgzip(source: RangedSource): AsyncGenerator<Uint8Array> {
  const entries: number[] = [];
  let [position, offset] = [0, 0];
  let read: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  let begin = 0;
  for (;;) {
    if (read.length - (position - begin) < MOST_BLOCK) {
      read = await readRange(source, position, READ_BYTES);
      begin = position;
    }
    const rest = read.subarray(position - begin);
    if (rest.length === 0) break;
    const size = blockSize(rest);
    if (size === undefined || size > rest.length) throw notBgzip(source.name, position);
    const content = new DataView(rest.buffer, rest.byteOffset + size - CONTENT_SIZE_BYTES).getUint32(0, true);
    if (position > 0 && content > 0) entries.push(position, offset);
    offset += content;
    position += size;
  }
  yield bytesOf([entries.length / 2]);
  yield bytesOf(entries);
}

function bytesOf(numbers: readonly number[]): Uint8Array {
  return new Uint8Array(BigUint64Array.from(numbers, BigInt).buffer);
}

/** Returns the length of the block that begins with `head`; undefined if none does. */
function blockSize(head: Uint8Array): number | undefined {
  if (head.length < HEADER_BYTES) return undefined;
  const view = new DataView(head.buffer, head.byteOffset, HEADER_BYTES);
  // GZIP with an extra field of 6 bytes: 'B', 'C', a length of 2, the length of the block less 1.
  const right = view.getUint32(0) === 0x1f8b0804 && view.getUint16(10, true) === 6 && view.getUint32(12) === 0x42430200;
  const size = view.getUint16(16, true) + 1;
  return right && size > HEADER_BYTES + CONTENT_SIZE_BYTES ? size : undefined;
}

function notBgzip(file: string, position: number): Error {
  const [expected, found] = ['a block that bgzip wrote', 'other data'];
  return tfrecordError(
    'TFR_STATE_MISMATCH',
    worded`${file} has no index of bgzip: expected ${expected} at byte ${String(position)}, found ${found}.${advice` Choose the format of another program.`}`,
    { file, compressedOffset: position, expected, found },
  );
}

/** Adds the blocks of such an index to `points`. @throws TFRecordError TFR_STATE_MISMATCH if it is damaged */
export async function fromBgzip(bytes: ForeignBytes, points: PointList): Promise<ForeignSizes> {
  await bytes.take(COUNT_BYTES);
  while (bytes.left > 0) {
    const entry = await bytes.take(ENTRY_BYTES);
    await points.addMember(bytes.number(entry.getBigUint64(0, true)), bytes.number(entry.getBigUint64(8, true)));
  }
  return {};
}
