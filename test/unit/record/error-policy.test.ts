import { deflateSync, gzipSync } from 'node:zlib';

import { readRecords, readRecordsSync, type OnError, type ReadOptions, type TFRecordError } from '../../../lib';
import { flipBit, offsets, tfrecord } from '../../support/records/tfrecord';

/** A file of `count` records of which those in `damaged` have a wrong data checksum. */
function fileOf(count: number, damaged: readonly number[]): Buffer {
  const payloads = Array.from({ length: count }, (_, index) => `${index}`);
  const places = offsets(payloads);
  return damaged.reduce((bytes, record) => flipBit(bytes, places[record]! + 12), tfrecord(payloads));
}

/** How many records come out, and the error at the end. */
async function read(
  bytes: Buffer,
  onError: OnError,
  more: ReadOptions = {},
): Promise<[number, TFRecordError | undefined]> {
  let records = 0;
  try {
    for await (const _ of readRecords(bytes, { ...more, onError })) records++;
    return [records, undefined];
  } catch (error) {
    return [records, error as TFRecordError];
  }
}

const every = (step: number, count: number): number[] =>
  Array.from({ length: count / step }, (_, i) => (i + 1) * step - 1);

describe('the share of skipped elements', () => {
  test('is not looked at before 1,000 elements passed', async () => {
    expect(await read(fileOf(990, every(10, 990)), 'skip')).toEqual([891, undefined]);
  });

  test('more than 1 % of them is an error, by default', async () => {
    const [records, error] = await read(fileOf(3000, every(50, 3000)), 'skip');
    expect(error).toMatchObject({ code: 'TFR_CORRUPT_DATA', record: 999, file: '<bytes>', offset: expect.any(Number) });
    expect(records).toBe(999 - 19);
  });

  test('says so: how many of how many, and what lifts it; the damage is the cause', async () => {
    const [, error] = await read(fileOf(3000, every(50, 3000)), 'skip');
    expect(error!.message).toBe(
      "20 of 1000 records would be skipped, more than onError's maxRate 0.01; the last is record 999 of <bytes>. " +
        'maxRate: 1, or a function for onError, lifts the limit.',
    );
    expect(error!.cause).toMatchObject({
      code: 'TFR_CORRUPT_DATA',
      record: 999,
      message: expect.stringMatching(/^Data/),
    });
  });

  test('1 % of them is not', async () => {
    expect(await read(fileOf(3000, every(100, 3000)), { action: 'skip' })).toEqual([2970, undefined]);
  });

  test('is what maxRate says', async () => {
    const file = fileOf(3000, every(50, 3000));
    expect(await read(file, { action: 'skip', maxRate: 0.02 })).toEqual([2940, undefined]);
    expect(await read(file, { action: 'skip', maxRate: 1 })).toEqual([2940, undefined]);
    expect((await read(file, { action: 'skip', maxRate: 0 }))[1]).toMatchObject({ record: 999 });
  });

  test('does not limit a function', async () => {
    expect(await read(fileOf(3000, every(50, 3000)), () => 'skip')).toEqual([2940, undefined]);
  });
});

test('max: so many skips and no more; report hears of these', async () => {
  const report = jest.fn();
  const [records, error] = await read(fileOf(10, [2, 4, 6]), { action: 'skip', max: 2, report });
  expect(records).toBe(4);
  expect(error).toMatchObject({ code: 'TFR_CORRUPT_DATA', record: 6, cause: { record: 6 } });
  expect(error!.message).toBe(
    "3 of 7 records would be skipped, more than onError's max 2; the last is record 6 of <bytes>. " +
      'A larger max, or a function for onError, lifts the limit.',
  );
  expect(report.mock.calls.map(([reported]) => reported.record)).toEqual([2, 4]);
  expect((await read(fileOf(3, [0]), { action: 'skip', max: 0 }))[1]).toMatchObject({ record: 0 });
});

