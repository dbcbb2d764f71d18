/**
 * If memory cannot be allocated, the right step fails with an error that names the file, and no rejection is unhandled.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  encodeExample,
  fixedLen,
  int64,
  parseExample,
  readExamples,
  readRecords,
  readRecordsSync,
  RecordReader,
} from '../../../../lib';
import { native } from '../../../../lib/native';
import { tfrecord } from '../../../support/records/tfrecord';

let folder: string;
const unhandled = jest.fn();
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tfr-no-memory-'));
  process.on('unhandledRejection', unhandled);
});
afterAll(() => {
  process.off('unhandledRejection', unhandled);
  rmSync(folder, { recursive: true });
});
afterEach(() => {
  jest.restoreAllMocks();
});

test('no memory to read the next file ahead: told when that file is asked for', async () => {
  const [first, second] = ['first', 'second'].map((name) => join(folder, name)) as [string, string];
  for (const path of [first, second]) writeFileSync(path, tfrecord([path]));
  const allocate = jest.spyOn(Buffer, 'allocUnsafeSlow');
  const records = readRecords([first, second]);
  // The slab of the first file is there when its opening was waited for; what comes after is refused.
  const pending = records.next();
  while (allocate.mock.calls.length === 0) await new Promise(setImmediate);
  allocate.mockImplementation(() => {
    throw new RangeError('Array buffer allocation failed');
  });
  expect((await pending).value).toHaveLength(first.length);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(unhandled).not.toHaveBeenCalled();
  await expect(records.next()).rejects.toMatchObject({ code: 'ENOMEM', syscall: 'malloc', file: second });
});

test('no memory for a chunk in native', async () => {
  jest.spyOn(native(), 'readerFeed').mockImplementation(() => {
    throw Object.assign(new Error('ENOMEM: not enough memory'), { code: 'ENOMEM', errno: -12, syscall: 'malloc' });
  });
  const bytes = tfrecord(['record']);
  const error = { name: 'TFRecordError', code: 'ENOMEM', syscall: 'malloc', file: '<bytes>' };
  await expect(readRecords(bytes).next()).rejects.toMatchObject(error);
  expect(() => readRecordsSync(bytes).next()).toThrow(expect.objectContaining(error));
});

test('no memory for parsed columns', async () => {
  const path = join(folder, 'examples');
  const spec = { ids: fixedLen([200], 'int64') };
  const records = Array.from({ length: 10 }, () => encodeExample({ ids: int64(new BigInt64Array(200)) }));
  writeFileSync(path, tfrecord(records));
  const reader = await RecordReader.open(path);
  const { value: batch } = await reader.batches().next();
  await reader.close();
  jest.spyOn(Buffer, 'allocUnsafeSlow').mockImplementation(() => {
    throw new RangeError('Array buffer allocation failed');
  });
  const error = (file: string): object => ({ name: 'TFRecordError', code: 'ENOMEM', syscall: 'malloc', file });
  await expect(readExamples(path, spec).batches(10).next()).rejects.toMatchObject(error(path));
  expect(() => parseExample(records, spec)).toThrow(expect.objectContaining(error('<bytes>')));
  expect(() => parseExample(batch, spec)).toThrow(expect.objectContaining(error(path)));
  jest.restoreAllMocks();
  expect(parseExample(batch, spec).ids.shape).toEqual([10, 200]);
});
