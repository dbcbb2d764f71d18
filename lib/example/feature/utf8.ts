import { TextEncoder } from 'node:util';

const encoder = new TextEncoder();
/** Below this many characters a loop is faster than the encoder. */
const SHORT = 24;

/** Length of `text` in UTF-8, in bytes. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** Writes `text` as UTF-8 to `target` from `at` on, which must have the room. */
export function writeUtf8(target: Uint8Array, text: string, at: number): void {
  if (text.length <= SHORT) {
    let i = 0;
    for (; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit >= 0x80) break;
      target[at + i] = unit;
    }
    if (i === text.length) return;
  }
  encoder.encodeInto(text, target.subarray(at));
}
