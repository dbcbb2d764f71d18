/** Reads inputs whose records native code frames: TFRecords and lines. */
import { FRAME_BYTES } from '../../base';
import {
  COUNTED,
  ErrorPolicy,
  firstNumber,
  framedBatch,
  partsOf,
  RecycledBatches,
  resolveReadOptions,
  type UNREAD,
  type Framing,
  type OnError,
  type RecordBatch,
  type SourceStart,
} from '../../record';
import type { InputBatch, ReadSettings, UnitBatch, UnitReader } from '../format';
import type { Inputs } from './inputs';

/** Records that are only counted leave the slab at once: a small one stays in the processor's cache. */
const COUNTED_BYTES = 256 * 1024;

/** Framing and verification of records. */
interface FramedReading {
  /** For records that are only measured, whose data may be missing, or only counted, most of which are missing. Default: all are read. */
  readonly unread?: typeof UNREAD | typeof COUNTED | undefined;
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
  readonly #batches: RecycledBatches;
  /** True if the records are in TFRecord frames whose checksums were verified. */
  readonly #areVerified: boolean;
  /** The number in its file of the first record of the first input. */
  readonly #first: number;
  /** True if the inputs are whole, and read as they are. */
  readonly #isWhole: boolean;

  constructor(inputs: Inputs, first: number, settings: ReadSettings, reading: FramedReading = {}) {
    const { framing, unread, policy = settings.policy, start } = reading;
    const { maxRecordBytes, verify, signal } = settings;
    const plan = resolveReadOptions({
      maxRecordBytes,
      verify,
      signal,
      batchBytes: unread === COUNTED ? COUNTED_BYTES : undefined,
    });
    this.#areVerified = framing === undefined && unread === undefined && verify === 'all';
    const { slice } = inputs;
    this.#batches = new RecycledBatches(
      inputs.source,
      {
        ...plan,
        verify: unread ?? plan.verify,
        framing: inputs.copyOf === undefined ? framing : undefined,
        policy,
      },
      { start: { input: first, place: start }, slice },
    );
    this.#first = slice?.begin?.record ?? 0;
    this.#isWhole = slice === undefined && inputs.copyOf === undefined;
  }

  get bytes(): number {
    return this.#batches.compressedBytes;
  }

  async next(): Promise<UnitBatch | undefined> {
    const batch = await this.#batches.next();
    if (batch === undefined) return undefined;
    const { input, lease } = this.#batches;
    const numbers = firstNumber(batch) - (input === 0 ? this.#first : 0);
    const place = this.#isWhole && this.#batches.compression === 'none' ? placeOf(batch) : undefined;
    return { batch: this.#areVerified ? framedBatch(batch, lease) : batch, input, numbers, place };
  }

  close(): Promise<void> {
    return this.#batches.close();
  }
}

function placeOf(batch: RecordBatch): SourceStart {
  const { record, offset } = batch.origin(0)!;
  return { record, offset, checked: true };
}

/** Sizes of the frames of the records of `batch`, in a TFRecord file without compression. */
export function* frameSizes({ batch }: InputBatch): Generator<number> {
  const { source, begin } = partsOf(batch);
  for (let frame = begin; frame < begin + batch.length; frame++) yield source.frames[2 * frame + 1]! + FRAME_BYTES;
}
