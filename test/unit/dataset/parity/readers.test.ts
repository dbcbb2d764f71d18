/** Parity with TensorFlow: readers of files. */
import { open, type FileHandle } from 'node:fs/promises';
import { writeFileSync } from 'node:fs';

import { Dataset } from '../../../../lib/dataset';
import { defineSource } from '../../../../lib';
import { drain, examples, folder, pattern, shards, upTo } from './fixture';

test('D1 a reader goes on with the next file by itself', async () => {
  expect(await Dataset.tfrecord([shards[1], shards[0]] as string[]).count()).toBe(10);
});

test('D2 every record tells its file, number, place and length', async () => {
  const iterator = Dataset.tfrecord(pattern).skip(6).iterate();
  const { value } = await iterator.next();
  const [first] = examples(5, 1) as [Uint8Array];
  const origin = { file: shards[1], record: 1, offset: first.length + 16, bytes: value?.length };
  expect(iterator.origin).toEqual(origin);
  await iterator.return();
});

test('D3 TFRecord files', async () => {
  expect(await Dataset.tfrecord(pattern).toArray()).toEqual(examples(0, 20).map((record) => new Uint8Array(record)));
});

test('D4 lines; header lines are skipped in each file', async () => {
  const files = ['a', 'b'].map((name) => folder.at(`${name}.txt`));
  for (const file of files) writeFileSync(file, 'title\nunits\n1\n2');
  expect(await Dataset.text(files, { skipHeaderLines: 2 }).toArray()).toEqual(['1', '2', '1', '2']);
  expect(() => Dataset.text(files, { skipHeaderLines: -1 })).toThrow(RangeError);
});

test('D5 records of a fixed length: a label and an image', async () => {
  const file = folder.at('images.bin');
  writeFileSync(file, Buffer.concat(upTo(3).map((label) => Buffer.alloc(3073, label))));
  const images = Dataset.fixedLength(file, 3073).map((record) => ({ label: record[0], image: record.subarray(1) }));
  const rows = await images.toArray();
  expect(rows.map(({ label, image }) => [label, image.length])).toEqual(upTo(3).map((label) => [label, 3072]));
});

test('D6 every source is a Dataset', () => {
  for (const source of [
    Dataset.tfrecord('a'),
    Dataset.text('a'),
    Dataset.fixedLength('a', 1),
    Dataset.csv('a', { columns: { a: 0 } }),
    Dataset.files('a'),
    Dataset.from([]),
    Dataset.range(1),
    lineReader('a'),
  ]) {
    expect(source).toBeInstanceOf(Dataset);
  }
});

/** Bytes up to a semicolon each. */
const calls: string[] = [];
let busy = false;
const lineReader = defineSource({
  async open(file): Promise<{ handle: FileHandle; at: number }> {
    calls.push('open');
    return { handle: await open(file), at: 0 };
  },
  async read(reader): Promise<{ value: string; offset: number } | undefined> {
    if (busy) throw new Error('two reads at once');
    busy = true;
    const { buffer, bytesRead } = await reader.handle.read(Buffer.alloc(64), 0, 64, reader.at);
    busy = false;
    const end = buffer.indexOf(';');
    const value = String(buffer.subarray(0, end));
    if (bytesRead === 0) return undefined;
    if (value === 'bad') throw new Error('a bad one');
    const offset = reader.at;
    reader.at += end + 1;
    return { value, offset };
  },
  async close({ handle }): Promise<void> {
    calls.push('close');
    await handle.close();
  },
  state: ({ at }) => at,
  seek: (reader, at: number) => void (reader.at = at),
});

test('D7 a reader of ones own: open, read, close, one call at a time', async () => {
  const files = ['x.semi', 'y.semi'].map((name) => folder.at(name));
  for (const file of files) writeFileSync(file, 'one;two;');
  calls.length = 0;
  expect(await lineReader(files).toArray()).toEqual(['one', 'two', 'one', 'two']);
  expect(calls).toEqual(['open', 'close', 'open', 'close']);
});

test('D8 a read gives a record, the end, or an error; after an error the place is as before', async () => {
  const file = folder.at('bad.semi');
  writeFileSync(file, 'one;bad;two;');
  const iterator = lineReader(file).iterate();
  expect(await iterator.next()).toEqual({ value: 'one', done: false });
  const state = iterator.state();
  await expect(iterator.next()).rejects.toMatchObject({ code: 'TFR_USER', file });
  writeFileSync(file, 'one;new;two;');
  expect(await drainFrom(lineReader(file), state)).toEqual(['new', 'two']);
});

test('D9 a reader keeps a state, which plain JSON tells', async () => {
  const file = folder.at('z.semi');
  writeFileSync(file, 'one;two;three;');
  const iterator = lineReader(file).iterate();
  await iterator.next();
  const state = JSON.parse(JSON.stringify(iterator.state())) as ReturnType<typeof iterator.state>;
  await iterator.return();
  expect(await drainFrom(lineReader(file), state)).toEqual(['two', 'three']);
});

test('D10 records need not be Examples', async () => {
  const file = folder.at('json');
  await Dataset.from(['{"a":1}', '{"a":2}']).writeTo(file);
  const parsed = Dataset.tfrecord(file).map((record) => JSON.parse(Buffer.from(record).toString()) as unknown);
  expect(await drain(parsed)).toEqual([{ a: 1 }, { a: 2 }]);
});

async function drainFrom<T>(
  dataset: Dataset<T, unknown>,
  state: ReturnType<ReturnType<typeof dataset.iterate>['state']>,
): Promise<T[]> {
  const values: T[] = [];
  for await (const value of dataset.iterate({ state })) values.push(value);
  return values;
}
