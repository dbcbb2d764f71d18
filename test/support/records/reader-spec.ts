import { compressionNumber } from '../../../lib/base';
import { type ReaderSpec } from '../../../lib/native';

/** A spec for native code: TFRecords of up to 1,000 bytes, from the first on, up to the first damage. */
export function testSpec(different: Partial<ReaderSpec> = {}): ReaderSpec {
  return {
    compression: compressionNumber('auto'),
    verify: 0,
    maxRecordBytes: 1000,
    continues: false,
    countsLost: false,
    salvages: false,
    membersAhead: false,
    start: undefined,
    framing: undefined,
    ...different,
  };
}
