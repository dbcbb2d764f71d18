import { invalidArgType, invalidArgValue } from '../../errors';
import { neededInteger } from '../arguments';
import type { ElementFunction } from '../engine/calls';
import { isThenable } from '../engine/element-context';

const MAX_BATCH = 2 ** 31 - 1;

/** @throws TypeError, RangeError with Node's codes */
export function checkBuckets(
  boundaries: unknown,
  batchSizes: unknown,
): { readonly boundaries: readonly number[]; readonly batchSizes: readonly number[] } {
  const bounds = numbers('options.boundaries', boundaries);
  bounds.forEach((bound, i) => {
    if (Number.isNaN(bound) || bound <= (bounds[i - 1] ?? -Infinity)) {
      throw invalidArgValue(`options.boundaries[${i}]`, 'more than the one before', bound);
    }
  });
  const sizes = numbers('options.batchSizes', batchSizes);
  if (sizes.length !== bounds.length + 1) {
    throw invalidArgValue('options.batchSizes', `of ${bounds.length + 1} sizes, one more than boundaries`, batchSizes);
  }
  sizes.forEach((size, i) => neededInteger(`options.batchSizes[${i}]`, size, 1, MAX_BATCH));
  return { boundaries: bounds, batchSizes: sizes };
}

/** `call`, whose result must be a number. */
export function lengthFunction(call: ElementFunction): ElementFunction {
  return (value, context) => {
    const length = call(value, context);
    return isThenable(length) ? length.then(checkLength) : checkLength(length);
  };
}

function checkLength(length: unknown): number {
  if (typeof length === 'number' && !Number.isNaN(length)) return length;
  throw invalidArgType('the result of lengthOf', 'a number', length);
}

function numbers(name: string, value: unknown): readonly number[] {
  if (Array.isArray(value) && value.every((item) => typeof item === 'number')) return [...value];
  throw invalidArgType(name, 'an array of numbers', value);
}
