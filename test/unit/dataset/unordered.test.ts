/** `ordered: false`: elements come as they are made, and each once, also across a stop. */
import { setTimeout as sleep } from 'node:timers/promises';

import { Dataset, type DatasetState, type TFRecordError } from '../../../lib';
import { settles } from '../../support/settles';
import { Folder, numberedRecords } from '../../support/record-files';

const folder = new Folder();
afterAll(() => folder.remove());
const file = folder.write('records.tfrecord', numberedRecords(40, 8));
const COUNT = 60;
const ALL = Array.from({ length: COUNT }, (_, i) => i);
const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

let calls = 0;
/** The same, but slow for others each time. */
const fickle = async (n: number): Promise<number> => {
  for (let steps = (calls++ * 7) % 5; steps > 0; steps--) await Promise.resolve();
  return n;
};

/** Slow for some, at once for others. */
const uneven = async (n: number): Promise<number> => {
  if (n % 7 === 0) await sleep(2);
  else if (n % 3 === 0) await Promise.resolve();
  return n;
};

const mapped = (parallel = 8): Dataset<number> => Dataset.range(COUNT).map(uneven, { parallel, ordered: false });
/** 0 to 59, in tens. */
const interleaved = (cycleLength = 3): Dataset<number> =>
  Dataset.range(6).interleave(
    (i) => Dataset.range(10 * i, 10 * i + 10).map(async (n) => (n % 4 === 0 ? (await sleep(1), n) : n)),
    {
      cycleLength,
      ordered: false,
    },
  );

async function first<T>(
  dataset: Dataset<T, unknown>,
  count: number,
  state?: DatasetState,
): Promise<{ values: T[]; state: DatasetState }> {
  const elements = dataset.iterate({ state });
  const values: T[] = [];
  while (values.length < count) {
    const step = await elements.next();
    if (step.done === true) break;
    values.push(step.value);
  }
  const behind = JSON.parse(JSON.stringify(elements.state())) as DatasetState;
  await elements.return();
  return { values, state: behind };
}

/** Wherever it stops, and stops again, what is given in all is everything, once. */
async function expectOnce(make: () => Dataset<number, unknown>, all: readonly number[]): Promise<void> {
  for (let position = 0; position <= all.length; position += 2 + (position % 5)) {
    const begun = await first(make(), position);
    expect(begun.values).toHaveLength(position);
    expect(begun.state).not.toHaveProperty('exact');
    const middle = await first(make(), 1 + (position % 11), begun.state);
    const rest = await first(make(), Infinity, middle.state);
    expect({ position, given: sorted([...begun.values, ...middle.values, ...rest.values]) }).toEqual({
      position,
      given: sorted(all),
    });
  }
}

describe('map', () => {
  test('what is slow holds nothing back', async () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const elements = Dataset.range(30)
      .map(async (n) => (n === 2 ? (await gate, n) : n), { parallel: 4, ordered: false })
      .iterate();
    const given: unknown[] = [];
    for (let i = 0; i < 29; i++) given.push((await elements.next()).value);
    expect(given).toEqual(Array.from({ length: 30 }, (_, n) => n).filter((n) => n !== 2));
    open();
    await expect(elements.next()).resolves.toEqual({ value: 2, done: false });
    await expect(elements.next()).resolves.toEqual({ value: undefined, done: true });
  });

  test('each once, wherever it stops', async () => {
    await expectOnce(() => mapped(), ALL);
    await expectOnce(() => mapped(1), ALL);
    const kept = ALL.map((n) => n + 1).filter((n) => n % 5 !== 0);
    const behind = (): Dataset<number> =>
      Dataset.range(COUNT)
        .map(fickle, { parallel: 9, ordered: false })
        .map((n) => n + 1)
        .filter((n) => n % 5 !== 0)
        .prefetch(4)
        .take(1000);
    await expectOnce(behind, kept);
  });

  test('in chunks, too', async () => {
    for (const size of [1, 3, 256]) {
      const chunks = mapped().chunks({ size });
      const given: number[] = [];
      for (let i = 0; i < 4; i++) given.push(...((await chunks.next()).value ?? []));
      const state = chunks.state();
      await chunks.return();
      const rest = await first(mapped(), Infinity, state);
      expect(sorted([...given, ...rest.values])).toEqual(ALL);
    }
  });

  test('elements keep their records, numbers and random numbers', async () => {
    const records = Dataset.tfrecord(file).seed(5);
    const look = async (
      record: Uint8Array,
      { origin, index, rng }: { origin: unknown; index: number; rng: { int(n: number): number } },
    ): Promise<[number, unknown, number, number]> => {
      const drawn = rng.int(1000);
      const n = await uneven(Buffer.from(record).readUInt32LE(0));
      return [n, origin, index, drawn];
    };
    const inOrder = await records.map(look, { parallel: 4 }).toArray();
    const elements = records.map(look, { parallel: 4, ordered: false }).iterate();
    const asTheyCome: [number, unknown, number, number][] = [];
    for await (const value of elements) {
      expect(elements.origin).toEqual(value[1]);
      asTheyCome.push(value);
    }
    expect(asTheyCome).not.toEqual(inOrder);
    expect(asTheyCome.sort(([a], [b]) => a - b)).toEqual(inOrder);
  });

  test('a call that hangs holds back no more than a window', async () => {
    let calls = 0;
    const hang = async (n: number): Promise<number> => (calls++, n === 0 ? new Promise<number>(() => undefined) : n);
    const elements = Dataset.range(10_000).map(hang, { parallel: 2, ordered: false }).iterate();
    for (let i = 0; i < 31; i++) await elements.next();
    const pending = elements.next();
    expect(await settles(() => calls >= 32)).toBe(true);
    await sleep(5);
    expect(calls).toBe(32);
    expect(JSON.stringify(elements.state()).length).toBeLessThan(600);
    await elements.return();
    await expect(pending).resolves.toMatchObject({ done: true });
  });

  test('errors: what is there comes before; skip and stop', async () => {
    const failing = (action?: 'skip' | 'stop'): Dataset<number> => {
      const dataset = Dataset.range(20).map(
        async (n) => {
          if (n === 5) throw new Error('five');
          return uneven(n);
        },
        { parallel: 4, ordered: false },
      );
      return action === undefined ? dataset : dataset.onError(action === 'skip' ? { action, maxRate: 1 } : action);
    };
    const given: number[] = [];
    const error = await (async () => {
      for await (const n of failing()) given.push(n);
    })().catch((caught: unknown) => caught as TFRecordError);
    expect(error).toMatchObject({ code: 'TFR_USER', stage: 'map' });
    expect(given).toEqual(expect.arrayContaining([1, 2, 3, 4]));
    expect(given).not.toContain(5);
    expect(sorted(await failing('skip').toArray())).toEqual(ALL.slice(0, 20).filter((n) => n !== 5));
    await expectOnce(
      () => failing('skip'),
      ALL.slice(0, 20).filter((n) => n !== 5),
    );
    expect((await failing('stop').toArray()).length).toBeLessThan(12);
  });
});

