import { TFRecordError } from '../base';
import { sizeOf, type Shape } from './types';

/** Maximum number of values: the largest int32. */
const MAX_VALUES = 0x7fff_ffff;

/** Returns the error if no array can hold the values of a dense tensor of `shape`, or their bytes. */
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

/**
 * Checks a shape. @throws TFRecordError TFR_RECORD_TOO_LARGE if a dense tensor of `shape` has more values than an array
 * can hold
 */
function checkDense(shape: Shape): void {
  const size = sizeOf(shape);
  // A dimension of 0 makes a tensor empty, even if the product of the others is infinite.
  if (size > MAX_VALUES && !shape.includes(0)) throw denseTooLarge(shape);
}

/**
 * Returns the result of `make`, which allocates a dense tensor of `shape`. @throws TFRecordError TFR_RECORD_TOO_LARGE
 * if memory does not suffice
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
