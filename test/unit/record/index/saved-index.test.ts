/** An index is saved and loaded: the same records, and never those of another file. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';

import { crc32c, maskCrc32c } from '../../../../lib';
import { RecordIndex } from '../../../../lib/record';
import { Folder } from '../../../support/records/record-files';
import { flipBit, offsets, tfrecord } from '../../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

const TEXTS = Array.from({ length: 3000 }, (_, index) => `record ${index} `.repeat(1 + (index % 40)));
const PLAIN = tfrecord(TEXTS);
const FILES = { plain: PLAIN, gzip: gzipSync(PLAIN), zlib: deflateSync(PLAIN) };

async function saved(
  name: string,
  bytes: Uint8Array,
  options?: Parameters<typeof RecordIndex.scan>[1],
): Promise<{ path: string; index: string }> {
  const path = folder.at(name);
  writeFileSync(path, bytes);
  const index = `${path}.tfindex`;
  const scanned = RecordIndex.scan(path, options);
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
    // Only the time of the last change is another one, and the records are there.
    const again = await load();
    expect(await textsOf(again, 2000, 2)).toEqual(TEXTS.slice(2000, 2002));
    await again.close();
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

describe('an index is used by a reader that verifies no more than its scan did', () => {
  // The length of record 1000 is wrong, and leads to record 1003: without checks, all numbers after it are wrong.
  const AT = offsets(TEXTS);
  const wrong = Buffer.from(PLAIN);
  wrong.writeBigUInt64LE(BigInt(AT[1003]! - AT[1000]! - 16), AT[1000]);

  test.each(['gzip', 'plain'] as const)('%s', async (codec) => {
    const bytes = codec === 'gzip' ? gzipSync(wrong) : wrong;
    const { path, index } = await saved(`unverified-${codec}`, bytes, { verify: 'none' });
    for (const verify of ['all', 'length'] as const) {
      await expect(RecordIndex.load(index, path, { verify })).rejects.toMatchObject({
        code: 'TFR_STATE_MISMATCH',
        file: index,
        found: 'one whose scan verified none',
        hint: { option: 'verify', value: 'none' },
      });
    }
    const loaded = await RecordIndex.load(index, path, { verify: 'none' });
    expect(loaded.records).toBe(TEXTS.length - 2);
    await loaded.close();
    // A scan that verifies ends there.
    const scanned = RecordIndex.scan(path);
    await scanned.done;
    expect(scanned.records).toBe(1000);
    expect(scanned.faults[0]).toMatchObject({ code: 'TFR_CORRUPT_LENGTH', record: 1000 });
    await scanned.close();
  });

  test('whatever of the three each verifies', async () => {
    const levels = ['all', 'length', 'none'] as const;
    for (const [made, verify] of levels.entries()) {
      const { path, index } = await saved(`verified-${verify}`, FILES.gzip, { verify });
      for (const [used, wanted] of levels.entries()) {
        const loading = RecordIndex.load(index, path, { verify: wanted });
        if (used < made) await expect(loading).rejects.toThrow(/found one whose scan verified/);
        else await (await loading).close();
      }
    }
  });

  test('a reader that verifies less checks the length at a place all the same', async () => {
    const { path, index } = await saved('less', FILES.plain);
    const loaded = await RecordIndex.load(index, path, { verify: 'none' });
    expect(loaded.place(2000)).toMatchObject({ checked: true });
    await loaded.close();
  });

  test('each record that is read is checked as the reader verifies', async () => {
    const damaged = flipBit(PLAIN, AT[2000]! + 14);
    const { path, index } = await saved('checked', damaged);
    for (const [verify, code] of [
      ['all', 'TFR_CORRUPT_DATA'],
      ['length', undefined],
    ] as const) {
      const loaded = await RecordIndex.load(index, path, { verify });
      const found = await loaded.read(1999, 3);
      expect(found.map(({ error }) => error?.code)).toEqual([undefined, code, undefined]);
      await loaded.close();
    }
  });
});

describe('an index that is no file to read', () => {
  const onPosix = process.platform === 'win32' ? test.skip : test;

  const refusal = async (indexPath: string, path: string): Promise<unknown> =>
    RecordIndex.load(indexPath, path).catch((error: unknown) => error);

  onPosix('a pipe, at which reading would wait for ever, and a device without an end', async () => {
    const { path } = await saved('pipes', FILES.plain);
    const pipe = folder.at('pipe.tfindex');
    execFileSync('mkfifo', [pipe]);
    expect(await refusal(pipe, path)).toMatchObject({
      code: 'TFR_STATE_MISMATCH',
      file: pipe,
      expected: 'a regular file',
      found: 'a pipe',
    });
    expect(await refusal('/dev/zero', path)).toMatchObject({ code: 'TFR_STATE_MISMATCH', found: 'a device' });
    expect(await refusal('/dev/null', path)).toMatchObject({ code: 'TFR_STATE_MISMATCH', found: 'a device' });
  });

  onPosix('a pipe that nobody reads is an error to save to, and one that is read takes the index', async () => {
    const { path, index } = await saved('piped', FILES.plain);
    const pipe = folder.at('unread.tfindex');
    execFileSync('mkfifo', [pipe]);
    const scan = RecordIndex.scan(path);
    await expect(scan.save(pipe)).rejects.toMatchObject({ code: 'ENXIO', file: pipe });
    const reading = readFile(pipe);
    // Its reader opens it on another thread.
    await expect(poll(() => scan.save(pipe))).resolves.toBeUndefined();
    expect(await reading).toEqual(readFileSync(index));
    await scan.close();
  });

  test('the indexed file, by any of its names, is not replaced by its index', async () => {
    const { path } = await saved('same', FILES.plain);
    linkSync(path, folder.at('hard'));
    symlinkSync(path, folder.at('soft'));
    const before = readFileSync(path);
    await using index = RecordIndex.scan(path);
    for (const target of [path, folder.at('hard'), folder.at('soft')]) {
      await expect(index.save(target)).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
      await expect(index.export(target, 'tfrecord2idx')).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
    }
    expect(readFileSync(path)).toEqual(before);
  });

  test('a folder', async () => {
    const { path } = await saved('folders', FILES.plain);
    mkdirSync(folder.at('folder.tfindex'));
    expect(await refusal(folder.at('folder.tfindex'), path)).toMatchObject({ code: 'EISDIR' });
  });

  test('a file that is longer than any index of that data, which is not read', async () => {
    const { path, index } = await saved('long', FILES.gzip);
    truncateSync(index, 2 ** 40);
    const before = process.memoryUsage().arrayBuffers;
    expect(await refusal(index, path)).toMatchObject({
      code: 'TFR_STATE_MISMATCH',
      expected: expect.stringMatching(/^an index of at most [\d,]+ bytes$/) as string,
      found: '1099511627776 bytes',
    });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 20);
    // An index is longer than its file where the file has few bytes and much content.
    const dense = gzipSync(tfrecord(Array.from({ length: 20_000 }, () => 'x'.repeat(500))), { level: 9 });
    expect((await RecordIndex.load((await saved('dense', dense)).index, folder.at('dense'))).records).toBe(20_000);
  });
});

/** Calls `work` until it succeeds. */
async function poll(work: () => Promise<void>): Promise<void> {
  for (let left = 200; left > 0; left--) {
    try {
      return await work();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  return work();
}
