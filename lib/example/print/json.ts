/** JSON of values and bytes: exact, in one line, without a byte that a terminal would obey, cut where it is long. */
import { escapeUnsafe, TFRecordError } from '../../base';
import { isPrintable, shortestFloat32 } from '../../tensor';

/** Characters that are kept as text; a longer string keeps an object alive for every piece. */
const CHUNK_LENGTH = 64 * 1024;
const MAX_BYTES = 2 ** 30;

/** The JSON of one record while it is made: text, and chunks of bytes once it is long. @throws TFRecordError TFR_RECORD_TOO_LARGE if they are more than 1 GiB together. */
export class JsonText {
  #text = '';
  #bytes = 0;
  readonly #chunks: Buffer[] = [];

  add(text: string): void {
    this.#text += text;
    if (this.#text.length >= CHUNK_LENGTH) this.#spill();
  }

  /** The collected pieces: a string while they are short, else UTF-8 in chunks. */
  done(): string | readonly Buffer[] {
    if (this.#chunks.length === 0) return this.#text;
    this.#spill();
    return this.#chunks;
  }

  toString(): string {
    return Buffer.concat(this.#chunks).toString() + this.#text;
  }

  #spill(): void {
    this.#bytes += this.#text.length;
    if (this.#bytes > MAX_BYTES) throw tooLongToPrint('The JSON of the record is longer than 1 GiB');
    this.#chunks.push(Buffer.from(this.#text));
    this.#text = '';
  }
}

/** The error `TFR_RECORD_TOO_LARGE` for a valid record that is too long for one line. */
export function tooLongToPrint(what: string): TFRecordError {
  return new TFRecordError('TFR_RECORD_TOO_LARGE', `${what}. tfrecord head prints it cut.`);
}

/** The parts of an int64 as protobufjs gives them. */
export interface Int64Parts {
  readonly low: number;
  readonly high: number;
}

/** A JSON integer of any size: readers that keep 64 bits (lossless-json, Python, jq 1.7) get every digit. */
export function int64Json(value: number | Int64Parts): string {
  if (typeof value === 'number') return String(value);
  const { high } = value;
  const low = value.low >>> 0;
  const exactAsNumber = high >= -0x20_0000 && high < 0x20_0000;
  return String(exactAsNumber ? high * 2 ** 32 + low : (BigInt(high) << 32n) + BigInt(low));
}

/**
 * The shortest digits that read back as the same float32, always with a point or an exponent, so that floats differ
 * from int64. Values that are no JSON numbers are strings: "NaN", "Infinity", "-Infinity".
 */
export function float32Json(value: number): string {
  if (!Number.isFinite(value)) return `"${value}"`;
  if (Object.is(value, -0)) return '-0.0';
  const size = Math.abs(value);
  const digits = Number.isInteger(size) && size < 2 ** 24 ? String(size) : String(shortestFloat32(size));
  return `${value < 0 ? '-' : ''}${digits}${/[.e]/.test(digits) ? '' : '.0'}`;
}

/** The shortest digits that read back as the same double, with a point or an exponent, as {@link float32Json}. */
export function float64Json(value: number): string {
  if (!Number.isFinite(value)) return `"${value}"`;
  const digits = Object.is(value, -0) ? '-0' : String(value);
  return /[.e]/.test(digits) ? digits : `${digits}.0`;
}

/** A JSON string, in which characters that are unsafe on a terminal are escaped. */
export function textJson(text: string): string {
  return escapeUnsafe(JSON.stringify(text));
}

/** Most bytes of a value that {@link valueJson} prints, of text and of others. */
const VALUE_TEXT = 256;
const VALUE_BINARY = 48;

/** The JSON of one value of a feature, as {@link RecordPrinter} prints it. Unless `full`, long bytes are cut. */
export function valueJson(value: bigint | number | Uint8Array, full: boolean): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return float32Json(value);
  return bytesJson(value, full ? Infinity : VALUE_TEXT, full ? Infinity : VALUE_BINARY).json;
}

/** JSON, and how many bytes it leaves out. */
interface BytesJson {
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
