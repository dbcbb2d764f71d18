/** An error of native code for lack of memory names the file and ends a writer: no later record is written. */
import { readRecords, RecordWriter, TFRecordError } from '../../../lib';
import { native, type Binding } from '../../../lib/native';
import { callNative, startNative } from '../../../lib/base/faults';
import { Folder, numberedRecords } from '../../support/records/record-files';

const folder = new Folder();
const file = folder.write('some.tfrecord', numberedRecords(10, 100));
afterAll(() => folder.remove());
afterEach(() => jest.restoreAllMocks());

function noMemory(): never {
  throw Object.assign(new Error('ENOMEM: not enough memory'), { code: 'ENOMEM', errno: -12, syscall: 'malloc' });
}

function failOnce(name: 'readerOpenFile' | 'readerFill' | 'writerPush' | 'writerFlush' | 'writerClose'): void {
  jest.spyOn(native() as Pick<Binding, typeof name>, name).mockImplementationOnce(noMemory);
}

const lackOfMemory = (at: string): unknown =>
  expect.objectContaining({ code: 'ENOMEM', file: at, message: `ENOMEM: not enough memory, malloc '${at}'` });

test('calls and promises', async () => {
  expect(callNative('a', () => 5)).toBe(5);
  expect(() => callNative('a', noMemory)).toThrow(TFRecordError);
  await expect(startNative('a', noMemory)).rejects.toEqual(lackOfMemory('a'));
  const other = new TypeError('other');
  const fail = (): never => {
    throw other;
  };
  expect(() => callNative('a', fail)).toThrow(other);
});

test.each(['readerOpenFile', 'readerFill'] as const)('reading: %s', async (name) => {
  failOnce(name);
  const reading = async (): Promise<void> => {
    for await (const record of readRecords(file)) expect(record).toBeDefined();
  };
  await expect(reading()).rejects.toEqual(lackOfMemory(file));
});

test.each(['writerPush', 'writerFlush', 'writerClose'] as const)('writing: %s', async (name) => {
  const path = folder.at(name);
  const writer = await RecordWriter.open(path);
  await writer.write(Buffer.from('first'));
  failOnce(name);
  if (name !== 'writerClose') {
    await expect(writer.flush()).rejects.toEqual(lackOfMemory(path));
    await expect(writer.write(Buffer.from('second'))).rejects.toEqual(lackOfMemory(path));
  }
  await expect(writer.close()).rejects.toEqual(lackOfMemory(path));
  expect(folder.names()).not.toContain(name);
});
