/** Rows of CSV with millions of fields: memory is taken only for fields that the header has. */
import { convert } from '../../../../lib/convert';
import { RowSplitter } from '../../../../lib/convert/csv/row-splitter';
import { Folder } from '../../../support/records/record-files';

const folder = new Folder();
afterAll(() => folder.remove());

const converted = (text: string): Promise<unknown> => {
  return convert(folder.put('wide.csv', Buffer.from(text)), `${folder.path}/out.tfrecord`);
};

test('a row keeps the fields of the header, and counts all', () => {
  const splitter = new RowSplitter(',');
  splitter.split(Buffer.from(','.repeat(99_999)), 2);
  expect(splitter.count).toBe(100_000);
  expect(splitter.fields.starts).toHaveLength(2);
  expect(splitter.fields.bytes).toHaveLength(2);
});

test('a row that is too wide is an error with its number of fields', async () => {
  await expect(converted(`a,b\n${','.repeat(1_999_999)}\n`)).rejects.toMatchObject({
    code: 'TFR_DECODE',
    expected: '2 fields, as the header has',
    found: '2000000',
  });
});

test('a header with more than a million columns is refused', async () => {
  await expect(converted(`${','.repeat(1_000_000)}\n`)).rejects.toMatchObject({
    code: 'TFR_DECODE',
    message: expect.stringContaining('the header has 1000001 columns') as string,
    expected: 'at most 1000000 columns',
    found: '1000001 columns',
  });
});
