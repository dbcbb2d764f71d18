/** `mapWorker` gives the same results as `map`, from worker threads. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import {
  type RecordBatch,
  bytes,
  Dataset,
  encodeExample,
  fixedLen,
  float,
  int64,
  ragged,
  varLen,
  type MapWorkerOptions,
} from '../../../../lib';
import { comparable } from '../../../support/comparable';
import { expectChunkInvariant, expectResumes } from '../../../support/datasets/dataset-laws';
import { Folder, numberedRecords } from '../../../support/records/record-files';
import describeElement from '../modules/describe.cjs';

type Any = Dataset<unknown, unknown>;

const folder = new Folder();
afterAll(() => folder.remove());
const files = [0, 1, 2].map((i) => folder.write(`part-${i}`, numberedRecords(40, 10 + i)));
const spec = {
  id: fixedLen([], 'int64'),
  place: fixedLen([2], 'float32'),
  tags: varLen('bytes'),
  steps: ragged({ valueKey: 'more', dtype: 'bytes' }),
};
const examples = folder.write(
  'examples',
  Array.from({ length: 30 }, (_, i) => example(i)),
);

function example(i: number): Uint8Array {
  const tags = Array.from({ length: i % 4 }, (_, k) => `tag ${i}.${k}`);
  return encodeExample({ id: int64(BigInt(i)), place: float([i, i / 2]), tags: bytes(tags), more: bytes(tags) });
}

const moduleUrl = (name: string): URL => pathToFileURL(join(__dirname, '..', 'modules', name));
const records = (): Dataset<Uint8Array, RecordBatch> => Dataset.tfrecord(files);
const rows = (): Any => Dataset.tfrecord(examples).parse(spec);
const shared = { list: [new Float32Array([1, 2]), new Uint16Array([7])] };
const ring: Record<string, unknown> = { bytes: new Uint8Array([9, 9]) };
ring['self'] = [ring];

const kinds: Record<string, () => Any> = {
  numbers: () => Dataset.range(700),
  records,
  'records of a shuffle': () => records().shuffle(30),
  'batches of records': () => records().batch(7),
  'parsed rows': rows,
  'parsed batches': () => Dataset.tfrecord(examples).parse(spec).batch(4),
  'a padded shard': () => records().shard(7, 3, { by: 'record', uneven: 'pad' }),
  'pairs of records and numbers': () => Dataset.zip([records(), Dataset.range(50)]),
  'lists of anything': () =>
    Dataset.from([1, 'two', null, undefined, 3n, new Date(4), new Map([[5, new Set([6])]])]).batch(2),
  'typed arrays': () =>
    Dataset.from<unknown>([
      new Uint8Array([1, 2]),
      Buffer.from('text'),
      new Uint8Array(0),
      new Float64Array([0.5]),
      new DataView(new ArrayBuffer(3), 1),
      { deep: { at: [new BigInt64Array([1n, -1n]).subarray(1)], __proto__: null } },
    ]),
};

describe.each(Object.entries(kinds))('%s', (_, make) => {
  test('come over and back, with their contexts', async () => {
    const mapped = await make().seed(5).map(describeElement).toArray();
    const worked = await make().seed(5).mapWorker(moduleUrl('describe.cjs'), { workers: 1 }).toArray();
    expect(comparable(worked)).toEqual(comparable(mapped));
    expect(mapped.length).toBeGreaterThan(3);
  });
});

test('what is there twice stays one, and circles are no end', async () => {
  const made = await Dataset.from([{ a: shared, b: shared }, ring])
    .mapWorker<{ value: Record<string, unknown> }>(moduleUrl('describe.cjs'), { workers: 1 })
    .toArray();
  const [twice, circle] = made.map(({ value }) => value) as [Record<string, unknown>, Record<string, unknown>];
  expect(twice['a']).toBe(twice['b']);
  expect(comparable(twice['a'])).toEqual(comparable(shared));
  expect((circle['self'] as unknown[])[0]).toBe(circle);
  expect([...(circle['bytes'] as Uint8Array)]).toEqual([9, 9]);
});

test('tensors and batches are what they are in the worker, too', async () => {
  const told = async (dataset: Any): Promise<unknown> =>
    (await dataset.take(1).mapWorker(moduleUrl('classes.cjs'), { workers: 1 }).toArray())[0];
  const names = async (dataset: Any): Promise<unknown> =>
    ((await told(dataset)) as { name: string }[]).map(({ name }) => name);
  expect(await names(rows())).toEqual(['BigInt', 'DenseTensor', 'BytesArray', 'BytesArray']);
  expect(await names(Dataset.tfrecord(examples).parse(spec).batch(4) as Any)).toEqual([
    'BigInt64Array',
    'DenseTensor',
    'SparseTensor',
    'RaggedTensor',
  ]);
  expect(comparable(await told(records().batch(3)))).toEqual({
    name: 'RecordBatch',
    rows: undefined,
    first: comparable(numberedRecords(1, 10)[0]),
    origin: { file: files[0], record: 0, offset: 0, bytes: 10 },
  });
});

test('results are ordinary memory, of their own', async () => {
  const made = await records().mapWorker<{ value: Uint8Array }>(moduleUrl('describe.cjs'), { workers: 1 }).toArray();
  for (const { value } of made) expect(value.buffer.constructor.name).toBe('ArrayBuffer');
  made[0]!.value.fill(255);
  expect(comparable(made[1]!.value)).toEqual(comparable(numberedRecords(2, 10)[1]));
});

test.each([1, 2, 4])('%d workers: order and random numbers are those of one, in each epoch', async (workers) => {
  const plain = Dataset.range(500).map(describeElement);
  const worked = Dataset.range(500).mapWorker(moduleUrl('describe.cjs'), { workers, parallel: workers });
  expect(await worked.repeat(2).seed(42).toArray()).toEqual(await plain.repeat(2).seed(42).toArray());
});

test('ES modules, compiled modules, paths, promises, data', async () => {
  const numbers = Dataset.range(300);
  const sums = Array.from({ length: 300 }, (_, i) => i + 5);
  for (const parallel of [1, 8]) {
    for (const later of [false, true]) {
      const options = { workers: 2, parallel, data: { addend: 5, later } };
      expect(await numbers.mapWorker(moduleUrl('add.mjs'), options).toArray()).toEqual(sums);
    }
  }
  const path = join(__dirname, '..', 'modules', 'transpiled.cjs');
  expect(await numbers.take(3).mapWorker(path, { workers: 1 }).toArray()).toEqual([-0, -1, -2]);
  expect(await numbers.take(3).mapWorker(pathToFileURL(path).href).toArray()).toEqual([-0, -1, -2]);
});

test('it resumes at every place, with other workers, and chunks change nothing', async () => {
  const dataset = (workers: number): Any =>
    records().shuffle(20).mapWorker(moduleUrl('describe.cjs'), { workers }).take(30).repeat(2).seed(9);
  await expectResumes(dataset(2), { positions: [1, 30, 44], others: [dataset(1), dataset(3)] });
  await expectChunkInvariant(dataset(1));
});

test('it shows in explain() and stats(), and has the size of its input', async () => {
  const dataset = Dataset.range(100).mapWorker(moduleUrl('describe.cjs'), { workers: 2 });
  expect(dataset.size).toBe(100);
  expect(dataset.explain()).toMatch(/\nmapWorker$/);
  const elements = dataset.iterate();
  for await (const _ of elements);
  expect(elements.stats()).toEqual([
    expect.objectContaining({ stage: 'range', elements: 100 }),
    expect.objectContaining({ stage: 'mapWorker', elements: 100, skipped: 0 }),
  ]);
});

test('an interleave of datasets with workers', async () => {
  const make = (i: number): Dataset<number> =>
    Dataset.range(20 * i, 20 * i + 20).mapWorker<number>(moduleUrl('add.mjs'), {
      workers: 1,
      data: { addend: 1, later: true },
    });
  const plain = Dataset.range(6).interleave((i) => Dataset.range(20 * i + 1, 20 * i + 21), { cycleLength: 3 });
  expect(await Dataset.range(6).interleave(make, { cycleLength: 3 }).toArray()).toEqual(await plain.toArray());
});

test('the bytes that are held ahead bound what goes over', async () => {
  const buffers = Array.from({ length: 50 }, () => new Uint8Array(2 ** 20));
  const begun = async (mib: number, options: MapWorkerOptions, expected: number): Promise<number> => {
    const data = new Int32Array(new SharedArrayBuffer(4));
    const worked = Dataset.from(buffers).mapWorker(moduleUrl('count-calls.mjs'), { ...options, data });
    const elements = worked.iterate({ bytes: mib * 2 ** 20 });
    void elements.next();
    for (let i = 0; i < 400 && Atomics.load(data, 0) < expected; i++) await sleep(5);
    await sleep(20);
    await elements.return();
    return Atomics.load(data, 0);
  };
  // Chunks of no more than a sixteenth; no chunk more when all is used.
  expect(await begun(160, { workers: 1, parallel: 40 }, 10)).toBe(10);
  expect(await begun(1000, { workers: 1, parallel: 40 }, 40)).toBe(40);
  expect(await begun(2, { workers: 4 }, 2)).toBe(2);
  expect(await begun(100, { workers: 4 }, 4)).toBe(4);
});

test('a cache on the disk is that of one module and its data', async () => {
  const module = folder.at('module.cjs');
  const path = folder.at('cache');
  const made = (by: number): Dataset<unknown> =>
    Dataset.range(3).mapWorker(module, { workers: 1, data: { by } }).cache(path);
  writeFileSync(module, 'module.exports = (value, { data }) => value * data.by;');
  expect(await made(2).toArray()).toEqual([0, 2, 4]);
  expect(await made(2).toArray()).toEqual([0, 2, 4]);
  await expect(made(3).toArray()).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH' });
  writeFileSync(module, 'module.exports = (value, { data }) => value + data.by;');
  await expect(made(2).toArray()).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH' });
});
