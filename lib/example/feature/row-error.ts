import { TFRecordError } from '../../errors';
import { quoted } from '../spec';

/** TFR_FEATURE: what is to be encoded as `feature` is not what parsing by the spec could give. */
export function rowError(feature: string, expected: string, found = 'none'): TFRecordError {
  return new TFRecordError('TFR_FEATURE', `Feature ${quoted(feature)} must have ${expected}; it has ${found}`, {
    feature,
    expected,
    found,
  });
}
