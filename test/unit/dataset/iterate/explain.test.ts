/** The text of `explain()` for each stage. States and caches use a text of their own, which must not change. */
import { Dataset } from '../../../../lib/dataset';

const range = Dataset.range(10);

test.each<[Dataset<unknown, unknown>, string[]]>([
  [
    range.shuffle(10_000, { seed: 42 }).batch(2),
    ['range(start 0, step 1, count 10)', 'shuffle(10000, seed 42)', 'batch(2)'],
  ],
  [
    Dataset.range(4, 10, 2).shuffle(3, { reshuffle: false }),
    ['range(start 4, step 2, count 3)', 'shuffle(3, reshuffle false)'],
  ],
  [
    Dataset.from([1]).shuffle(5, { seed: -1n, bytes: 4096 }),
    ['from', 'shuffle(5, seed 18446744073709551615, bytes 4096)'],
  ],
  [Dataset.from([1]).shuffle('full').seed(7), ['from', 'shuffle(full)', 'seed(7)']],
  [Dataset.tfrecord('a').repeat().take(3).skip(1), ['tfrecord', 'repeat', 'take(3)', 'skip(1)']],
  [Dataset.tfrecord('a').repeat(2).prefetch(4), ['tfrecord', 'repeat(2)', 'prefetch(4)']],
  [Dataset.text('a', { skipHeaderLines: 1 }).enumerate(5), ['text(skipHeaderLines 1)', 'enumerate(start 5)']],
  [
    Dataset.fixedLength('a', 16, { headerBytes: 4 }).batch(3, { dropRemainder: true }),
    ['fixedLength(16, headerBytes 4, footerBytes 0, hopBytes 16)', 'batch(3, dropRemainder)'],
  ],
  [
    Dataset.csv('a', { columns: { id: 0n, name: '' } }),
    [`csv(columns id: int64 name: text, header, delimiter ",", quotes, naValue "")`],
  ],
  [
    range.map(String).map(async (x) => x, { ordered: false }),
    ['range(start 0, step 1, count 10)', 'map', 'map(unordered)'],
  ],
  [Dataset.from([1]).window(3, { shift: 1 }), ['from', 'window(3, shift 1, stride 1)']],
  [
    Dataset.files('*.a').interleave((file) => Dataset.tfrecord(file), { blockLength: 4 }),
    ['files', 'interleave(cycleLength 16, blockLength 4)'],
  ],
  [
    Dataset.files('*.a').interleave((file) => Dataset.tfrecord(file), { ordered: false }),
    ['files', 'interleave(cycleLength 16, unordered)'],
  ],
  [Dataset.from([1]).shard(4, 1), ['from', 'shard(count 4, index 1, by auto, uneven keep)']],
  [
    Dataset.zip({ a: Dataset.from([1]).take(1), 'b > c': Dataset.from([2]) }).take(2),
    ['zip(length shortest, names ["a","b > c"]) { from > take(1), from }', 'take(2)'],
  ],
  [
    Dataset.sampleFrom([Dataset.from([1]), Dataset.from([2])], { weights: [3, 1], seed: 9 }),
    ['sampleFrom(weights [3,1], seed 9, exhausted drop) { from, from }'],
  ],
])('explain() %#', (dataset, stages) => {
  expect(dataset.explain().split('\n')).toEqual(stages);
});

test('the text in states has no names', () => {
  const elements = Dataset.range(10).shuffle(3, { seed: 42 }).prefetch(2).batch(2).seed(1).iterate();
  expect(elements.state().graph).toBe('range[0,1,10] > shuffle[3,[42,0],true] > batch[2,false]');
});
