/** Lists of the elements of datasets, and lists to compare them with. */
import type { Dataset } from '../../../lib/dataset';

/** Returns all elements of `dataset` in epoch `epoch`. */
export async function drain<T>(dataset: Dataset<T, unknown>, epoch = 0): Promise<T[]> {
  const values: T[] = [];
  for await (const value of dataset.iterate({ epoch })) values.push(value);
  return values;
}

export const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
export const sorted = (values: readonly (number | bigint)[]): number[] => values.map(Number).sort((a, b) => a - b);
