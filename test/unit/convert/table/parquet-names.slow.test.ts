/** Files of Parquet under any name: DuckDB would take some for patterns, partitions, or places elsewhere. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

import { encodeExample, int64, float, type FeatureLike } from '../../../../lib';
import { convert } from '../../../../lib/convert';
import { Folder } from '../../../support/records/record-files';
import { tfrecord, wholeRecords } from '../../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

const examples = (rows: readonly Record<string, FeatureLike>[]): Buffer =>
  tfrecord(rows.map((row) => encodeExample(row)));
const people = examples(Array.from({ length: 100 }, (_, i) => ({ id: int64([i]), name: `n${i}` })));

test('a file is read whose name would be a pattern of DuckDB', async () => {
  const { at } = folder.place();
  const names = ['a1', 'a[1]', String.raw`a\1`, String.raw`a\[1]`, 'a[!1]', 'a]', '{a1,b}', "'%20'", 'a=1'];
  const files = names.map((name) => at(`${name}.parquet`));
  for (const [i, file] of files.entries()) await convert(examples([{ id: int64([i]) }]), file);
  await convert(files, at('o.jsonl'));
  expect(readFileSync(at('o.jsonl'), 'utf8')).toBe(names.map((_, i) => `{"id":[${i}]}\n`).join(''));
  const file = at(String.raw`a\b[1].parquet`);
  await convert(people, file);
  await expect(convert(file, at('no'))).rejects.toMatchObject({ code: 'TFR_SQL', file });
});

test.each(['label=7', 'year=2024/month=05', 'label=7/label=8'])('a folder %s gives no values', async (name) => {
  const { at } = folder.place();
  mkdirSync(at(name), { recursive: true });
  const rows = [1, 2, 3].map((label) => ({ label: int64([label]), score: float([label / 2]) }));
  await convert(examples(rows), at(`${name}/out.parquet`));
  await convert(at(`${name}/out.parquet`), at('back'));
  expect(wholeRecords(readFileSync(at('back')))).toEqual(wholeRecords(examples(rows)));
});

test('relative paths are those of the system: DuckDB expands neither ~ nor file:', async () => {
  const { at, names } = folder.place();
  const before = process.cwd();
  mkdirSync(at('here/~'), { recursive: true });
  process.chdir(at('here'));
  try {
    mkdirSync('file:');
    for (const output of ['~/out.parquet', 'file:/out.parquet', 'file:out.parquet', 's3:out.parquet']) {
      expect(await convert(people, output)).toMatchObject({ records: 100 });
      await convert(output, 'back', { force: true });
      expect(wholeRecords(readFileSync('back'))).toEqual(wholeRecords(people));
    }
    expect(readdirSync('.').sort()).toEqual(['back', 'file:', 'file:out.parquet', 's3:out.parquet', '~']);
    expect([readdirSync('~'), readdirSync('file:')]).toEqual([['out.parquet'], ['out.parquet']]);
    await expect(convert('~/none.parquet', 'no')).rejects.toMatchObject({ code: 'ENOENT' });
    writeFileSync('~/text.parquet', 'text');
    await expect(convert('~/text.parquet', 'no')).rejects.toMatchObject({
      code: 'TFR_SQL',
      file: '~/text.parquet',
      message: expect.not.stringContaining(before) as string,
    });
  } finally {
    process.chdir(before);
  }
  expect(names()).toEqual(['here']);
});
