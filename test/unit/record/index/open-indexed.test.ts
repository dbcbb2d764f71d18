/** A file is opened with the index beside it, which is used only if it is that of the file as it is. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';

import {
  bytes,
  countRecords,
  encodeExample,
  openIndexed,
  openIndexedFiles,
  RecordIndex,
  type IndexOptions,
} from '../../../../lib';
import { filesIn } from '../../../../lib/record';
import { randoms } from '../../../support/randoms';
import { Folder } from '../../../support/records/record-files';
import { flipBit, offsets, tfrecord } from '../../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

const TEXTS = Array.from({ length: 2000 }, (_, i) => `record ${i} `.repeat(1 + (i % 9)));
const CONTENT = tfrecord(TEXTS);
const AT = offsets(TEXTS);

const textOf = (record: Uint8Array | undefined): string => Buffer.from(record!).toString();

/** Resolves with true if `openIndexed` scans, and with the text of a record. */
async function opened(
  path: string,
  options?: Parameters<typeof openIndexed>[1],
): Promise<[scans: boolean, text: string]> {
  let scans = false;
  const onProgress: IndexOptions['onProgress'] = () => (scans = true);
  const index = await openIndexed(path, { ...options, onProgress });
  try {
    expect(index.records).toBe(TEXTS.length);
    return [scans, textOf(await index.at(1500))];
  } finally {
    await index.close();
  }
}

test.each([
  ['plain', CONTENT],
  ['gzip', gzipSync(CONTENT)],
])('the index is saved on request, and loaded from then on: %s', async (codec, content) => {
  const path = folder.put(`saved-${codec}`, content);
  expect(await opened(path)).toEqual([true, TEXTS[1500]]);
  expect(existsSync(`${path}.tfindex`)).toBe(false);
  expect(await opened(path, { save: true })).toEqual([true, TEXTS[1500]]);
  expect(await opened(path)).toEqual([false, TEXTS[1500]]);
  expect(await opened(path, { save: true })).toEqual([false, TEXTS[1500]]);
});

test('an index that is damaged, or lacks something, is made again or refused', async () => {
  const path = folder.put('stale', CONTENT);
  await opened(path, { save: true, verify: 'length' });
  const index = `${path}.tfindex`;
  const weak = readFileSync(index);
  for (const [found, bytesOf] of [
    ['a damaged index', flipBit(weak, 60)],
    ['one whose scan verified those of lengths', weak],
  ] as const) {
    writeFileSync(index, bytesOf);
    await expect(openIndexed(path, { onStale: 'throw' })).rejects.toMatchObject({
      code: 'TFR_STATE_MISMATCH',
      file: index,
      found,
    });
    expect(await opened(path)).toEqual([true, TEXTS[1500]]);
    expect(readFileSync(index)).toEqual(bytesOf);
    expect(await opened(path, { save: true })).toEqual([true, TEXTS[1500]]);
    expect(await opened(path, { onStale: 'throw' })).toEqual([false, TEXTS[1500]]);
  }
});

describe('a file that was changed after the scan', () => {
  async function changed(name: string, change: (content: Buffer) => Uint8Array, seconds: number): Promise<string> {
    const path = folder.put(name, CONTENT);
    await opened(path, { save: true });
    const { mtimeMs } = statSync(path);
    writeFileSync(path, change(Buffer.from(CONTENT)));
    utimesSync(path, 1, mtimeMs / 1000 + seconds);
    return path;
  }

  test('in time alone is the same', async () => {
    const path = await changed('touched', (content) => content, 10);
    expect(await opened(path, { onStale: 'throw' })).toEqual([false, TEXTS[1500]]);
  });

  test('in its records, at both ends the same, is another one: its lengths differ', async () => {
    // 70 KiB at both ends stay.
    const first = AT.findIndex((offset) => offset > 70_000);
    const last = AT.findLastIndex((offset) => offset < CONTENT.length - 70_000);
    const texts = [...TEXTS];
    // Two neighbours change places, over and over: the same bytes in all, at other offsets.
    for (let i = first; i + 1 < last; i += 2) [texts[i], texts[i + 1]] = [texts[i + 1]!, texts[i]!];
    const other = tfrecord(texts);
    expect(other).toHaveLength(CONTENT.length);
    const path = await changed('moved', () => other, 10);
    await expect(openIndexed(path, { onStale: 'throw' })).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH' });
    expect(await opened(path)).toEqual([true, texts[1500]]);
  });

  test('in the data of a sampled record is another one', async () => {
    const sampled = Math.floor((7 * (TEXTS.length - 1)) / 15);
    const path = await changed('flipped', (content) => flipBit(content, AT[sampled]! + 14), 10);
    await expect(openIndexed(path, { onStale: 'throw' })).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH' });
    const index = await openIndexed(path);
    await expect(index.at(sampled)).rejects.toMatchObject({ code: 'TFR_CORRUPT_DATA', record: sampled });
    await index.close();
  });

  test('in size or at an end is another one', async () => {
    for (const change of [
      (content: Buffer) => Buffer.concat([content, tfrecord(['x'])]),
      (content: Buffer) => flipBit(content, 3),
      (content: Buffer) => content.subarray(0, AT[1990]),
    ]) {
      const path = await changed('ends', change, 0);
      await expect(openIndexed(path, { onStale: 'throw' })).rejects.toMatchObject({ code: 'TFR_STATE_MISMATCH' });
    }
  });
});

