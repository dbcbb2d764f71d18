import type { RecordSource } from '../../record';
import { CutFilesStage } from './cut-files';
import type { CutPlan } from './cut/cut-plan';
import { FixedCutter, type FixedLayout } from './cut/fixed-cutter';
import { RAW } from '../engine/records';

/** How records of one length are read. */
export interface FixedLengthStageOptions extends FixedLayout {
  readonly compression: CutPlan['compression'];
}

/** `Dataset.fixedLength`: records of one length. */
export class FixedLengthStage extends CutFilesStage {
  readonly kind = 'fixedLength';

  constructor(source: RecordSource, options: FixedLengthStageOptions) {
    const { recordBytes, headerBytes, footerBytes, hopBytes } = options;
    super(source, {
      compression: options.compression,
      headRecords: 0,
      wantsHead: false,
      text: false,
      cutter: (inside) => new FixedCutter(options, inside),
      form: RAW,
      order: [recordBytes, headerBytes, footerBytes, hopBytes],
    });
  }
}
