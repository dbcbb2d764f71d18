/** Parts of the records of consecutive files: a part may begin and end within a file. */
import { FRAME_BYTES, advice, asWrongUse, firstIndex, tfrecordError, worded, type TFRecordError } from '../../base';
import { firstNumber, keepFirst, partsOf, type RecordBatch } from '../batch/record-batch';
import type { SourceStart } from '../read/input-stream';

/** The first record of a part: in a compressed file by its number, which an index knows, else by its offset. */
export interface PartBegin {
  /** Where a reader begins: at the record, or before it. Undefined: at the beginning of the file. */
  readonly place: SourceStart | undefined;
  /** The number of the record. In a plain file the first one of the part is number 0. */
  readonly record: number;
}

/** The record after the last one of a part, in the last of its files: its offset in a plain file, else its number. */
export type PartEnd = { readonly offset: number } | { readonly record: number };

/** Leaves out of the last file of a part what is after its end, and checks that a record begins there. */
export class PartCutter {
  readonly #file: string;
  readonly #end: PartEnd;
  /** The end of the records so far. */
  #reached: number | undefined;
  /** True after the last record of the part. */
  over = false;

  constructor(file: string, end: PartEnd) {
    this.#file = file;
    this.#end = end;
  }

  /** Returns the records of `batch` that belong to the part; undefined if there are none. @throws TFRecordError TFR_STATE_MISMATCH */
  cut(batch: RecordBatch): RecordBatch | undefined {
    const count = this.#countIn(batch);
    if (count > 0) this.#reached = this.#endOf(batch, count - 1);
    if (this.#reached !== undefined && this.#reached > this.#limit) throw this.#misplaced(this.#reached);
    this.over = count < batch.length;
    return count === 0 ? undefined : keepFirst(batch, count);
  }

  /** Checks that nothing is missing before the end. @throws TFRecordError TFR_STATE_MISMATCH */
  finish(): void {
    // Reading may have begun at the end of the part.
    if (this.#reached === undefined && this.over) return;
    if (this.#reached !== this.#limit) throw this.#misplaced(this.#reached);
  }

  get #limit(): number {
    return 'offset' in this.#end ? this.#end.offset : this.#end.record;
  }

  #countIn(batch: RecordBatch): number {
    if ('record' in this.#end) return Math.min(Math.max(this.#end.record - firstNumber(batch), 0), batch.length);
    const { offset } = this.#end;
    return firstIndex(batch.length, (i) => offsetIn(batch, i) >= offset);
  }

  #endOf(batch: RecordBatch, index: number): number {
    if ('record' in this.#end) return firstNumber(batch) + index + 1;
    const { source, begin } = partsOf(batch);
    return offsetIn(batch, index) + source.frames[2 * (begin + index) + 1]! + FRAME_BYTES;
  }

  #misplaced(reached: number | undefined): TFRecordError {
    const at = 'offset' in this.#end ? 'byte' : 'record';
    const expected = `the end of a record at ${at} ${this.#limit}`;
    const found = reached === undefined ? 'no record' : `one at ${at} ${reached}`;
    const cure = advice` Either the file has changed, or a record holds whole records as its data: then divide the file by its index, which tfrecord index saves, or do not divide it.`;
    const message = worded`The parts of ${this.#file} do not fit together where the next one begins: expected ${expected}, found ${found}.${cure}`;
    return asWrongUse(tfrecordError('TFR_STATE_MISMATCH', message, { file: this.#file, expected, found }));
  }
}

/** The offset of the header of the record at `index`. */
function offsetIn(batch: RecordBatch, index: number): number {
  const { source, begin } = partsOf(batch);
  return source.base + source.frames[2 * (begin + index)]!;
}