describe('interleave', () => {
  test('what is slow holds nothing back', async () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const elements = Dataset.range(4)
      .interleave((i) => Dataset.range(10 * i, 10 * i + 10).map(async (n) => (i === 1 ? (await gate, n) : n)), {
        cycleLength: 2,
        ordered: false,
      })
      .iterate();
    const given: number[] = [];
    for (let i = 0; i < 30; i++) given.push((await elements.next()).value as number);
    expect(sorted(given)).toEqual([...ALL.slice(0, 10), ...ALL.slice(20, 40)]);
    open();
    for (let i = 0; i < 10; i++) given.push((await elements.next()).value as number);
    expect(sorted(given)).toEqual(ALL.slice(0, 40));
    await expect(elements.next()).resolves.toMatchObject({ done: true });
  });

  test('each once, wherever it stops', async () => {
    await expectOnce(() => interleaved(), ALL);
    await expectOnce(() => interleaved(1), ALL);
    await expectOnce(() => interleaved(10).map((n) => n), ALL);
    await expectOnce(() => interleaved(2).repeat(2), [...ALL, ...ALL]);
  });

  test('an error of one comes behind what others have', async () => {
    const bad = folder.write('bad.tfrecord', numberedRecords(3, 8));
    const dataset = Dataset.from([file, `${bad}.gone`, file]).interleave((name) => Dataset.tfrecord(name), {
      cycleLength: 3,
      ordered: false,
    });
    await expect(dataset.toArray()).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(dataset.onError({ action: 'skip', maxRate: 1 }).count()).resolves.toBe(80);
  });

  test('ends at once while a dataset hangs', async () => {
    const elements = Dataset.range(3)
      .interleave(() => Dataset.range(9).map(async () => new Promise(() => undefined)), { ordered: false })
      .iterate();
    const pending = elements.next();
    await sleep(2);
    await elements.return();
    await expect(pending).resolves.toMatchObject({ done: true });
  });
});

test('a state says where it is not exact', () => {
  const says = (dataset: Dataset<unknown, unknown>): unknown => dataset.iterate({ epoch: 0 }).state().exact;
  for (const unordered of [mapped(), interleaved()]) {
    expect(says(unordered.take(5).map((n) => n))).toBeUndefined();
    for (const dataset of [
      unordered.batch(2),
      unordered.shuffle(3),
      unordered.map(uneven, { ordered: false }),
      unordered.window(2),
    ]) {
      expect(says(dataset)).toBe(false);
    }
  }
  expect(says(Dataset.range(5).shuffle(2).batch(3))).toBeUndefined();
});

test('states of one order do not fit the other', async () => {
  const { state } = await first(mapped(), 5);
  expect(() => Dataset.range(COUNT).map(uneven).iterate({ state })).toThrow(
    expect.objectContaining({ code: 'TFR_STATE_MISMATCH' }),
  );
  expect(() => Dataset.range(1).map(uneven, { ordered: 'no' as never })).toThrow(TypeError);
  expect(() => Dataset.range(1).interleave(() => mapped(), { ordered: 0 as never })).toThrow(TypeError);
});
