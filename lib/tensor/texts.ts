/** Byte strings to strings, exactly: what is not UTF-8 is found, not replaced. */
import { constants, isAscii, isUtf8 } from 'node:buffer';

import { counted, viewOf } from '../base';
import { shortText } from './json';

/** Short values are decoded together, so many bytes at a time, and cut apart: a string that is kept keeps no more alive. */
const TOGETHER = 8192;
/** Values of more bytes than this are decoded alone: their strings keep nothing else alive. */
const SHORT = 64;
/** Up to so many values are decoded one by one. */
const FEW = 8;
/** Decoders put this character in place of bytes that are not UTF-8. A text may also have it. */
const REPLACEMENT = '\ufffd';

/** A value that is no text. */
export class NoText {
  /** Number of the value. */
  readonly index: number;
  readonly expected: string;
  readonly found: string;

  /** `size`: bytes of the value. */
  constructor(index: number, size: number) {
    const { MAX_STRING_LENGTH: most } = constants;
    this.index = index;
    this.expected = size > most ? `text of at most ${most} bytes, which a string holds` : 'UTF-8';
    this.found = size > most ? `${size} bytes` : `${counted(size, 'byte that is', undefined, 'bytes that are')} not`;
  }
}

/**
 * The strings of the values `data[offsets[i] .. offsets[i + 1])`, or the first value that is none. Offsets ascend within
 * `data`, which no other thread can change. A byte order mark stays in the text.
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

/** The text of bytes `begin` to `end`, which lie in `bytes`; undefined where they are none. */
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
