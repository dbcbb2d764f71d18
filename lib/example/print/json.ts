/**
 * Prints values and bytes as JSON: exact, on one line, without control characters of terminals, and cut if they are
 * long.
 */
import { escapeUnsafe, TFRecordError } from '../../base';
import { isPrintable, shortestFloat32 } from '../../tensor';

/** Maximum length of the text that is kept as a string: for a longer one, V8 keeps an object for each of its pieces. */
const CHUNK_LENGTH = 64 * 1024;
const MAX_BYTES = 2 ** 30;

/**
 * Collects the JSON of one record: as text, and as chunks of bytes once it is long. @throws TFRecordError
 * TFR_RECORD_TOO_LARGE above 1 GiB
 */
export class JsonText {
  #text = '';
  #bytes = 0;
  readonly #chunks: Buffer[] = [];

  add(text: string): void {
    this.#text += text;
    if (this.#text.length >= CHUNK_LENGTH) this.#spill();
  }

  /** Returns the JSON: a string if it is short, else chunks of UTF-8. */
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

/** Returns the error TFR_RECORD_TOO_LARGE for a valid record that is too long to print on one line. */
export function tooLongToPrint(what: string): TFRecordError {
  return new TFRecordError('TFR_RECORD_TOO_LARGE', `${what}. tfrecord head prints it cut.`);
}

/** The halves of an int64, as protobufjs gives them. */
export interface Int64Parts {
  readonly low: number;
  readonly high: number;
}

/** Returns a uint64 as {@link int64Json} does an int64. */
export function uint64Json(value: number | Int64Parts): string {
  return typeof value === 'number' ? String(value) : String(BigInt.asUintN(64, BigInt(int64Json(value))));
}

/** Returns an int64 as a JSON integer. Readers that keep 64 bits (lossless-json, Python, jq 1.7) get every digit. */
export function int64Json(value: number | Int64Parts): string {
  if (typeof value === 'number') return String(value);
  const { high } = value;
  const low = value.low >>> 0;
  const exactAsNumber = high >= -0x20_0000 && high < 0x20_0000;
  return String(exactAsNumber ? high * 2 ** 32 + low : (BigInt(high) << 32n) + BigInt(low));
}

/**
 * Returns the shortest digits that restore the same float32, always with a point or an exponent, so that floats differ
 * from int64. NaN and the infinities, for which JSON has no numbers, are the strings "NaN", "Infinity" and "-Infinity".
 */
export function float32Json(value: number): string {
  if (!Number.isFinite(value)) return `"${value}"`;
  if (Object.is(value, -0)) return '-0.0';
  const size = Math.abs(value);
  const digits = Number.isInteger(size) && size < 2 ** 24 ? String(size) : String(shortestFloat32(size));
  return `${value < 0 ? '-' : ''}${digits}${/[.e]/.test(digits) ? '' : '.0'}`;
}

/** Returns the shortest digits that restore the same double, in the form of {@link float32Json}. */
export function float64Json(value: number): string {
  if (!Number.isFinite(value)) return `"${value}"`;
  const digits = Object.is(value, -0) ? '-0' : String(value);
  return /[.e]/.test(digits) ? digits : `${digits}.0`;
}

/** Returns `text` as a JSON string, in which characters that are unsafe on a terminal are escaped. */
export function textJson(text: string): string {
  return escapeUnsafe(JSON.stringify(text));
}

/** Maximum number of bytes of a value that {@link valueJson} prints: of text, and of other bytes. */
const VALUE_TEXT = 256;
const VALUE_BINARY = 48;

/**
 * Returns the JSON of one value of a feature, as {@link RecordPrinter} prints it. Unless `full`, long bytes are cut.
 */
export function valueJson(value: bigint | number | Uint8Array, full: boolean): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return float32Json(value);
  return bytesJson(value, full ? Infinity : VALUE_TEXT, full ? Infinity : VALUE_BINARY).json;
}

/** The JSON of bytes, and the number of bytes that it leaves out. */
interface BytesJson {
  readonly json: string;
  readonly cut: number;
}

/**
 * Returns a string for printable UTF-8, `{"base64":…}` for other bytes. Values of more than `maxText` or `maxBinary`
 * bytes are cut: `{"text":…,"more":n}` or `{"base64":…,"more":n}`, where n is the number of bytes left out.
 */
export function bytesJson(value: Uint8Array, maxText: number, maxBinary: number): BytesJson {
  const out = new JsonText();
  const cut = printBytes(value, maxText, maxBinary, out);
  return { json: out.toString(), cut };
}

/** Number of bytes that are converted to text at once: a multiple of 3, so that base64 needs no padding in between. */
const PIECE = 3 * 2 ** 18;

/** Adds the JSON of bytes, piece by piece. Returns the number of bytes left out. */
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

/** Returns the first `count` bytes as hexadecimal digits. */
export function hex(value: Uint8Array, count: number): string {
  return buffer(value, 0, Math.min(count, value.length)).toString('hex');
}

/** Returns the last position at or before `limit` where a character starts. */
function characterStart(value: Uint8Array, limit: number): number {
  let start = limit;
  while (start > 0 && ((value[start] ?? 0) & 0xc0) === 0x80) start--;
  return start;
}

function buffer(value: Uint8Array, start: number, end: number): Buffer {
  return Buffer.from(value.buffer, value.byteOffset + start, end - start);
}
