import type { ClassifiedSource } from '../../io';
import type { RecordBatch } from '../batch/record-batch';
import type { DividedFiles } from '../parts/divide-files';
import { PartSequence } from '../parts/part-sequence';
import type { SequenceStart } from '../read/input-sequence';
import type { ReadPlan } from '../read/read-options';
import { recordSequence, type RecordSequence } from '../read/record-cursor';
import { REUSED_SLAB_BYTES } from '../read/slab-sizer';
import { SlabLeases, type SlabLease } from './slab-leases';

/** The records to read. */
export interface RecycledRange {
  /** The first input, and a place in it where reading begins. Default: the beginning, or that of the slice. */
  readonly start?: SequenceStart | undefined;
  /** The part of the source, which has all of its files. Default: all of it. */
  readonly slice?: DividedFiles | undefined;
}

/** Reads batches whose memory is used again: for jobs that show no record to user code. */
export class RecycledBatches {
  readonly #sequence: RecordSequence;
  readonly #inputs: RecordSequence | PartSequence;
  readonly #slabs = new SlabLeases();
  #lease: SlabLease | undefined;

  constructor(source: ClassifiedSource, plan: ReadPlan, { start = { input: 0 }, slice }: RecycledRange = {}) {
    const { batchBytes = REUSED_SLAB_BYTES } = plan;
    const { input, place = input === 0 ? slice?.begin?.place : undefined } = start;
    this.#sequence = recordSequence(source, { ...plan, batchBytes, memory: this.#slabs.memory }, { input, place });
    this.#inputs =
      slice === undefined
        ? this.#sequence
        : new PartSequence(this.#sequence, slice, plan.policy, (batch) => this.#slabs.enter(batch));
  }

  /** Opens the first input, as `RecordReader.open` does. */
  open(): Promise<void> {
    return this.#sequence.open();
  }

  /** Resolves with the next batch, which is valid until the next call, or as long as its lease is held; undefined at the end. */
  async next(): Promise<RecordBatch | undefined> {
    const batch = await this.#inputs.next();
    if (batch === undefined) return undefined;
    this.#lease = this.#slabs.enter(batch);
    return batch;
  }

  /** The lease of the last batch. */
  get lease(): SlabLease {
    return this.#lease!;
  }

  /** The number of the input of the last batch. */
  get input(): number {
    return this.#inputs.place.input;
  }

  /** The compression of the input read last; undefined before its first bytes were read. */
  get compression(): RecordSequence['compression'] {
    return this.#inputs.compression;
  }

  /** Number of stored bytes that were consumed for the batches handed out. */
  get compressedBytes(): number {
    return this.#inputs.compressedBytes;
  }

  /** Total size of all inputs, in bytes, once it is known. */
  get totalBytes(): number | undefined {
    return this.#inputs.totalBytes;
  }

  /** Frees the memory that waits, and closes the inputs. The caller may still use the last batch. */
  async close(): Promise<void> {
    this.#slabs.close();
    await this.#inputs.close();
  }
}
