/** Errors come at their place, say where, and lose only what is broken; pipelines over nothing end. */
import { writeFileSync } from 'node:fs';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

import { Dataset, fixedLen, TFRecordError, varLen } from '../../../../lib';
import { comparable } from '../../../support/comparable';
import { expectChunkInvariant, expectResumes } from '../../../support/datasets/dataset-laws';
import { numbered } from '../../../support/examples/example-files';
import { numberOf } from '../../../support/datasets/random-pipelines';
import { Folder, numberedRecords } from '../../../support/records/record-files';
import { compress, flipBit, offsets, tfrecord } from '../../../support/records/tfrecord';
import { exampleOf, floats } from '../../../support/examples/wire';

const folder = new Folder();
afterAll(() => folder.remove());

const records = numberedRecords(5, 30);
const starts = offsets(records);
const damagedAt = (byte: number, name: string): string => {
  const path = folder.at(name);
  writeFileSync(path, compress(flipBit(tfrecord(records), byte), name.endsWith('.gz') ? 'gzip' : 'none'));
  return path;
};
/** Payload of record 2; length of record 2. */
const payload = damagedAt(starts[2]! + 20, 'payload');
const packedPayload = damagedAt(starts[2]! + 20, 'payload.gz');
const length = damagedAt(starts[2]!, 'length');
const good = folder.write('good', numberedRecords(8, 30).slice(5));

/** The elements that came, as numbers, and what came behind them. */
async function run(
  dataset: Dataset<unknown, unknown>,
): Promise<{ values: number[]; error: TFRecordError | undefined }> {
  const values: number[] = [];
  const elements = dataset.iterate({ epoch: 0 });
  try {
    for await (const value of elements) values.push(numberOf(value));
    return { values, error: undefined };
  } catch (error) {
    expect(await elements.next()).toEqual({ value: undefined, done: true });
    if (!(error instanceof TFRecordError)) throw error;
    return { values, error };
  }
}

describe('damaged files', () => {
  test.each([payload, packedPayload])(
    'a damaged payload ends it, with the place, after all before it: %s',
    async (file) => {
      for (const dataset of [
        Dataset.tfrecord(file),
        Dataset.tfrecord(file).prefetch(10),
        Dataset.tfrecord(file).map((record) => record),
        Dataset.tfrecord(file).map(async (record) => Promise.resolve(record), { parallel: 8 }),
        Dataset.tfrecord(file).filter(() => true),
        Dataset.tfrecord(file).batch(1),
        Dataset.from([file]).interleave((path) => Dataset.tfrecord(path)),
        Dataset.range(0)
          .map(() => records[0])
          .concatenate(Dataset.tfrecord(file) as Dataset<never>),
        Dataset.tfrecord(file).repeat(),
        Dataset.tfrecord(file).shuffle(1),
      ] as Dataset<unknown, unknown>[]) {
        const { values, error } = await run(dataset);
        expect(values).toEqual([0, 1]);
        expect(error).toMatchObject({ code: 'TFR_CORRUPT_DATA', file, record: 2, offset: starts[2] });
        await expectResumes(dataset);
      }
    },
  );

  test('what is held before it is given first: by a batch, by a shuffle', async () => {
    const batched = await run(Dataset.tfrecord([good, payload]).batch(4));
    expect(batched.values).toEqual([5 + 6 + 7 + 0, 1]);
    expect(batched.error).toMatchObject({ code: 'TFR_CORRUPT_DATA', record: 2 });
    const shuffled = await run(Dataset.tfrecord([good, payload]).shuffle(100).seed(1));
    expect([...shuffled.values].sort()).toEqual([0, 1, 5, 6, 7]);
    expect(shuffled.error).toMatchObject({ code: 'TFR_CORRUPT_DATA', record: 2 });
    await expectResumes(Dataset.tfrecord([good, payload]).shuffle(4).batch(2).seed(1));
    await expectChunkInvariant(Dataset.tfrecord([good, payload]).shuffle(4).seed(1));
  });

  test.each([payload, packedPayload])('skip loses one record: %s', async (file) => {
    const reported: unknown[] = [];
    const report = ({ code, record }: TFRecordError): void => void reported.push([code, record]);
    expect(await run(Dataset.tfrecord(file).onError({ action: 'skip', report }))).toEqual({
      values: [0, 1, 3, 4],
      error: undefined,
    });
    expect(reported).toEqual([['TFR_CORRUPT_DATA', 2]]);
    expect((await run(Dataset.tfrecord(file, { onError: 'skip' }))).values).toEqual([0, 1, 3, 4]);
    expect(
      (
        await run(
          Dataset.tfrecord(file)
            .map((x) => x)
            .repeat(2)
            .onError('skip'),
        )
      ).values,
    ).toEqual([0, 1, 3, 4, 0, 1, 3, 4]);
    expect((await run(Dataset.tfrecord(file).onError('stop'))).values).toEqual([0, 1]);
    await expectResumes(Dataset.tfrecord([file, good]).shuffle(3).onError('skip').seed(1));
  });

  test('a damaged length costs the rest of its file, and no other', async () => {
    const skipped = await run(Dataset.tfrecord([length, good]).onError('skip'));
    expect(skipped).toEqual({ values: [0, 1, 5, 6, 7], error: undefined });
    const interleaved = Dataset.from([length, good]).interleave((file) => Dataset.tfrecord(file), { cycleLength: 2 });
    expect((await run(interleaved.onError('skip'))).values).toEqual([0, 5, 1, 6, 7]);
    const thrown = await run(Dataset.tfrecord([length, good]));
    expect(thrown).toMatchObject({ values: [0, 1], error: { file: length, record: 2, offset: starts[2] } });
  });

  test('an error of one input comes at its place in the order', async () => {
    const dataset = Dataset.from([good, payload]).interleave((file) => Dataset.tfrecord(file), { cycleLength: 2 });
    const { values, error } = await run(dataset);
    expect(values).toEqual([5, 0, 6, 1, 7]);
    expect(error).toMatchObject({ code: 'TFR_CORRUPT_DATA', file: payload, record: 2 });
    await expectResumes(dataset);
  });

  test('limits of skipping', async () => {
    const twice = Dataset.tfrecord([payload, payload]);
    expect((await run(twice.onError({ action: 'skip', max: 2 }))).values).toEqual([0, 1, 3, 4, 0, 1, 3, 4]);
    const { values, error } = await run(twice.onError({ action: 'skip', max: 1 }));
    expect(values).toEqual([0, 1, 3, 4, 0, 1]);
    expect(error).toMatchObject({ code: 'TFR_CORRUPT_DATA', record: 2, message: expect.stringContaining('max 1') });
    // They hold for the whole iteration, not for each pass.
    expect((await run(Dataset.tfrecord(payload).repeat(3).onError({ action: 'skip', max: 1 }))).values).toHaveLength(6);
    expect(
      (await run(Dataset.tfrecord(payload, { onError: { action: 'skip', max: 1 } }).repeat(3))).values,
    ).toHaveLength(6);
  });
});

