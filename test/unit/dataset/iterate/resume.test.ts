/** States are small and exact, and belong to one dataset over the same files. */
import { appendFileSync, copyFileSync, rmSync, truncateSync } from 'node:fs';

import { Dataset, fixedLen, type DatasetState, type OnError } from '../../../../lib';
import { expectChunkInvariant, expectResumes } from '../../../support/datasets/dataset-laws';
import { writeParts } from '../../../support/examples/example-files';
import { Folder, numberedRecords } from '../../../support/records/record-files';
import { endedWell, runCase } from '../../../support/running/run-case';
import { usualPipeline } from '../cases/usual-pipeline';

const folder = new Folder();
afterAll(() => folder.remove());
const { records, plain, packed } = writeParts(folder);

beforeAll(() => jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined));

test('the usual pipeline resumes at each batch', async () => {
  const states = await expectResumes(usualPipeline(folder.path));
  expect(states.length).toBeGreaterThan(20);
  // What is held is not in it.
  for (const state of states) expect(JSON.stringify(state).length).toBeLessThan(1024);
});

test('a state is no larger for what the pipeline holds', async () => {
  const file = folder.write('big', numberedRecords(400, 2000));
  const dataset = Dataset.tfrecord(Array<string>(20).fill(file)).shuffle(3000).batch(64);
  const elements = dataset.iterate();
  for (let i = 0; i < 20; i++) await elements.next();
  expect(JSON.stringify(elements.state()).length).toBeLessThan(400);
  await elements.return();
});

test('in another process it goes on as in this one', async () => {
  const elements = usualPipeline(folder.path).iterate();
  for (let i = 0; i < 9; i++) await elements.next();
  const state = elements.state();
  const rest: unknown[] = [];
  for await (const batch of elements) rest.push(batch);
  expect(rest.length).toBeGreaterThan(5);
  const ended = await runCase('unit/dataset/cases/resume', { args: [folder.path, JSON.stringify(state)] });
  expect(ended).toEqual(endedWell(rest));
});

test('an iterator that is over resumes to its end; the next epoch is another', async () => {
  const dataset = usualPipeline(folder.path);
  const elements = dataset.iterate({ epoch: 3 });
  let count = 0;
  for await (const _ of elements) count++;
  const state = elements.state();
  expect(state).toMatchObject({ epoch: 3, position: count, place: null });
  expect(await next(dataset, state)).toEqual({ value: undefined, done: true });
  expect(dataset.iterate({ state }).state()).toEqual(state);
  const following = dataset.iterate({ epoch: state.epoch + 1 });
  const first = await dataset.iterate({ epoch: 3 }).next();
  expect((await following.next()).value).not.toEqual(first.value);
  await following.return();
});

test('a state is plain, and that of where it was taken', async () => {
  const elements = Dataset.range(5).iterate();
  const start = elements.state();
  expect(start).toMatchObject({ version: 1, order: 1, epoch: 0, call: 0, position: 0, place: [null, 0] });
  await elements.next();
  await elements.next();
  const state = elements.state();
  const before = JSON.stringify(state);
  expect(state).toEqual(JSON.parse(before));
  await elements.next();
  expect(JSON.stringify(state)).toBe(before);
  await elements.return();
  expect(start.position).toBe(0);
  expect(elements.state().position).toBe(3);
});

test('the iteration it belongs to is part of it', async () => {
  const dataset = Dataset.range(20).shuffle(20).seed(1);
  await dataset.toArray();
  const second = dataset.iterate();
  const given = [(await second.next()).value, (await second.next()).value];
  const state = second.state();
  expect(state.call).toBe(1);
  const rest: number[] = [];
  for await (const value of second) rest.push(value);
  const again: number[] = [];
  for await (const value of dataset.iterate({ state })) again.push(value);
  expect(again).toEqual(rest);
  expect([...given, ...rest].sort((a, b) => (a ?? 0) - (b ?? 0))).toEqual(Array.from({ length: 20 }, (_, i) => i));
});

test('another policy, or another seed for the next time, is no other dataset', async () => {
  const make = (): Dataset<number> => Dataset.range(20).shuffle(5);
  const state = await stateAfter(make().seed(1), 7);
  const whole = [];
  for await (const value of make().seed(1).iterate({ epoch: 0 })) whole.push(value);
  for (const other of [make(), make().onError('skip'), make().seed(2).onError('stop').prefetch(3)]) {
    const rest = [];
    for await (const value of other.iterate({ state })) rest.push(value);
    expect(rest).toEqual(whole.slice(7));
  }
});

