import type { Bytes } from '../../base';
import { LARGE_WAITING_BYTES, MemoryPool } from '../../io';
import { partsOf, type RecordBatch } from '../batch/record-batch';

/** The right to the memory of a slab: of the job that has come to its batches, and of writers that took its frames. */
export class SlabLease {
  readonly slab: Bytes;
  readonly #memory: MemoryPool;
  #holders = 1;

  constructor(slab: Bytes, memory: MemoryPool) {
    this.slab = slab;
    this.#memory = memory;
  }

  /** One more holder needs the memory as it is, until it calls {@link release}. */
  hold(): void {
    this.#holders++;
  }

  /** One holder is done. After the last one, the memory is used again. */
  release(): void {
    if (--this.#holders === 0) this.#memory.end(this.slab);
  }
}

/**
 * The memory of batches that only one job sees, in order: the slab of a batch is used again once the job has come to a
 * batch in another slab, and nothing else holds it.
 */
export class SlabLeases {
  /** For the `memory` of a ReadPlan. */
  readonly memory = new MemoryPool(LARGE_WAITING_BYTES);
  #lease: SlabLease | undefined;

  /** The job has come to `batch`. A slab with damaged records is delivered as several batches. */
  enter(batch: RecordBatch): SlabLease {
    const { slab } = partsOf(batch).source;
    const before = this.#lease;
    if (before?.slab.buffer === slab.buffer) return before;
    before?.release();
    return (this.#lease = new SlabLease(slab, this.memory));
  }

  /** Frees the memory that waits. The job may still use its last batch. */
  close(): void {
    this.memory.close();
  }
}