test('damage that hides records is an error, unless they are given up', async () => {
  const path = folder.put('cut', flipBit(CONTENT, AT[1000]!));
  const options = { save: true } as const;
  await expect(openIndexed(path, options)).rejects.toMatchObject({ code: 'TFR_CORRUPT_LENGTH', record: 1000 });
  expect(existsSync(`${path}.tfindex`)).toBe(false);
  for (let i = 0; i < 2; i++) {
    const index = await openIndexed(path, { ...options, onError: 'stop' });
    expect([index.records, index.isCut]).toEqual([1000, true]);
    await index.close();
    expect(existsSync(`${path}.tfindex`)).toBe(true);
  }
  // The saved index does not hide it.
  await expect(openIndexed(path)).rejects.toMatchObject({ code: 'TFR_CORRUPT_LENGTH', record: 1000 });
});

test('another file of the index, a source without a path, and keys', async () => {
  const content = tfrecord(TEXTS.map((text) => encodeExample({ text: bytes([text]) })));
  const path = folder.put('keyed', content);
  const indexFile = folder.at('elsewhere.index');
  const index = await openIndexed(path, { indexFile, save: true });
  await index.close();
  expect(existsSync(`${path}.tfindex`)).toBe(false);
  const keyed = await openIndexed(path, { indexFile, keys: 'text', save: true });
  expect(await keyed.find(TEXTS[77]!)).toEqual([77]);
  await keyed.close();
  const again = await openIndexed(path, { indexFile, keys: 'text', onStale: 'throw' });
  expect(await again.find(TEXTS[1777]!)).toEqual([1777]);
  await again.close();
  const memory = await openIndexed(content);
  expect(memory.records).toBe(TEXTS.length);
  await memory.close();
  await expect(openIndexed(content, { save: true })).rejects.toThrow(/indexFile/);
  await expect(openIndexed(folder.at('none'))).rejects.toMatchObject({ code: 'ENOENT', file: folder.at('none') });
  await expect(openIndexed(path, { onStale: 'never' as 'scan' })).rejects.toThrow(TypeError);
});

test.each(['no-*', 'none@4', 'none@4.tfrecord'])(
  '%s, which names several files, is none: the error names the call',
  async (name) => {
    await expect(openIndexed(folder.at(name))).rejects.toThrow(/ENOENT.*openIndexedFiles\(\) opens patterns, sets/);
    await expect(openIndexed([folder.at(name)] as unknown as string)).rejects.toThrow(/openIndexedFiles\(\) opens/);
  },
);

test('an index is shown with its file and its records', async () => {
  await using index = await openIndexed(folder.put('shown', CONTENT));
  const file = folder.at('shown');
  const known = `file: '${file}', records: ${TEXTS.length}, complete: true, damaged: 0, isCut: false, keys: undefined`;
  expect(inspect(index, { breakLength: Infinity })).toBe(`RecordIndex { ${known} }`);
});

test('an index that cannot be saved is an error, and a symbolic link stays one', async () => {
  const path = folder.put('unsaved', CONTENT);
  mkdirSync(`${path}.tfindex`);
  await expect(openIndexed(path, { save: true })).rejects.toMatchObject({ code: 'EISDIR' });
  const other = folder.put('linked', CONTENT);
  const target = folder.put('target.tfindex', 'old');
  symlinkSync(target, `${other}.tfindex`);
  expect(await opened(other, { save: true })).toEqual([true, TEXTS[1500]]);
  expect(lstatSync(`${other}.tfindex`).isSymbolicLink()).toBe(true);
  expect(await opened(other, { onStale: 'throw' })).toEqual([false, TEXTS[1500]]);
});

