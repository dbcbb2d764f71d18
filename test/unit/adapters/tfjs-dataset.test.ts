/**
 * Datasets for the models of tfjs: the results of their iterators, when files are closed, and how training is resumed.
 */
import { setImmediate } from 'node:timers/promises';

import '@tensorflow/tfjs-backend-cpu';
import * as tf from '@tensorflow/tfjs-core';
import { generator, zip } from '@tensorflow/tfjs-data';
import { layers, sequential, type Sequential } from '@tensorflow/tfjs-layers';

import { Dataset, encodeExample, fixedLen, float, int64, type DatasetState } from '../../../lib';
import { toTensors, toTfjsDataset, type TensorChoice, type TfjsDatasetOptions } from '../../../lib/adapters/tfjs';
import { descriptorsIn } from '../../support/running/descriptors';
import { onLinux } from '../../support/on-linux';
import { Folder } from '../../support/records/record-files';
import { thrown } from '../../support/thrown';

tf.enableProdMode(); // else its backend prints advice
const folder = new Folder();
afterAll(() => {
  folder.remove();
});
let before = 0;
beforeEach(() => {
  before = tf.memory().numTensors;
});
afterEach(() => {
  expect(tf.memory().numTensors).toBe(before);
});

/** Twelve records x = id, y = 2 id + 1. */
const file = folder.write(
  'line.tfrecord',
  Array.from({ length: 12 }, (_, id) => encodeExample({ x: float(id), y: float(2 * id + 1), id: int64(id) })),
);
const spec = { x: fixedLen([1], 'float32'), y: fixedLen([1], 'float32'), id: fixedLen([], 'int64') };
const line = Dataset.tfrecord(file).parse(spec).shuffle(12).batch(4).seed(7);
const CHOICE = { xs: 'id', ys: 'y' } as const;

/** The ids of each batch, as tfjs is given them. */
async function ids(iterator: { next(): Promise<IteratorResult<unknown>> }, most = Infinity): Promise<number[][]> {
  const given: number[][] = [];
  while (given.length < most) {
    const { value, done } = await iterator.next();
    if (done === true) break;
    const { xs, ys } = value as { xs: tf.Tensor; ys: tf.Tensor };
    given.push([...xs.dataSync()]);
    tf.dispose([xs, ys]);
  }
  return given;
}
/** The same of our own iterator. */
async function epoch(number: number): Promise<number[][]> {
  const given: number[][] = [];
  for await (const { id } of line.iterate({ epoch: number })) given.push([...id].map(Number));
  return given;
}

test('names: one, a list, and by the names of a model', async () => {
  const shapes = async (choice: TensorChoice): Promise<unknown> => {
    const dataset = toTfjsDataset(line, choice);
    const { value } = await (await dataset.iterator()).next();
    const shown = JSON.parse(JSON.stringify(value, (_key, each) => (each instanceof tf.Tensor ? each.shape : each)));
    tf.dispose(value);
    await dataset.stop();
    return shown;
  };
  expect(await shapes(CHOICE)).toEqual({ xs: [4], ys: [4, 1] });
  expect(await shapes({ xs: ['x', 'id'], ys: { out: 'y' } })).toEqual({ xs: [[4, 1], [4]], ys: { out: [4, 1] } });
  // Two tensors: both are disposed of.
  expect(await shapes({ xs: 'x', ys: 'x' })).toEqual({ xs: [4, 1], ys: [4, 1] });
});

test('a generator of tfjs takes its own tensors, and makes three tensors of one of ours', async () => {
  const rows = await Dataset.tfrecord(file).parse(spec).take(2).toArray();
  const first = async (yields: () => Iterator<unknown>, batch?: number): Promise<Record<string, unknown>> => {
    const made = generator(yields as () => Iterator<tf.TensorContainer>);
    const { value } = await (await (batch === undefined ? made : made.batch(batch)).iterator()).next();
    return value as Record<string, unknown>;
  };
  // As docs/datasets.md says, without an error.
  const apart = await first(() => rows.map(({ x }) => ({ x })).values(), 2);
  expect(Object.keys(apart['x'] as object)).toEqual(['dtype', 'shape', 'data']);
  expect(Object.values(apart['x'] as object).every((part) => part instanceof tf.Tensor)).toBe(true);
  // The cures of the page.
  const batches = await first(() => [toTensors(rows)].values());
  expect((batches['x'] as tf.Tensor).shape).toEqual([2, 1]);
  const values = await first(() => rows.map(({ x }) => ({ x: tf.tensor(x.data, [...x.shape]) })).values(), 2);
  expect((values['x'] as tf.Tensor).shape).toEqual([2, 1]);
  // A row is no batch: the error names the cure.
  expect(thrown(() => toTensors(rows[0]))).toMatchObject({
    code: 'TFR_FEATURE',
    message: expect.stringContaining('toTensors([row])'),
  });
  tf.disposeVariables();
  tf.dispose([apart, batches, values] as never);
});

