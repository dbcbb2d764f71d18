/** An index is saved and loaded: the same records, and never those of another file. */
import { appendFileSync, readdirSync, readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';

import { crc32c, maskCrc32c } from '../../../../lib';
import { RecordIndex } from '../../../../lib/record';
import { Folder } from '../../../support/records/record-files';
import { tfrecord } from '../../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

const TEXTS = Array.from({ length: 3000 }, (_, index) => `record ${index} `.repeat(1 + (index % 40)));
const PLAIN = tfrecord(TEXTS);
const FILES = { plain: PLAIN, gzip: gzipSync(PLAIN), zlib: deflateSync(PLAIN) };

async function saved(name: string, bytes: Uint8Array): Promise<{ path: string; index: string }> {
  const path = folder.at(name);
  writeFileSync(path, bytes);
  const index = `${path}.tfindex`;
  const scanned = RecordIndex.scan(path);
  await scanned.save(index);
  await scanned.close();
  return { path, index };
}

async function textsOf(index: RecordIndex, first: number, count: number): Promise<string[]> {
  return (await index.read(first, count)).map(({ data }) => Buffer.from(data).toString());
}

describe.each(Object.entries(FILES))('%s', (name, bytes) => {
  test('a loaded index reads every record', async () => {
    const { path, index } = await saved(`whole-${name}`, bytes);
    const loaded = await RecordIndex.load(index, path);
    expect(loaded.records).toBe(TEXTS.length);
    expect(loaded.progress).toMatchObject({ complete: true, totalBytes: bytes.length });
    await loaded.done;
    for (const first of [0, 1, 1023, 1500, 2990]) {
      expect(await textsOf(loaded, first, 5)).toEqual(TEXTS.slice(first, first + 5));
    }
    await loaded.close();
    await expect(loaded.read(0, 1)).rejects.toMatchObject({ code: 'TFR_CLOSED' });
  });

  test('it has the places of the scan, and saves the same bytes', async () => {
    const { path, index } = await saved(`places-${name}`, bytes);
    const scanned = RecordIndex.scan(path);
    await scanned.done;
    const loaded = await RecordIndex.load(index, path);
    for (const record of [0, 100, 1024, 2999]) {
      const { from: _from, ...place } = scanned.place(record)!;
      expect(place.record).toBeLessThanOrEqual(record);
      expect(place.checked).toBe(true);
      expect(loaded.place(record)).toMatchObject(place);
    }
    await loaded.save(`${path}.again`);
    expect(readFileSync(`${path}.again`)).toEqual(readFileSync(index));
    expect(readdirSync(dirname(path)).filter((file) => file.endsWith('.tmp'))).toEqual([]);
    await scanned.close();
    await loaded.close();
  });

  test('the index of a file that has changed is refused', async () => {
    const { path, index } = await saved(`changed-${name}`, bytes);
    const { atime, mtime } = statSync(path);
    const load = (): Promise<RecordIndex> => RecordIndex.load(index, path);
    appendFileSync(path, 'x');
    await expect(load()).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH', file: index });
    truncateSync(path, bytes.length);
    await expect(load()).rejects.toThrow(/of a file of .*Z, found .*Make it again, or remove it/);
    const other = Uint8Array.from(bytes);
    other[5]! ^= 1;
    writeFileSync(path, other);
    utimesSync(path, atime, mtime);
    await expect(load()).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH' });
  });
});

test('an index that is damaged, or none, is refused', async () => {
  const { path, index } = await saved('damaged', FILES.gzip);
  const bytes = readFileSync(index);
  const refused = async (content: Uint8Array): Promise<unknown> => {
    writeFileSync(index, content);
    return RecordIndex.load(index, path).catch((error: unknown) => error);
  };
  const flipped = Uint8Array.from(bytes);
  flipped[bytes.length >> 1]! ^= 1;
  expect(await refused(flipped)).toMatchObject({ code: 'TFR_STATE_MISMATCH', found: 'a damaged index' });
  expect(await refused(bytes.subarray(0, -1))).toMatchObject({ found: 'a damaged index' });
  expect(await refused(FILES.gzip)).toMatchObject({ found: 'other data', file: index });
  expect(await refused(new Uint8Array(0))).toMatchObject({ found: 'other data' });
  await expect(RecordIndex.load(folder.at('none'), path)).rejects.toMatchObject({ code: 'ENOENT' });
});

test.each([3, 6, 255])(
  'an index with right checksums and compression %d, which does not exist, is refused',
  async (number) => {
    const { path, index } = await saved('forged', FILES.gzip);
    const bytes = readFileSync(index);
    const at = bytes.indexOf('RECS');
    const payload = at + 4 + 8;
    const end = payload + Number(bytes.readBigUInt64LE(at + 4));
    expect(bytes[payload]).toBe(1);
    expect(bytes.readUInt32LE(end)).toBe(maskCrc32c(crc32c(bytes.subarray(at, end))));
    bytes[payload] = number;
    bytes.writeUInt32LE(maskCrc32c(crc32c(bytes.subarray(at, end))), end);
    writeFileSync(index, bytes);
    await expect(RecordIndex.load(index, path)).rejects.toMatchObject({ found: 'a damaged index' });
  },
);

test('a scan that was closed has nothing to save', async () => {
  const path = folder.at('closed');
  writeFileSync(path, Buffer.alloc(20_000_000, tfrecord(['x'.repeat(84)])));
  const index = RecordIndex.scan(path);
  await index.close();
  await expect(index.save(folder.at('closed.tfindex'))).rejects.toMatchObject({ code: 'TFR_CLOSED' });
});
