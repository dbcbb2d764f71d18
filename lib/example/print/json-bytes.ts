/** JSON of bytes: text where they are text, else base64 or hexadecimal; cut where they are long. */
import { isPrintable } from '../tensor';
import { textJson } from './json-scalars';
import { JsonText } from './json-text';

/** JSON, and how many bytes it leaves out. */
export interface BytesJson {
  readonly json: string;
  readonly cut: number;
}

/**
 * A string for printable UTF-8, `{"base64":…}` for other bytes. Of longer ones the first `maxText` or `maxBinary`
 * bytes: `{"text":…,"more":n}` or `{"base64":…,"more":n}`, where n bytes are left out.
 */
export function bytesJson(value: Uint8Array, maxText: number, maxBinary: number): BytesJson {
  const out = new JsonText();
  const cut = printBytes(value, maxText, maxBinary, out);
  return { json: out.toString(), cut };
}

/** Bytes that become text at once: a multiple of 3, so that base64 needs no padding in between. */
const PIECE = 3 * 2 ** 18;

/** Adds the JSON of bytes, piece by piece, and returns how many bytes it leaves out. */
export function printBytes(value: Uint8Array, maxText: number, maxBinary: number, out: JsonText): number {
  const printable = isPrintable(value);
  const limit = printable ? maxText : maxBinary;
  const whole = value.length <= limit;
  const shown = whole ? value.length : printable ? characterStart(value, limit) : limit;
  const cut = value.length - shown;
  if (printable) {
    out.add(cut === 0 ? '"' : '{"text":"');
    for (let at = 0; at < shown;) {
      const end = at + PIECE < shown ? characterStart(value, at + PIECE) : shown;
      out.add(textJson(buffer(value, at, end).toString('utf8')).slice(1, -1));
      at = end;
    }
    out.add(cut === 0 ? '"' : `","more":${cut}}`);
    return cut;
  }
  out.add('{"base64":"');
  for (let at = 0; at < shown; at += PIECE) {
    out.add(buffer(value, at, Math.min(at + PIECE, shown)).toString('base64'));
  }
  out.add(cut === 0 ? '"}' : `","more":${cut}}`);
  return cut;
}

/** Hexadecimal digits of the first `count` bytes. */
export function hex(value: Uint8Array, count: number): string {
  return buffer(value, 0, Math.min(count, value.length)).toString('hex');
}

/** The last place at or before `limit` where a character starts. */
function characterStart(value: Uint8Array, limit: number): number {
  let start = limit;
  while (start > 0 && ((value[start] ?? 0) & 0xc0) === 0x80) start--;
  return start;
}

function buffer(value: Uint8Array, start: number, end: number): Buffer {
  return Buffer.from(value.buffer, value.byteOffset + start, end - start);
}
