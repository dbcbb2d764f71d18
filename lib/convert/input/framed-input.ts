/** Reads inputs whose records native code frames: TFRecords and lines. */
import { FRAME_BYTES, type Bytes } from '../../base';
import { MemoryPool } from '../../io';
import {
  ErrorPolicy,
  firstNumber,
  PartCutter,
  partsOf,
  recordSequence,
  resolveReadOptions,
  UNREAD,
  type DividedFiles,
  type Framing,
  type OnError,
  type RecordBatch,
  type RecordSequence,
  type SourceStart,
} from '../../record';
import { sliceOf } from '../batches';
import type { InputBatch, ReadSettings, UnitBatch, UnitReader } from '../format';
import type { Inputs } from './inputs';

/** Larger than a reader's usual slabs: a job passes records on unchanged, so fewer steps matter more than latency. */
const BATCH_BYTES = 1024 * 1024;

/**
 * Maximum memory of slabs that wait for reuse. Slabs of a few long records wait, too: allocating them anew would cost
 * more than copying the records.
 */
const WAITING_BYTES = 48 * 1024 * 1024;

/** Framing and verification of records. */
interface FramedReading {
  /** True if records are only counted or measured: then their data may be missing. Default: false. */
  readonly unread?: boolean;
  /** Default: TFRecords. */
  readonly framing?: Framing;
  /** Default: that of the settings. */
  readonly policy?: ErrorPolicy;
  /** A place in the first input where reading begins. Default: its beginning, or that of the part. */
  readonly start?: SourceStart | undefined;
}

/** The `onError` of a pass before the main one, which reports the damage that the caller accepts. */
export function silently({ alwaysThrows, salvages }: ErrorPolicy): OnError {
  return alwaysThrows ? 'throw' : { action: salvages ? 'salvage' : 'skip', maxRate: 1 };
}

/** The policy of such a pass. */
export function silentPolicy(policy: ErrorPolicy): ErrorPolicy {
  return new ErrorPolicy(silently(policy));
}

/** Reads the records, or lines, of inputs. Reuses memory, because only the job sees it. */
export class FramedReader implements UnitReader {
  readonly #sequence: RecordSequence;
  readonly #memory = new MemoryPool(WAITING_BYTES);
  /** The slab of the last portion. */
  #slab: Bytes | undefined;
  readonly #slice: DividedFiles | undefined;
  /** Cuts the last file at the end of the part, once it has begun. */
  #cutter: PartCutter | undefined;
  readonly #last: number;
  readonly #policy: ErrorPolicy;

  constructor(inputs: Inputs, first: number, settings: ReadSettings, reading: FramedReading = {}) {
    const { framing, unread = false, policy = settings.policy, start } = reading;
    const { maxRecordBytes, verify, signal } = settings;
    const plan = resolveReadOptions({ maxRecordBytes, verify, signal, batchBytes: BATCH_BYTES });
    this.#sequence = recordSequence(
      inputs.source,
      {
        ...plan,
        verify: unread ? UNREAD : plan.verify,
        framing: inputs.copyOf === undefined ? framing : undefined,
        policy,
        memory: this.#memory,
      },
      { input: first, place: start ?? (first === 0 ? inputs.slice?.begin?.place : undefined) },
    );
    this.#slice = inputs.slice;
    this.#last = inputs.files.length - 1;
    this.#policy = policy;
  }

  get bytes(): number {
    return this.#sequence.compressedBytes;
  }

  async next(): Promise<UnitBatch | undefined> {
    for (;;) {
      const batch = this.#cutter?.over === true ? undefined : await this.#sequence.next();
      if (batch === undefined) {
        this.#cutter?.finish(this.#policy.skipped > 0);
        return undefined;
      }
      const { slab } = partsOf(batch).source;
      // A slab with damaged records is delivered as several batches.
      if (this.#slab !== undefined && this.#slab.buffer !== slab.buffer) this.#memory.end(this.#slab);
      this.#slab = slab;
      const { input } = this.#sequence.place;
      const first = input === 0 ? (this.#slice?.begin?.record ?? 0) : 0;
      const own = this.#cut(batch, input, first);
      if (own !== undefined) return { batch: own, input, numbers: firstNumber(own) - first };
    }
  }

  /** Returns the records of `batch` that belong to this part of the job, the first of which has the number `first` in its file. */
  #cut(batch: RecordBatch, input: number, first: number): RecordBatch | undefined {
    const before = Math.max(first - firstNumber(batch), 0);
    if (before >= batch.length) return undefined;
    const own = sliceOf(batch, before);
    const end = this.#slice?.end;
    if (end === undefined || input !== this.#last) return own;
    return (this.#cutter ??= new PartCutter(own.origin(0)!.file, end)).cut(own);
  }

  async close(): Promise<void> {
    this.#memory.close();
    await this.#sequence.close();
  }
}

/** Sizes of the frames of the records of `batch`, in a TFRecord file without compression. */
export function* frameSizes({ batch }: InputBatch): Generator<number> {
  const { source, begin } = partsOf(batch);
  for (let frame = begin; frame < begin + batch.length; frame++) yield source.frames[2 * frame + 1]! + FRAME_BYTES;
}
