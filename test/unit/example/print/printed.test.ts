import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { inspect } from 'node:util';

import {
  Dataset,
  readExamples,
  readRecords,
  readRecordsSync,
  readSequenceExamples,
  RecordBatch,
  RecordReader,
  RecordWriter,
  varLen,
  writeRecords,
} from '../../../../lib';

const folder = mkdtempSync(join(tmpdir(), 'tfr-printed-'));
const path = join(folder, 'data.tfrecord');
const spec = { a: varLen('int64') };
/** In one line. */
const printed = (value: unknown, depth = 2): string => inspect(value, { breakLength: Infinity, compact: 99, depth });
const records = ['one', 'two', 'three', 'four'];

/** As it is printed of a reader of `source`. */
function reader(state: string, stats: string, source = `'${path}'`): string {
  return `{ source: ${source}, state: '${state}', ${stats}, skipped: 0, lostBytes: 0 }`;
}

const FRESH = 'records: 0, bytes: 0, compressedBytes: 0, totalBytes: undefined, compression: undefined';

beforeAll(async () => {
  await writeRecords(path, records);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test('readers print their source, their state and how far they are', async () => {
  const iterator = readRecords(path);
  expect(printed(iterator)).toBe(`RecordIterator ${reader('new', FRESH)}`);
  await iterator.next();
  expect(printed(iterator)).toMatch(/state: 'open', records: 1, bytes: 3, compressedBytes: 79, .*compression: 'none'/);
  await iterator.return?.();
  expect(printed(iterator)).toContain("state: 'closed', records: 1, bytes: 3,");

  const opened = await RecordReader.open(path);
  expect(printed(opened)).toMatch(/^RecordReader \{ source: '.*data.tfrecord', state: 'open', records: 0, bytes: 0,/);
  expect(printed(opened[Symbol.asyncIterator]())).toMatch(/^RecordIterator \{ source: /);
  const batches = opened.batches();
  await batches.next();
  expect(printed(batches)).toMatch(/^RecordBatchIterator \{ source: .*, records: 4, bytes: 15,/);
  await opened.close();

  expect(printed(readRecords([path, 'b']))).toContain(`source: [ '${path}', 'b' ], state: 'new'`);
  expect(printed(readRecords(new Uint8Array(16)))).toContain("source: '<bytes>'");
  expect(printed(readRecords(Readable.from([])))).toContain("source: '<stream>'");
});

test('readers of Examples and their iterators print the same', () => {
  const examples = readExamples(path, spec);
  expect(printed(examples)).toBe(`ExampleReader ${reader('new', FRESH)}`);
  expect(printed(examples[Symbol.asyncIterator]())).toBe(`RowIterator ${reader('new', FRESH)}`);
  expect(printed(examples.batches(2))).toBe(`BatchIterator ${reader('new', FRESH)}`);
  expect(printed(readSequenceExamples(path, { context: spec }))).toBe(`SequenceExampleReader ${reader('new', FRESH)}`);
});

test('the synchronous reader prints how far it is, in each pass', () => {
  const sync = readRecordsSync(path);
  expect(printed(sync)).toBe(`SyncRecordIterator ${reader('new', 'records: 0')}`);
  sync.next();
  sync.next();
  expect(printed(sync)).toBe(`SyncRecordIterator ${reader('open', 'records: 2')}`);
  for (const record of sync) expect(record.length).toBeGreaterThan(0);
  expect(printed(sync)).toBe(`SyncRecordIterator ${reader('closed', 'records: 4')}`);
  sync[Symbol.iterator]().next();
  expect(printed(sync)).toBe(`SyncRecordIterator ${reader('open', 'records: 1')}`);
  sync.return?.();
});

test('a writer prints its file, its state, and records and bytes written so far', async () => {
  const file = join(folder, 'written.tfrecord');
  const writer = await RecordWriter.open(file);
  expect(printed(writer)).toBe(`RecordWriter { file: '${file}', state: 'open', records: 0, bytes: 0 }`);
  await writer.write('abc');
  await writer.flush();
  await writer.write('de');
  expect(printed(writer)).toBe(`RecordWriter { file: '${file}', state: 'open', records: 2, bytes: 5 }`);
  const closing = writer.close();
  expect(printed(writer)).toContain("state: 'closing'");
  await closing;
  expect(printed(writer)).toBe(`RecordWriter { file: '${file}', state: 'closed', records: 2, bytes: 5 }`);

  const left = await RecordWriter.open(file);
  await left.abort();
  expect(printed(left)).toContain("state: 'aborted'");
  const controller = new AbortController();
  const failed = await RecordWriter.open(file, { signal: controller.signal });
  controller.abort();
  expect(printed(failed)).toContain("state: 'failed'");
  await failed.abort();
});

test('a batch of records prints its length, its bytes and its file', async () => {
  const opened = await RecordReader.open(path);
  for await (const batch of opened.batches()) {
    expect(printed(batch)).toBe(`RecordBatch { length: 4, byteLength: 15, file: '${path}' }`);
    expect(printed(RecordBatch.from(batch.share()))).toBe(printed(batch));
  }
});

test('iterators of a dataset print its stages', async () => {
  const dataset = Dataset.range(4).take(3);
  expect(printed(dataset.chunks())).toBe(
    "DatasetSteps { stages: 'range(start 0, step 1, count 4) > take(3)', state: 'new', elements: 0 }",
  );
  const elements = dataset.iterate();
  await elements.next();
  expect(printed(elements)).toBe(
    "DatasetIterator { stages: 'range(start 0, step 1, count 4) > take(3)', state: 'open', elements: 1 }",
  );
  await elements.return();
  expect(printed(elements)).toContain("state: 'closed'");
});

describe('inside of other objects', () => {
  test('below the depth that is asked for, the name alone is printed', async () => {
    const writer = await RecordWriter.open(join(folder, 'deep.tfrecord'));
    const values = {
      records: readRecords(path),
      examples: readExamples(path, spec),
      dataset: Dataset.range(1),
      writer,
    };
    expect(printed(values, -1)).toBe('[Object]');
    expect(printed({ values }, 0)).toBe('{ values: [Object] }');
    expect(printed(values, 0)).toBe(
      '{ records: [RecordIterator], examples: [ExampleReader], dataset: [Dataset], writer: [RecordWriter] }',
    );
    expect(printed({ records: values.records }, 1)).toContain("{ records: RecordIterator { source: '");
    await writer.abort();
  });

  test('lines are indented as those around them', () => {
    const lines = inspect({ of: { reader: readRecords(path) } }, { compact: false }).split('\n');
    expect(lines.slice(0, 4)).toEqual(['{', '  of: {', '    reader: RecordIterator {', `      source: '${path}',`]);
  });
});

test('a Proxy of a reader, and what inherits from it, are printed, too', async () => {
  const opened = await RecordReader.open(path);
  for (const object of [readRecordsSync(path), opened, readExamples(path, spec), readRecords(path)]) {
    expect(() => inspect(new Proxy(object, {}))).not.toThrow();
    expect(() => inspect(Object.create(object))).not.toThrow();
    expect(() => inspect(Object.getPrototypeOf(object))).not.toThrow();
  }
  await opened.close();
});

test('printing adds no key, and leaves equality and JSON as they are', async () => {
  const opened = await RecordReader.open(path);
  for await (const batch of opened.batches()) {
    expect(Reflect.ownKeys(batch)).toEqual(['length']);
    expect(JSON.stringify(batch)).toBe('{"length":4}');
  }
  const keys: string[] = [];
  for (const key in opened) keys.push(key);
  expect(keys).toEqual([]);
});
