/** Batches whose memory is used again: whole until the next one is asked for, in a few slabs, whatever the file. */
import { setTimeout as delay } from 'node:timers/promises';

import { countRecords, RecordReader, type ReadOptions } from '../../../../lib';
import { partsOf, RecycledReader } from '../../../../lib/record';
import { randoms } from '../../../support/randoms';
import { Folder } from '../../../support/records/record-files';
import { CODECS, compress, flipBit, offsets, tfrecord } from '../../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

const random = randoms(31);
const below = (limit: number): number => Math.floor(random() * limit);

function someRecords(bytes: number): Buffer[] {
  const records: Buffer[] = [];
  for (let left = bytes; left > 0; left -= records.at(-1)!.length + 16) {
    const length = below(20) === 0 ? below(60_000) : below(600);
    records.push(Buffer.alloc(length, records.length % 251));
  }
  return records;
}

/** The records of `path`, as copies that are made at a random time before the next batch. */
async function recycled(path: string, options: ReadOptions): Promise<{ records: Buffer[]; memory: Set<ArrayBuffer> }> {
  const reader = new RecycledReader(path, options);
  const records: Buffer[] = [];
  const memory = new Set<ArrayBuffer>();
  for (let batch = await reader.next(); batch !== undefined; batch = await reader.next()) {
    memory.add(partsOf(batch).source.slab.buffer);
    if (below(3) === 0) await delay(below(4));
    for (const record of batch) records.push(Buffer.from(record));
  }
  expect(reader.stats.records).toBe(records.length);
  return { records, memory };
}

test.each(CODECS)('records of random sizes, %s, whole and damaged, are those of a RecordReader', async (codec) => {
  for (let round = 0; round < 12; round++) {
    const records = someRecords(400_000);
    const places = offsets(records);
    let content: Buffer = tfrecord(records);
    const faults = below(4);
    for (let i = 0; i < faults; i++) {
      const at = below(records.length);
      if (records[at]!.length > 0) content = flipBit(content, places[at]! + 12 + below(records[at]!.length));
    }
    const path = folder.put(`random.${codec}`, compress(content, codec));
    const options: ReadOptions = { onError: 'skip', batchBytes: 4096 << below(5), readAhead: below(5) };
    const expected: Buffer[] = [];
    const reader = await RecordReader.open(path, options);
    for await (const record of reader) expected.push(Buffer.from(record));
    const found = await recycled(path, options);
    expect(found.records.length).toBe(expected.length);
    expect(Buffer.concat(found.records).equals(Buffer.concat(expected))).toBe(true);
    expect(await countRecords(path, options)).toBe(expected.length);
  }
});

test('a file of many slabs takes the memory of a few', async () => {
  const records = Array.from({ length: 2000 }, (_, i) => Buffer.alloc(2000, i % 251));
  const path = folder.write('many.tfrecord', records);
  const found = await recycled(path, { batchBytes: 64 * 1024, readAhead: 2 });
  expect(found.records.length).toBe(records.length);
  // One is in use, two are read ahead, and one may be on its way.
  expect(found.memory.size).toBeLessThanOrEqual(4);
});

test('the batches between damaged records, in one slab, stay whole until the next slab', async () => {
  const records = Array.from({ length: 300 }, (_, i) => Buffer.alloc(100, i % 251));
  const places = offsets(records);
  let content: Buffer = tfrecord(records);
  for (let i = 5; i < 300; i += 10) content = flipBit(content, places[i]! + 20);
  const path = folder.put('damaged.tfrecord', content);
  const { records: found } = await recycled(path, { onError: 'skip', batchBytes: 4096 });
  expect(found.map(([first]) => first)).toEqual(records.flatMap(([first], i) => (i % 10 === 5 ? [] : [first])));
});

test('the last batch stays whole after a close', async () => {
  const records = Array.from({ length: 400 }, (_, i) => Buffer.alloc(1000, i % 251));
  const path = folder.write('closed.tfrecord', records);
  const reader = new RecycledReader(path, { batchBytes: 16 * 1024 });
  await reader.next();
  const batch = (await reader.next())!;
  const before = [...batch].map((record) => Buffer.from(record));
  await reader.close();
  await delay(5);
  expect([...batch].every((record, i) => before[i]!.equals(record))).toBe(true);
  expect(await reader.next()).toBeUndefined();
});