describe('files that are not there', () => {
  const missing = folder.at('missing');

  test('are an error with its code, or nothing', async () => {
    expect((await run(Dataset.tfrecord([missing, good]).onError('skip'))).values).toEqual([5, 6, 7]);
    expect((await run(Dataset.tfrecord(missing).onError('skip'))).values).toEqual([]);
    expect((await run(Dataset.tfrecord(missing).onError('skip').repeat())).values).toEqual([]);
    await expect(Dataset.tfrecord(missing).toArray()).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(Dataset.tfrecord([good, missing]).toArray()).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(Dataset.files(folder.at('no-*')).toArray()).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(Dataset.tfrecord(folder.path).toArray()).rejects.toMatchObject({ code: 'EISDIR' });
  });

  test('a file that comes twice in a list', async () => {
    await expect(Dataset.files([good, good]).toArray()).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
    expect(await Dataset.files([good, good], { duplicates: true }).toArray()).toEqual([good, good]);
  });
});

describe('functions of the user', () => {
  const cause = new Error('mine');
  const failing =
    (at: number) =>
    (value: unknown): unknown => {
      if (numberOf(value) === at) throw cause;
      return value;
    };

  test('what they throw is TFR_USER with stage, place and cause, after all before it', async () => {
    for (const parallel of [1, 2, 8, 100]) {
      const dataset = Dataset.tfrecord(good).map(failing(6), { parallel });
      const { values, error } = await run(dataset);
      expect(values).toEqual([5]);
      expect(error).toMatchObject({ code: 'TFR_USER', stage: 'map', file: good, record: 1, offset: 46 });
      expect(error?.cause).toBe(cause);
      await expectResumes(dataset);
    }
  });

  test('in each stage that takes one', async () => {
    const thrower = (): never => {
      throw cause;
    };
    const stages: [string, Dataset<unknown, unknown>][] = [
      ['map', Dataset.range(3).map(thrower)],
      ['map', Dataset.range(3).map(async () => Promise.resolve().then(thrower), { parallel: 2 })],
      ['filter', Dataset.range(3).filter(thrower)],
      ['takeWhile', Dataset.range(3).takeWhile(thrower)],
      ['flatMap', Dataset.range(3).flatMap(thrower)],
      ['interleave', Dataset.range(3).interleave(thrower)],
      ['from', Dataset.from(thrower)],
      ['from', Dataset.from({ [Symbol.iterator]: thrower } as Iterable<unknown>)],
      ['from', Dataset.from({ [Symbol.asyncIterator]: () => ({ next: thrower }) } as AsyncIterable<unknown>)],
      ['interleave/map', Dataset.range(2).interleave(() => Dataset.range(2).map(thrower))],
    ];
    for (const [stage, dataset] of stages) {
      const { values, error } = await run(dataset);
      expect({ stage, values, code: error?.code, at: error?.stage }).toEqual({
        stage,
        values: [],
        code: 'TFR_USER',
        at: stage,
      });
      expect(error?.cause).toBe(cause);
    }
  });

  test('what is thrown need not be an error', async () => {
    for (const thrown of ['text', undefined, null, 0, { why: 1 }]) {
      const { error } = await run(
        Dataset.range(3).map(() => {
          // eslint-disable-next-line @typescript-eslint/only-throw-error
          throw thrown;
        }),
      );
      expect(error?.code).toBe('TFR_USER');
      expect(error?.cause).toBe(thrown);
    }
  });

  test('beside each other, the first in the order is told, and nothing behind it', async () => {
    const seen: number[] = [];
    const dataset = Dataset.range(20).map(
      async (i) => {
        seen.push(i);
        await sleep(i === 3 ? 20 : 1);
        if (i === 3 || i === 5) throw new Error(`at ${i}`);
        return i;
      },
      { parallel: 6 },
    );
    const { values, error } = await run(dataset);
    expect(values).toEqual([0, 1, 2]);
    expect((error?.cause as Error).message).toBe('at 3');
    await sleep(20);
    expect(Math.max(...seen)).toBeLessThan(10);
  });

  test('skip goes on behind it, stop does not; the numbers of the others stay', async () => {
    const dataset = (parallel: number): Dataset<unknown> =>
      Dataset.range(6).map(
        (i, { index }) => {
          if (i % 3 === 1) throw cause;
          return [i, index];
        },
        { parallel },
      );
    for (const parallel of [1, 4]) {
      const skipped = dataset(parallel).onError('skip');
      expect(await skipped.toArray()).toEqual([0, 2, 3, 5].map((i) => [i, i]));
      await expectResumes(skipped);
      expect(await dataset(parallel).onError('stop').toArray()).toEqual([[0, 0]]);
      const decide = ({ cause: why }: TFRecordError): 'skip' | 'throw' => (why === cause ? 'skip' : 'throw');
      expect(await dataset(parallel).onError(decide).toArray()).toHaveLength(4);
    }
  });

  test('onError is about the stages before it, and no others', async () => {
    const part = (at: number): Dataset<number> =>
      Dataset.range(4).map((i) => {
        if (i === at) throw cause;
        return i;
      });
    const parts = await run(part(1).onError('skip').concatenate(part(2)));
    expect(parts).toMatchObject({ values: [0, 2, 3, 0, 1], error: { code: 'TFR_USER', stage: 'concatenate/map' } });
    const inputs = [part(1).onError('stop'), part(1).onError('skip'), part(1)];
    const interleaved = Dataset.range(3).interleave((i) => inputs[i]!, { cycleLength: 1 });
    expect(await run(interleaved)).toMatchObject({ values: [0, 0, 2, 3, 0], error: { stage: 'interleave/map' } });
    const chain = part(1)
      .onError('skip')
      .map((i) => {
        if (i === 3) throw cause;
        return i;
      });
    expect(await run(chain)).toMatchObject({ values: [0, 2], error: { code: 'TFR_USER', stage: 'map#2' } });
    expect(await chain.onError('stop').toArray()).toEqual([0, 2]);
  });

  test('what is skipped is counted by stage', async () => {
    const elements = Dataset.tfrecord([payload, good], { onError: 'skip' })
      .map(failing(6))
      .repeat(2)
      .onError('skip')
      .iterate();
    let count = 0;
    for await (const _ of elements) count++;
    expect(count).toBe(12);
    const skipped = Object.fromEntries(elements.stats().map(({ stage, skipped: sum }) => [stage, sum]));
    expect(skipped).toMatchObject({ tfrecord: 2, map: 2, repeat: 0 });
  });

  test('a source that fails after some elements gives them first', async () => {
    const source = Dataset.from(function* () {
      yield 1;
      yield 2;
      throw cause;
    });
    for (const dataset of [source, source.batch(1), source.repeat(2), source.prefetch(9), source.map((x) => x)]) {
      expect(await run(dataset as Dataset<unknown, unknown>)).toMatchObject({
        values: [1, 2],
        error: { code: 'TFR_USER', stage: 'from' },
      });
    }
  });
});

