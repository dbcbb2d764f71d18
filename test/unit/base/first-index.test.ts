/** The first index with a property, found by halving. */
import { firstIndex } from '../../../lib/base/first-index';

test('equals a search in order, for all lengths and places', () => {
  for (let count = 0; count < 20; count++) {
    for (let from = 0; from <= count; from++) expect(firstIndex(count, (index) => index >= from)).toBe(from);
  }
});

test('counts over 2^32, and few calls', () => {
  let calls = 0;
  const holds = (index: number): boolean => {
    calls++;
    return index >= 2 ** 45 + 7;
  };
  expect(firstIndex(2 ** 46, holds)).toBe(2 ** 45 + 7);
  expect(calls).toBeLessThanOrEqual(47);
});
