/** Reads and writes TFRecord files. Records are copied unchanged. */
import { fullPath, objectScheme } from '../base';
import { CODEC_NAMES } from '../io';
import {
  COUNTED,
  openOutput,
  readerSpec,
  resolveReadOptions,
  saveIndexOf,
  splitBatch,
  sumOf,
  UNREAD,
  type ReadableFile,
  type ReadStats,
  type RecordBatch,
  type RecordWriter,
} from '../record';
import { surveyRecords } from '../table';
import type { InputFormat, NativeRecords, OutputFormat, OutputSink, ReadSettings, WrittenOutput } from './format';
import { countsByIndex, JumpingReader } from './input/by-index';
import { copyRecords } from './input/copy-input';
import { dividedInputs } from './input/divide-files';
import { filesInput } from './input/files-input';
import { FramedReader, silentPolicy } from './input/framed-input';
import type { Inputs } from './input/inputs';

export const tfrecordInput: InputFormat = filesInput({
  uses: ['verify', 'maxBytes'],
  noSpec: 'records are copied; features or exclude choose some of their features',
  partOf: dividedInputs,
  copied: copyRecords,
  prepared: (inputs, settings) =>
    Promise.resolve({
      open: (first, number, own, place) => new JumpingReader(inputs, first, number, own, place),
      native: () => nativeRecords(inputs, settings),
    }),
  counts: countsByIndex,
  units(inputs, settings, measured) {
    // A part ends at a certain record.
    const unread = measured || inputs.slice !== undefined ? UNREAD : COUNTED;
    return new FramedReader(inputs, 0, settings, { unread, policy: silentPolicy(settings.policy) });
  },
  survey: (inputs, { policy, maxRecordBytes, verify, signal }, progress) => {
    const plan = resolveReadOptions({ maxRecordBytes, verify, signal });
    const onProgress = ({ compressedBytes }: ReadStats): void => {
      progress(compressedBytes);
    };
    return surveyRecords(inputs.source, { ...plan, policy }, { onProgress });
  },
});

/** The records of `inputs`, if all of them are whole local files. */
function nativeRecords(inputs: Inputs, settings: ReadSettings): NativeRecords | undefined {
  const { files, source, copyOf, slice } = inputs;
  if (source.kind !== 'paths' || copyOf !== undefined || slice !== undefined) return undefined;
  const { policy, maxRecordBytes, verify, signal } = settings;
  const plan = { ...resolveReadOptions({ maxRecordBytes, verify, signal }), policy };
  const found: ReadableFile[] = [];
  for (const { file, bytes } of files) {
    if (bytes === undefined || objectScheme(file) !== undefined) return undefined;
    const at = fullPath(file, source.folder);
    found.push({ file, at, bytes, spec: readerSpec(plan, { bytes, at }) });
  }
  return { files: found, plan, first: () => firstBatch(inputs, settings) };
}

async function firstBatch(inputs: Inputs, settings: ReadSettings): Promise<RecordBatch | undefined> {
  const reader = new FramedReader(inputs, 0, settings, { policy: silentPolicy(settings.policy) });
  try {
    return (await reader.next())?.batch;
  } catch {
    return undefined;
  } finally {
    await reader.close();
  }
}

export const tfrecordOutput: OutputFormat = {
  uses: ['maxBytes', 'index'],
  compressions: CODEC_NAMES,
  async open(target, { compression, level, index, sums, signal }) {
    // The job itself renames the file once it is complete.
    const options = { compression, level, signal, atomic: false };
    const indexes = index && typeof target === 'string';
    return new TFRecordSink(await openOutput(target, options, { indexes, sums }), indexes);
  },
};

class TFRecordSink implements OutputSink {
  readonly saveIndex: OutputSink['saveIndex'];
  readonly #writer: RecordWriter;

  constructor(writer: RecordWriter, indexes: boolean) {
    this.#writer = writer;
    this.saveIndex = indexes ? (path) => saveIndexOf(writer, path) : undefined;
  }

  write(batch: RecordBatch): Promise<void> | undefined {
    const parts = [...splitBatch(batch)];
    return parts.length === 1 ? this.#writer.writeBatch(batch) : this.#writeParts(parts);
  }

  async #writeParts(parts: readonly RecordBatch[]): Promise<void> {
    for (const part of parts) await this.#writer.writeBatch(part);
  }

  async close(): Promise<WrittenOutput> {
    return { ...(await this.#writer.close()), crc32c: sumOf(this.#writer) };
  }

  abort(): Promise<void> {
    return this.#writer.abort();
  }
}
