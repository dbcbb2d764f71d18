import fc from 'fast-check';

import { WordCounts } from '../../../../lib/schema/statistics/word-counts';

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

function entriesOf(counts: WordCounts): [string, number][] {
  return Array.from({ length: counts.size }, (_, i) => [latin1(counts.word(i)), counts.count(i)]);
}

test('counts what a map counts, in the order in which words appear', () => {
  // Short words of few letters come again; those of 200 bytes make the memory grow at once.
  const word = fc.oneof(
    fc.uint8Array({ max: 2, maxLength: 9 }),
    fc.uint8Array({ minLength: 1, maxLength: 40 }),
    fc.uint8Array({ minLength: 200, maxLength: 200 }),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 400 }), (words) => {
      const expected = new Map<string, number>();
      const counts = new WordCounts();
      const data = Buffer.concat(words);
      let from = 0;
      for (const bytes of words) {
        const key = latin1(bytes);
        expect(counts.add(data, from, (from += bytes.length))).toBe(!expected.has(key));
        expected.set(key, (expected.get(key) ?? 0) + 1);
      }
      expect(entriesOf(counts)).toEqual([...expected]);
      expect(counts.bytes).toBe([...expected.keys()].join('').length);
    }),
  );
});

test('a table that was cleared begins anew', () => {
  const counts = new WordCounts();
  const data = Buffer.from('amberbirch');
  counts.add(data, 0, 5);
  counts.add(data, 5, 10);
  counts.clear();
  expect([counts.size, counts.bytes]).toEqual([0, 0]);
  expect([counts.add(data, 5, 10), counts.add(data, 5, 10)]).toEqual([true, false]);
  expect(entriesOf(counts)).toEqual([['birch', 2]]);
});
