import type { RecordBatch } from '../../record';
import { ArrayElements, type Elements } from './elements';
import { joinedOrigins, type Origins } from './origins';
import { RAW } from './record-forms';
import type { RecordElements } from './records';

/**
 * One element: a batch of raw records. It is made at the first read, so that a stage which parses the records can do
 * without it.
 */
export class UnmadeBatch implements Elements {
  readonly length = 1;
  readonly records: RecordElements;
  readonly origins: Origins;
  #made: RecordBatch | undefined;

  constructor(records: RecordElements) {
    this.records = records;
    this.origins = joinedOrigins(records.origins, records.length);
  }

  /** Bytes of the records. */
  get bytes(): number {
    let sum = 0;
    for (let i = 0; i < this.records.length; i++) sum += this.records.bytes(i);
    return sum;
  }

  /** @throws TFRecordError ENOMEM, TFR_RECORD_TOO_LARGE */
  at(_index: number): RecordBatch {
    const { records } = this;
    if (this.#made === undefined) {
      this.#made = RAW.batch(records) as RecordBatch;
      if (RAW.copies(records)) records.leave();
    }
    return this.#made;
  }

  slice(begin: number, end: number): Elements {
    return begin === 0 && end === 1 ? this : new ArrayElements([]);
  }

  select(indices: readonly number[]): Elements {
    return indices.length === 1 ? this : new ArrayElements([this.at(0)], this.origins).select(indices);
  }
}