describe('records that do not fit', () => {
  const rows = [0, 1, 2, 3, 4].map((i) => (i === 2 ? exampleOf({ id: floats(1) }) : numbered(i)));
  const file = folder.write('misfit', rows);
  const spec = { id: fixedLen([], 'int64'), tags: varLen('bytes') };
  const ids = (dataset: Dataset<{ readonly id: bigint }, unknown>): Promise<bigint[]> =>
    dataset.map(({ id }) => id).toArray();

  test('are TFR_FEATURE with their place, after all before them', async () => {
    const seen: unknown[] = [];
    const error = await Dataset.tfrecord(file)
      .parse(spec)
      .forEachAsync(({ id }) => seen.push(id))
      .then(undefined, (reason: unknown) => reason);
    expect(seen).toEqual([0n, 1n]);
    expect(error).toMatchObject({ code: 'TFR_FEATURE', file, record: 2, feature: 'id' });
    await expectResumes(Dataset.tfrecord(file).parse(spec));
    await expectResumes(Dataset.tfrecord(file).parse(spec).batch(1));
  });

  test('behind a batch the rows before them come as a smaller one', async () => {
    for (const dataset of [
      Dataset.tfrecord(file).parse(spec).batch(4),
      Dataset.tfrecord(file).parse(spec).shuffle(1).batch(4),
    ]) {
      const elements = dataset.iterate();
      expect(comparable((await elements.next()).value?.id)).toEqual([0n, 1n]);
      await expect(elements.next()).rejects.toMatchObject({ code: 'TFR_FEATURE', record: 2 });
      expect((await elements.next()).done).toBe(true);
    }
  });

  test('skip loses them alone, wherever it stands', async () => {
    expect(await ids(Dataset.tfrecord(file).parse(spec, { onError: 'skip' }))).toEqual([0n, 1n, 3n, 4n]);
    expect(await ids(Dataset.tfrecord(file).parse(spec).onError('skip'))).toEqual([0n, 1n, 3n, 4n]);
    const batches = await Dataset.tfrecord(file).parse(spec).onError('skip').batch(3).toArray();
    expect(batches.map(({ id }) => [...id])).toEqual([[0n, 1n, 3n], [4n]]);
    const fused = await Dataset.tfrecord(file).batch(3).parse(spec).onError('skip').toArray();
    expect(fused.map(({ id }) => [...id])).toEqual([
      [0n, 1n],
      [3n, 4n],
    ]);
    await expectResumes(Dataset.tfrecord(file).parse(spec).onError('skip').shuffle(2).batch(2).seed(3));
  });
});

