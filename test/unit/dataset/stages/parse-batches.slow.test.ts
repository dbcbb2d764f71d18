/**
 * `batch(n).parse(spec)` loses the same bad records as `parse(spec).batch(n)`, and reports them with their own places.
 */
import {
  Dataset,
  encodeExample,
  fixedLen,
  int64,
  varLen,
  type OnError,
  type RecordBatch,
  type TFRecordError,
} from '../../../../lib';
import { native } from '../../../../lib/native';
import { countRows } from '../../../../lib/tensor';
import { comparable } from '../../../support/comparable';
import { expectChunkInvariant, expectResumes, outcomeOf } from '../../../support/datasets/dataset-laws';
import { Folder } from '../../../support/records/record-files';

const folder = new Folder();
afterAll(() => folder.remove());

const SPEC = { a: fixedLen([], 'int64') };
const isBad = (i: number): boolean => i % 5 === 3;
const records = Array.from({ length: 20 }, (_, i) => encodeExample(isBad(i) ? {} : { a: int64(i) }));
const files = [folder.write('one', records.slice(0, 9)), folder.write('two', records.slice(9))];
const source = Dataset.tfrecord(files);

/** Batches of records, made in different ways. */
const BATCHES: Record<string, (size: number) => Dataset<RecordBatch>> = {
  neighbours: (size) => source.batch(size),
  'of several slabs': (size) => source.shuffle(1).batch(size),
  'lists of records': (size) => source.map((record) => record).batch(size) as unknown as Dataset<RecordBatch>,
};

describe.each(Object.keys(BATCHES))('%s', (name) => {
  const batches = BATCHES[name] as (size: number) => Dataset<RecordBatch>;

  test('throw: the rows before the bad record come first, in a shorter batch', async () => {
    const parsed = batches(5).parse(SPEC);
    const elements = parsed.iterate();
    expect(comparable((await elements.next()).value)).toEqual(comparable({ a: BigInt64Array.of(0n, 1n, 2n) }));
    expect(elements.origins.map(({ record }) => record)).toEqual([0, 1, 2]);
    await expect(elements.next()).rejects.toMatchObject({ code: 'TFR_FEATURE', file: files[0], record: 3 });
    await expectResumes(parsed);
    await expectChunkInvariant(parsed);
  });

  test.each<OnError>(['throw', 'stop'])('%s: the rows are those of parse().batch()', async (onError) => {
    for (const size of [1, 3, 4, 7, 30]) {
      const rows = async (dataset: Dataset<{ a: BigInt64Array }, unknown>): Promise<unknown> => {
        const { values, error } = await outcomeOf(dataset, undefined);
        return { values, error };
      };
      const parsed = batches(size).parse(SPEC).onError(onError);
      expect(await rows(parsed)).toEqual(await rows(source.parse(SPEC).batch(size).onError(onError)));
      await expectResumes(parsed);
    }
  });

  test('skip: each bad record is told with its own place, and lost alone', async () => {
    const told: [string | undefined, number | undefined, number | undefined][] = [];
    const report = ({ file, record, offset }: TFRecordError): unknown => told.push([file, record, offset]);
    const parsed = batches(7).parse(SPEC, { onError: { action: 'skip', report, maxRate: 1 } });
    const rows = (await parsed.toArray()).map(({ a }) => Array.from(a, Number));
    expect(rows).toEqual([
      [0, 1, 2, 4, 5, 6],
      [7, 9, 10, 11, 12],
      [14, 15, 16, 17, 19],
    ]);
    const alone: typeof told = [];
    const reportAlone = ({ file, record, offset }: TFRecordError): unknown => alone.push([file, record, offset]);
    await source.parse(SPEC, { onError: { action: 'skip', report: reportAlone, maxRate: 1 } }).toArray();
    expect(told).toEqual(alone);
    expect(told).toHaveLength(4);
    await expectResumes(batches(7).parse(SPEC, { onError: 'skip' }));
  });

  test('places are those of the rows that are left', async () => {
    const elements = batches(7).parse(SPEC, { onError: 'skip' }).iterate();
    await elements.next();
    expect(elements.origins.map(({ record }) => record)).toEqual([0, 1, 2, 4, 5, 6]);
    await elements.return();
  });

  test('skip with a limit: what was good before the record that passes it comes first', async () => {
    const elements = batches(20)
      .parse(SPEC, { onError: { action: 'skip', max: 2 } })
      .iterate();
    const given = (await elements.next()).value;
    expect(Array.from((given as unknown as { a: BigInt64Array }).a, Number)).toEqual([
      0, 1, 2, 4, 5, 6, 7, 9, 10, 11, 12,
    ]);
    await expect(elements.next()).rejects.toMatchObject({
      code: 'TFR_FEATURE',
      message: expect.stringContaining('max 2'),
    });
  });

  test('a batch without a good record is none', async () => {
    const parsed = batches(1).parse(SPEC, { onError: 'skip' });
    expect((await parsed.toArray()).map(({ a }) => a.length)).toEqual(Array<number>(16).fill(1));
    await expectResumes(parsed);
  });
});