describe('several files', () => {
  const SIZES = [300, 0, 1, 700, 20];
  const FIRSTS = SIZES.map((_, file) => SIZES.slice(0, file).reduce((sum, size) => sum + size, 0));
  const ALL = TEXTS.slice(0, 1021);

  function shards(): string[] {
    let from = 0;
    return SIZES.map((size, i) => {
      const content = tfrecord(TEXTS.slice(from, (from += size)));
      return folder.put(`set-0000${i}-of-00005`, i % 2 === 0 ? content : gzipSync(content));
    });
  }

  test('have one row of numbers', async () => {
    const paths = shards();
    for (const source of [paths, folder.at('set-*'), folder.at('set@5')]) {
      await using files = await openIndexedFiles(source, { save: true });
      expect(files.records).toBe(ALL.length);
      expect(files.indexes.map(({ records }) => records)).toEqual(SIZES);
      for (const record of [0, 299, 300, 301, 1000, 1020, -1, -721]) {
        expect(textOf(await files.at(record))).toBe(ALL.at(record));
      }
      expect(await files.at(1021)).toBeUndefined();
      const random = randoms(5);
      const numbers = Array.from({ length: 200 }, () => Math.floor(random() * ALL.length));
      const batch = await files.readBatch(numbers);
      expect([...batch].map(textOf)).toEqual(numbers.map((record) => ALL[record]));
      const places = numbers.map((record) => {
        const file = FIRSTS.findLastIndex((first) => first <= record);
        return { file: files.indexes[file]!.file, record: record - FIRSTS[file]! };
      });
      expect(numbers.map((_, i) => batch.origin(i))).toMatchObject(places);
      for (const [begin, end] of [[], [290, 310], [-25], [300, 301], [5, 5], [0, 2000]]) {
        const found: string[] = [];
        for await (const part of files.slice(begin, end)) found.push(...[...part].map(textOf));
        expect(found).toEqual(ALL.slice(begin, end));
      }
    }
    expect(paths.map((path) => existsSync(`${path}.tfindex`))).not.toContain(false);
    await expect((await openIndexedFiles(paths)).readBatch([1021])).rejects.toThrow(RangeError);
  });

  test('are found by key in all of them', async () => {
    const paths = [0, 1].map((i) => {
      const records = ['a', `b${i}`].map((text) => encodeExample({ text: bytes([text]) }));
      return folder.put(`keys-${i}`, tfrecord(records));
    });
    await using files = await openIndexedFiles(paths, { keys: 'text' });
    expect(await files.find('a')).toEqual([0, 2]);
    expect(await files.find('b1')).toEqual([3]);
  });

  test('one that cannot be read is the error', async () => {
    const paths = shards();
    appendFileSync(paths[2]!, 'x');
    await expect(openIndexedFiles(paths)).rejects.toMatchObject({ code: 'TFR_TRUNCATED', file: paths[2] });
    await expect(openIndexedFiles([...paths, folder.at('none')])).rejects.toThrow();
    await expect(openIndexedFiles(folder.at('no-*'))).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(openIndexedFiles(CONTENT as unknown as string)).rejects.toThrow(TypeError);
  });
});

test('an index that nothing was saved of is not there', async () => {
  const path = folder.put('closed-index', CONTENT);
  const index = RecordIndex.scan(path);
  await index.close();
  expect(existsSync(`${path}.tfindex`)).toBe(false);
});

test.each(['.tfindex', '.manifest.json'])('patterns and folders leave *%s out, unless it is meant', async (suffix) => {
  const own = folder.at(`data${suffix}`);
  mkdirSync(own);
  for (const name of ['a.tfrecord', `a.tfrecord${suffix}`]) writeFileSync(`${own}/${name}`, CONTENT);
  expect(await countRecords(`${own}/*`)).toBe(TEXTS.length);
  expect(await countRecords(`${own}/a*`)).toBe(TEXTS.length);
  expect(await countRecords(`${own}/*${suffix}`)).toBe(TEXTS.length);
  expect(await countRecords(`${own}/*.${suffix.split('.').at(-1)}`)).toBe(TEXTS.length);
  expect(await filesIn(own)).toEqual([`${own}/a.tfrecord`]);
});

describe('a source that is no regular file', () => {
  const pipe = folder.at('pipe');
  beforeAll(() => execFileSync('mkfifo', [pipe]));
  const COPY = '"source" must be a regular file, not a pipe or a device: copy its bytes to a file first.';

  test.each([
    ['/dev/null', 'ERR_INVALID_ARG_VALUE', `${COPY} Received "/dev/null"`],
    [pipe, 'ERR_INVALID_ARG_VALUE', `${COPY} Received "${pipe}"`],
    [folder.path, 'EISDIR', `'${folder.path}'. It is a folder: name the files in it, as '${folder.at('*')}'`],
    [folder.at('missing'), 'ENOENT', `ENOENT: no such file or directory, open '${folder.at('missing')}'`],
    ['', 'ERR_INVALID_ARG_VALUE', 'must be the name of a file, not empty. Received ""'],
  ])('%s is refused, and no index is saved', async (source, code, words) => {
    for (const save of [false, true]) {
      await expect(openIndexed(source, { save })).rejects.toMatchObject({
        code,
        message: expect.stringContaining(words) as string,
      });
      expect(existsSync(`${source}.tfindex`)).toBe(false);
    }
  });

  test('an empty file has no records', async () => {
    await using index = await openIndexed(folder.put('empty.tfrecord', Buffer.alloc(0)), { save: true });
    expect(index.records).toBe(0);
    expect(existsSync(folder.at('empty.tfrecord.tfindex'))).toBe(true);
  });
});
