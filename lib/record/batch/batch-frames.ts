import { TFRecordError, transferredError, type Bytes, type Origin } from '../../base';

/** The memory of a batch: a slab, and the places of its records in the slab and in the stream. */
export interface BatchFrames {
  readonly file: string;
  readonly slab: Bytes;
  /** Pairs (offset of the payload in the slab, its length). */
  readonly frames: Uint32Array;
  /** Number of the record of frame 0 in its file. */
  readonly firstRecord: number;
  /** A record's offset in the stream minus the offset of its payload in the slab. It is the same for all records. */
  readonly base: number;
  /** For gathered records: returns the origin of the record in a frame. */
  readonly origins?: ((frame: number) => Origin) | undefined;
  /**
   * Set if each record lies in its whole TFRecord frame, whose two checksums are right, and no user code sees the slab.
   * Writers may take the frames as they are, if they hold the slab meanwhile.
   */
  readonly framed?: SlabHold | undefined;
}

/** Keeps a slab from being used again. */
export interface SlabHold {
  hold(): void;
  release(): void;
}

/** True if the memory of `source` was transferred away. A slab of empty records alone has no bytes either. */
export function isTransferred({ slab, frames }: BatchFrames): boolean {
  return slab.length === 0 && frames.some((size, at) => at % 2 === 1 && size > 0);
}

/** Returns the record in frame `frame`, as a view. @throws TFRecordError TFR_CLOSED if its memory was transferred away. */
export function frameRecord(source: BatchFrames, frame: number): Bytes {
  const { slab, frames } = source;
  try {
    return new Uint8Array(slab.buffer, frames[2 * frame], frames[2 * frame + 1]);
  } catch (cause) {
    throw transferredError(frameOrigin(source, frame), cause);
  }
}

/** Returns the place in its file of the record in frame `frame`. */
export function frameOrigin(source: Omit<BatchFrames, 'slab'>, frame: number): Origin {
  const { file, frames, firstRecord, base, origins } = source;
  if (origins !== undefined) return origins(frame);
  const payload = frames[2 * frame]!;
  return {
    file,
    record: firstRecord + frame,
    offset: base + payload,
    bytes: frames[2 * frame + 1]!,
  };
}

/** Maximum size of a slab: offsets in it have 32 bits. */
const MAX_SLAB_BYTES = 2 ** 32 - 1;

/** @throws TFRecordError TFR_RECORD_TOO_LARGE if `bytes` are too many for one slab. */
export function checkBatchBytes(bytes: number): void {
  if (bytes <= MAX_SLAB_BYTES) return;
  throw new TFRecordError(
    'TFR_RECORD_TOO_LARGE',
    `The records of a batch have ${bytes} bytes: expected at most ${MAX_SLAB_BYTES}. Use smaller batches.`,
    { expected: `at most ${MAX_SLAB_BYTES} bytes`, found: `${bytes} bytes` },
  );
}
