import type { Bytes } from '../../base';
import { MemoryPool } from '../../io';
import { partsOf, type RecordBatch } from '../batch/record-batch';

/**
 * Maximum memory of slabs that wait for their next use. Slabs of a few long records wait, too: allocating them anew would
 * cost more than copying the records.
 */
const WAITING_BYTES = 48 * 1024 * 1024;

/**
 * The memory of batches that only one job sees, in order: the slab of a batch is used again once the job has come to a
 * batch in another slab.
 */
export class SlabLeases {
  /** For the `memory` of a ReadPlan. */
  readonly memory = new MemoryPool(WAITING_BYTES);
  #slab: Bytes | undefined;

  /** The job has come to `batch`. A slab with damaged records is delivered as several batches. */
  enter(batch: RecordBatch): void {
    const { slab } = partsOf(batch).source;
    if (this.#slab !== undefined && this.#slab.buffer !== slab.buffer) this.memory.end(this.#slab);
    this.#slab = slab;
  }

  /** Frees the memory that waits. The job may still use its last batch. */
  close(): void {
    this.memory.close();
  }
}
