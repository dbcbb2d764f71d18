/** Single values that records may lack, through every format and back: NULL, or nothing, in the file. */
import { readFileSync } from 'node:fs';

import { arrowBatches } from '../../../../lib/adapters/arrow';
import { exampleEncoder, fixedLen, type Spec } from '../../../../lib';
import { convert } from '../../../../lib/convert';
import type { ConvertFormat } from '../../../../lib/convert/formats';
import { Folder } from '../../../support/records/record-files';
import { tfrecord, wholeRecords } from '../../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

const numbers: Spec = {
  n: fixedLen([], 'int64', { default: null }),
  x: fixedLen([], 'float32', { default: null }),
};
const all: Spec = {
  ...numbers,
  t: fixedLen([], 'text', { default: null }),
  b: fixedLen([], 'bytes', { default: null }),
};
const rows = [
  { n: 1n, x: 0.5, t: 'ä', b: Uint8Array.of(0xff) },
  { n: null, x: null, t: null, b: null },
  { n: -5n, x: null, t: '', b: null },
  { n: null, x: -0, t: null, b: Uint8Array.of() },
];

test.each<[ConvertFormat, Spec]>([
  ['tfrecord', all],
  ['jsonl', all],
  ['parquet', all],
  ['arrow', all],
  ['arrows', all],
  ['csv', numbers],
])('%s', async (format, spec) => {
  const encode = exampleEncoder(spec);
  const records = rows.map((row) =>
    encode(Object.fromEntries(Object.keys(spec).map((name) => [name, row[name as 'n']]))),
  );
  const at = folder.place().at;
  const options = format === 'tfrecord' ? {} : { spec };
  await convert(tfrecord(records), at('there'), { to: format, ...options });
  await convert(at('there'), at('back'), { from: format, ...options });
  expect(wholeRecords(readFileSync(at('back')))).toEqual(records.map((record) => Buffer.from(record)));
});

test('batches of Arrow that are read by the spec have nulls', async () => {
  const records = rows.map(exampleEncoder(all));
  const read = arrowBatches(tfrecord(records), all);
  expect(read.schema.fields.map(({ nullable }) => nullable)).toEqual([true, true, true, true]);
  const columns: unknown[] = [];
  for await (const batch of read) columns.push(batch.getChild('n')?.toJSON());
  expect(columns).toEqual([[1n, null, -5n, null]]);
});
