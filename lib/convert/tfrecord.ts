/** TFRecord files, in and out. Records are copied as they are. */
import { FRAME_BYTES, HEADER_BYTES } from '../base';
import {
  crc32c,
  ENCODED,
  partsOf,
  RecordWriter,
  resolveReadOptions,
  splitBatch,
  type ReadStats,
  type RecordBatch,
} from '../record';
import { surveyRecords } from '../table';
import type { InputFormat, OutputFormat, OutputSink, WrittenOutput } from './format';
import { copyRecords } from './input/copy-input';
import { filesInput } from './input/files-input';
import { FramedReader, silentPolicy } from './input/framed-input';

export const tfrecordInput: InputFormat = filesInput({
  uses: ['verify', 'maxBytes'],
  noSpec: 'records are copied; features keeps some of their features, exclude all but some',
  copied: copyRecords,
  prepared: (inputs) => Promise.resolve({ open: (first, _number, own) => new FramedReader(inputs, first, own) }),
  units: (inputs, settings) =>
    new FramedReader(inputs, 0, settings, { unread: true, policy: silentPolicy(settings.policy) }),
  survey: (inputs, { policy, maxRecordBytes, verify, signal }, progress) => {
    const plan = resolveReadOptions({ maxRecordBytes, verify, signal });
    const onProgress = ({ compressedBytes }: ReadStats): void => {
      progress(compressedBytes);
    };
    return surveyRecords(inputs.source, { ...plan, policy }, { onProgress });
  },
});

export const tfrecordOutput: OutputFormat = {
  uses: ['maxBytes'],
  compressions: ['none', 'gzip', 'zlib'],
  async open(target, { compression, level, verified, signal }) {
    // The job gives a file its name once it is complete.
    const writer = await RecordWriter.open(target, { compression, level, signal, atomic: false });
    return new TFRecordSink(writer, compression === 'none' && verified);
  },
};

class TFRecordSink implements OutputSink {
  readonly #writer: RecordWriter;
  /** Checksum of the file so far, while it is known. */
  #sum: number | undefined;

  /** @param plain true if records lie in the file as they lie in a verified input */
  constructor(writer: RecordWriter, plain: boolean) {
    this.#writer = writer;
    this.#sum = plain ? 0 : undefined;
  }

  write(batch: RecordBatch): Promise<void> | undefined {
    if (this.#sum !== undefined) {
      const frames = framesOf(batch);
      this.#sum = frames && crc32c(frames, this.#sum);
    }
    const parts = [...splitBatch(batch)];
    return parts.length === 1 ? this.#writer.writeBatch(batch) : this.#writeParts(parts);
  }

  async #writeParts(parts: readonly RecordBatch[]): Promise<void> {
    for (const part of parts) await this.#writer.writeBatch(part);
  }

  async close(): Promise<WrittenOutput> {
    return { ...(await this.#writer.close()), crc32c: this.#sum };
  }

  abort(): Promise<void> {
    return this.#writer.abort();
  }
}

/**
 * The records of a batch that was read, with headers and checksums, which were verified: as a plain file has them. It
 * saves reading an output again to sum it up. Undefined if the records do not lie one behind the other.
 */
function framesOf(batch: RecordBatch): Uint8Array | undefined {
  const { source, begin } = partsOf(batch);
  const { frames, slab } = source;
  const last = 2 * (begin + batch.length - 1);
  const start = frames[2 * begin]! - HEADER_BYTES;
  const end = frames[last]! + frames[last + 1]! + FRAME_BYTES - HEADER_BYTES;
  const wasRead = source.origins === undefined && source.file !== ENCODED;
  if (!wasRead || end - start !== batch.byteLength + FRAME_BYTES * batch.length) return undefined;
  return slab.subarray(start, end);
}
