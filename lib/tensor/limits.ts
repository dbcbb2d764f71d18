import { TFRecordError } from '../base';
import { sizeOf, type Shape } from './types';

/** The largest int32 position. */
const MAX_VALUES = 0x7fff_ffff;

/** TFR_RECORD_TOO_LARGE: no array holds the values of a dense tensor of `shape`, or their bytes. */
function denseTooLarge(shape: Shape, cause?: unknown): TFRecordError {
  const expected = `at most ${MAX_VALUES} values`;
  const found = `${sizeOf(shape)} values`;
  return new TFRecordError(
    'TFR_RECORD_TOO_LARGE',
    `A dense tensor of shape [${shape.join(', ')}], ${found}, is more than one array holds: take fewer rows at a time, ` +
      'or read the values where they are',
    { expected, found, cause },
  );
}

/** @throws TFRecordError TFR_RECORD_TOO_LARGE where a dense tensor of `shape` has more values than one array. */
function checkDense(shape: Shape): void {
  const size = sizeOf(shape);
  // One of 0 behind dimensions that are infinite together is nothing, too.
  if (size > MAX_VALUES && !shape.includes(0)) throw denseTooLarge(shape);
}

/**
 * Returns the result of `make`, which allocates a dense tensor of `shape`. @throws TFRecordError TFR_RECORD_TOO_LARGE
 * where there is no room
 */
export function allocateDense<T>(shape: Shape, make: () => T): T {
  checkDense(shape);
  try {
    return make();
  } catch (cause) {
    if (!(cause instanceof RangeError) || 'code' in cause) throw cause;
    throw denseTooLarge(shape, cause);
  }
}
