/**
 * In Electron, one ArrayBuffer has at most 2 GiB - 2 MiB. Records and columns that need a larger one are errors with a code
 * that say so. Electron itself is not needed: the package asks `process.versions`, and larger allocations fail.
 */
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';

import type * as Package from '../../../../lib';
import type * as Columns from '../../../../lib/example/parse/parsed-columns';
import type * as Pool from '../../../../lib/io/memory/memory-pool';
import { Folder } from '../../../support/records/record-files';
import { FRAMING_BYTES, header } from '../../../support/records/tfrecord';
import { thrown } from '../../../support/thrown';

const LARGEST = 2 ** 31 - 2 ** 21;
const SAYS =
  /Electron allows at most 2145386496 bytes \(2 GiB - 2 MiB\) in one ArrayBuffer: .* a process of Node itself/;
const TOO_LARGE = {
  name: 'TFRecordError',
  code: 'TFR_RECORD_TOO_LARGE',
  message: expect.stringMatching(SAYS) as string,
};

/** A module as it is loaded in Electron. */
function inElectron(path: string): unknown {
  const { versions } = process;
  const set = (value: object): unknown => Object.defineProperty(process, 'versions', { value, configurable: true });
  set({ ...versions, electron: '25.1.1' });
  let loaded: unknown;
  jest.isolateModules(() => {
    loaded = jest.requireActual(path);
  });
  set(versions);
  return loaded;
}

const folder = new Folder();
afterAll(() => folder.remove());

beforeEach(() => {
  const allocate = Buffer.allocUnsafeSlow.bind(Buffer);
  jest.spyOn(Buffer, 'allocUnsafeSlow').mockImplementation((size) => {
    if (size > LARGEST) throw new RangeError('Array buffer allocation failed');
    return allocate(size);
  });
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** A file of one record of `length` bytes, all zero, which takes no place on the disk. */
function sparse(length: number): string {
  const path = folder.fresh();
  const file = openSync(path, 'w');
  writeSync(file, header(length));
  ftruncateSync(file, length + FRAMING_BYTES);
  closeSync(file);
  return path;
}

describe('records', () => {
  const { encodeRecords, readRecords, readRecordsSync, TFRecordError } = inElectron(
    '../../../../lib',
  ) as typeof Package;
  const longest = LARGEST - FRAMING_BYTES;

  test('a record that no array holds is longer than the default allows', async () => {
    const file = sparse(longest + 1);
    const error = {
      ...TOO_LARGE,
      file,
      record: 0,
      expected: `at most ${longest} bytes`,
      found: `${longest + 1} bytes`,
    };
    expect(thrown(() => readRecordsSync(file).next())).toMatchObject(error);
    await expect(readRecords(file).next()).rejects.toMatchObject(error);
    expect(thrown(() => readRecordsSync(header(longest)).next())).toMatchObject({ code: 'TFR_TRUNCATED' });
  });

  test('a record whose memory is refused, because the caller allows it', async () => {
    const file = sparse(longest + 1);
    const options = { maxRecordBytes: 2 ** 31 - 1, verify: 'length' } as const;
    const error = { ...TOO_LARGE, file, found: `${LARGEST + 1} bytes`, cause: expect.any(RangeError) as Error };
    expect(thrown(() => readRecordsSync(file, options).next())).toMatchObject(error);
    await expect(readRecords(file, options).next()).rejects.toMatchObject(error);
  });

  test('the advice for other limits is to raise them', () => {
    const error = thrown(() => readRecordsSync(encodeRecords(['four']), { maxRecordBytes: 3 }).next());
    expect(error).toBeInstanceOf(TFRecordError);
    expect((error as Error).message).toMatch(/raise maxRecordBytes; onError/);
  });
});

test('a column that no array holds', () => {
  const { unset } = inElectron('../../../../lib/example/parse/parsed-columns') as typeof Columns;
  expect(thrown(() => unset(LARGEST + 1, 'a.tfrecord'))).toMatchObject({ ...TOO_LARGE, file: 'a.tfrecord' });
  expect((thrown(() => unset(LARGEST + 1, 'a.tfrecord')) as Error).message).toContain('use smaller batches');
});

test('sizes of memory that is used again are not rounded up beyond the limit', () => {
  const { commonSize } = inElectron('../../../../lib/io/memory/memory-pool') as typeof Pool;
  expect([1.9e9, LARGEST, LARGEST + 1].map(commonSize)).toEqual([LARGEST, LARGEST, LARGEST + 1]);
  expect(commonSize(1.7e9)).toBeGreaterThan(1.7e9);
});
