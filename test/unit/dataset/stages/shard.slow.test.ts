import { Dataset, type DatasetShardOptions } from '../../../../lib/dataset';
import { expectChunkInvariant, expectResumes } from '../../../support/datasets/dataset-laws';
import { Folder, numberedRecords } from '../../../support/records/record-files';

const folder = new Folder();
afterAll(() => folder.remove());

const records = numberedRecords(23, 8);
const files = [0, 1, 2, 3, 4].map((file) =>
  folder.write(`shard-${file}.tfrecord`, records.slice(file * 5, file * 5 + 5)),
);
const pattern = folder.at('shard-*.tfrecord');
const number = (record: Uint8Array): number => record[0]!;

let warnings: string[] = [];
beforeEach(() => {
  warnings = [];
  jest.spyOn(process, 'emitWarning').mockImplementation((warning) => void warnings.push(String(warning)));
});
afterEach(() => jest.restoreAllMocks());

/** All shards; those elements that are not valid with a star. */
async function shards<T>(
  dataset: Dataset<T, unknown>,
  count: number,
  options: DatasetShardOptions,
): Promise<(T | string)[][]> {
  const all: (T | string)[][] = [];
  for (let index = 0; index < count; index++) {
    const shard = dataset.shard(count, index, options);
    const elements = await shard.map((value, { valid }) => (valid ? value : `${String(value)}*`)).toArray();
    if (shard.size !== undefined) expect(shard.size).toBe(elements.length);
    all.push(elements);
  }
  return all;
}

test.each([
  {
    by: 'record',
    uneven: 'keep',
    expected: [
      [0, 3, 6, 9],
      [1, 4, 7],
      [2, 5, 8],
    ],
  },
  {
    by: 'record',
    uneven: 'drop',
    expected: [
      [0, 3, 6],
      [1, 4, 7],
      [2, 5, 8],
    ],
  },
  {
    by: 'record',
    uneven: 'pad',
    expected: [
      [0, 3, 6, 9],
      [1, 4, 7, '1*'],
      [2, 5, 8, '2*'],
    ],
  },
  {
    by: 'range',
    uneven: 'keep',
    expected: [
      [0, 1, 2, 3],
      [4, 5, 6],
      [7, 8, 9],
    ],
  },
  {
    by: 'range',
    uneven: 'drop',
    expected: [
      [0, 1, 2],
      [4, 5, 6],
      [7, 8, 9],
    ],
  },
  {
    by: 'range',
    uneven: 'pad',
    expected: [
      [0, 1, 2, 3],
      [4, 5, 6, '4*'],
      [7, 8, 9, '7*'],
    ],
  },
  {
    by: 'auto',
    uneven: 'keep',
    expected: [
      [0, 1, 2, 3],
      [4, 5, 6],
      [7, 8, 9],
    ],
  },
] as const)('3 of 0 to 9 by $by, $uneven', async ({ by, uneven, expected }) => {
  expect(await shards(Dataset.range(10), 3, { by, uneven })).toEqual(expected);
  const unknown = Dataset.range(10).filter(() => true);
  if (by === 'record') expect(await shards(unknown, 3, { by, uneven })).toEqual(expected);
  for (const index of [0, 1, 2]) {
    const shard = Dataset.range(10).shard(3, index, { by, uneven });
    await expectResumes(shard.map((value, { valid }) => [value, valid]));
    await expectResumes(shard);
    await expectChunkInvariant(shard);
  }
});

test('together they have each element once, and are as long as each other where they are to be', async () => {
  for (const by of ['record', 'range'] as const) {
    for (let n = 0; n <= 12; n++) {
      for (let count = 1; count <= 5; count++) {
        const kept = await shards(Dataset.range(n), count, { by });
        expect([n, count, kept.flat().sort((a, b) => Number(a) - Number(b))]).toEqual([
          n,
          count,
          Array.from({ length: n }, (_, i) => i),
        ]);
        for (const uneven of ['drop', 'pad'] as const) {
          const even = await shards(Dataset.range(n), count, { by, uneven });
          const length = uneven === 'drop' ? Math.floor(n / count) : Math.ceil(n / count);
          expect([n, count, uneven, even.map((shard) => shard.length)]).toEqual([
            n,
            count,
            uneven,
            new Array(count).fill(length),
          ]);
          const valid = even.map((shard) => shard.filter((value) => typeof value === 'number'));
          if (uneven === 'pad') expect(valid).toEqual(kept);
        }
      }
    }
  }
});

test('records that fill a shard stay records, and a batch tells which they are', async () => {
  const padded = Dataset.tfrecord(pattern).shard(4, 3, { by: 'record', uneven: 'pad' });
  const batches = await padded
    .batch(4)
    .map((batch, { valids, valid }) => [Array.from(batch, number), valids, valid])
    .toArray();
  expect(batches).toEqual([
    [[3, 7, 11, 15], [true, true, true, true], true],
    [[19, 3], [true, false], false],
  ]);
  await expectResumes(padded.batch(2));
  await expect(
    padded
      .batch(4)
      .unbatch()
      .map((_, { valid }) => valid)
      .toArray(),
  ).resolves.toEqual([true, true, true, true, true, false]);
  await expect(
    Dataset.range(4)
      .shard(3, 2, { uneven: 'pad' })
      .batch(2)
      .map((_, { valids }) => valids)
      .toArray(),
  ).resolves.toEqual([[true, false]]);
});

