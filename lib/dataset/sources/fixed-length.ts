import { checkInteger, checkOptions, type CompressionOption, type RecordSource } from '../../record';
import { neededInteger } from '../arguments';
import { named, plain } from '../engine/labels';
import { RAW } from '../engine/record-forms';
import { checkCompression, CutFilesStage, type FileOptions } from './cut-files';
import { FixedCutter, type FixedLayout } from './cut/fixed-cutter';

const MAX = Number.MAX_SAFE_INTEGER;
/** Bytes of a record of fixed length, at most. */
const MAX_RECORD = 2 ** 31 - 1;

/** How to read records of one length; all in bytes. Unknown names throw. */
export interface FixedLengthOptions extends FileOptions {
  /** Before the first record of each file, 0 or more. Default 0. */
  headerBytes?: number | undefined;
  /** Behind the last record of each file, 0 or more. Default 0. */
  footerBytes?: number | undefined;
  /** From the start of a record to that of the next, 1 or more: less than a record overlaps, more leaves out. Default: a record. */
  hopBytes?: number | undefined;
}

/** `Dataset.fixedLength`: records of one length. */
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
      text: false,
      cutter: (inside) => new FixedCutter(layout, inside),
      form: RAW,
      order: [recordBytes, headerBytes, footerBytes, hopBytes],
    });
  }
}