test('features and label, as Dataset.examples has them', async () => {
  const labeled = Dataset.examples(file, spec, { batch: 12, epochs: 1, shuffle: false, label: 'y' });
  const computed = await (await toTfjsDataset(labeled, ([{ x }, y]) => ({ xs: x, ys: y })).iterator()).next();
  const named = await (await toTfjsDataset(labeled, { xs: '0.id', ys: '1' }).iterator()).next();
  expect([...computed.value.ys.dataSync()]).toEqual([...named.value.xs.dataSync()].map((id) => 2 * id + 1));
  expect([computed.value.xs.shape, named.value.ys.shape]).toEqual([
    [12, 1],
    [12, 1],
  ]);
  tf.dispose([computed.value, named.value]);
});

test('a function of the tensors: what it does not return is disposed of', async () => {
  const dataset = toTfjsDataset(line, ({ x, y }) => ({ xs: tf.mul(tf.add(x, 1), 2), ys: y }), { epoch: 3 });
  const { value } = await (await dataset.iterator()).next();
  expect(tf.memory().numTensors).toBe(before + 2);
  const [first] = await epoch(3);
  expect([...value.xs.dataSync()]).toEqual(first!.map((id) => 2 * (id + 1)));
  tf.dispose(value);
  await dataset.stop();
});

test('each iterator that is used is the next epoch; one that is not is none', async () => {
  const dataset = toTfjsDataset(line, CHOICE, { epoch: 1 });
  await dataset.iterator();
  expect(await ids(await dataset.iterator())).toEqual(await epoch(1));
  expect(await ids(await dataset.iterator())).toEqual(await epoch(2));
  expect(await epoch(1)).not.toEqual(await epoch(2));
});

test('stages of tfjs-data, which ask for many at a time', async () => {
  const dataset = toTfjsDataset(line, CHOICE);
  expect(await ids(await dataset.prefetch(3).iterator())).toEqual(await epoch(0));
  const iterator = await dataset.iterator();
  const steps = await Promise.all([iterator.next(), iterator.next(), iterator.next(), iterator.next()]);
  expect(steps.map(({ done }) => done)).toEqual([false, false, false, true]);
  tf.dispose(steps.map(({ value }) => value as tf.TensorContainer));
  const pairs = await zip([dataset, dataset]).toArray();
  expect(pairs).toHaveLength(3);
  tf.dispose(pairs);
});

test('the size', () => {
  expect(toTfjsDataset(line, CHOICE).size).toBeNull();
  expect(toTfjsDataset(Dataset.range(7).batch(2), (xs) => ({ xs })).size).toBe(4);
});

test.each([0, 1, 2, 3])('a state after %d batches, through JSON', async (taken) => {
  const dataset = toTfjsDataset(line, CHOICE, { epoch: 5 });
  const given = await ids(await dataset.iterator(), taken);
  const state = JSON.parse(JSON.stringify(dataset.state())) as DatasetState;
  await dataset.stop();
  expect(dataset.state()).toEqual(state);
  const resumed = toTfjsDataset(line, CHOICE, { state });
  expect(resumed.state()).toMatchObject({ epoch: 5, position: taken });
  expect([...given, ...(await ids(await resumed.iterator()))]).toEqual(await epoch(5));
  expect(await ids(await resumed.iterator())).toEqual(await epoch(6));
});

test('at the end of an epoch its state says so', async () => {
  const dataset = toTfjsDataset(line, CHOICE);
  await ids(await dataset.iterator());
  expect(dataset.state()).toMatchObject({ epoch: 0, position: 3, place: null });
  const resumed = toTfjsDataset(line, CHOICE, { state: dataset.state() });
  expect(await ids(await resumed.iterator())).toEqual([]);
  expect(await ids(await resumed.iterator())).toEqual(await epoch(1));
});

