/** Reading ahead is bounded: `iterate({ bytes })`, `prefetch(n, { bytes })`. */
import { setTimeout as sleep } from 'node:timers/promises';

import { Dataset } from '../../../../lib';
import { Budget } from '../../../../lib/dataset/engine/scope';
import { expectResumes } from '../../../support/datasets/dataset-laws';
import { Folder, numberedRecords } from '../../../support/records/record-files';
import { CASE_TIMEOUT, runCase } from '../../../support/running/run-case';
import { settles } from '../../../support/settles';

jest.setTimeout(CASE_TIMEOUT);

const MiB = 2 ** 20;
const folder = new Folder();
const long = folder.write('long.tfrecord', numberedRecords(4, 10 * MiB));
afterAll(() => folder.remove());

/** What is there whatever the budget: a record in hand, one that is asked for, its copy, the slots of an interleave. */
const NEEDED_MIB = 45;

test('records of 10 MiB and a slow consumer', async () => {
  const run = async (bytes: number): Promise<Record<string, number>> => {
    const args = [long, String(bytes)];
    const result = await runCase('unit/dataset/cases/budget', { args, flags: ['--expose-gc'] });
    expect(result).toMatchObject({ code: 0, stderr: '', said: [expect.anything(), { unhandled: 0 }] });
    return result.said[0] as Record<string, number>;
  };
  const [narrow, wide] = await Promise.all([run(40 * MiB), run(1000 * MiB)]);
  for (const [name, peak] of Object.entries(narrow)) expect([name, peak < 40 + NEEDED_MIB]).toEqual([name, true]);
  // It is the budget that keeps them in bounds.
  expect(Math.max(...Object.values(wide))).toBeGreaterThan(40 + NEEDED_MIB);
});

test('calls beside each other', async () => {
  const buffers = Array.from({ length: 50 }, () => Buffer.alloc(MiB));
  const begun = async (bytes: number, filled: boolean, atLeast = 0): Promise<number> => {
    let calls = 0;
    const call = async (buffer: Buffer): Promise<Buffer> => {
      if (++calls > 1 || !filled) await new Promise(() => undefined);
      return buffer;
    };
    const elements = Dataset.from(buffers).map(call, { parallel: 40 }).iterate({ bytes });
    void elements.next();
    await settles(() => calls > atLeast);
    await sleep(30);
    await elements.return();
    return calls;
  };
  // By their elements, and, once one is known, by their results.
  await expect(begun(10 * MiB, false)).resolves.toBeLessThan(11);
  await expect(begun(10 * MiB, true)).resolves.toBeLessThan(9);
  await expect(begun(100 * MiB, false, 20)).resolves.toBeGreaterThan(20);
});

test('no element depends on it', async () => {
  const make = (): Dataset<unknown, unknown> =>
    Dataset.from([5, 1, 9, 4, 7])
      .interleave((n) => Dataset.range(n), { cycleLength: 3 })
      .map(async (n) => [n, await Promise.resolve(n)], { parallel: 4 })
      .prefetch(5)
      .filter(async () => Promise.resolve(true), { parallel: 3 })
      .repeat(2)
      .batch(3);
  const all = await make().toArray();
  for (const bytes of [1, 100, 1e12]) {
    const given: unknown[] = [];
    for await (const chunk of make().chunks({ bytes })) given.push(...chunk);
    expect(given).toEqual(all);
  }
  for (const bytes of [0, 1.5]) expect(() => make().iterate({ bytes })).toThrow(RangeError);
  expect(() => make().iterate({ bytes: '1' as never })).toThrow(TypeError);
});

