/** However an iteration ends, nothing of it stays: no descriptor, listener, callback or unfinished generator. */
import { execFileSync } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

import { Dataset, type DatasetIterator } from '../../../../lib';
import { descriptorsIn } from '../../../support/running/descriptors';
import { onLinux } from '../../../support/on-linux';
import { Folder, numberedRecords } from '../../../support/records/record-files';
import { CASE_TIMEOUT, endedWell, runCase } from '../../../support/running/run-case';

const folder = new Folder();
afterAll(() => folder.remove());

const records = numberedRecords(3000, 100);
const plain = [0, 1, 2, 3].map((i) => folder.write(`plain-${i}`, records));
const gzip = folder.write('packed.gz', records);
const MINE = new Error('mine');
const REASON = { why: 'a reason need not be an Error' };

type Any = Dataset<unknown, unknown>;

/** More than any test reads, so that files are open when it stops. */
const endless = (): Dataset<Uint8Array, unknown> => Dataset.tfrecord(plain, { batchBytes: 4096 }).repeat();
const later = async (value: unknown): Promise<unknown> => {
  await setImmediate();
  return value;
};
const pipelines: Record<string, () => Any> = {
  records: endless,
  'compressed records': () => Dataset.tfrecord(gzip, { batchBytes: 4096 }).repeat(),
  interleave: () =>
    Dataset.from(plain)
      .repeat()
      .interleave((file) => Dataset.tfrecord(file, { batchBytes: 4096 }), { cycleLength: 3 }),
  'shuffle and batch': () => endless().shuffle(50).batch(4),
  'calls beside each other': () => endless().map(later, { parallel: 8 }).filter(later, { parallel: 4 }),
  prefetch: () => endless().prefetch(1000).map(later).prefetch(100),
  'a user generator': () =>
    Dataset.from(async function* () {
      for (let i = 0; ; i++) {
        if (i % 3 === 0) await setImmediate();
        yield i;
      }
    }),
  concatenate: () =>
    Dataset.tfrecord(plain)
      .take(3)
      .concatenate(endless() as never),
};

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

describe.each(Object.entries(pipelines))('%s', (_, make) => {
  afterEach(() => expect(descriptorsIn(folder.path)).toBe(0));

  test('break, for elements and for chunks', async () => {
    for (const stopAt of [1, 7, 300]) {
      let count = 0;
      for await (const _value of make()) if (++count === stopAt) break;
      expect(descriptorsIn(folder.path)).toBe(0);
      let chunks = 0;
      for await (const _chunk of make().chunks({ size: 7 })) if (++chunks === stopAt) break;
      expect(descriptorsIn(folder.path)).toBe(0);
      expect([count, chunks]).toEqual([stopAt, stopAt]);
    }
  });

  test('a throw in the body comes out as it is', async () => {
    const loop = async (): Promise<void> => {
      for await (const _value of make()) throw MINE;
    };
    await expect(loop()).rejects.toBe(MINE);
    await expect(make().forEachAsync(() => Promise.reject(MINE))).rejects.toBe(MINE);
    await expect(
      make().reduce(0, () => {
        throw MINE;
      }),
    ).rejects.toBe(MINE);
  });

  test('aborted before, while, and after the first element comes', async () => {
    const before = make().iterate({ signal: AbortSignal.abort(REASON) });
    await expect(before.next()).rejects.toBe(REASON);
    expect(await before.next()).toEqual({ value: undefined, done: true });

    const during = new AbortController();
    const pending = make().iterate({ signal: during.signal }).next();
    expect(listeners(during.signal)).toBe(1);
    during.abort(REASON);
    await expect(pending).rejects.toBe(REASON);
    expect(listeners(during.signal)).toBe(0);

    for (const count of [1, 5, 400]) {
      const after = new AbortController();
      const elements = make().iterate({ signal: after.signal });
      for (let i = 0; i < count; i++) expect((await elements.next()).done).toBe(false);
      expect(listeners(after.signal)).toBe(1);
      after.abort(REASON);
      await expect(elements.next()).rejects.toBe(REASON);
      expect(await elements.next()).toEqual({ value: undefined, done: true });
      expect(listeners(after.signal)).toBe(0);
      await elements.return();
    }
  });

  test('ended twice, at once, and before it began', async () => {
    const never = make().iterate();
    await Promise.all([never.return(), never.return()]);
    expect(await never.next()).toEqual({ value: undefined, done: true });

    const elements = make().iterate();
    await elements.next();
    const steps = [
      elements.next(),
      elements.next(),
      elements.return(),
      elements.next(),
      elements[Symbol.asyncDispose](),
    ];
    await Promise.all(steps);
    expect(await steps[3]).toEqual({ value: undefined, done: true });
    await elements[Symbol.asyncDispose]();
    expect(await elements.return()).toEqual({ value: undefined, done: true });
    await expect(elements.throw(REASON)).rejects.toBe(REASON);
  });

  test('a stream that is cancelled', async () => {
    const reader = make().toReadableStream().getReader();
    expect((await reader.read()).done).toBe(false);
    await reader.cancel();
    expect(await reader.read()).toEqual({ value: undefined, done: true });
  });

  test('a signal keeps nothing of an iteration that has ended', async () => {
    const { signal } = new AbortController();
    for (let i = 0; i < 20; i++) for await (const _value of make().iterate({ signal })) break;
    let count = 0;
    for await (const _value of make().take(5).iterate({ signal })) count++;
    expect(count).toBe(5);
    expect(listeners(signal)).toBe(0);
  });

  test('calls of next() that wait beside each other are answered in their order', async () => {
    const expected: unknown[] = [];
    for await (const value of make().seed(1).take(40).iterate({ epoch: 0 })) expected.push(value);
    const elements = make().seed(1).take(40).iterate({ epoch: 0 });
    const settled: number[] = [];
    const steps = Array.from({ length: 50 }, (_step, i) =>
      elements.next().then((step) => {
        settled.push(i);
        return step;
      }),
    );
    const results = await Promise.all(steps);
    expect(settled).toEqual(Array.from({ length: 50 }, (_step, i) => i));
    expect(results.slice(0, 40).map(({ value }) => value)).toEqual(expected);
    expect(results.slice(40)).toEqual(Array.from({ length: 10 }, () => ({ value: undefined, done: true })));
  });
});