test('what can be read once only is padded too', async () => {
  const once = (function* () {
    yield* [0, 1, 2, 3];
  })();
  await expect(Dataset.from(once).shard(3, 1, { by: 'record', uneven: 'pad' }).toArray()).resolves.toEqual([1, 1]);
});

describe('by file', () => {
  test('file number mod count, and the others are not opened', async () => {
    const missing = [...files.slice(0, 3), folder.at('missing.tfrecord')];
    const shard = Dataset.tfrecord(missing).shard(2, 0, { by: 'file' });
    await expect(shard.map(number).toArray()).resolves.toEqual([0, 1, 2, 3, 4, 10, 11, 12, 13, 14]);
    await expect(Dataset.tfrecord(missing).shard(2, 1, { by: 'file' }).toArray()).rejects.toMatchObject({
      code: 'ENOENT',
    });
    await expectResumes(shard);
  });

  test('through stages that take each element by itself, and in what is made of files', async () => {
    const parts = [
      Dataset.files(pattern).shard(3, 1, { by: 'file' }),
      Dataset.files(pattern).shard(3, 1),
      Dataset.files(pattern).shuffle('full').seed(3).shard(3, 1),
    ];
    for (const part of parts) expect((await part.toArray()).sort()).toEqual([files[1], files[4]]);
    const nested = Dataset.files(pattern)
      .interleave((file) => Dataset.tfrecord(file), { cycleLength: 2 })
      .map(number)
      .shard(3, 1);
    await expect(nested.toArray()).resolves.toEqual([5, 20, 6, 21, 7, 22, 8, 9]);
    await expectResumes(nested);
    expect(() => Dataset.tfrecord(pattern).take(3).shard(3, 1, { by: 'file' })).toThrow(/record/);
    expect(() => Dataset.range(3).shard(3, 1, { by: 'file' })).toThrow(/none/);
  });

  test('fewer files than shards are worth a warning', async () => {
    await expect(Dataset.tfrecord(pattern).shard(6, 5, { by: 'file' }).toArray()).resolves.toEqual([]);
    expect(warnings).toEqual([expect.stringContaining('5 files for 6 shards')]);
  });
});

describe('auto', () => {
  test('is by file where there are enough, else by record, with a warning', async () => {
    const dataset = Dataset.tfrecord(pattern).map(number);
    expect((await shards(dataset, 5, {}))[2]).toEqual([10, 11, 12, 13, 14]);
    expect(warnings).toEqual([]);
    expect((await shards(dataset, 6, {}))[5]).toEqual([5, 11, 17]);
    expect(warnings).toHaveLength(6);
    expect((await shards(dataset, 2, { uneven: 'drop' })).map((shard) => shard.length)).toEqual([11, 11]);
  });

  test('resumes anywhere', async () => {
    await expectResumes(Dataset.tfrecord(pattern).shard(2, 1));
    await expectResumes(Dataset.tfrecord(pattern).shard(7, 1));
    await expectResumes(Dataset.tfrecord(pattern).shard(6, 5, { uneven: 'pad' }));
  });
});

test('behind an order that each process would draw for itself it is refused', () => {
  const shuffled = Dataset.range(10).shuffle(4);
  expect(() => shuffled.shard(2, 0)).toThrow(/seed/);
  expect(() =>
    Dataset.range(10)
      .shuffle('full')
      .map((x) => x)
      .shard(2, 0),
  ).toThrow(/seed/);
  expect(() => Dataset.range(3).concatenate(shuffled).shard(2, 0)).toThrow(/seed/);
  expect(() => Dataset.sampleFrom([Dataset.range(2), Dataset.range(3)]).shard(2, 0)).toThrow(/seed/);
  expect(() => shuffled.seed(1).shard(2, 0)).not.toThrow();
  expect(() => Dataset.range(10).shuffle(4, { seed: 3 }).shard(2, 0)).not.toThrow();
});

test('shards of a seeded shuffle have each element once', async () => {
  const dataset = Dataset.range(30).shuffle(8, { seed: 5 });
  const all = await shards(dataset, 4, {});
  expect(all.flat().sort((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 30 }, (_, i) => i));
});

test('arguments are checked', () => {
  const dataset = Dataset.range(3);
  expect(() => dataset.shard(0, 0)).toThrow(RangeError);
  expect(() => dataset.shard(2, 2)).toThrow(RangeError);
  expect(() => dataset.shard(2, 0, { by: 'size' as never })).toThrow(TypeError);
  expect(() => dataset.filter(Boolean).shard(2, 0, { by: 'range' })).toThrow(/index/);
  expect(() => Dataset.tfrecord(pattern).shard(2, 0, { by: 'file', uneven: 'pad' })).toThrow(/keep/);
});
