/** `ordered: false`: elements come when they are ready, each exactly once, even across a stop. */
import { setTimeout as sleep } from 'node:timers/promises';

import { Dataset, type TFRecordError } from '../../../../lib';
import { Folder, numberedRecords } from '../../../support/records/record-files';
import { settles } from '../../../support/settles';
import { sorted } from '../../../support/datasets/elements';
import { ALL, COUNT, expectOnce, first, interleaved, mapped, uneven } from '../../../support/datasets/unordered';

const folder = new Folder();
afterAll(() => folder.remove());
const file = folder.write('records.tfrecord', numberedRecords(40, 8));

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
      const earlier: Promise<number>[] = [];
      const dataset = Dataset.range(20).map(
        async (n) => {
          if (n === 5) {
            await Promise.all(earlier);
            throw new Error('five');
          }
          const result = uneven(n);
          if (n < 5) earlier.push(result);
          return result;
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
    expect((await failing('stop').toArray()).length).toBeLessThan(19);
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
    for (let i = 0; i < 30; i++) given.push((await elements.next()).value!);
    expect(sorted(given)).toEqual([...ALL.slice(0, 10), ...ALL.slice(20, 40)]);
    open();
    for (let i = 0; i < 10; i++) given.push((await elements.next()).value!);
    expect(sorted(given)).toEqual(ALL.slice(0, 40));
    await expect(elements.next()).resolves.toMatchObject({ done: true });
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
