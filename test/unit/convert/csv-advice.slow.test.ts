/** What CSV refuses comes back from each of the formats that the refusal names. */
import { readFileSync } from 'node:fs';

import { bytes, encodeExample, encodeSequenceExample, float, int64, sequenceExampleToObject } from '../../../lib';
import { convert } from '../../../lib/convert';
import { Folder } from '../../support/records/record-files';
import { wholeRecords } from '../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

const one = encodeExample({ a: int64([1]) });
const values = (file: string): object[] =>
  wholeRecords(readFileSync(file)).map((record) => sequenceExampleToObject(record, { kinds: true }));

test.each<[string, Uint8Array[], RegExp, string[]]>([
  ['a name with NUL', [encodeExample({ 'a\0b': int64([1]) })], /has a NUL/, ['jsonl']],
  ['records without features', [encodeExample({}), encodeExample({})], /has no features/, ['jsonl']],
  [
    'as many values in each record',
    [encodeExample({ a: float([1, 2]) })],
    /has 2 values in each/,
    ['jsonl', 'parquet'],
  ],
  ['several values', [one, encodeExample({ a: int64([1, 2]) })], /has 2 values/, ['jsonl', 'parquet']],
  [
    'a feature without values',
    [one, encodeExample({ a: int64([]) })],
    /is present, but has no value/,
    ['jsonl', 'parquet'],
  ],
  [
    'bytes',
    [encodeExample({ a: bytes([Uint8Array.of(0xff)]) })],
    /bytes? that (?:is|are) not text/,
    ['jsonl', 'parquet'],
  ],
  ['NUL in text', [encodeExample({ a: 'a\0' })], /bytes? that (?:is|are) not text/, ['jsonl', 'parquet']],
  [
    'feature lists',
    [encodeSequenceExample({ context: { a: int64([1]) }, featureLists: { l: [int64([1, 2])] } })],
    /no feature lists/,
    ['jsonl', 'parquet'],
  ],
])('%s', async (_name, records, reason, formats) => {
  folder.write('in', records);
  const error = (await convert(folder.at('in'), folder.at('out.csv')).then(
    () => new Error('nothing was thrown'),
    (reason: unknown) => reason,
  )) as Error & { code: string };
  expect([error.code, error.message]).toEqual(['TFR_FEATURE', expect.stringMatching(reason)]);
  expect(['jsonl', 'parquet', 'arrow', 'protojson'].filter((format) => error.message.includes(format))).toEqual(
    formats,
  );
  for (const format of formats) {
    await convert(folder.at('in'), folder.at(`out.${format}`), { force: true });
    await convert(folder.at(`out.${format}`), folder.at('back'), { force: true });
    expect(values(folder.at('back'))).toEqual(values(folder.at('in')));
  }
});