describe('foreign data is not an empty data set', () => {
  const plain = fileOf(5, []);
  test.each([
    ['gzip read as plain', gzipSync(plain), 'none', 'TFR_COMPRESSION'],
    ['text', Buffer.from('one line of text\n'), 'auto', 'TFR_NOT_TFRECORD'],
  ] as const)('%s, skipped whole, is thrown at the end', async (_, bytes, compression, code) => {
    expect((await read(bytes, 'skip', { compression }))[1]).toMatchObject({ code });
    expect(() => readRecordsSync(bytes, { compression, onError: 'skip' }).next()).toThrow(
      expect.objectContaining({ code }),
    );
    expect(await read(bytes, { action: 'skip', maxRate: 1 }, { compression })).toEqual([0, undefined]);
    expect(await read(bytes, () => 'skip', { compression })).toEqual([0, undefined]);
    expect(await read(bytes, 'stop', { compression })).toEqual([0, undefined]);
  });
});

describe('damage in the first record is damage, not foreign data', () => {
  const plain = fileOf(50, []);
  test.each([
    ['gzip', gzipSync(plain)],
    ['zlib', deflateSync(plain)],
  ] as const)('%s: it is skipped, and reported, as one record later', async (_, bytes) => {
    // The header of the first block.
    const damaged = Buffer.from(bytes).fill(0xff, 10, 20);
    for (const action of ['skip', 'salvage'] as const) {
      const report = jest.fn();
      expect(await read(damaged, { action, report })).toEqual([0, undefined]);
      expect([...readRecordsSync(damaged, { onError: action })]).toEqual([]);
      expect(report.mock.calls).toMatchObject([[{ code: 'TFR_COMPRESSION', record: 0, offset: 0 }]]);
    }
    expect(await read(damaged, 'stop')).toEqual([0, undefined]);
    expect((await read(damaged, 'throw'))[1]).toMatchObject({ code: 'TFR_COMPRESSION', record: 0 });
  });
});

test('what a function throws, and a decision that is none, end the reading', async () => {
  const mine = new Error('mine');
  const thrower = (): never => {
    throw mine;
  };
  expect(await read(fileOf(5, [3]), thrower)).toEqual([3, mine]);
  expect((await read(fileOf(5, [3]), () => 'retry' as never))[1]).toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
  expect((await read(fileOf(5, [3]), () => undefined as never))[1]).toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
});

test('a rejected promise of a function ends the reading, not the process', async () => {
  const unhandled = jest.fn();
  process.on('unhandledRejection', unhandled);
  const rejecting = (): Promise<never> => Promise.reject(new Error('mine'));
  expect((await read(fileOf(5, [3]), rejecting as never))[1]).toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
  await new Promise(setImmediate);
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

test.each([
  [() => undefined, '"the result of options.onError" must be "throw", "skip" or "stop". Received undefined'],
  [
    async () => 'skip',
    '"the result of options.onError" must be "throw", "skip" or "stop", not a promise. Received an instance of Promise',
  ],
])('the result of a function may only be an action: %p', async (onError, message) => {
  expect((await read(fileOf(5, [3]), onError as never))[1]).toMatchObject({ code: 'ERR_INVALID_ARG_TYPE', message });
});

test('wrong policies are refused by name', () => {
  const refusal = (onError: unknown) => {
    try {
      readRecords(Buffer.alloc(0), { onError: onError as OnError });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      return [code, message];
    }
    return undefined;
  };
  expect(refusal([])).toEqual([
    'ERR_INVALID_ARG_TYPE',
    '"options.onError" must be an action ("throw", "skip", "stop", "salvage"), a function or a skip policy. ' +
      'Received an instance of Array',
  ]);
  expect(refusal({ action: 'stop' })).toEqual([
    'ERR_INVALID_ARG_VALUE',
    '"options.onError.action" must be "skip" or "salvage". Received "stop"',
  ]);
  expect(refusal({ action: 'skip', foo: 1 })).toEqual([
    'ERR_INVALID_ARG_VALUE',
    'Unknown option "onError.foo". The options are: action, max, maxRate, report',
  ]);
});
