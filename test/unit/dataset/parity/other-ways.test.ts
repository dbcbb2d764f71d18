/** Parity with TensorFlow: other sources, and several pipelines. */
import { encodeExample, fixedLen, int64, parseSingleExample } from '../../../../lib';
import { Dataset } from '../../../../lib/dataset';
import { drain, examples, folder, pattern, sorted, upTo } from './fixture';

const SPEC = { id: fixedLen([], 'int64') };

test('O1 data in memory, shuffled in full each epoch', async () => {
  const data = Dataset.from(upTo(50)).shuffle('full', { seed: 1 });
  const [first, second] = [await drain(data, 0), await drain(data, 1)];
  expect(first).not.toEqual(second);
  expect([sorted(first), sorted(second)]).toEqual([upTo(50), upTo(50)]);
});

test('O2 data that is fed, and one record at a time', async () => {
  const fed = Dataset.from(async function* () {
    for (const record of examples(0, 3)) yield await Promise.resolve(record);
  });
  expect((await drain(fed.parse(SPEC))).map(({ id }) => id)).toEqual([0n, 1n, 2n]);
  expect(parseSingleExample(examples(4, 1)[0]!, SPEC)).toEqual({ id: 4n });
});

test('O3 a part of a large set is used several times before the next', async () => {
  const parts = Dataset.files(pattern).interleave((file) => Dataset.tfrecord(file).parse(SPEC).cache().repeat(2), {
    cycleLength: 1,
  });
  const ids = (await drain(parts.map(({ id }) => Number(id)))).join(' ');
  expect(ids.startsWith('0 1 2 3 4 0 1 2 3 4 5 6 7 8 9 5 6')).toBe(true);
});

test('O4 of arrays, generators; map, take, repeat with any function', async () => {
  const doubled = Dataset.from([1, 2, 3])
    .map((i) => ({ doubled: 2 * i }))
    .take(2)
    .repeat(2);
  expect(await drain(doubled)).toEqual([2, 4, 2, 4].map((value) => ({ doubled: value })));
});

test('O5, O6 a dataset is written to files, in shards', async () => {
  const records = Dataset.range(6).map((i) => encodeExample({ id: int64(i) }));
  const { files } = await records.writeTo(folder.at('made-{shard:05}-of-{shards:05}.gz'), {
    shards: 2,
    compression: 'gzip',
  });
  expect(files.map((file) => file.slice(-22))).toEqual(
    ['made-00000-of-00002.gz', 'made-00001-of-00002.gz'].map((n) => n.slice(-22)),
  );
  const back = Dataset.tfrecord(folder.at('made@2.gz').replace('@2.gz', '-?????-of-00002.gz')).parse(SPEC);
  expect(sorted((await drain(back)).map(({ id }) => id))).toEqual(upTo(6));
});

test('O7 what was prepared is kept on the disk, for many models', async () => {
  let calls = 0;
  const make = (): Dataset<number> =>
    Dataset.range(5)
      .map((i) => (calls++, i * i))
      .cache(folder.at('prepared'));
  expect([await drain(make()), await drain(make()), calls]).toEqual([[0, 1, 4, 9, 16], [0, 1, 4, 9, 16], 5]);
});

test('O8 a look at the first', async () => {
  expect(await Dataset.tfrecord(pattern).take(2).count()).toBe(2);
});

test('O10 a pipeline goes on in another process, by a state in JSON', async () => {
  const make = (): Dataset<number> => Dataset.range(30).shuffle(7, { seed: 2 });
  const iterator = make().iterate();
  const first = [];
  for (let i = 0; i < 11; i++) first.push((await iterator.next()).value);
  const state = JSON.parse(JSON.stringify(iterator.state())) as ReturnType<typeof iterator.state>;
  await iterator.return();
  const rest = [];
  for await (const value of make().iterate({ state })) rest.push(value);
  expect([...first, ...rest]).toEqual(await drain(make()));
});

test('O11, O12 a dataset is a value: many iterators, many datasets of one, at once', async () => {
  const records = Dataset.tfrecord(pattern).parse(SPEC);
  const [train, evaluate] = [records.filter(({ id }) => id % 5n !== 0n), records.filter(({ id }) => id % 5n === 0n)];
  const [trained, evaluated, again] = await Promise.all([drain(train), drain(evaluate), drain(train)]);
  expect([trained.length, evaluated.length, again.length]).toEqual([16, 4, 16]);
});
