/** Coordinates of the entries of a tensor whose rows lie one behind the other. */
import { wordsOf } from './column';

/** [row, i] of each value, as `rowSplits` cut the values. */
export function indicesOfRows([splits]: readonly [Int32Array]): BigInt64Array<ArrayBuffer> {
  const rows = splits.length - 1;
  const indices = new BigInt64Array(2 * splits[rows]!);
  const words = wordsOf(indices);
  let at = 0;
  for (let row = 0; row < rows; row++) {
    const count = splits[row + 1]! - splits[row]!;
    for (let i = 0; i < count; i++, at += 4) {
      words[at] = row;
      words[at + 2] = i;
    }
  }
  return indices;
}

/** [row, step, i] of each value: `steps` cuts the steps into rows, `splits` the values into steps. */
export function indicesOfSteps([steps, splits]: readonly [Int32Array, Int32Array]): BigInt64Array<ArrayBuffer> {
  const rows = steps.length - 1;
  const indices = new BigInt64Array(3 * splits[splits.length - 1]!);
  const words = wordsOf(indices);
  let at = 0;
  for (let row = 0; row < rows; row++) {
    const first = steps[row]!;
    const end = steps[row + 1]!;
    for (let step = first; step < end; step++) {
      const count = splits[step + 1]! - splits[step]!;
      for (let i = 0; i < count; i++, at += 6) {
        words[at] = row;
        words[at + 2] = step - first;
        words[at + 4] = i;
      }
    }
  }
  return indices;
}
