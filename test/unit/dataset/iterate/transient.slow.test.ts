/** Batches that are valid until the next step: `iterate({ transient: true })`. */
import { isDeepStrictEqual } from 'node:util';

import { encodeExample, fixedLen, fixedLenSequence, float, int64, varLen } from '../../../../lib';
import { Dataset } from '../../../../lib/dataset';
import { plainFeatures } from '../../../support/examples/plain-values';
import { Folder } from '../../../support/records/record-files';

const folder = new Folder();
afterAll(() => folder.remove());

const COUNT = 1000;
const SPEC = {
  id: fixedLen([], 'int64'),
  scores: varLen('float32'),
  steps: fixedLenSequence([], 'int64', { allowMissing: true }),
};
const records = Array.from({ length: COUNT }, (_, i) =>
  encodeExample({
    id: int64(i),
    scores: float(Array.from({ length: i % 5 }, (_, k) => i + k / 8)),
    steps: int64(Array.from({ length: i % 9 }, (_, k) => 1e9 + k)),
  }),
);
const file = folder.write('records.tfrecord', records);
const parsed = Dataset.tfrecord(file).parse(SPEC);
type Elements<D> = D extends AsyncIterable<infer T> ? T : never;
type Batch = Elements<ReturnType<typeof parsed.batch>>;

/**
 * Returns the batches; for each one, whether its values were unchanged at the next step; and the number of buffers that
 * the batches lay in.
 */
async function run(dataset: Dataset<Batch, unknown>): Promise<{ found: unknown[]; kept: boolean[]; buffers: number }> {
  const found: unknown[] = [];
  const kept: boolean[] = [];
  const buffers = new Set<ArrayBufferLike>();
  let last: Batch | undefined;
  const look = (): void => {
    if (last === undefined) return;
    // Its memory may be overwritten, but is not taken away.
    expect(last.id.length + last.scores.values.length + last.steps.data.length).toBeGreaterThan(0);
    kept.push(isDeepStrictEqual(BigInt64Array.from(last.id), ids));
  };
  let ids = new BigInt64Array(0);
  for await (const batch of dataset.iterate({ transient: true, epoch: 0 })) {
    look();
    found.push(plainFeatures(batch));
    ids = BigInt64Array.from(batch.id as BigInt64Array);
    buffers.add(batch.id.buffer);
    last = batch;
  }
  look();
  return { found, kept, buffers: buffers.size };
}

async function plain(dataset: Dataset<Batch, unknown>): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const batch of dataset.iterate({ epoch: 0 })) found.push(plainFeatures(batch));
  return found;
}

const shuffled = parsed.shuffle(100, { seed: 3 });
const SERVING = {
  'small batches': parsed.batch(7),
  'batches that are parsed beside JavaScript': parsed.batch(500),
  'batches of gathered records': shuffled.batch(64),
  'batches that are parsed when they are there': Dataset.tfrecord(file).batch(64).parse(SPEC),
  'take, skip and repeat': parsed.batch(64).skip(2).take(9).repeat(3),
  prefetch: parsed.batch(64).prefetch(3),
  'batches in another order': parsed.batch(64).shuffle(4, { seed: 1 }).seed(7).repeat(2),
  'what is at fault is skipped': parsed.batch(64).onError('skip'),
};
test.each(Object.entries(SERVING))('%s', async (_, dataset) => {
  const { found, buffers } = await run(dataset);
  expect(found).toEqual(await plain(dataset as never));
  expect(buffers).toBeLessThan(found.length);
});

test('the memory of one batch serves the next', async () => {
  const buffers = new Set<ArrayBufferLike>();
  let batches = 0;
  for await (const { id, scores, steps } of parsed.batch(64).iterate({ transient: true })) {
    for (const column of [id, scores.values, steps.data]) buffers.add(column.buffer);
    batches++;
  }
  // A slab for what is parsed and one for what is padded, of the batch in hand and of the next.
  expect(batches).toBeGreaterThan(10);
  expect(buffers.size).toBeLessThanOrEqual(4);
});

