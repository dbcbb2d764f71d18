/** JSON of bytes: text where they are text, else base64 or hexadecimal; cut where they are long. */
import { isPrintable } from '../tensor';
import { textJson } from './json-scalars';

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
  const printable = isPrintable(value);
  const limit = printable ? maxText : maxBinary;
  const whole = value.length <= limit;
  const shown = whole ? value.length : printable ? characterStart(value, limit) : limit;
  const cut = value.length - shown;
  if (printable) {
    const text = textJson(buffer(value, shown).toString('utf8'));
    return { json: cut === 0 ? text : `{"text":${text},"more":${cut}}`, cut };
  }
  const base64 = buffer(value, shown).toString('base64');
  return { json: cut === 0 ? `{"base64":"${base64}"}` : `{"base64":"${base64}","more":${cut}}`, cut };
}

/** Hexadecimal digits of the first `count` bytes. */
export function hex(value: Uint8Array, count: number): string {
  return buffer(value, Math.min(count, value.length)).toString('hex');
}

/** The last place at or before `limit` where a character starts. */
function characterStart(value: Uint8Array, limit: number): number {
  let start = limit;
  while (start > 0 && ((value[start] ?? 0) & 0xc0) === 0x80) start--;
  return start;
}

function buffer(value: Uint8Array, length: number): Buffer {
  return Buffer.from(value.buffer, value.byteOffset, length);
}