describe('generators of the user', () => {
  /** What each source of the user's did last. */
  function sources(): { finished: () => number; make: (() => Dataset<number>)[] } {
    let finished = 0;
    const make = [
      () =>
        Dataset.from(function* () {
          try {
            for (let i = 0; ; i++) yield i;
          } finally {
            finished++;
          }
        }),
      () =>
        Dataset.from(async function* () {
          try {
            for (let i = 0; ; i++) {
              await setImmediate();
              yield i;
            }
          } finally {
            await setImmediate();
            finished++;
          }
        }),
    ];
    return { finished: () => finished, make };
  }

  const ends: Record<string, (elements: DatasetIterator<unknown>, abort: AbortController) => Promise<unknown>> = {
    return: (elements) => elements.return(),
    throw: (elements) => elements.throw(REASON).catch(() => undefined),
    dispose: (elements) => elements[Symbol.asyncDispose](),
    abort: (elements, abort) => {
      abort.abort(REASON);
      return elements.next().catch(() => undefined);
    },
  };

  test.each(Object.entries(ends))('their finally runs: %s', async (_, end) => {
    const { finished, make } = sources();
    const stages: ((dataset: Dataset<number>) => Any)[] = [
      (dataset) => dataset,
      (dataset) => dataset.map((x) => x).prefetch(5),
      (dataset) => dataset.shuffle(4).batch(2),
      (dataset) => dataset.concatenate(Dataset.range(1)).repeat(),
      (dataset) => Dataset.range(1).interleave(() => dataset),
      (dataset) => Dataset.range(1).flatMap(() => dataset),
      (dataset) => Dataset.zip([dataset, Dataset.range(100)]),
    ];
    let expected = 0;
    for (const source of make) {
      for (const stage of stages) {
        const abort = new AbortController();
        const elements = stage(source()).iterate({ signal: abort.signal });
        await elements.next();
        await end(elements, abort);
        expected++;
        // That of a generator with a step under way runs behind it, which nobody waits for.
        for (let turn = 0; turn < 100 && finished() < expected; turn++) await setImmediate();
        expect(finished()).toBe(expected);
      }
    }
  });

  test('functions see that it is over', async () => {
    let seen: AbortSignal | undefined;
    const elements = Dataset.range(1000)
      .map((i, { signal }) => {
        seen = signal;
        return i;
      })
      .iterate();
    await elements.next();
    expect(seen?.aborted).toBe(false);
    await elements.return();
    expect(seen?.aborted).toBe(true);
    expect(listeners(seen!)).toBe(0);
  });

  test('a call that never settles holds up no end', async () => {
    const elements = Dataset.range(10)
      .map((i) => (i < 2 ? i : new Promise<number>(() => undefined)), { parallel: 4 })
      .iterate();
    await elements.next();
    await elements.next();
    const pending = elements.next();
    await elements.return();
    expect(await pending).toEqual({ value: undefined, done: true });
  });
});