onLinux('files are closed at the end, after an error, and by stop()', async () => {
  const opened = (): number => descriptorsIn(folder.path);
  const many = Dataset.tfrecord(file, { batchBytes: 4096 }).parse(spec).repeat(10_000).batch(4);
  const whole = toTfjsDataset(line, CHOICE);
  await ids(await whole.iterator());
  expect(opened()).toBe(0);

  const dataset = toTfjsDataset(many, CHOICE);
  const [one, two] = [await dataset.iterator(), await dataset.iterator()];
  await ids(one, 2);
  await ids(two, 1);
  expect(opened()).toBeGreaterThan(0);
  await dataset.stop();
  expect(opened()).toBe(0);
  expect(await ids(one)).toEqual([]);
  // What was stopped is over, not the dataset.
  expect(await ids(await dataset.iterator(), 1)).toHaveLength(1);
  await dataset[Symbol.asyncDispose]();
  expect(opened()).toBe(0);

  const failing = toTfjsDataset(many, () => {
    throw new Error('no');
  });
  await expect((await failing.iterator()).next()).rejects.toThrow('no');
  expect(opened()).toBe(0);
});

test('what a tensor cannot hold: the file, the record and the byte', async () => {
  const path = folder.write(
    'long.tfrecord',
    [1n, 2n ** 40n, 3n].map((id) => encodeExample({ id: int64(id) })),
  );
  const batches = Dataset.tfrecord(path).parse({ id: spec.id }).batch(3);
  const dataset = toTfjsDataset(batches, { xs: 'id', ys: 'id' });
  const iterator = await dataset.iterator();
  await expect(iterator.next()).rejects.toMatchObject({
    code: 'TFR_FEATURE',
    feature: 'id',
    file: path,
    record: 1,
    offset: expect.any(Number),
    message: expect.stringContaining('in record 1 of'),
  });
  expect(await iterator.next()).toEqual({ value: null, done: true });
  // Columns that are not chosen are not looked at.
  const others = Dataset.tfrecord(path)
    .parse({ id: spec.id })
    .map(({ id }) => ({ id, x: 1 }))
    .batch(3);
  expect(await ids(await toTfjsDataset(others, { xs: 'x', ys: 'x' }).iterator())).toEqual([[1, 1, 1]]);
});

test.each([98, 99, 100, 101])('two steps at a time: batch %d has its own record', async (bad) => {
  const path = folder.write(
    'many.tfrecord',
    Array.from({ length: 110 }, () => Buffer.of(1)),
  );
  // Elements that are there at once are given without a wait.
  const batches = Dataset.tfrecord(path).map((_, { index }) => ({ id: [index === bad ? 2n ** 40n : 1n] }));
  const iterator = await toTfjsDataset(batches, { xs: 'id', ys: 'id' }).iterator();
  const pair = () => Promise.allSettled([iterator.next(), iterator.next()]);
  for (let i = 0; i < 102; i += 2) {
    const steps = await pair();
    const failed = steps.filter((step) => step.status === 'rejected');
    const records = failed.map(({ reason }) => (reason as { record: number }).record);
    expect(records).toEqual(i <= bad && bad < i + 2 ? [bad] : []);
    for (const step of steps) if (step.status === 'fulfilled') tf.dispose(step.value.value as tf.TensorContainer);
  }
});

test('how much is held ahead is an option of every epoch', async () => {
  const iterate = jest.spyOn(line, 'iterate');
  const dataset = toTfjsDataset(line, CHOICE, { bytes: 1000, epoch: 4 });
  for (let i = 0; i < 2; i++) await ids(await dataset.iterator());
  const given = iterate.mock.calls;
  iterate.mockRestore();
  expect(given).toEqual([[{ bytes: 1000, epoch: 4 }], [{ bytes: 1000, epoch: 5 }]]);
});

test('errors of the dataset, and an abort', async () => {
  const lacking = toTfjsDataset(Dataset.tfrecord(folder.at('none')).parse(spec).batch(2), CHOICE);
  await expect((await lacking.iterator()).next()).rejects.toMatchObject({ code: 'ENOENT' });
  const stop = new AbortController();
  const iterator = await toTfjsDataset(line, CHOICE, { signal: stop.signal }).iterator();
  await ids(iterator, 1);
  stop.abort(new Error('enough'));
  await expect(iterator.next()).rejects.toThrow('enough');
});

