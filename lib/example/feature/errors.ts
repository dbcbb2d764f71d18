import { TFRecordError } from '../../errors';

/** A name in double quotes, cut where it is long. */
export function quoted(name: string): string {
  return JSON.stringify(name.length > 64 ? `${name.slice(0, 64)}…` : name);
}

/** TFR_FEATURE: what is to be encoded as `feature` is not what parsing by the spec could give. */
export function rowError(feature: string, expected: string, found = 'none'): TFRecordError {
  return new TFRecordError('TFR_FEATURE', `Feature ${quoted(feature)} must have ${expected}; it has ${found}`, {
    feature,
    expected,
    found,
  });
}
