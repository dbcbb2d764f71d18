/** Records found by the values of a feature. */
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

import {
  bytes,
  crc32c,
  encodeExample,
  encodeSequenceExample,
  float,
  int64,
  maskCrc32c,
  RecordIndex,
} from '../../../../lib';
import { Folder } from '../../../support/records/record-files';
import { flipBit, tfrecord } from '../../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

const nameOf = (i: number): string => `image-${i % 900}.png`;
const RECORDS = Array.from({ length: 1000 }, (_, i) =>
  encodeExample({ id: int64(i * 7), name: bytes([nameOf(i)]), tags: bytes(i % 3 === 0 ? ['a', `t${i}`] : []) }),
);

async function scanned(name: string, content: Uint8Array, keys: string): Promise<{ path: string; index: RecordIndex }> {
  const path = folder.at(name);
  writeFileSync(path, content);
  const index = RecordIndex.scan(path, { keys });
  await index.done;
  return { path, index };
}

test.each([
  ['plain', tfrecord(RECORDS)],
  ['gzip', gzipSync(tfrecord(RECORDS))],
])('every record is found by its key, before and after saving: %s', async (codec, content) => {
  const { path, index } = await scanned(`names-${codec}`, content, 'name');
  await index.save(`${path}.tfindex`);
  const loaded = await RecordIndex.load(`${path}.tfindex`, path, { keys: 'name' });
  for (const each of [index, loaded]) {
    expect(each.keys).toEqual({ feature: 'name', count: 1000 });
    for (const i of [0, 5, 99, 100, 899, 950]) {
      const twins = [i % 900, (i % 900) + 900].filter((record) => record < 1000);
      expect(await each.find(nameOf(i))).toEqual(twins);
    }
    expect(await each.find(Buffer.from(nameOf(500)))).toEqual([500]);
    expect(await each.find('image-900.png')).toEqual([]);
    expect(await each.find('')).toEqual([]);
    await each.close();
  }
});

test('integers, several values of a record, and none', async () => {
  const content = tfrecord(RECORDS);
  const { index } = await scanned('ids', content, 'id');
  expect(await index.find(7 * 321)).toEqual([321]);
  expect(await index.find(BigInt(7 * 321))).toEqual([321]);
  expect(await index.find(String(7 * 321))).toEqual([321]);
  expect(await index.find(8)).toEqual([]);
  await index.close();
  const { index: tags } = await scanned('tags', content, 'tags');
  expect(await tags.find('a')).toHaveLength(334);
  expect(await tags.find('t999')).toEqual([999]);
  expect(tags.keys).toEqual({ feature: 'tags', count: 668 });
  await tags.close();
  const { index: none } = await scanned('none', content, 'nothing');
  expect(none.keys).toEqual({ feature: 'nothing', count: 0 });
  expect(await none.find('a')).toEqual([]);
  await none.close();
});

test('the context of SequenceExamples has keys, too', async () => {
  const record = encodeSequenceExample({ context: { id: bytes(['x']) }, featureLists: {} });
  const { index } = await scanned('sequences', tfrecord([record]), 'id');
  expect(await index.find('x')).toEqual([0]);
  await index.close();
});

test('records that are damaged have no keys; those that are no Examples are faults', async () => {
  const content = flipBit(tfrecord([...RECORDS.slice(0, 5), Buffer.from('no Example'), ...RECORDS.slice(6, 10)]), 20);
  const { index } = await scanned('damaged', content, 'name');
  expect(index.records).toBe(10);
  expect(index.damaged).toBe(1);
  expect(index.isCut).toBe(false);
  expect(index.faults.map(({ code, record }) => [code, record]).sort()).toEqual([
    ['TFR_CORRUPT_DATA', 0],
    ['TFR_EXAMPLE', 5],
  ]);
  expect(index.keys?.count).toBe(8);
  expect(await index.find(nameOf(6))).toEqual([6]);
  expect(await index.find(nameOf(0))).toEqual([]);
  await index.close();
});

test('floats are no keys', async () => {
  const path = folder.put('floats', tfrecord([encodeExample({ x: float(1.5) })]));
  const index = RecordIndex.scan(path, { keys: 'x' });
  await expect(index.done).rejects.toMatchObject({ code: 'TFR_FEATURE', feature: 'x', record: 0, found: 'floats' });
  await index.close();
});

