/** TFRecord files, in and out. Records are copied as they are. */
import { RecordWriter, splitBatch, type RecordBatch } from '../record';
import { FramedReader, silentPolicy } from './framed-input';
import type { InputFormat, OutputFormat, OutputSink } from './format';

export const tfrecordInput: InputFormat = {
  readsTwice: () => false,
  prepared: (inputs, settings) =>
    Promise.resolve({ open: (first) => new FramedReader(inputs, first, settings) }),
  units: (inputs, settings) =>
    new FramedReader(inputs, 0, settings, { verify: 'none', policy: silentPolicy(settings.policy) }),
};

export const tfrecordOutput: OutputFormat = {
  compressions: ['none', 'gzip', 'zlib'],
  async open(target, { compression, level, signal }) {
    // The job gives a file its name once it is complete.
    return new TFRecordSink(await RecordWriter.open(target, { compression, level, signal, atomic: false }));
  },
};

class TFRecordSink implements OutputSink {
  readonly #writer: RecordWriter;

  constructor(writer: RecordWriter) {
    this.#writer = writer;
  }

  write(batch: RecordBatch): Promise<void> | undefined {
    const parts = [...splitBatch(batch)];
    return parts.length === 1 ? this.#writer.writeBatch(batch) : this.#writeParts(parts);
  }

  async #writeParts(parts: readonly RecordBatch[]): Promise<void> {
    for (const part of parts) await this.#writer.writeBatch(part);
  }

  close(): Promise<{ records: number; fileBytes: number }> {
    return this.#writer.close();
  }

  abort(): Promise<void> {
    return this.#writer.abort();
  }
}
