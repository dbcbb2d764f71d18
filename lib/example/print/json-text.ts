/** The JSON of one record while it is made: text, and chunks of bytes once it is long. */
import { TFRecordError } from '../../errors';

/** Characters that are kept as text; a longer string keeps an object alive for every piece. */
const CHUNK_LENGTH = 64 * 1024;
const MAX_BYTES = 2 ** 30;

/** Collects pieces, in order. @throws TFRecordError TFR_RECORD_TOO_LARGE if they are more than 1 GiB together. */
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
