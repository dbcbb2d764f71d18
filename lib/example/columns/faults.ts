/** Errors for parsed records whose columns cannot be composed. */
import { counted, TFRecordError } from '../../base';
import { quoted } from '../feature';

/**
 * Thrown for a record that was parsed, but one of whose features cannot be composed. Callers that know the records add
 * its origin.
 */
export class FeatureFault extends Error {
  /** Number of the record in the parsed batch. */
  readonly row: number;
  readonly feature: string;
  readonly expected: string;
  readonly found: string;
  readonly advice: string;

  constructor(row: number, feature: string, expected: string, found: string, advice = '') {
    super(`Feature ${quoted(feature)}: expected ${expected}, found ${found}${advice === '' ? '' : `; ${advice}`}`);
    this.row = row;
    this.feature = feature;
    this.expected = expected;
    this.found = found;
    this.advice = advice;
  }

  /** Returns this fault for record `row`. */
  at(row: number): FeatureFault {
    const { feature, expected, found, advice } = this;
    return new FeatureFault(row, feature, expected, found, advice);
  }
}

/** The largest int32 position. */
export const MAX_POSITION = 0x7fff_ffff;

/**
 * Returns the error TFR_RECORD_TOO_LARGE: `rows` records have `size` `unit` ("values", "bytes") of feature `feature`
 * for one array, whose maximum is `most`. Its message has the batch size to use.
 */
export function tooLarge(
  feature: string,
  rows: number,
  size: number,
  unit: string,
  most = MAX_POSITION,
): TFRecordError {
  const fitting = Math.max(1, Math.floor((rows * most) / size));
  const advice =
    rows > 1
      ? `parse at most ${counted(fitting, 'record')} at a time`
      : 'a single record is too large for this feature; leave the feature out of the spec, or split the record';
  return new TFRecordError(
    'TFR_RECORD_TOO_LARGE',
    `Feature ${quoted(feature)} has ${size} ${unit} in ${rows} ${rows === 1 ? 'record' : 'records'}, more than ` +
      `${most === MAX_POSITION ? 'one array holds' : most}: ${advice}`,
    { feature, expected: `at most ${most} ${unit}`, found: `${size} ${unit}` },
  );
}

/**
 * Returns the result of `make`, which allocates `size` `unit`. @throws the error of {@link tooLarge} if memory does not
 * suffice
 */
export function allocate<T>(feature: string, rows: number, size: number, unit: string, make: () => T): T {
  if (size > MAX_POSITION) throw tooLarge(feature, rows, size, unit);
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(feature, rows, size, unit);
    throw error;
  }
}

/** True if `error` means that records are too large, together or a single one. */
export function isTooLarge(error: unknown): error is TFRecordError {
  return error instanceof TFRecordError && error.code === 'TFR_RECORD_TOO_LARGE';
}
