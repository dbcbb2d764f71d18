import type { TFRecordError } from '../../../errors';
import type { BatchFrames, Bytes, ChunkPull, CompressionOption, Portion } from '../../../record';
import type { RecordCutter } from './record-cutter';

/** Records of one slab. */
export interface CutFrames extends BatchFrames {
  /** The last of the records that the file begins with and that are not given; undefined where there are none. */
  readonly head: Bytes | undefined;
}

/** Records that were cut off, and what is wrong behind them. */
export interface CutRead extends Portion {
  readonly source: CutFrames;
  /** The first frame that is to be given. */
  readonly begin: number;
  readonly fault: TFRecordError | undefined;
}

/** How a file is cut. */
export interface CutPlan {
  readonly compression: CompressionOption;
  /** Records at the start of a file that are not given. */
  readonly headRecords: number;
  /** True if somebody has to see the last of them. */
  readonly wantsHead: boolean;
  /** True if text is read, which may begin with a byte order mark. */
  readonly text: boolean;
  /** `inside`: the file is read from a record on, not from its start. */
  cutter(inside: boolean): RecordCutter;
}

/** A file, or what stands for one. */
export interface ByteSource {
  readonly file: string;
  readonly bytes: number | undefined;
  /** True if the next chunk is read while the last is used. */
  readonly ahead: boolean;
  open(offset: number): ChunkPull;
}