test.each<[string, () => unknown, object]>([
  ['no dataset', () => toTfjsDataset([] as never, CHOICE), { code: 'ERR_INVALID_ARG_TYPE' }],
  ['no choice', () => toTfjsDataset(line, 'x' as never), { code: 'ERR_INVALID_ARG_TYPE' }],
  ['a choice without targets', () => toTfjsDataset(line, { xs: 'x' } as never), { code: 'ERR_INVALID_ARG_TYPE' }],
  ['an unknown part', () => toTfjsDataset(line, { ...CHOICE, zs: 'x' } as never), { code: 'ERR_INVALID_ARG_VALUE' }],
  [
    'an unknown option',
    () => toTfjsDataset(line, CHOICE, { batch: 2 } as TfjsDatasetOptions),
    { code: 'ERR_INVALID_ARG_VALUE' },
  ],
  [
    'an epoch beside a state',
    () => toTfjsDataset(line, CHOICE, { epoch: 1, state: line.iterate().state() }),
    { code: 'ERR_INVALID_ARG_TYPE' },
  ],
  [
    'a state of another dataset',
    () => toTfjsDataset(line, CHOICE, { state: Dataset.range(2).iterate().state() }),
    { code: 'TFR_STATE_MISMATCH' },
  ],
])('%s is refused at once', (_name, run, details) => {
  expect(thrown(run)).toMatchObject(details);
});

test('a feature called then', async () => {
  const { value } = await (await toTfjsDataset(Dataset.from([{ then: [1] }]), (tensors) => tensors).iterator()).next();
  expect([...value.then.dataSync()]).toEqual([1]);
  tf.dispose(value);
});

test('what is refused at the first batch: a column that is not there, a promise', async () => {
  const first = async (dataset: { iterator(): Promise<{ next(): Promise<unknown> }> }): Promise<unknown> =>
    (await dataset.iterator()).next();
  await expect(first(toTfjsDataset(line, { xs: 'z', ys: 'y' }))).rejects.toThrow(
    /"choice.xs" must be one of the columns of the batch \("x", "y", "id"\)/,
  );
  const failing = async ({ x }: { x: tf.Tensor }): Promise<object> => {
    await setImmediate();
    return { xs: tf.neg(x) };
  };
  for (const made of [async () => ({}), failing]) {
    await expect(first(toTfjsDataset(line, made as never))).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
  }
  // What comes of the promise, whose tensors are gone, is nobody's business: Jest would tell of it.
  await setImmediate();
  await setImmediate();
});

describe('fitDataset', () => {
  let model: Sequential;
  beforeEach(() => {
    model = sequential({ layers: [layers.dense({ units: 1, inputShape: [1] })] });
    model.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
  });
  afterEach(() => {
    model.dispose();
    model.optimizer.dispose();
  });
  // Its types are looked at in test/types.
  const fit = (dataset: unknown, args: object): Promise<unknown> =>
    model.fitDataset(dataset as never, { verbose: 0, ...args } as never);
  const evaluate = async (dataset: unknown): Promise<tf.Scalar> =>
    (await model.evaluateDataset(dataset as never, {})) as tf.Scalar;
  /** What of each batch of each epoch was trained on. */
  const recorded = (options?: TfjsDatasetOptions) => {
    const seen: number[][] = [];
    const dataset = toTfjsDataset(
      line,
      ({ x, y, id }) => {
        seen.push([...id.dataSync()]);
        return { xs: tf.div(x, 12), ys: tf.div(y, 24) };
      },
      options,
    );
    return { seen, dataset };
  };

  test('takes it, epoch by epoch, and evaluateDataset, too', async () => {
    const { seen, dataset } = recorded();
    await fit(dataset, { epochs: 2 });
    expect(seen).toEqual([...(await epoch(0)), ...(await epoch(1))]);
    const loss = await evaluate(dataset);
    expect(loss.dataSync()[0]).toBeGreaterThan(0);
    loss.dispose();
  });

  test('stopped in an epoch, goes on with the rest of it, and with those behind', async () => {
    const { seen, dataset } = recorded();
    await fit(dataset, {
      epochs: 3,
      callbacks: {
        onBatchEnd: async () => {
          if (seen.length === 5) model.stopTraining = true;
        },
      },
    });
    const state = dataset.state();
    await dataset.stop();
    const rest = recorded({ state });
    await fit(rest.dataset, { epochs: 3, initialEpoch: state.epoch });
    expect([...seen, ...rest.seen]).toEqual([...(await epoch(0)), ...(await epoch(1)), ...(await epoch(2))]);
  });

  test('with nothing left of the epoch', async () => {
    const { seen, dataset } = recorded();
    await fit(dataset, { epochs: 1 });
    const rest = recorded({ state: dataset.state() });
    await fit(rest.dataset, { epochs: 2, initialEpoch: 0 });
    expect([seen, rest.seen]).toEqual([await epoch(0), await epoch(1)]);
  });
});