test('a record that has the same checksum, and another key, is not found', async () => {
  const { path, index } = await scanned('forged', tfrecord(RECORDS), 'name');
  await index.save(`${path}.tfindex`);
  await index.close();
  // Each key moves to a neighbour of its record, under right checksums.
  const saved = readFileSync(`${path}.tfindex`);
  const at = saved.indexOf('keys');
  const end = at + 12 + Number(saved.readBigUInt64LE(at + 4));
  const first = end - 8 * 1000;
  for (let i = first; i < end; i += 8) saved.writeUInt32LE(saved.readUInt32LE(i) ^ 1, i);
  saved.writeUInt32LE(maskCrc32c(crc32c(saved.subarray(at, end))), end);
  writeFileSync(`${path}.tfindex`, saved);
  const forged = await RecordIndex.load(`${path}.tfindex`, path);
  for (const i of [100, 500, 800]) expect(await forged.find(nameOf(i))).toEqual([]);
  await forged.close();
});

test('an index without keys, or with others, is an error', async () => {
  const path = folder.put('without', tfrecord(RECORDS));
  const index = RecordIndex.scan(path);
  await index.save(`${path}.tfindex`);
  expect(index.keys).toBeUndefined();
  await expect(index.find('a')).rejects.toMatchObject({ code: 'TFR_FEATURE', hint: { option: 'keys' } });
  await index.close();
  await expect(RecordIndex.load(`${path}.tfindex`, path, { keys: 'name' })).rejects.toMatchObject({
    code: 'TFR_STATE_MISMATCH',
    expected: 'the keys of the feature "name"',
    found: 'none',
  });
  expect(() => RecordIndex.scan(path, { keys: '' })).toThrow(TypeError);
  // It would be stored as U+FFFD, and be found by no name.
  expect(() => RecordIndex.scan(path, { keys: '\ud800' })).toThrow(TypeError);
  await expect(index.find(1.5)).rejects.toThrow(TypeError);
});

test('records with the key of many are read a few MiB at a time', async () => {
  const record = encodeExample({ name: bytes(['twin', 'x'.repeat(3 << 20)]) });
  const { index } = await scanned('twins', tfrecord(Array.from({ length: 7 }, () => record)), 'name');
  const read = jest.spyOn(index, 'readBatch');
  expect(await index.find('twin')).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(read.mock.calls.map(([numbers]) => [...numbers])).toEqual([[0, 1], [2, 3], [4, 5], [6]]);
  await index.close();
});

test('odd keys find what is equal byte by byte, and nothing else', async () => {
  const names = ['\ufffd', 'e\u0301', '\u00e9', '\u{1f600}', '\0', 'a\0b', 'x'.repeat(100_000), '-0', '0'];
  const { index } = await scanned('odd', tfrecord(names.map((name) => encodeExample({ name: bytes([name]) }))), 'name');
  for (const [i, name] of names.entries()) {
    expect(await index.find(name)).toEqual([i]);
    expect(await index.find(Buffer.from(name))).toEqual([i]);
  }
  expect(await index.find(-0)).toEqual([8]);
  expect(await index.find('x'.repeat(10_000_000))).toEqual([]);
  // As UTF-8 these would be U+FFFD, which is the key of another record.
  for (const key of ['\ud800', 'a\udc00b', '\udc00\ud800']) {
    await expect(index.find(key)).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
  }
  const shared = new Uint8Array(new SharedArrayBuffer(1));
  shared.set(Buffer.from('0'));
  const found = index.find(shared);
  shared.fill(1);
  expect(await found).toEqual([8]);
  const gone = new Uint8Array(3);
  structuredClone(gone, { transfer: [gone.buffer] });
  await expect(index.find(gone)).rejects.toThrow(TypeError);
  for (const key of [NaN, Infinity, 0.5, 2 ** 53, null, {}, [], Symbol('x'), Float64Array.of(1)]) {
    await expect(index.find(key as never)).rejects.toThrow(TypeError);
  }
  await index.close();
});
