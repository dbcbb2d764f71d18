import { dropFirst, firstNumber, type RecordBatch } from '../batch/record-batch';
import type { ErrorPolicy } from '../error-policy';
import type { RecordSequence } from '../read/record-cursor';
import type { DividedFiles } from './divide-files';
import { PartCutter } from './part-cutter';

/** The batches of a part of files, from its first record to its last one. */
export class PartSequence {
  readonly #sequence: RecordSequence;
  readonly #part: DividedFiles;
  readonly #policy: ErrorPolicy;
  readonly #skippedBefore: number;
  readonly #dropped: ((batch: RecordBatch) => void) | undefined;
  /** Cuts the last file, once it has begun. */
  #cutter: PartCutter | undefined;
  #closed = false;

  /**
   * `sequence` reads the files of `part` from where it begins, or from a later place. `dropped` receives each batch that has no
   * record of the part.
   */
  constructor(
    sequence: RecordSequence,
    part: DividedFiles,
    policy: ErrorPolicy,
    dropped?: (batch: RecordBatch) => void,
  ) {
    this.#sequence = sequence;
    this.#part = part;
    this.#policy = policy;
    this.#skippedBefore = policy.skipped;
    this.#dropped = dropped;
  }

  get place(): RecordSequence['place'] {
    return this.#sequence.place;
  }

  get compression(): RecordSequence['compression'] {
    return this.#sequence.compression;
  }

  get compressedBytes(): number {
    return this.#sequence.compressedBytes;
  }

  get totalBytes(): RecordSequence['totalBytes'] {
    return this.#sequence.totalBytes;
  }

  get files(): readonly string[] {
    return this.#sequence.files;
  }

  breathe(): ReturnType<RecordSequence['breathe']> {
    return this.#sequence.breathe();
  }

  /** @throws TFRecordError TFR_STATE_MISMATCH if no record ends where the part does */
  async next(): Promise<RecordBatch | undefined> {
    for (;;) {
      const batch = this.#cutter?.over === true ? undefined : await this.#sequence.next();
      if (batch === undefined) {
        if (!this.#closed) this.#finish();
        return undefined;
      }
      const own = this.#cut(batch);
      if (own !== undefined) return own;
      this.#dropped?.(batch);
    }
  }

  close(): Promise<void> {
    this.#closed = true;
    return this.#sequence.close();
  }

  #cut(batch: RecordBatch): RecordBatch | undefined {
    const { input } = this.place;
    const { begin, end, first, last } = this.#part;
    const before = input === 0 ? Math.max((begin?.record ?? 0) - firstNumber(batch), 0) : 0;
    if (before >= batch.length) return undefined;
    const own = dropFirst(batch, before);
    if (end === undefined || input !== last - first - 1) return own;
    return (this.#cutter ??= new PartCutter(own.origin(0)!.file, end)).cut(own);
  }

  /** Checks that nothing is missing before the end, unless damage was left out, which may be anywhere. */
  #finish(): void {
    const { end } = this.#part;
    const { skipped, stopped } = this.#policy;
    if (end === undefined || stopped || skipped > this.#skippedBefore) return;
    (this.#cutter ?? new PartCutter(this.files.at(-1)!, end)).finish();
  }
}
