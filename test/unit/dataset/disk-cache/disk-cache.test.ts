/** `cache(folder)`: one pass is kept on the disk. */
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  promises,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { BytesArray, Dataset, fixedLen, varLen } from '../../../../lib';
import { comparable } from '../../../support/comparable';
import { outcomeOf } from '../../../support/datasets/dataset-laws';
import { numbered } from '../../../support/examples/example-files';
import { Folder, numberedRecords } from '../../../support/records/record-files';
import { CASE_TIMEOUT } from '../../../support/running/run-case';

jest.setTimeout(CASE_TIMEOUT);

const folder = new Folder();
afterAll(() => folder.remove());
const quiet = (): void => void jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
afterEach(() => jest.restoreAllMocks());

const records = folder.write('records.tfrecord', numberedRecords(700, 40));
const examples = folder.write(
  'examples.tfrecord.gz',
  Array.from({ length: 30 }, (_, i) => numbered(i)),
);
const spec = { id: fixedLen([], 'int64'), w: fixedLen([], 'float32'), tags: varLen('bytes') };

/** The elements of `make` as they come and as they are read back, by another dataset, without a source. */
async function expectKept(make: () => Dataset<unknown, unknown>): Promise<void> {
  quiet();
  const path = folder.fresh();
  const plain = await outcomeOf(make(), undefined, 1000);
  expect(plain.error).toBeUndefined();
  await expect(outcomeOf(make().cache(path), undefined, 1000)).resolves.toEqual(plain);
  expect(readdirSync(path)).toContain('cache.json');
  await expect(outcomeOf(make().cache(path), undefined, 1000)).resolves.toEqual(plain);
  expect(folder.temporary()).toEqual([]);
}

test('another process makes the cache between two looks at the folder', async () => {
  const [made, path] = [folder.fresh(), folder.fresh()];
  let read = 0;
  const make = (at: string): Dataset<number> =>
    Dataset.range(9)
      .map((n) => n + 0 * read++)
      .cache(at);
  const all = await make(made).toArray();
  const { readFile } = promises;
  jest.spyOn(promises, 'readFile').mockImplementationOnce(async (...args) => {
    const text = readFile(...args);
    await text.catch(() => undefined);
    renameSync(made, path);
    return text;
  });
  await expect(make(path).toArray()).resolves.toEqual(all);
  expect(read).toBe(9);
});

test('the second pass reads nothing, in this process and in another', async () => {
  let read = 0;
  const make = (path: string): Dataset<number> =>
    Dataset.range(600)
      .map((n) => {
        read++;
        return n;
      })
      .cache(path);
  const path = folder.fresh();
  const all = Array.from({ length: 600 }, (_, i) => i);
  const first = make(path);
  await expect(first.repeat(2).toArray()).resolves.toEqual([...all, ...all]);
  await expect(make(path).toArray()).resolves.toEqual(all);
  await expect(make(path).skip(598).toArray()).resolves.toEqual([598, 599]);
  expect(read).toBe(600);
});

