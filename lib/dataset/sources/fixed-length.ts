import type { TFRecordError } from '../../base';
import {
  advice,
  aside,
  checkInteger,
  checkOptions,
  type CompressionOption,
  counted,
  type Fault,
  type FaultPlace,
  method,
  neededInteger,
  tfrecordError,
  worded,
} from '../../base';
import type { RecordSource } from '../../io';
import { fixedFraming, type FixedLayout } from '../../record';
import { named, plain } from '../engine/labels';
import { RAW } from '../engine/record-forms';
import { checkCompression, CutFilesStage, type FileOptions } from './cut-files';
import { cutError } from './cut-records';

const MAX = Number.MAX_SAFE_INTEGER;
/** Maximum bytes of a record of fixed length. */
const MAX_RECORD = 2 ** 31 - 1;
/** Bytes of a slab in addition to two overlapping records. */
const OVERLAP_BYTES = 128 * 1024;

/** Options of `Dataset.fixedLength`, in bytes. Unknown names throw. */
export interface FixedLengthOptions extends FileOptions {
  /** Bytes before the first record of each file, 0 or more. Default 0. */
  headerBytes?: number | undefined;
  /** Bytes after the last record of each file, 0 or more. Default 0. */
  footerBytes?: number | undefined;
  /**
   * Bytes from the start of a record to the start of the next, 1 or more. If less than `recordBytes`, records overlap;
   * if more, the bytes between are skipped. Default: `recordBytes`.
   */
  hopBytes?: number | undefined;
}

/** The stage of `Dataset.fixedLength`, which reads records of one length. */
export class FixedLengthStage extends CutFilesStage {
  readonly kind = 'fixedLength';
  override readonly labels = [plain, named('headerBytes'), named('footerBytes'), named('hopBytes')];

  static of(source: RecordSource, recordBytes: number, options: FixedLengthOptions | undefined): FixedLengthStage {
    const length = neededInteger('recordBytes', recordBytes, 1, MAX_RECORD);
    const names = ['compression', 'headerBytes', 'footerBytes', 'hopBytes'] as const;
    const given = checkOptions(options, names);
    return new FixedLengthStage(source, checkCompression(given.compression), {
      recordBytes: length,
      headerBytes: checkInteger('options.headerBytes', given.headerBytes, 0, MAX, 0),
      footerBytes: checkInteger('options.footerBytes', given.footerBytes, 0, MAX_RECORD, 0),
      hopBytes: checkInteger('options.hopBytes', given.hopBytes, 1, MAX, length),
    });
  }

  private constructor(source: RecordSource, compression: CompressionOption, layout: FixedLayout) {
    const { recordBytes, headerBytes, footerBytes, hopBytes } = layout;
    super(source, {
      compression,
      headRecords: 0,
      wantsHead: false,
      framing: fixedFraming(layout),
      batchBytes: slabBytes(layout),
      errorOf: restError,
      form: RAW,
      order: [recordBytes, headerBytes, footerBytes, hopBytes],
    });
  }
}

/**
 * Returns the size of slabs. Records that overlap share a slab, so it has room for at least two. It also has room for
 * the footer, because a record is complete only if the footer fits after it. Undefined: the default size.
 */
function slabBytes({ recordBytes, footerBytes, hopBytes }: FixedLayout): number | undefined {
  if (hopBytes >= recordBytes && footerBytes < OVERLAP_BYTES) return undefined;
  return Math.min(2 ** 30, 2 * recordBytes + 2 * footerBytes + OVERLAP_BYTES);
}

/** The parts of a file that can be truncated. */
const PARTS: ReadonlySet<string> = new Set(['record', 'header', 'footer', 'header and footer']);

/** Returns the error for `fault`, which ends a file. */
function restError(fault: Fault, place: FaultPlace): TFRecordError {
  const { code, part, record, offset } = fault;
  if (code !== 'TFR_TRUNCATED' || !PARTS.has(part)) return cutError(fault, place);
  const { file } = place;
  const expected = counted(fault.expected, 'byte');
  const found = counted(fault.found, 'byte');
  const where = `in ${file}${part === 'record' ? `, record ${record}` : ''}, at byte ${offset}`;
  const accepts = aside`; ${method('onError', 'stop')} accepts the records that are whole`;
  const cure = advice` The file is incomplete, or recordBytes, headerBytes or footerBytes are not those of this file${accepts}.`;
  return tfrecordError(code, worded`Truncated ${part} ${where}: expected ${expected}, found ${found}.${cure}`, {
    file,
    record,
    offset,
    expected,
    found,
  });
}