test('a record at fault in the middle of a batch is left out of it', async () => {
  const damaged = records.map((record, i) => (i % 100 === 70 ? encodeExample({ scores: float(1) }) : record));
  const path = folder.write('damaged.tfrecord', damaged);
  for (const dataset of [
    Dataset.tfrecord(path).batch(64).parse(SPEC).onError('skip'),
    Dataset.tfrecord(path).parse(SPEC).batch(64).onError('skip'),
  ]) {
    const { found, buffers } = await run(dataset);
    expect(found).toEqual(await plain(dataset as never));
    expect(buffers).toBeLessThan(found.length);
  }
});

const half = parsed.take(500).batch(64);
const STAY = {
  cache: parsed.batch(64).cache().repeat(2),
  'what a callback has seen': parsed.batch(64).map((batch) => batch),
  'batches that are taken apart, and put together again': parsed.batch(64).rebatch(50),
  'several datasets': half.concatenate(half),
};
test.each(Object.entries(STAY))('%s: stays', async (_, dataset) => {
  const { found, kept } = await run(dataset);
  expect(found).toEqual(await plain(dataset as never));
  expect(kept).not.toContain(false);
});

test('chunks: until the next chunk', async () => {
  const ids: bigint[] = [];
  let last: readonly Batch[] = [];
  for await (const chunk of parsed.batch(10).chunks({ transient: true, size: 4 })) {
    for (const { id } of last) expect(id).toHaveLength(10);
    for (const { id } of chunk) ids.push(...id);
    last = chunk;
  }
  expect(ids).toEqual(Array.from({ length: COUNT }, (_, i) => BigInt(i)));
});

test('elements of other kinds, and memory of the user, stay', async () => {
  const own = [Float32Array.of(1), Float32Array.of(2)];
  for await (const value of Dataset.from(own).iterate({ transient: true })) expect(value).toHaveLength(1);
  expect(own).toEqual([Float32Array.of(1), Float32Array.of(2)]);
  const rows: { readonly id: bigint }[] = [];
  for await (const row of parsed.iterate({ transient: true })) rows.push(row);
  expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: COUNT }, (_, i) => BigInt(i)));
  const raw: Uint8Array[] = [];
  for await (const batch of Dataset.tfrecord(file).batch(64).iterate({ transient: true })) raw.push(...batch);
  expect(raw).toEqual(records);
});

test('what was given last stays where a loop is left, and a state tells where to go on', async () => {
  const steps = parsed.batch(64).iterate({ transient: true });
  let last: Batch | undefined;
  for await (const batch of steps) {
    if (batch.id[0] !== 128n) continue;
    last = batch;
    break;
  }
  expect(Array.from(last!.id)).toEqual(Array.from({ length: 64 }, (_, i) => BigInt(128 + i)));
  expect((await steps.next()).done).toBe(true);
  expect(last!.id).toHaveLength(64);
  const state = steps.state();
  const ids: bigint[] = [];
  for await (const { id } of parsed.batch(64).iterate({ state, transient: true })) ids.push(...id);
  expect(ids).toEqual(Array.from({ length: COUNT - 192 }, (_, i) => BigInt(192 + i)));
});

test('two iterators have memory of their own', async () => {
  const [a, b] = [parsed.batch(64).iterate({ transient: true }), parsed.batch(64).iterate({ transient: true })];
  for (let at = 0; at < COUNT; at += 64) {
    const [left, right] = [(await a.next()).value!, (await b.next()).value!];
    expect([left.id[0], right.id[0]]).toEqual([BigInt(at), BigInt(at)]);
    expect(plainFeatures(left)).toEqual(plainFeatures(right));
  }
  await Promise.all([a.return(), b.return()]);
});

test('other values throw', () => {
  expect(() => parsed.iterate({ transient: 1 as never })).toThrow(
    expect.objectContaining({ code: 'ERR_INVALID_ARG_TYPE' }),
  );
});