describe('elements come back as they were, with their places', () => {
  test.each<[string, () => Dataset<unknown, unknown>]>([
    ['records', () => Dataset.tfrecord(records)],
    [
      'records of several files in turn',
      () => Dataset.from([records, records]).interleave((file) => Dataset.tfrecord(file).take(300)),
    ],
    ['batches of records', () => Dataset.tfrecord(records).batch(64)],
    ['parsed rows', () => Dataset.tfrecord(examples).parse(spec)],
    ['parsed rows, shuffled', () => Dataset.tfrecord(examples).parse(spec).shuffle(8, { seed: 1 })],
    [
      'rows that datasets inside parse',
      () => Dataset.from([examples]).interleave((file) => Dataset.tfrecord(file).parse(spec, { int64: 'number' })),
    ],
    ['columns', () => Dataset.tfrecord(examples).parse(spec).batch(7)],
    ['rows in other elements', () => Dataset.tfrecord(examples).parse(spec).enumerate()],
    ['pairs', () => Dataset.zip({ a: Dataset.tfrecord(records).take(5), b: Dataset.range(5) })],
    ['filled shards', () => Dataset.tfrecord(records).shard(9, 8, { by: 'record', uneven: 'pad' }).batch(10)],
    ['nothing', () => Dataset.range(0)],
  ])('%s', (_, make) => expectKept(make));

  test('values, exactly', async () => {
    const shared = new Float32Array([1, 2, 3, 4]);
    const values: unknown[] = [
      1, -0, NaN, 2n ** 70n, 'text \ud83d', '', null, undefined, true,
      new Uint8Array([1, 2]), Buffer.from('buffer'), shared.subarray(1, 3), new BigInt64Array([-1n]), new DataView(new ArrayBuffer(3)),
      { a: [1, [2n, { b: 'c' }]], ['__proto__']: 1, toString: 2 }, [1, , 3], new Date(5), new Map([[{ k: 1 }, new Set([shared])]]),
      new BytesArray(new Uint8Array([1, 2, 3]), new Int32Array([1, 2, 3])),
    ]; // prettier-ignore
    const path = folder.fresh();
    await Dataset.from(values).cache(path).toArray();
    const kept = await Dataset.from(values).cache(path).toArray();
    expect(kept.map(comparable)).toEqual(values.map(comparable));
    kept.forEach((value, i) => {
      expect(Object.prototype.toString.call(value)).toBe(Object.prototype.toString.call(values[i]));
      if (ArrayBuffer.isView(value) && !Buffer.isBuffer(value)) expect(value.buffer.byteLength).toBe(value.byteLength);
    });
    expect(Object.is(kept[1], -0)).toBe(true);
    expect(Object.keys(kept[15] as object)).toEqual(['0', '2']);
    expect(Buffer.isBuffer(kept[10])).toBe(true);
  });

  test('what would come back as something else is refused, and leaves nothing', async () => {
    class Own {
      value = 1;
    }
    const bad = [
      new Own(),
      () => 1,
      Symbol('s'),
      { inside: [new Own()] },
      new (class extends Uint8Array {})(2),
      new Error('e'),
      new (class extends Array<number> {})(),
      { inside: new (class extends Map<number, number> {})() },
      new (class extends Set<number> {})(),
      Object(Symbol('boxed')) as object,
      nested(1e5),
      {
        get a() {
          throw new Error('looked at');
        },
      },
    ];
    for (const value of bad) {
      const path = folder.fresh();
      const dataset = Dataset.range(3)
        .map((n) => (n === 1 ? value : n))
        .cache(path);
      await expect(dataset.toArray()).rejects.toMatchObject({ name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' });
      await expect(dataset.repeat().take(1).toArray()).resolves.toEqual([0]);
    }
    expect(folder.temporary()).toEqual([]);
  });
});

test('random numbers are those of the pass that is kept, wherever it goes on', async () => {
  for (const path of [undefined, folder.fresh()]) {
    const make = (where = path): Dataset<number> =>
      Dataset.range(40)
        .map((_, { rng }) => rng.int(1000))
        .cache(where);
    const cached = make();
    const all = await cached.toArray();
    const elements = cached.iterate();
    for (let i = 0; i < 7; i++) await elements.next();
    const state = elements.state();
    await elements.return();
    for (const dataset of [cached, make(), make(folder.fresh())]) {
      await expect(outcomeOf(dataset, state)).resolves.toMatchObject({ values: all.slice(7) });
    }
  }
});

test('a place in a pass that broke off is not looked for in another, with other draws', async () => {
  quiet();
  for (const path of [undefined, folder.fresh()]) {
    const cached = Dataset.range(300).shuffle(300).cache(path);
    const elements = cached.iterate();
    const begun = [];
    for (let i = 0; i < 7; i++) begun.push((await elements.next()).value);
    const state = elements.state();
    await elements.return();
    const kept = await cached.toArray();
    expect(kept.slice(0, 7)).not.toEqual(begun);
    const { values } = await outcomeOf(cached, state);
    expect([...begun, ...values].sort((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 300 }, (_, i) => i),
    );
    await expect(outcomeOf(Dataset.range(300).shuffle(300).cache(), state)).resolves.toMatchObject({ values });
  }
});

describe('a pass that is not whole leaves nothing', () => {
  test('where it breaks off, fails, or is behind a take', async () => {
    const path = folder.fresh();
    const make = (limit = Infinity): Dataset<number> =>
      Dataset.range(1000)
        .map((n) => {
          if (n >= limit) throw new Error('limit');
          return n;
        })
        .cache(path);
    for await (const value of make()) if (value === 500) break;
    await make().take(1000).toArray();
    const controller = new AbortController();
    const elements = make().iterate({ signal: controller.signal });
    await elements.next();
    controller.abort();
    await elements.return();
    expect(folder.names()).not.toContain(path.slice(folder.path.length + 1));
    expect(folder.temporary()).toEqual([]);
    await expect(make().toArray()).resolves.toHaveLength(1000);
  });

  test('where it is behind a skip, all of it passes', async () => {
    const path = folder.fresh();
    await expect(Dataset.range(10).cache(path).skip(8).toArray()).resolves.toEqual([8, 9]);
    expect(readdirSync(path)).toContain('cache.json');
  });
});

describe('is never used for something else', () => {
  const text = (n: number): number => n + 1;
  test.each<[string, () => Dataset<unknown, unknown>]>([
    ['another stage', () => Dataset.range(10).map(text).skip(1)],
    ['another option', () => Dataset.range(11).map(text)],
    ['another function', () => Dataset.range(10).map((n) => n + 2)],
  ])('%s', async (_, other) => {
    const path = folder.fresh();
    const make = (): Dataset<unknown> => Dataset.range(10).map(text).cache(path);
    const all = await make().toArray();
    const mismatch = { code: 'TFR_STATE_MISMATCH', file: path };
    await expect(other().cache(path).toArray()).rejects.toMatchObject(mismatch);
    await expect(make().toArray()).resolves.toEqual(all);
  });

  test('other features, seeds, policies, values', async () => {
    const parsed = (other: object, options = {}): Dataset<unknown, unknown> =>
      Dataset.tfrecord(examples).parse(other as typeof spec, options);
    const pairs: [Dataset<unknown, unknown>, Dataset<unknown, unknown>][] = [
      [parsed(spec), parsed({ ...spec, w: fixedLen([], 'float32', { default: 1 }) })],
      [parsed(spec), parsed(spec, { int64: 'number' })],
      [Dataset.range(9).map((_, { rng }) => rng.int(9)).seed(1), Dataset.range(9).map((_, { rng }) => rng.int(9)).seed(2)],
      [Dataset.tfrecord(records), Dataset.tfrecord(records).onError('skip')],
      [Dataset.from([1, 2n]), Dataset.from([1, 3n])],
      [Dataset.text(new Uint8Array([65])), Dataset.text(new Uint8Array([66]))],
      [Dataset.range(5).flatMap((n) => [n]), Dataset.range(5).flatMap((n) => [n, n])],
      [Dataset.range(5).interleave(() => Dataset.range(1)), Dataset.range(5).interleave(() => Dataset.range(2))],
      [Dataset.from([[1]]).bucketByLength((row) => row.length, { boundaries: [2], batchSizes: [1, 1] }), Dataset.from([[1]]).bucketByLength((row) => row.length, { boundaries: [2], batchSizes: [1, 1], values: -1 })],
      [Dataset.from([[1], [1, 2]]).paddedBatch(2), Dataset.from([[1], [1, 2]]).paddedBatch(2, { values: -1 })],
    ]; // prettier-ignore
    for (const [one, other] of pairs) {
      const path = folder.fresh();
      const all = await one.cache(path).toArray();
      await expect(one.cache(path).toArray()).resolves.toEqual(all);
      await expect(other.cache(path).toArray()).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH' });
    }
  });

  test('other files, or changed ones; options of speed change nothing', async () => {
    const path = folder.fresh();
    const file = folder.write('changing.tfrecord', numberedRecords(5, 8));
    const make = (parallel = 1): Dataset<number> =>
      Dataset.files(file)
        .interleave((name) => Dataset.tfrecord(name))
        .map(({ length }) => length, { parallel })
        .prefetch(parallel)
        .cache(path);
    await make().toArray();
    await expect(make(3).toArray()).resolves.toEqual([8, 8, 8, 8, 8]);
    folder.write('changing.tfrecord', numberedRecords(5, 9));
    await expect(make().toArray()).rejects.toMatchObject({
      code: 'TFR_STATE_MISMATCH',
      expected: expect.stringContaining('files'),
    });
  });

  test('a folder of something else is left alone', async () => {
    const path = folder.fresh();
    mkdirSync(path);
    const dataset = Dataset.range(3).cache(path);
    writeFileSync(join(path, 'mine'), 'x');
    await expect(dataset.toArray()).rejects.toMatchObject({ code: 'EEXIST', file: path });
    expect(readdirSync(path)).toEqual(['mine']);
    await expect(Dataset.range(3).cache(join(path, 'mine')).toArray()).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(Dataset.range(3).cache(join(folder.fresh(), 'inner')).toArray()).rejects.toMatchObject({
      code: 'ENOENT',
    });
    rmSync(join(path, 'mine'));
    await expect(dataset.toArray()).resolves.toEqual([0, 1, 2]);
    await expect(dataset.toArray()).resolves.toEqual([0, 1, 2]);
  });
});

describe('damage is told, and never data', () => {
  const damages: [string, string, (path: string, shard: string) => void][] = [
    ['a cut file', 'TFR_TRUNCATED', (_, shard) => truncateSync(shard, 100)],
    ['a file that is longer', 'TFR_TRUNCATED', (_, shard) => appendFileSync(shard, 'x')],
    ['a file that is not there', 'ENOENT', (_, shard) => rmSync(shard)],
    ['a manifest that is none', 'TFR_DECODE', (path) => writeFileSync(join(path, 'cache.json'), '{"version":')],
    ['a number in the manifest', 'TFR_DECODE', edit('"elements":500', '"elements":400')],
    ['a name in the manifest', 'TFR_DECODE', edit('"index"', '"iNdex"')],
    ['a manifest without the forms of rows', 'TFR_DECODE', edit('"forms":[]', '"forms":[null]')],
    ['a changed byte', 'TFR_CORRUPT_DATA', (_, shard) => flip(shard, readFileSync(shard).length - 10)],
    ['a file of another cache', 'TFR_DECODE', swapShard],
  ];
  let other = '';
  /** Tells the manifest the new length: how a pass falls into chunks, and so how long its file is, depends on time. */
  function swapShard(path: string, shard: string): void {
    const bytes = statSync(shard).size;
    copyFileSync(join(other, 'cache-00000.tfrecord'), shard);
    edit(`"bytes":${bytes}`, `"bytes":${statSync(shard).size}`)(path);
  }
  const make = (path: string): Dataset<number> =>
    Dataset.range(500)
      .map((n) => n % 7)
      .cache(path);

  test.each(damages)('%s', async (_, code, damage) => {
    other = folder.fresh();
    await make(other).toArray();
    const path = folder.fresh();
    await make(path).toArray();
    damage(path, join(path, 'cache-00000.tfrecord'));
    await expect(make(path).onError({ action: 'skip', maxRate: 1 }).toArray()).rejects.toMatchObject({ code });
    rmSync(path, { recursive: true });
    await expect(make(path).toArray()).resolves.toHaveLength(500);
  });
});

test('passes side by side: one is kept, all give all', async () => {
  const path = folder.fresh();
  const make = (): Dataset<number> =>
    Dataset.range(2000)
      .map((n) => n)
      .cache(path);
  const all = await Promise.all([make().toArray(), make().toArray(), make().repeat(2).toArray()]);
  expect(all.map(({ length }) => length)).toEqual([2000, 2000, 4000]);
  expect(folder.temporary()).toEqual([]);
  await expect(make().toArray()).resolves.toHaveLength(2000);
});

test('its name may end as that of a folder', async () => {
  const path = folder.fresh();
  await expect(Dataset.range(3).cache(`${path}/`).toArray()).resolves.toEqual([0, 1, 2]);
  expect(readdirSync(path)).toContain('cache.json');
  await expect(Dataset.range(3).cache(path).toArray()).resolves.toEqual([0, 1, 2]);
});

test('its name is the path of a folder', () => {
  expect(() => Dataset.range(1).cache('')).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARG_VALUE' }));
  expect(() => Dataset.range(1).cache(true as never)).toThrow(
    expect.objectContaining({ code: 'ERR_INVALID_ARG_TYPE' }),
  );
});

function nested(depth: number): unknown {
  let value: unknown = {};
  for (let i = 0; i < depth; i++) value = { value };
  return value;
}

function edit(from: string, to: string): (path: string) => void {
  return (path) => {
    const file = join(path, 'cache.json');
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(from);
    writeFileSync(file, text.replace(from, to));
  };
}

function flip(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes[at]! ^= 1;
  writeFileSync(file, bytes);
}
