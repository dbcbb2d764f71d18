/** Writes files and streams of Arrow. */
import { ArrowEncoder, type AboutTable, type ArrowForm } from '../../arrow';
import { APPENDABLE, type WriteTarget } from '../../io';
import { joinTables, tableBytes, type Table, type TableBatch } from '../../table';
import type { OutputFormat, WriteSettings } from '../format';
import { HUGGING_FACE_KEY } from '../hugging-face/form';
import { ByteOutput } from '../output/byte-output';
import { tableOutput, type TableWriter } from '../table/table-output';

export const arrowOutput: OutputFormat = tableOutput({
  uses: ['huggingface'],
  compressions: ['none'],
  open: (target, table, settings) => ArrowOutput.open('file', target, table, settings),
});
export const arrowsOutput: OutputFormat = tableOutput({
  uses: ['huggingface'],
  compressions: APPENDABLE,
  open: (target, table, settings) => ArrowOutput.open('stream', target, table, settings),
});

/** Smaller batches are joined, because each batch has metadata of all columns. */
const BATCH_BYTES = 1024 * 1024;
const BATCH_ROWS = 65_536;
/** Small buffers are joined to chunks of this size. */
const CHUNK_BYTES = 1024 * 1024;
/** Larger buffers are written without a copy. */
const LARGE_BYTES = 256 * 1024;

class ArrowOutput implements TableWriter {
  readonly #output: ByteOutput;
  readonly #encoder: ArrowEncoder;
  readonly #chunks: Chunks;
  /** Batches that are too small to be written alone. */
  #few: TableBatch[] = [];
  #bytes = 0;
  #rows = 0;

  private constructor(form: ArrowForm, output: ByteOutput, table: Table, about: AboutTable, joins: boolean) {
    this.#output = output;
    const chunks = new Chunks(joins);
    this.#chunks = chunks;
    this.#encoder = new ArrowEncoder(form, table, about, (bytes) => {
      chunks.add(bytes);
    });
  }

  static async open(
    form: ArrowForm,
    target: WriteTarget,
    table: Table,
    { compression, level, signal, spec, huggingFace }: WriteSettings,
  ): Promise<ArrowOutput> {
    const output = await ByteOutput.open(target, compression, level, signal);
    try {
      // A spec that lacks some of its features does not describe the file.
      const isWhole = spec?.plan.columns.length === table.columns.length;
      const text = isWhole ? JSON.stringify(spec.json) : undefined;
      const metadata = huggingFace && { [HUGGING_FACE_KEY]: huggingFace.text(true) };
      const about = { spec: text, metadata, files: huggingFace?.files };
      return new ArrowOutput(form, output, table, about, compression !== 'none');
    } catch (error) {
      await output.abort();
      throw error;
    }
  }

  write(batch: TableBatch): Promise<void> | undefined {
    this.#few.push(batch);
    this.#bytes += tableBytes(batch);
    this.#rows += batch.rows;
    return this.#bytes < BATCH_BYTES / 2 && this.#rows < BATCH_ROWS ? undefined : this.#writeFew();
  }

  async close(): Promise<{ readonly fileBytes: number }> {
    await this.#writeFew();
    this.#encoder.finish();
    this.#chunks.join();
    await this.#send();
    await this.#output.close();
    return { fileBytes: this.#output.bytes };
  }

  abort(): Promise<void> {
    return this.#output.abort();
  }

  async #writeFew(): Promise<void> {
    if (this.#rows > 0) this.#encoder.write(joinTables(this.#few));
    this.#few = [];
    this.#bytes = 0;
    this.#rows = 0;
    await this.#send();
  }

  async #send(): Promise<void> {
    for (const chunk of this.#chunks.take()) await this.#output.write(chunk, () => undefined);
  }
}

/** Joins the buffers of messages, many of which have a few bytes. */
class Chunks {
  readonly #joinsAll: boolean;
  #ready: Buffer[] = [];
  #small: Uint8Array[] = [];
  #bytes = 0;

  /** `joinsAll`: large buffers are joined with others, too. */
  constructor(joinsAll: boolean) {
    this.#joinsAll = joinsAll;
  }

  add(bytes: Uint8Array): void {
    if (bytes.length >= LARGE_BYTES && !this.#joinsAll) {
      this.join();
      this.#ready.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
      return;
    }
    this.#small.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes >= CHUNK_BYTES) this.join();
  }

  /** Makes a chunk of the small buffers. */
  join(): void {
    if (this.#bytes > 0) this.#ready.push(Buffer.concat(this.#small));
    this.#small = [];
    this.#bytes = 0;
  }

  take(): readonly Buffer[] {
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }
}