test('pipelines over nothing end, also where they would go round for ever', async () => {
  const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  const dropped = Dataset.range(100).filter(() => false);
  for (const dataset of [dropped.repeat(), dropped.repeat().shuffle(5).batch(3), dropped.shuffle(3).repeat().take(1)]) {
    expect(await (dataset as Dataset<unknown, unknown>).toArray()).toEqual([]);
  }
  const inner = Dataset.range(3)
    .interleave(() => dropped)
    .repeat();
  expect(await inner.toArray()).toEqual([]);
  warn.mockRestore();
});

test('no rejection is left unhandled', async () => {
  const unhandled = jest.fn();
  process.on('unhandledRejection', unhandled);
  const failing = Dataset.range(100).map(
    async (i) => {
      await Promise.resolve();
      if (i > 3) throw new Error('no');
      return i;
    },
    { parallel: 16 },
  );
  const elements = failing.prefetch(50).iterate();
  await elements.next();
  await setImmediate();
  await elements.return();
  await run(failing);
  await sleep(5);
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

test.each<[string, unknown]>([
  ['without a text', Object.create(null)],
  [
    'that throws when it is looked at',
    Object.defineProperty(new Error(), 'message', {
      get: () => {
        throw new Error('looked at');
      },
    }),
  ],
])('what a function throws %s is an error of the stage as any other', async (_, thrown) => {
  const failing = Dataset.range(3).map((n) => {
    if (n === 1) throw thrown;
    return n;
  });
  await expect(failing.toArray()).rejects.toMatchObject({ code: 'TFR_USER', stage: 'map' });
  await expect(failing.onError({ action: 'skip', maxRate: 1 }).toArray()).resolves.toEqual([0, 2]);
});
