/** Results of the package belong to the realm of the code that loaded it, so `instanceof` works. */
import { readRecords, RecordBatch, RecordReader, TFRecordError } from '../../lib';
import { CASE_TIMEOUT, endedWell, runCase } from '../support/running/run-case';
import { Folder, numberedRecords } from '../support/records/record-files';

jest.setTimeout(CASE_TIMEOUT);

const folder = new Folder();
const file = folder.write('plain.tfrecord', numberedRecords(100, 100));
afterAll(() => folder.remove());

test('a vm context', async () => {
  const result = await runCase('lifecycle/cases/globals/other-realm', { args: [file] });
  expect(result).toEqual(
    endedWell({
      missing: [true, true, 'ENOENT'],
      damaged: [true, true, 'TFR_TRUNCATED'],
      wrong: [true, 'ERR_INVALID_ARG_TYPE'],
      range: [true, 'ERR_OUT_OF_RANGE'],
      promise: true,
      batch: true,
      record: true,
    }),
  );
});

describe("Jest's own realm", () => {
  test('errors', async () => {
    await expect(RecordReader.open(folder.at('missing'))).rejects.toBeInstanceOf(TFRecordError);
    await expect(RecordReader.open(folder.at('missing'))).rejects.toBeInstanceOf(Error);
    await expect(readRecords(new Uint8Array(5)).next()).rejects.toBeInstanceOf(TFRecordError);
    await expect(RecordReader.open(5 as unknown as string)).rejects.toBeInstanceOf(TypeError);
    expect(() => readRecords(file, { maxRecordBytes: -1 })).toThrow(RangeError);
  });

  test('promises, batches, records', async () => {
    const reader = await RecordReader.open(file);
    const step = reader.batches().next();
    expect(step).toBeInstanceOf(Promise);
    const { value } = await step;
    expect(value).toBeInstanceOf(RecordBatch);
    expect((value as RecordBatch).at(0)).toBeInstanceOf(Uint8Array);
    expect(reader.close()).toBeInstanceOf(Promise);
  });
});