test('what many passes held is let go of, however they end', async () => {
  const values = Dataset.from([1, 2, 3].map(() => Buffer.alloc(MiB)));
  const later = values.map(async (value) => (await sleep(1), value), { parallel: 3 });
  for (const inside of [later, later.prefetch(3), values.map((value) => value).prefetch(3)]) {
    const made = Dataset.range(30).interleave(() => inside.take(1), { cycleLength: 1, prefetch: 0 });
    // Were it not, there would be no room for the last ones.
    let pulled = 0;
    const last = Dataset.range(20).map((n) => ((pulled = n), Buffer.alloc(MiB)));
    const elements = made.concatenate(last.prefetch(15)).iterate({ bytes: 20 * MiB });
    for (let i = 0; i < 31; i++) await elements.next();
    expect(await settles(() => pulled > 10)).toBe(true);
    await elements.return();
  }
});

describe('prefetch', () => {
  /** Numbered buffers, and how many were made. */
  function counting(bytes: number): { dataset: Dataset<Buffer>; made: () => number } {
    let made = 0;
    function* buffers(): Iterable<Buffer> {
      while (made < 1000) {
        made++;
        yield Buffer.alloc(bytes);
      }
    }
    return { dataset: Dataset.from(buffers), made: () => made };
  }

  test('holds as many as were asked for, and no more bytes', async () => {
    const most: [Dataset<Buffer>, () => number, number][] = [0, 1].map((i) => {
      const { dataset, made } = counting(MiB);
      return i === 0 ? [dataset.prefetch(30), made, 36] : [dataset.prefetch(30, { bytes: 5 * MiB }), made, 12];
    });
    for (const [dataset, made, expected] of most) {
      const elements = dataset.iterate();
      await elements.next();
      expect(await settles(() => made() >= expected - 6)).toBe(true);
      await sleep(20);
      expect(made()).toBeLessThanOrEqual(expected);
      await elements.return();
    }
  });

  /** 64 numbers at a time, and a pause. */
  async function* inBursts(): AsyncIterable<number> {
    for (let n = 0; n < 1000; n++) {
      if (n % 64 === 63) await sleep(3);
      yield n;
    }
  }

  test('auto holds more where the input comes in bursts, and tells how many', async () => {
    const bursts = Dataset.from(inBursts).prefetch('auto');
    expect(bursts.explain()).toBe('from\nprefetch(auto)');
    await expect(bursts.toArray()).resolves.toEqual(Array.from({ length: 1000 }, (_, i) => i));
    const chosen = Number(/auto: (\d+)/.exec(bursts.explain())?.[1]);
    expect(chosen).toBeGreaterThan(16);
    expect(chosen).toBeLessThanOrEqual(512);
  });

  test('auto changes no element, and a state fits with it and without', async () => {
    const make = (count: number | 'auto'): Dataset<number> => Dataset.range(60).shuffle(7).prefetch(count).seed(3);
    await expect(make('auto').toArray()).resolves.toEqual(await make(0).toArray());
    await expectResumes(make('auto'), { others: [make('auto'), make(4)] });
  });

  test('a count, or auto', () => {
    expect(() => Dataset.range(1).prefetch('most' as never)).toThrow(TypeError);
    expect(() => Dataset.range(1).prefetch(1, { bytes: 0 })).toThrow(RangeError);
  });
});

test('files that are closed while they are read hold nothing', async () => {
  const files = [0, 1, 2, 3].map((i) => folder.write(`short-${i}.tfrecord`, numberedRecords(500, 200)));
  const held = jest.spyOn(Budget.prototype, 'hold');
  const released = jest.spyOn(Budget.prototype, 'release');
  // Two are given up as soon as they are opened.
  const some = Dataset.from(files)
    .interleave((file) => Dataset.tfrecord(file), { cycleLength: 2, prefetch: 2 })
    .take(2);
  await Dataset.range(100)
    .interleave(() => some, { cycleLength: 1, prefetch: 0 })
    .toArray();
  const sum = (calls: [number][]): number => calls.reduce((bytes, [one]) => bytes + one, 0);
  const left = sum(held.mock.calls) - sum(released.mock.calls);
  expect([held.mock.calls.length > 100, Math.round(left)]).toEqual([true, 0]);
  held.mockRestore();
  released.mockRestore();
});
