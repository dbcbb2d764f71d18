/** The Jensen-Shannon divergence of two distributions over the same cells. */

/**
 * The divergence to the base 2, from 0 (equal) to 1 (nothing in common), of distributions with so many values in each
 * cell. Undefined if a side has no values.
 */
export function divergenceOf(a: readonly number[], b: readonly number[]): number | undefined {
  const totalA = a.reduce((total, count) => total + count, 0);
  const totalB = b.reduce((total, count) => total + count, 0);
  if (totalA === 0 || totalB === 0) return undefined;
  let sum = 0;
  a.forEach((count, i) => {
    const p = count / totalA;
    const q = b[i]! / totalB;
    const mean = (p + q) / 2;
    if (p > 0) sum += p * Math.log2(p / mean);
    if (q > 0) sum += q * Math.log2(q / mean);
  });
  return Math.min(Math.max(sum / 2, 0), 1);
}
