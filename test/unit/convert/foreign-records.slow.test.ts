/** No conversion makes empty rows of records that are no Examples. */
import { readFileSync } from 'node:fs';

import { encodeExample, int64, varLen } from '../../../lib';
import { convert, type ConvertOptions } from '../../../lib/convert';
import { foreignRecords, predictLog, callVariants } from '../../support/examples/foreign-records';
import { Folder } from '../../support/records/record-files';
import { tfrecord } from '../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

const spec = { a: varLen('int64') } as const;
const WAYS: readonly (readonly [out: string, options: ConvertOptions])[] = [
  ['o.jsonl', {}],
  ['o.json', { to: 'protojson' }],
  ['o.jsonl', { spec }],
  ['o.arrow', {}],
  ['o.arrow', { spec }],
  ['o.csv', {}],
  ['o.parquet', {}],
  ['o.tfrecord', { where: 'a[1] = 1' }],
  ['o.tfrecord', { where: 'a[1] = 1', spec }],
  ['o.tfrecord', { features: ['a'] }],
  ['o.tfrecord', { exclude: ['a'] }],
  ['o.tfrecord', { split: { x: 0.5, y: 0.5 }, splitBy: 'a' }],
];

test.each(WAYS)('to %s, %p', async (out, options) => {
  const { at, names } = folder.place();
  for (const [, message, record] of foreignRecords) {
    const input = tfrecord([encodeExample({ a: int64(1) }), record]);
    await expect(convert(input, at(out), options)).rejects.toMatchObject({
      code: 'TFR_EXAMPLE',
      record: 1,
      message: expect.stringMatching(record === callVariants ? /seems to be|malformed/ : message) as string,
    });
  }
  expect(names()).toEqual([]);
});

test('a policy leaves them out', async () => {
  const { at } = folder.place();
  const rows = [encodeExample({ a: int64(1) }), predictLog, encodeExample({ a: int64(2) })];
  const report = await convert(tfrecord(rows), at('o.jsonl'), { onError: { action: 'skip', maxRate: 1 } });
  expect(report).toMatchObject({ records: 2, skipped: 1 });
  expect(readFileSync(at('o.jsonl'), 'utf8')).toBe('{"a":[1]}\n{"a":[2]}\n');
});
