/** Decodes byte strings exactly: bytes that are not UTF-8 are reported, not replaced. */
import { constants, isAscii, isUtf8 } from 'node:buffer';

import { counted, viewOf } from '../base';
import { shortText } from './json';

/**
 * Maximum bytes of short values that are decoded together, and then sliced: a slice keeps the whole decoded text in
 * memory.
 */
const TOGETHER = 8192;
/** Maximum bytes of a value that is decoded with others. The string of a longer one does not keep others in memory. */
const SHORT = 64;
/** Maximum number of values that are decoded one by one. */
const FEW = 8;
/** The character that decoders put in place of bytes that are not UTF-8. A valid text may also contain it. */
const REPLACEMENT = '\ufffd';

/** The result for a value that is not text. */
export class NoText {
  /** Number of the value. */
  readonly index: number;
  readonly expected: string;
  readonly found: string;

  /** @param size number of bytes of the value */
  constructor(index: number, size: number) {
    const { MAX_STRING_LENGTH: most } = constants;
    this.index = index;
    this.expected = size > most ? `text of at most ${most} bytes, which a string holds` : 'UTF-8';
    this.found = size > most ? `${size} bytes` : `${counted(size, 'byte that is', undefined, 'bytes that are')} not`;
  }
}

/**
 * Returns the strings of the values `data[offsets[i] .. offsets[i + 1])`, or the first value that is not text. Offsets
 * must ascend within `data`, which no other thread may change. A byte order mark stays in the text.
 */
export function decodeTexts(data: Uint8Array, offsets: Int32Array): string[] | NoText {
  const count = offsets.length - 1;
  const texts = new Array<string>(count);
  if (count <= FEW) {
    for (let i = 0; i < count; i++) {
      const text = decodeText(data, offsets[i]!, offsets[i + 1]!);
      if (text === undefined) return new NoText(i, offsets[i + 1]! - offsets[i]!);
      texts[i] = text;
    }
    return texts;
  }
  const buffer = bufferOf(data);
  for (let i = 0; i < count;) {
    const begin = offsets[i]!;
    let end = begin;
    let behind = i;
    while (behind < count) {
      const next = offsets[behind + 1]!;
      if (next - end > SHORT || next - begin > TOGETHER) break;
      end = next;
      behind++;
    }
    if (behind > i + 1 && isAscii(buffer.subarray(begin, end))) {
      const together = buffer.toString('latin1', begin, end);
      for (; i < behind; i++) texts[i] = together.substring(offsets[i]! - begin, offsets[i + 1]! - begin);
      continue;
    }
    // At least one value, long or short.
    for (behind = Math.max(behind, i + 1); i < behind; i++) {
      const text = decodeText(buffer, offsets[i]!, offsets[i + 1]!);
      if (text === undefined) return new NoText(i, offsets[i + 1]! - offsets[i]!);
      texts[i] = text;
    }
  }
  return texts;
}

/**
 * Returns the text of the bytes from `begin` to before `end`, which must be in `bytes`; undefined if they are not text.
 */
export function decodeText(bytes: Uint8Array, begin: number, end: number): string | undefined {
  const short = shortText(bytes, begin, end);
  if (short !== undefined) return short;
  if (end - begin > constants.MAX_STRING_LENGTH) return undefined;
  const text = bufferOf(bytes).toString('utf8', begin, end);
  return text.includes(REPLACEMENT) && !isUtf8(viewOf(bytes, begin, end)) ? undefined : text;
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
