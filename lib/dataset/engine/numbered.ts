/** Records that are read by their numbers, in any order: what stages that know where each record is build on. */
import type { ErrorPolicy } from '../../record';
import type { RecordElements } from './records';
import type { Run } from './run';

/** An order of records: for each position the number of a record. */
export interface Sequence {
  /** Number of positions. */
  readonly length: number;
  /** Returns the number of the record at `position`, which is less than `length`. */
  at(position: number): number;
  /** Returns false if the record at `position` was repeated to fill a shard. Default: true for all positions. */
  readonly valid?: ((position: number) => boolean) | undefined;
  /** True if neighbouring positions are neighbours in a file. Default: false. */
  readonly inOrder?: boolean | undefined;
  /** Returns the end of the positions that are best read together with `position`. Default: there are none. */
  readonly groupEnd?: ((position: number) => number) | undefined;
}

/** All records of a source, which are numbered from 0 across its files. */
export interface NumberedRecords {
  /** Number of records. */
  readonly count: number;
  /** Tells these records from those of other files, in states. */
  readonly sum: string;
  /** Mean bytes of a record. */
  readonly meanBytes: number;
  /** Decides about damaged records. */
  readonly policy: ErrorPolicy;
  /** Reads records in the order of `numbers`. @throws RecordFault for a damaged record */
  read(numbers: Float64Array): Promise<RecordElements>;
}

/** The elements of a stage as records by their numbers. */
export interface Numbered {
  /** Finds all records of the source: reads them once, unless it has done so before. `signal` ends that early. */
  readonly open: (run: Run, signal: AbortSignal) => Promise<NumberedRecords>;
  /** Returns the order of the stage's elements, if the source has `count` records. */
  readonly sequence: (run: Run, count: number) => Sequence;
}
