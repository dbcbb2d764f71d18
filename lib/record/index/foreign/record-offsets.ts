/**
 * The text that tfrecord2idx of DALI writes for a plain TFRecord file: a line for each record, with the offset of its frame
 * and the length of that, in decimal digits, with a space between them.
 */
import { callNative, memoryError } from '../../../base';
import { native, type IndexHandle, type IndexState } from '../../../native';
import type { ForeignBytes } from './foreign-bytes';

/** Records whose lines are written, or compared, at once. */
const RECORDS = 8192;
/** A line has two numbers below 2^53. */
const MOST_LINE = 40;

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

/**
 * Compares each line with the record that was found there: its offset, and the length of its frame.
 * @throws TFRecordError TFR_STATE_MISMATCH if one differs, or if there are more or fewer lines than records
 */
export async function compareOffsets(bytes: ForeignBytes, index: IndexHandle, state: IndexState): Promise<void> {
  const { records, cut } = state;
  let extents = new Float64Array(0);
  let line = 0;
  for await (const text of linesOf(bytes)) {
    if (line >= records) {
      // Damage hides the records of the other lines.
      if (cut) return;
      throw bytes.damaged(`lines for ${records} records`, `${shown(text)} on line ${line + 1}`);
    }
    const at = line % RECORDS;
    if (at === 0) {
      const found = callNative(bytes.name, () => native().indexExtents(index, line, Math.min(RECORDS, records - line)));
      if (found === undefined) throw memoryError(bytes.name);
      extents = found;
    }
    const [begin, end] = [extents[2 * at]!, extents[2 * at + 1]!];
    const expected = `${begin} ${end - begin}`;
    if (text !== expected) throw bytes.damaged(`"${expected}" on line ${line + 1}`, shown(text));
    line++;
  }
  if (line < records) throw bytes.damaged(`lines for ${records} records`, `${line} lines`);
}

function shown(line: string): string {
  return JSON.stringify(line.slice(0, MOST_LINE));
}

/** Yields lines; of one that is too long, its beginning. */
async function* linesOf(bytes: ForeignBytes): AsyncGenerator<string> {
  let rest = '';
  while (bytes.left > 0) {
    const lines = (rest + latin1(await bytes.some())).split('\n');
    rest = lines.pop()!;
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
    if (rest.length > MOST_LINE) break;
  }
  if (rest !== '') yield rest;
}

// The context that loads this file may have no TextDecoder.
function latin1(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}