describe('TFR_STATE_MISMATCH', () => {
  const mismatch = expect.objectContaining({ code: 'TFR_STATE_MISMATCH' });

  test('for other stages, and options that the order depends on', async () => {
    const make = (size: number): Dataset<number> => Dataset.range(10).shuffle(size);
    const state = await stateAfter(make(3), 2);
    const others: Dataset<unknown, unknown>[] = [
      make(4),
      Dataset.range(11).shuffle(3),
      Dataset.range(10).shuffle(3, { seed: 1 }),
      Dataset.range(10).shuffle(3, { reshuffle: false }),
      Dataset.range(10).shuffle('full'),
      Dataset.range(10),
      make(3).batch(2),
      make(3).map((x) => x),
      make(3).repeat(2),
      make(3).concatenate(make(3)),
      Dataset.range(10).interleave(() => Dataset.range(1)),
    ];
    for (const other of others) expect(() => other.iterate({ state })).toThrow(mismatch);
    const error = thrownBy(() => make(4).iterate({ state }));
    expect(error.message).toContain('shuffle[4');
    expect(error.message).toContain('shuffle[3');
  });

  test('for other options of interleave, batch, take and skip', async () => {
    const make = (options: object): Dataset<number> => Dataset.range(3).interleave(() => Dataset.range(2), options);
    const state = await stateAfter(make({ cycleLength: 2 }), 2);
    expect(() => make({ cycleLength: 3 }).iterate({ state })).toThrow(mismatch);
    expect(() => make({ cycleLength: 2, blockLength: 2 }).iterate({ state })).toThrow(mismatch);
    const ranges: [Dataset<unknown, unknown>, Dataset<unknown, unknown>][] = [
      [Dataset.range(9).batch(2), Dataset.range(9).batch(3)],
      [Dataset.range(9).batch(2), Dataset.range(9).batch(2, { dropRemainder: true })],
      [Dataset.range(9).take(4), Dataset.range(9).take(5)],
      [Dataset.range(9).skip(4), Dataset.range(9).skip(5)],
      [Dataset.range(9).repeat(4), Dataset.range(9).repeat()],
      [Dataset.range(9).enumerate(), Dataset.range(9).enumerate(1)],
    ];
    for (const [one, other] of ranges) {
      const taken = await stateAfter(one, 1);
      expect(() => other.iterate({ state: taken })).toThrow(mismatch);
    }
  });

  test('not for options of speed', async () => {
    const state = await stateAfter(
      Dataset.tfrecord(plain)
        .map((x) => x.length, { parallel: 4 })
        .prefetch(3),
      5,
    );
    const other = Dataset.tfrecord(plain, { readAhead: 3, batchBytes: 4096 }).map((x) => x.length, { parallel: 1 });
    expect((await next(other.prefetch(9), state)).value).toBe(40);
    expect((await next(other, state)).value).toBe(40);
  });

  test.each(['train-0', 'train-2.gz'])('for %s of another size', async (name) => {
    const file = folder.at(`grown-${name}`);
    copyFileSync(folder.at(name), file);
    const dataset = Dataset.tfrecord([plain[0]!, file]);
    const state = await stateAfter(dataset, 10);
    expect((await next(dataset, state)).done).toBe(false);
    appendFileSync(file, Buffer.alloc(16));
    await expect(next(dataset, state)).rejects.toEqual(mismatch);
    await expect(next(dataset, state)).rejects.toThrow(/expected file 1 of \d+ bytes, found \d+ bytes/);
    truncateSync(file, 20);
    await expect(next(dataset, state)).rejects.toEqual(mismatch);
    truncateSync(file, 0);
    await expect(next(dataset, state)).rejects.toEqual(mismatch);
    for (const onError of ['skip', 'stop'] satisfies OnError[]) {
      // It is no damage of the data, so nothing skips it.
      const kept = Dataset.tfrecord([plain[0]!, file], { onError });
      await expect(next(kept, state)).rejects.toEqual(mismatch);
    }
  });

  test('for other files', async () => {
    const state = await stateAfter(Dataset.tfrecord(plain), 10);
    await expect(next(Dataset.tfrecord(packed), state)).rejects.toEqual(mismatch);
    await expect(next(Dataset.tfrecord([...plain].reverse()), state)).rejects.toEqual(mismatch);
    await expect(next(Dataset.tfrecord([...plain, ...packed]), state)).rejects.toEqual(mismatch);
    const held = Dataset.tfrecord([...plain, ...packed])
      .shuffle(3)
      .repeat(2)
      .batch(2);
    const behindShuffle = await stateAfter(Dataset.tfrecord(plain).shuffle(3).repeat(2).batch(2), 3);
    await expect(next(held, behindShuffle)).rejects.toEqual(mismatch);
  });

  test('for a list of files that has changed', async () => {
    const make = (): Dataset<unknown, unknown> =>
      Dataset.files(`${folder.path}/list-*`).interleave((file) => Dataset.tfrecord(file), { cycleLength: 2 });
    for (let i = 0; i < 4; i++) folder.write(`list-${i}`, records.slice(10 * i, 10 * i + 3));
    const state = await stateAfter(make(), 7);
    expect((await next(make(), state)).done).toBe(false);
    const added = folder.write('list-5', records.slice(0, 3));
    await expect(next(make(), state)).rejects.toEqual(mismatch);
    const shuffled = (): Dataset<string> => Dataset.files(`${folder.path}/list-*`).shuffle('full').seed(1);
    const of5 = await stateAfter(shuffled(), 2);
    rmSync(added);
    await expect(next(shuffled(), of5)).rejects.toEqual(mismatch);
    rmSync(folder.at('list-1'));
    await expect(next(make(), state)).rejects.toEqual(mismatch);
  });

  test('for what is gone', async () => {
    const file = folder.write('gone', records);
    const dataset = Dataset.tfrecord(file);
    const state = await stateAfter(dataset, 10);
    rmSync(file);
    await expect(next(dataset, state)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('for another version, and what is no state of this package', async () => {
    const dataset = Dataset.range(5);
    const state = await stateAfter(dataset, 2);
    const wrong: object[] = [
      { ...state, version: 2 },
      { ...state, order: 2 },
      { ...state, seed: 'x' },
      { ...state, seed: 1 },
      { ...state, position: -1 },
      { ...state, epoch: 0.5 },
      { ...state, call: undefined },
      { ...state, place: undefined },
      { ...state, place: [1] },
      { ...state, place: 'here' },
      { ...state, place: [1, -1] },
      { ...state, place: [1n, 0] },
      { ...state, position: 1n },
      { ...state, place: JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)) as unknown },
      {},
      [],
    ];
    for (const other of wrong) expect(() => dataset.iterate({ state: other as DatasetState })).toThrow(mismatch);
    for (const other of ['', 1, null, JSON.stringify(state)]) {
      expect(() => dataset.iterate({ state: other as never })).toThrow(TypeError);
    }
    expect(() => dataset.iterate({ state, epoch: 1 })).toThrow(TypeError);
  });
});

test('a state that was changed is refused; the order of its names is nothing', async () => {
  const mismatch = expect.objectContaining({ code: 'TFR_STATE_MISMATCH' });
  const datasets: Dataset<unknown, unknown>[] = [
    Dataset.range(50).shuffle(5),
    Dataset.range(50).batch(2).unbatch(),
    Dataset.range(9).flatMap((n) => Dataset.range(n).shuffle(2)),
  ];
  for (const dataset of datasets) {
    const state = await stateAfter(dataset, 7);
    expect((await next(dataset, Object.fromEntries(Object.entries(state).reverse()) as never)).done).toBe(false);
    const text = JSON.stringify(state.place);
    for (const [number] of text.matchAll(/\d+/g)) {
      const place: unknown = JSON.parse(text.replace(number, '9e15'));
      expect(() => dataset.iterate({ state: { ...state, place } })).toThrow(mismatch);
    }
    const changes = [
      { place: [[], 0] },
      { place: [null, 3] },
      { position: 6 },
      { epoch: 1 },
      { seed: '5' },
      { sum: '' },
    ];
    for (const change of changes) expect(() => dataset.iterate({ state: { ...state, ...change } })).toThrow(mismatch);
  }
});

test('records parsed alike go into one batch: of several passes, and of inputs with a spec of their own', async () => {
  const parsed = (file: string): Dataset<{ readonly id: bigint }, { readonly id: BigInt64Array }> =>
    Dataset.tfrecord(file).parse({ id: fixedLen([], 'int64') });
  const files = Dataset.files(`${folder.path}/train-*`);
  const datasets = [
    parsed(`${folder.path}/train-*`).repeat(2).batch(13),
    files.interleave(parsed, { cycleLength: 2 }).batch(13),
    files.interleave(parsed, { cycleLength: 2 }).shuffle(9).batch(13),
    parsed(folder.at('train-0'))
      .concatenate(parsed(folder.at('train-1')))
      .batch(13),
  ];
  for (const dataset of datasets) {
    for (const batch of await dataset.toArray()) expect(batch.id).toBeInstanceOf(BigInt64Array);
    await expectResumes(dataset);
    await expectChunkInvariant(dataset);
  }
});

test('nothing is opened before the first element is asked for', async () => {
  const dataset = Dataset.tfrecord(folder.at('nowhere')).parse({ id: fixedLen([], 'int64') });
  const elements = dataset.iterate();
  expect(elements.state().position).toBe(0);
  await expect(elements.next()).rejects.toMatchObject({ code: 'ENOENT' });
});

async function next<T>(dataset: Dataset<T, unknown>, state: DatasetState): Promise<IteratorResult<T, undefined>> {
  const elements = dataset.iterate({ state: JSON.parse(JSON.stringify(state)) as DatasetState });
  try {
    return await elements.next();
  } finally {
    await elements.return();
  }
}

async function stateAfter(dataset: Dataset<unknown, unknown>, count: number): Promise<DatasetState> {
  const elements = dataset.iterate();
  for (let i = 0; i < count; i++) await elements.next();
  const state = elements.state();
  await elements.return();
  return state;
}

function thrownBy(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}
