/**
 * The text that tfrecord2idx of DALI writes for a plain TFRecord file: a line for each record, with the offset of its frame
 * and the length of that, in decimal digits, with a space between them.
 */
import { callNative, memoryError } from '../../../base';
import { native, type IndexHandle } from '../../../native';

/** Records whose lines are written at once. */
const RECORDS = 8192;

/** Yields this text. @throws TFRecordError if the index is too large to know the offset of each record */
export async function* toRecordOffsets(handle: IndexHandle, file: string, records: number): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (let first = 0; first < records; first += RECORDS) {
    const count = Math.min(RECORDS, records - first);
    const extents = callNative(file, () => native().indexExtents(handle, first, count));
    if (extents === undefined) throw memoryError(file);
    let lines = '';
    for (let at = 0; at < extents.length; at += 2) lines += `${extents[at]} ${extents[at + 1]! - extents[at]!}\n`;
    yield encoder.encode(lines);
  }
}