test('records that passed count for the rate of skipped ones', async () => {
  const many = folder.write(
    'many',
    Array.from({ length: 3000 }, (_, i) => encodeExample(i % 500 === 7 ? {} : { a: int64(i) })),
  );
  const parsed = Dataset.tfrecord(many).batch(64).parse(SPEC).onError('skip');
  const rows = (await parsed.toArray()).reduce((sum, { a }) => sum + a.length, 0);
  expect(rows).toBe(2994);
});

test.each([
  ['behind batch', (dataset: typeof source) => dataset.batch(4000).parse(SPEC)],
  ['behind batch, of several slabs', (dataset: typeof source) => dataset.shuffle(3).batch(4000).parse(SPEC)],
  ['before batch', (dataset: typeof source) => dataset.parse(SPEC).batch(4000)],
  ['before batch, of several slabs', (dataset: typeof source) => dataset.shuffle(3).parse(SPEC).batch(4000)],
])('the work is linear, however many records are bad: %s', async (_, parsed) => {
  const count = 4000;
  const half = folder.write(
    'half',
    Array.from({ length: count }, (_, i) => encodeExample(i % 2 === 0 ? {} : { a: int64(i) })),
  );
  let parses = 0;
  let looked = 0;
  const binding = native();
  const parserAppend = binding.parserAppend.bind(binding);
  const spy = jest.spyOn(binding, 'parserAppend').mockImplementation((parser, slab, frames, begin, end) => {
    parses++;
    const fault = parserAppend(parser, slab, frames, begin, end);
    looked += fault === undefined ? end - begin : fault.row + 1;
    return fault;
  });
  try {
    const policy: OnError = { action: 'skip', maxRate: 1 };
    const rows = (await parsed(Dataset.tfrecord(half)).onError(policy).toArray()).reduce(
      (sum, { a }) => sum + a.length,
      0,
    );
    expect(rows).toBe(count / 2);
    expect(parses).toBeLessThan(4 * count);
    expect(looked).toBeLessThan(6 * count);
  } finally {
    spy.mockRestore();
  }
});

test('records without a byte are records, however they came together', async () => {
  const spec = { a: varLen('int64') };
  const empty = folder.write(
    'empty',
    Array.from({ length: 7 }, () => new Uint8Array(0)),
  );
  const read = Dataset.tfrecord(empty);
  const datasets: Dataset<unknown, unknown>[] = [
    read.shuffle(3).batch(3).parse(spec),
    read.shuffle(3).parse(spec).batch(3),
    read.shuffle(3).batch(2).rebatch(3).parse(spec),
    read.shuffle(3).batch(3).parse(spec, { onError: 'skip' }),
    Dataset.from(Array<Uint8Array>(7).fill(new Uint8Array(0)))
      .parse(spec)
      .batch(3),
  ];
  for (const dataset of datasets) expect((await dataset.toArray()).map(countRows)).toEqual([3, 3, 1]);
  expect(
    await read
      .parse(spec)
      .shuffle(3)
      .map(({ a }) => a.length)
      .toArray(),
  ).toEqual(Array<number>(7).fill(0));
});
