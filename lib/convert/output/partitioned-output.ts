import { TFRecordError, type Compression } from '../../base';
import { ShardedWriter, type ShardedWriteReport } from '../../example';
import { splitBatch, type RecordBatch } from '../../record';
import { sliceOf } from '../batches';
import type { Faults } from '../format';
import type { FinishedOutput } from './output-file';

/** Settings of an output in folders. */
export interface PartitionSettings {
  readonly partitionBy: readonly string[];
  readonly compression: Compression;
  readonly level: number | undefined;
  readonly force: boolean;
  readonly index: boolean;
  readonly signal: AbortSignal | undefined;
  readonly faults: Faults;
}

/** Maximum size of the parts of a batch, in bytes: writing one fills few slabs, and only between parts a caller can wait. */
const PART_BYTES = 64 * 1024;

/** TFRecord files in a folder for each value of a feature. They appear together. */
export class PartitionedOutput {
  readonly #writer: ShardedWriter;
  readonly #faults: Faults;
  /** The files, once they have their names. */
  report: ShardedWriteReport | undefined;

  private constructor(writer: ShardedWriter, faults: Faults) {
    this.#writer = writer;
    this.#faults = faults;
  }

  static async create(path: string, { faults, ...options }: PartitionSettings): Promise<PartitionedOutput> {
    return new PartitionedOutput(await ShardedWriter.open(path, options), faults);
  }

  async write(batch: RecordBatch): Promise<void> {
    for (const part of splitBatch(batch, PART_BYTES)) await this.#writePart(part);
  }

  #writePart(batch: RecordBatch): Promise<void> | undefined {
    try {
      return this.#writer.writeBatch(batch);
    } catch (error) {
      if (!(error instanceof TFRecordError)) throw error;
    }
    return this.#writeSingly(batch);
  }

  /** Leaves out records that have no folder, if the caller accepts that. */
  async #writeSingly(batch: RecordBatch): Promise<void> {
    for (let i = 0; i < batch.length && !this.#faults.stopped; i++) {
      try {
        await this.#writer.writeBatch(sliceOf(batch, i, i + 1));
      } catch (error) {
        if (!(error instanceof TFRecordError) || (error.code !== 'TFR_FEATURE' && error.code !== 'TFR_EXAMPLE'))
          throw error;
        this.#faults.leaveOut(error);
      }
    }
  }

  async finish(): Promise<FinishedOutput> {
    this.report = await this.#writer.close();
    return { records: this.report.records, bytes: this.report.fileBytes, crc32c: undefined };
  }

  abort(): Promise<void> {
    return this.#writer.abort();
  }
}
