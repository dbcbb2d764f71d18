import { wordsOf } from '../../tensor';
import type { ColumnData } from './columns';

/** An int64 column as numbers: exact within ±2^53, beyond that still of the right sign and size. */
export function numbersOf({ values }: ColumnData): Float64Array {
  if (values instanceof Float64Array) return values;
  const words = wordsOf(values as BigInt64Array);
  const numbers = new Float64Array(values.length);
  for (let i = 0; i < numbers.length; i++) {
    numbers[i] = words[2 * i + 1]! * 2 ** 32 + (words[2 * i]! >>> 0);
  }
  return numbers;
}
