import type { ByteOutput } from './byte-output';
import { TextBuffer } from './text-buffer';

/** Text is written in chunks of this size. */
const CHUNK_BYTES = 768 * 1024;
/** Lines of native code are written without a copy from this size on. */
const OWN_CHUNK_BYTES = 128 * 1024;

/** Writes lines in chunks, in order. */
export class LineChunks {
  readonly text = new TextBuffer();
  readonly #output: ByteOutput;

  constructor(output: ByteOutput) {
    this.#output = output;
  }

  /** Call it after a line was added to the text. Returns a promise if the caller should wait. */
  added(): Promise<void> | undefined {
    return this.text.at >= CHUNK_BYTES ? this.#send() : undefined;
  }

  /** Adds `lines`. Calls `free` when their memory is free again. */
  async add(lines: Buffer<ArrayBuffer>, free: () => void): Promise<void> {
    if (lines.length < OWN_CHUNK_BYTES) {
      this.text.begin();
      this.text.raw(lines);
      free();
      await this.added();
      return;
    }
    if (this.text.at > 0) await this.#send();
    await this.#output.write(lines, free);
  }

  /** Completes the output. Resolves with its size. */
  async close(): Promise<number> {
    if (this.text.at > 0) await this.#send();
    await this.#output.close();
    return this.#output.bytes;
  }

  /** Stops writing. Never rejects. */
  abort(): Promise<void> {
    return this.#output.abort();
  }

  #send(): Promise<void> | undefined {
    const text = this.text.take();
    return this.#output.write(text, () => {
      this.text.giveBack(text);
    });
  }
}
