/** A condition in SQL leaves out records, and the others stay as they are. */
import { readFileSync, writeFileSync } from 'node:fs';

import { encodeExample, encodeSequenceExample, fixedLen, int64, type FeatureLike } from '../../../lib';
import { convert } from '../../../lib/convert';
import { Folder } from '../../support/records/record-files';
import { tfrecord, wholeRecords } from '../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

const records = Array.from({ length: 1000 }, (_, i) =>
  encodeExample({ id: int64([i]), word: `w${i % 3}`, ...(i % 2 === 0 ? { even: int64([1, i]) } : {}) }),
);
const thousand = tfrecord(records);
const kept = (by: (i: number) => boolean): Buffer[] => records.filter((_, i) => by(i)).map((each) => Buffer.from(each));

test('records are kept byte for byte, in order', async () => {
  const { at } = folder.place();
  const report = await convert(thousand, at('out'), { where: "id >= 10 AND word = 'w1'" });
  expect(wholeRecords(readFileSync(at('out')))).toEqual(kept((i) => i >= 10 && i % 3 === 1));
  expect(report).toMatchObject({ records: 330, skipped: 0 });
});

test('missing features are NULL, lists are lists', async () => {
  const { at } = folder.place();
  await convert(thousand, at('null'), { where: 'even IS NULL' });
  expect(wholeRecords(readFileSync(at('null')))).toEqual(kept((i) => i % 2 === 1));
  await convert(thousand, at('list'), { where: 'even[2] > 500' });
  expect(wholeRecords(readFileSync(at('list')))).toEqual(kept((i) => i % 2 === 0 && i > 500));
});

test('shards, sides, shuffles, projections and other formats take part', async () => {
  const { at, names } = folder.place();
  await convert(thousand, at('s'), { where: 'id < 100', shards: 2, features: ['id'] });
  const shards = [0, 1].map((i) => wholeRecords(readFileSync(at(`s-0000${i}-of-00002`))));
  expect(shards.flat()).toEqual(Array.from({ length: 100 }, (_, i) => Buffer.from(encodeExample({ id: int64([i]) }))));
  await convert(thousand, at('x'), { where: 'id < 100', seed: 1 });
  const shuffled = wholeRecords(readFileSync(at('x')));
  expect(shuffled).not.toEqual(kept((i) => i < 100));
  expect(shuffled.sort(Buffer.compare)).toEqual(kept((i) => i < 100).sort(Buffer.compare));
  await convert(thousand, at('split'), { where: 'id < 100', split: { a: 0.5, b: 0.5 } });
  expect(['split-a', 'split-b'].flatMap((name) => wholeRecords(readFileSync(at(name))))).toHaveLength(100);
  await convert(thousand, at('o.jsonl'), { where: 'id = 7', features: ['word'] });
  expect(readFileSync(at('o.jsonl'), 'utf8')).toBe('{"word":["w1"]}\n');
  await convert(thousand, at('o.parquet'), { where: 'id = 7' });
  await convert(at('o.parquet'), at('o.tfrecord'));
  expect(wholeRecords(readFileSync(at('o.tfrecord')))).toEqual(kept((i) => i === 7));
  expect(names().filter((name) => name.startsWith('.') || name.endsWith('.tmp'))).toEqual([]);
});

test('nothing that fits is an empty output', async () => {
  const { at } = folder.place();
  expect(await convert(thousand, at('out'), { where: 'id < 0' })).toMatchObject({ records: 0 });
  expect(readFileSync(at('out'))).toHaveLength(0);
  // No record that is kept has it, but others do.
  expect(await convert(thousand, at('b'), { where: 'id = 1', features: ['even'] })).toMatchObject({ records: 1 });
});

test('a spec saves the look at all records, and says what a condition can name', async () => {
  const { at } = folder.place();
  const spec = { id: fixedLen([], 'int64') };
  const phases = new Set<string>();
  await convert(thousand, at('out'), { where: 'id % 2 = 0', spec, onProgress: ({ phase }) => phases.add(phase) });
  expect(wholeRecords(readFileSync(at('out')))).toEqual(kept((i) => i % 2 === 0));
  expect([...phases]).toEqual(['write']);
  await expect(convert(thousand, at('no'), { where: "word = 'w1'", spec })).rejects.toThrow(/word/);
});

test('SequenceExamples, and features of several kinds beside', async () => {
  const { at } = folder.place();
  const row = (i: number, mixed: FeatureLike): Uint8Array =>
    encodeSequenceExample({ context: { id: int64([i]), mixed }, featureLists: { words: [int64([i]), int64([])] } });
  const sequences = [row(0, 'x'), row(1, int64([1]))];
  await convert(tfrecord(sequences), at('out'), { where: 'words[1][1] = 1' });
  expect(wholeRecords(readFileSync(at('out')))).toEqual([Buffer.from(sequences[1]!)]);
  await expect(convert(tfrecord(sequences), at('no'), { where: 'mixed = 1' })).rejects.toThrow(/mixed/);
});

test.each([
  ['id =', 'ERR_INVALID_ARG_VALUE'],
  ['idd = 1', 'ERR_INVALID_ARG_VALUE'],
  ['1) ; DROP TABLE x; --', 'ERR_INVALID_ARG_VALUE'],
  ['', 'ERR_INVALID_ARG_VALUE'],
])('%j is refused in one line', async (where, code) => {
  const { at, names } = folder.place();
  const error = await convert(thousand, at('out'), { where }).catch((cause: unknown) => cause as NodeJS.ErrnoException);
  expect(error).toMatchObject({ code, message: expect.not.stringContaining('\n') as string });
  expect(names()).toEqual([]);
});

test('JSON Lines are filtered, too', async () => {
  const { at } = folder.place();
  writeFileSync(at('in.jsonl'), '{"a":[1]}\n{"a":[2]}\n');
  await convert(at('in.jsonl'), at('out.jsonl'), { where: 'a = 2' });
  expect(readFileSync(at('out.jsonl'), 'utf8')).toBe('{"a":[2]}\n');
});

test('an abort ends a slow condition, and half a character is refused', async () => {
  const { at, names } = folder.place();
  const where = '(SELECT max(a.range * b.range + id) FROM range(10000000) a, range(10000000) b) > 0';
  const signal = AbortSignal.timeout(300);
  await expect(convert(thousand, at('out'), { where, signal })).rejects.toThrow(/timeout/);
  expect(names()).toEqual([]);
  const half = convert(thousand, at('out'), { where: "word = '\ud800'" });
  await expect(half).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
});

test('resume tells another condition', async () => {
  const { at } = folder.place();
  await convert(thousand, at('file'));
  await convert(at('file'), at('out'), { where: 'id < 5', shards: 2, resume: true });
  expect(await convert(at('file'), at('out'), { where: 'id < 5', shards: 2, resume: true })).toMatchObject({
    upToDate: true,
  });
  await expect(convert(at('file'), at('out'), { where: 'id < 6', shards: 2, resume: true })).rejects.toMatchObject({
    code: 'TFR_STATE_MISMATCH',
  });
});
