import { TFRecordError } from '../../base';
import { float32Json, textJson } from '../../example';
import { isPrintable } from '../../tensor';
import { MemoryPool } from '../../io';

const FIRST_BYTES = 1024 * 1024;
/** Maximum size of the memory that waits for its next use. */
const SPARE_BYTES = 4 * FIRST_BYTES;
/** Maximum length of a line: many readers, and Node's strings, cannot hold more. */
const MAX_BYTES = 2 ** 29 - 24;
/** Maximum size of a number, with its comma and quotes. */
const NUMBER_BYTES = 32;
/** Integers below this are written digit by digit. */
const SMALL_INTEGER = 1e9;
/** Number of bytes that are encoded to base64 together: a multiple of 3, so that there is no padding in between. */
const PIECE = 3 * 2 ** 16;
/** Size of the cache of the texts of floats, a power of two. */
const FLOATS = 4096;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Text as UTF-8, appended at its end. */
export class TextBuffer {
  bytes: Buffer<ArrayBuffer>;
  /** Number of bytes in use. */
  at = 0;
  /** Start of the current line. */
  #start = 0;
  /** Memory of {@link FIRST_BYTES}. Larger memory is not used again. */
  readonly #memory = new MemoryPool(SPARE_BYTES);
  readonly #floatBits = new Uint32Array(FLOATS);
  readonly #floatTexts: string[] = [];
  readonly #float = new Float32Array(1);
  readonly #bits = new Uint32Array(this.#float.buffer);

  constructor() {
    this.bytes = this.#lease();
  }

  begin(): void {
    this.#start = this.at;
  }

  /** Discards the current line. */
  drop(): void {
    this.at = this.#start;
  }

  /** Returns all text. The buffer is then empty. */
  take(): Buffer<ArrayBuffer> {
    const taken = this.bytes.subarray(0, this.at);
    this.bytes = this.#lease();
    this.at = 0;
    return taken;
  }

  /** Call it after `taken`, from {@link TextBuffer.take}, was written: its memory is reused. */
  giveBack(taken: Buffer<ArrayBuffer>): void {
    this.#memory.end(taken);
  }

  /** Makes room for `size` more bytes. @throws TFRecordError TFR_RECORD_TOO_LARGE, ENOMEM */
  reserve(size: number): void {
    const needed = this.at + size;
    if (needed <= this.bytes.length) return;
    if (needed - this.#start > MAX_BYTES) {
      throw new TFRecordError('TFR_RECORD_TOO_LARGE', `The line of a record is longer than ${MAX_BYTES} bytes`);
    }
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.bytes.length));
    this.bytes.copy(larger, 0, 0, this.at);
    this.bytes = larger;
  }

  byte(byte: number): void {
    if (this.at === this.bytes.length) this.reserve(1);
    this.bytes[this.at++] = byte;
  }

  ascii(text: string): void {
    this.reserve(text.length);
    const { bytes, at } = this;
    for (let i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i);
    this.at = at + text.length;
  }

  text(text: string): void {
    this.reserve(3 * text.length);
    this.at += this.bytes.write(text, this.at);
  }

  /** Appends a line of JSON, in the form of `JsonText`. */
  line(json: string | readonly Buffer[]): void {
    if (typeof json === 'string') this.text(json);
    else for (const piece of json) this.raw(piece);
    this.byte(0x0a);
  }

  raw(source: Uint8Array): void {
    this.reserve(source.length);
    this.bytes.set(source, this.at);
    this.at += source.length;
  }

  /** Appends a safe integer. */
  integer(value: number): void {
    if (value < 0 || value >= SMALL_INTEGER) {
      this.ascii(String(value));
      return;
    }
    this.reserve(NUMBER_BYTES);
    const { bytes } = this;
    let end = this.at + 1;
    for (let limit = 10; value >= limit; limit *= 10) end++;
    this.at = end;
    let rest = value;
    do {
      const next = (rest / 10) | 0;
      bytes[--end] = 0x30 + rest - next * 10;
      rest = next;
    } while (rest > 0);
  }

  /** Appends a float32 in the form of `float32Json`. */
  float(value: number): void {
    this.#float[0] = value;
    const bits = this.#bits[0]!;
    const place = (Math.imul(bits, 0x9e3779b1) >>> 20) & (FLOATS - 1);
    let text = this.#floatBits[place] === bits ? this.#floatTexts[place] : undefined;
    if (text === undefined) {
      text = float32Json(value);
      this.#floatBits[place] = bits;
      this.#floatTexts[place] = text;
    }
    this.ascii(text);
  }

  /**
   * Appends the bytes `from` to `to` of `source` as a JSON string. Returns false, and appends nothing, unless they are
   * plain ASCII.
   */
  plainText(source: Uint8Array, from: number, to: number): boolean {
    this.reserve(to - from + 2);
    const { bytes } = this;
    let at = this.at;
    bytes[at++] = QUOTE;
    for (let i = from; i < to; i++) {
      const byte = source[i]!;
      if (byte < 0x20 || byte > 0x7e || byte === QUOTE || byte === BACKSLASH) return false;
      bytes[at++] = byte;
    }
    bytes[at++] = QUOTE;
    this.at = at;
    return true;
  }

  /** Appends any bytes: as a JSON string if they are printable UTF-8, else as an object with base64. */
  anyText(value: Buffer): void {
    if (isPrintable(value) && value.length < MAX_BYTES / 2) {
      this.text(textJson(value.toString('utf8')));
      return;
    }
    this.ascii('{"base64":');
    this.base64(value);
    this.byte(0x7d);
  }

  /** Appends a JSON string of base64. */
  base64(value: Buffer): void {
    this.byte(QUOTE);
    for (let at = 0; at < value.length; at += PIECE) {
      const text = value.toString('base64', at, Math.min(at + PIECE, value.length));
      this.reserve(text.length);
      this.at += this.bytes.write(text, this.at, 'latin1');
    }
    this.byte(QUOTE);
  }

  #lease(): Buffer<ArrayBuffer> {
    return Buffer.from(this.#memory.lease(FIRST_BYTES, '<lines>').buffer);
  }
}