describe('what goes on for long lets the event loop turn', () => {
  function* numbers(): Generator<number> {
    for (let i = 0; ; i++) yield i;
  }

  const forEver: Record<string, (dataset: Dataset<number>) => Any> = {
    'a loop': (dataset) => dataset,
    filter: (dataset) => dataset.filter(() => false),
    'map and filter': (dataset) => dataset.map((x) => x).filter((x) => x < 0),
    skip: (dataset) => dataset.skip(Number.MAX_SAFE_INTEGER),
    'a batch': (dataset) => dataset.filter((x) => x % 1000 === 0).batch(2 ** 31 - 1),
    'interleave of nothing': (dataset) => dataset.interleave(() => Dataset.range(0)),
    'flatMap to nothing': (dataset) => dataset.flatMap(() => []),
    'repeat of what is filtered': (dataset) =>
      dataset
        .take(3)
        .repeat()
        .filter(() => false),
    'concatenate behind what never ends': (dataset) => dataset.filter(() => false).concatenate(Dataset.range(1)),
    'promises that are ready': (dataset) => dataset.map((x) => Promise.resolve(x)).filter(() => false),
    'promises beside each other': (dataset) =>
      dataset.map((x) => Promise.resolve(x), { parallel: 8 }).filter(() => Promise.resolve(false), { parallel: 3 }),
    'async generator': () =>
      Dataset.from(async function* () {
        for (let i = 0; ; i++) yield i;
      }).filter(() => false),
    zip: (dataset) => Dataset.zip([dataset, dataset]).filter(() => false),
    prefetch: (dataset) => dataset.prefetch(100).filter(() => false),
    takeWhile: (dataset) => dataset.takeWhile(() => true).filter(() => false),
    enumerate: (dataset) => dataset.enumerate().filter(() => false),
  };

  test.each(Object.entries(forEver))('%s', async (_, stages) => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    for (const source of [Dataset.from(numbers), Dataset.range(Number.MAX_SAFE_INTEGER)]) {
      // Its timer comes only where the event loop turns.
      const abort = new AbortController();
      const timer = setTimeout(() => abort.abort(REASON), 30);
      const loop = async (): Promise<void> => {
        for await (const _value of stages(source).iterate({ signal: abort.signal }));
      };
      await expect(loop()).rejects.toBe(REASON);
      clearTimeout(timer);
    }
    warn.mockRestore();
  });

  test('600,000 elements, with a timer beside', async () => {
    let ticks = 0;
    let before = 0;
    const timer = setInterval(() => ticks++, 1);
    let count = 0;
    let turns = 0;
    for await (const _value of Dataset.range(600_000)) {
      if (ticks !== before) turns++;
      before = ticks;
      count++;
    }
    clearInterval(timer);
    expect(count).toBe(600_000);
    expect(turns).toBeGreaterThan(5);
  });
});

describe('in a process of its own', () => {
  jest.setTimeout(CASE_TIMEOUT);

  onLinux('iterators that are forgotten are closed', async () => {
    const ended = await runCase('unit/dataset/cases/dropped', { args: [folder.path], flags: ['--expose-gc'] });
    expect({ ...ended, stderr: '' }).toEqual(endedWell({ opened: true, closed: true, warned: true }, 3000, true));
  });

  onLinux('threads are as many as before', async () => {
    const ended = await runCase('unit/dataset/cases/threads', { args: [folder.path] });
    expect(ended).toEqual(endedWell({ threads: true, descriptors: true }));
  });

  onLinux('a pipe that nobody writes to holds up neither an abort, nor a break, nor the process', async () => {
    const pipe = folder.at('pipe');
    execFileSync('mkfifo', [pipe]);
    const ended = await runCase('unit/dataset/cases/stuck-pipe', { args: [pipe, plain[0]!] });
    expect(ended).toEqual(endedWell('enough', { done: true }, 'enough', 'enough', true));
  });
});

test('what is left over after an early end is not called', async () => {
  const called: number[] = [];
  const dataset = Dataset.range(10_000).map(async (i) => {
    called.push(i);
    await sleep(1);
    return i;
  });
  for await (const value of dataset) if (value === 3) break;
  const before = called.length;
  await sleep(20);
  expect(called.length).toBe(before);
  expect(before).toBeLessThan(100);
});
