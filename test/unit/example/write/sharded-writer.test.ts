/** ShardedWriter: names, placement, that files appear together, and its errors. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { gunzipSync } from 'node:zlib';

import {
  bytes,
  crc32c,
  encodeExample,
  encodeExamples,
  encodeRecords,
  fixedLen,
  float,
  int64,
  openIndexed,
  readRecords,
  RecordReader,
  ShardedWriter,
  type ShardedWriteReport,
  type ShardedWriterOptions,
} from '../../../../lib';
import { findEarlier } from '../../../../lib/record';
import { Folder } from '../../../support/records/record-files';
import { thrown } from '../../../support/thrown';

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

const row = (id: number, label: number): Uint8Array => encodeExample({ id: int64(id), label: int64(label) });

async function written(
  path: string,
  options: ShardedWriterOptions,
  records: Iterable<Uint8Array | string>,
): Promise<ShardedWriteReport> {
  const writer = await ShardedWriter.open(path, options);
  for (const record of records) await writer.write(record);
  return writer.close();
}

async function texts(source: string | readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for await (const record of readRecords(source)) found.push(Buffer.from(record).toString());
  return found;
}

const numbers = (count: number): string[] => Array.from({ length: count }, (_, i) => `record ${i}`);

describe('in turn', () => {
  test('record i goes to file i mod shards', async () => {
    const { path, at, names } = folder.place();
    const report = await written(`${path}/a.tfrecord`, { shards: 3 }, numbers(7));
    expect(names()).toEqual([
      'a-00000-of-00003.tfrecord',
      'a-00001-of-00003.tfrecord',
      'a-00002-of-00003.tfrecord',
      'a.tfrecord.manifest.json',
    ]);
    expect(report.files.map(({ records }) => records)).toEqual([3, 2, 2]);
    expect(report).toMatchObject({
      records: 7,
      bytes: 56,
      fileBytes: 56 + 7 * 16,
      manifest: at('a.tfrecord.manifest.json'),
    });
    expect(await texts(at('a-00001-of-00003.tfrecord'))).toEqual(['record 1', 'record 4']);
    expect(await texts(at('a.tfrecord@3'))).toHaveLength(7);
  });

  test('name@N says the number; files without records are made', async () => {
    const { path, at } = folder.place();
    const { files } = await written(`${path}/a.tfrecord.gz@3`, {}, numbers(1));
    expect(files.map(({ file }) => file)).toEqual([0, 1, 2].map((i) => at(`a-0000${i}-of-00003.tfrecord.gz`)));
    expect(files.map(({ file }) => gunzipSync(readFileSync(file)).length)).toEqual([24, 0, 0]);
  });

  test('the manifest has counts, sizes and checksums of the files', async () => {
    const { path, at } = folder.place();
    const { files } = await written(`${path}/a.tfrecord.gz`, { shards: 2 }, numbers(5));
    const manifest = JSON.parse(readFileSync(at('a.tfrecord.gz.manifest.json'), 'utf8')) as Record<string, unknown>;
    const outputs = files.map(({ file, records, fileBytes }) => {
      const content = readFileSync(file);
      expect(content).toHaveLength(fileBytes);
      return {
        file: file.slice(path.length + 1),
        records,
        bytes: fileBytes,
        crc32c: crc32c(content).toString(16).padStart(8, '0'),
      };
    });
    expect(manifest).toEqual({
      format: 'tfrecord-native shards',
      version: 1,
      complete: true,
      name: 'a.tfrecord.gz',
      options: { shards: 2 },
      outputs,
      records: 5,
      bytesOut: outputs.reduce((sum, output) => sum + output.bytes, 0),
      finished: expect.any(String) as string,
    });
  });

  test('index: true saves the index of each file, and force replaces the indexes, too', async () => {
    const { path, at, names } = folder.place();
    await written(`${path}/a.tfrecord`, { shards: 3, index: true }, numbers(9));
    await written(`${path}/a.tfrecord`, { shards: 2, index: true, force: true }, numbers(9));
    expect(names()).toEqual([
      ...['a-00000-of-00002.tfrecord', 'a-00000-of-00002.tfrecord.tfindex'],
      ...['a-00001-of-00002.tfrecord', 'a-00001-of-00002.tfrecord.tfindex', 'a.tfrecord.manifest.json'],
    ]);
    await using index = await openIndexed(at('a-00001-of-00002.tfrecord'));
    expect(Buffer.from((await index.at(2))!).toString()).toBe('record 5');
  });

  test('ZLIB files are single streams', async () => {
    const { path, at } = folder.place();
    await written(`${path}/a.tfrecord.zz`, { shards: 2 }, numbers(100));
    expect(await texts(at('a.tfrecord.zz@2'))).toHaveLength(100);
  });
});

describe('by a key', () => {
  test('the same key is in the same file, whatever the number of records', async () => {
    const { path } = folder.place();
    const records = Array.from({ length: 200 }, (_, i) => `user${i % 20} ${i}`);
    const key = (record: Uint8Array): string => Buffer.from(record).toString().split(' ')[0]!;
    const { files } = await written(`${path}/a.tfrecord`, { shards: 4, shardBy: key }, records);
    const owner = new Map<string, string>();
    for (const { file } of files) {
      for (const text of await texts(file)) {
        const user = text.split(' ')[0]!;
        expect(owner.get(user) ?? file).toBe(file);
        owner.set(user, file);
      }
    }
    expect(owner.size).toBe(20);
  });

  test('the hash is pinned: files of other runs and versions have the same records', async () => {
    const { path } = folder.place();
    const { files } = await written(`${path}/a.tfrecord`, { shards: 8, shardBy: (record) => record }, [
      'a',
      'b',
      'c',
      'd',
      '',
    ]);
    expect(await Promise.all(files.map(({ file }) => texts(file)))).toEqual([
      [''],
      [],
      [],
      [],
      ['d'],
      ['c'],
      ['b'],
      ['a'],
    ]);
  });

  test('a number, a bigint and their text are one key', async () => {
    const { path } = folder.place();
    const keys = [5, 5n, '5', Buffer.from('5')];
    const { files } = await written(`${path}/a.tfrecord`, { shards: 50, shardBy: ([i]) => keys[i! - 48]! }, [
      '0',
      '1',
      '2',
      '3',
    ]);
    expect(files.map(({ records }) => records).filter((records) => records > 0)).toEqual([4]);
  });

  test('a feature is a key; a record without it is refused and leaves the writer as it was', async () => {
    const { path } = folder.place();
    const writer = await ShardedWriter.open(`${path}/a.tfrecord`, { shards: 4, shardBy: 'label' });
    for (let i = 0; i < 40; i++) await writer.write(row(i, i % 4));
    expect(thrown(() => writer.write(encodeExample({ labl: int64(1) })))).toMatchObject({
      code: 'TFR_FEATURE',
      feature: 'label',
      record: 40,
      message: expect.stringContaining('Did you mean "labl"?') as string,
    });
    expect(thrown(() => writer.write('no Example'))).toMatchObject({ code: 'TFR_EXAMPLE' });
    const { files, records } = await writer.close();
    expect(records).toBe(40);
    for (const { records: count } of files) expect(count % 10).toBe(0);
  });
});

describe('by size', () => {
  test('a record that would pass the size begins the next file', async () => {
    const { path, names } = folder.place();
    const records = [10, 20, 30, 500, 1].map((length) => 'x'.repeat(length));
    const { files } = await written(`${path}/a.tfrecord`, { maxShardBytes: 100 }, records);
    expect(files.map(({ fileBytes }) => fileBytes)).toEqual([62, 46, 516, 17]);
    expect(names()).toContain('a-00003-of-00004.tfrecord');
  });

  test('no records give one empty file', async () => {
    const { path } = folder.place();
    const { files } = await written(`${path}/a.tfrecord`, { maxShardBytes: 100 }, []);
    expect(files).toMatchObject([
      { file: `${path}/a-00000-of-00001.tfrecord`, records: 0, fileBytes: 0, crc32c: '00000000' },
    ]);
  });
});

describe('by partitions', () => {
  test('each value has a folder, escaped as Hive does', async () => {
    const { path, names } = folder.place();
    const values = ['a/b', '..', '', 'köln', 'a/b', '\0', 'CON'];
    const records = values.map((value, i) => encodeExample({ id: int64(i), k: bytes(value) }));
    records.push(encodeExample({ id: int64(9) }));
    const { files } = await written(`${path}/t.tfrecord`, { partitionBy: 'k' }, records);
    expect(files.map(({ file, records: count }) => [file.slice(path.length + 1), count])).toEqual([
      ['k=a%2Fb/t.tfrecord', 2],
      ['k=../t.tfrecord', 1],
      ['k=__HIVE_DEFAULT_PARTITION__/t.tfrecord', 2],
      ['k=köln/t.tfrecord', 1],
      ['k=%00/t.tfrecord', 1],
      ['k=CON/t.tfrecord', 1],
    ]);
    expect(names()).toHaveLength(7);
    expect(await texts(`${path}/k=*/t.tfrecord`)).toHaveLength(8);
  });

  test('several features are nested; negative and large integers are exact', async () => {
    const { path } = folder.place();
    const records = [-1n, 2n ** 63n - 1n, -(2n ** 63n), 0n, 268435455n, 268435456n].map((value) =>
      encodeExample({ year: int64(2026), v: int64(value) }),
    );
    const { files } = await written(`${path}/t.tfrecord`, { partitionBy: ['year', 'v'] }, records);
    expect(files.map(({ file }) => file.slice(path.length + 1, -'/t.tfrecord'.length))).toEqual(
      ['-1', '9223372036854775807', '-9223372036854775808', '0', '268435455', '268435456'].map(
        (v) => `year=2026/v=${v}`,
      ),
    );
  });

  test.each([
    ['floating point', { k: float(1) }],
    ['2 values', { k: int64([1, 2]) }],
    ['not UTF-8', { k: bytes(Buffer.from([0xff])) }],
    ['302 bytes', { k: bytes('x'.repeat(300)) }],
  ])('%s has no folder', async (found, values) => {
    const { path, names } = folder.place();
    const writer = await ShardedWriter.open(`${path}/t.tfrecord`, { partitionBy: 'k' });
    expect(thrown(() => writer.write(encodeExample(values)))).toMatchObject({
      code: 'TFR_FEATURE',
      feature: 'k',
      found: expect.stringContaining(found) as string,
    });
    await writer.abort();
    expect(names()).toEqual([]);
  });
});

describe('writeBatch', () => {
  const spec = { id: fixedLen([], 'int64'), label: fixedLen([], 'int64') };
  const ids = Array.from({ length: 1000 }, (_, i) => BigInt(i));
  const batch = encodeExamples(
    { id: BigInt64Array.from(ids), label: BigInt64Array.from(ids, (id) => (id < 990n ? id % 3n : id)) },
    spec,
  );

  test.each([
    ['in turn', { shards: 7 }],
    ['by a key', { shards: 3, shardBy: 'label' }],
    ['by size', { maxShardBytes: 5000 }],
    ['by partitions', { partitionBy: 'label' }],
  ])('gives the files that write() gives: %s', async (_, options) => {
    const [one, all] = [folder.place(), folder.place()];
    const single = await written(`${one.path}/a.tfrecord`, options, batch);
    const writer = await ShardedWriter.open(`${all.path}/a.tfrecord`, options);
    await writer.writeBatch(batch);
    const { files } = await writer.close();
    expect(files.map(({ file, ...rest }) => ({ ...rest, file: file.slice(all.path.length) }))).toEqual(
      single.files.map(({ file, ...rest }) => ({ ...rest, file: file.slice(one.path.length) })),
    );
    expect(all.names()).toEqual(one.names());
  });

  test('a batch that is written while another one is divided is written, too', async () => {
    const { path } = folder.place();
    const reader = await RecordReader.open(encodeRecords(numbers(50)));
    const { value: batch } = await reader.batches().next();
    let keys = 0;
    const shardBy = (record: Uint8Array): Uint8Array => {
      if (keys++ === 20) void writer.writeBatch(batch);
      return record;
    };
    const writer = await ShardedWriter.open(`${path}/a.tfrecord`, { shards: 4, shardBy });
    await writer.writeBatch(batch);
    expect((await writer.close()).records).toBe(100);
    const twice = [...numbers(50), ...numbers(50)].sort();
    expect((await texts(`${path}/a.tfrecord@4`)).sort()).toEqual(twice);
  });

  test.each([1, 3])('a batch of %d whose memory shardBy transfers away is an error, and not written', async (count) => {
    const { path } = folder.place();
    const reader = await RecordReader.open(encodeRecords(numbers(count)));
    const { value: batch } = await reader.batches().next();
    const shardBy = ({ buffer }: Uint8Array): string => {
      structuredClone(buffer, { transfer: [buffer as ArrayBuffer] });
      return 'x';
    };
    const writer = await ShardedWriter.open(`${path}/a.tfrecord`, { shards: 2, shardBy });
    expect(() => writer.writeBatch(batch)).toThrow(expect.objectContaining({ code: 'TFR_CLOSED', file: '<bytes>' }));
    expect((await writer.close()).records).toBe(0);
  });

  test('nothing of a batch with a wrong record is written', async () => {
    const { path } = folder.place();
    const writer = await ShardedWriter.open(`${path}/a.tfrecord`, { partitionBy: 'none/such' });
    await writer.write(encodeExample({ 'none/such': int64(1) }));
    const wrong = encodeExamples({ 'none/such': Float32Array.of(1, 2) }, { 'none/such': fixedLen([], 'float32') });
    expect(thrown(() => writer.writeBatch(wrong))).toMatchObject({ code: 'TFR_FEATURE' });
    expect(thrown(() => writer.writeBatch('x' as never))).toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
    expect((await writer.close()).records).toBe(1);
  });
});

describe('files appear together', () => {
  test('GZIP members end at the same records, whatever memory is free', async () => {
    // More than the slabs of all writers hold, in lengths that need slabs of several sizes.
    const records = Array.from({ length: 3000 }, (_, i) =>
      encodeExample({ label: int64((i * i) % 101), data: bytes(Buffer.alloc(((i * 7919) % 97) * 300, `${i} `)) }),
    );
    const sums: string[][] = [];
    for (const everyOther of [1, 50, Infinity]) {
      const { path } = folder.place();
      const writer = await ShardedWriter.open(`${path}/a.tfrecord.gz`, { partitionBy: 'label', level: 1 });
      for (const [i, record] of records.entries()) {
        const full = writer.write(record);
        if (i % everyOther === everyOther - 1) await full;
        // Spare slabs are those of all that was written so far, or of little.
        if (i % (20 * everyOther) === 0) await new Promise(setImmediate);
      }
      const { files } = await writer.close();
      sums.push(files.map(({ crc32c: sum }) => sum));
    }
    expect(new Set(sums[0]).size).toBeGreaterThan(1);
    expect(sums[1]).toEqual(sums[0]);
    expect(sums[2]).toEqual(sums[0]);
  });

  test('nothing has its name before close, and a writer that is left leaves nothing, not even folders', async () => {
    const { path, names } = folder.place();
    const writer = await ShardedWriter.open(`${path}/new/a.tfrecord`, { partitionBy: 'label' });
    for (let i = 0; i < 10; i++) await writer.write(row(i, i));
    await writer.flush();
    expect(readdirSync(`${path}/new`)).toEqual([expect.stringMatching(/^a\.tfrecord\.\d+-[\da-f]{16}\.tmp$/)]);
    await expect(texts(`${path}/new/**`)).rejects.toMatchObject({ code: 'ENOENT' });
    await writer[Symbol.asyncDispose]();
    expect(names()).toEqual([]);
    await expect(writer.write(row(1, 1))).rejects.toMatchObject({ code: 'TFR_CLOSED' });
    await expect(writer.close()).rejects.toMatchObject({ code: 'TFR_CLOSED' });
  });

  test('a signal gives all up', async () => {
    const { path, names } = folder.place();
    const controller = new AbortController();
    const writer = await ShardedWriter.open(`${path}/a.tfrecord`, { shards: 3, signal: controller.signal });
    await writer.write('one');
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(writer.close()).rejects.toBe(reason);
    expect(names()).toEqual([]);
    await expect(ShardedWriter.open(`${path}/a.tfrecord`, { shards: 3, signal: controller.signal })).rejects.toBe(
      reason,
    );
  });

  test('a signal that aborts while the writer opens leaves nothing', async () => {
    const { path, names } = folder.place();
    const controller = new AbortController();
    const opening = ShardedWriter.open(`${path}/new/and/deep/a.tfrecord`, { shards: 3, signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(opening).rejects.toThrow('enough');
    expect(names()).toEqual([]);
  });

  test('shown, it has its state', async () => {
    const { path } = folder.place();
    const writer = await ShardedWriter.open(`${path}/a.tfrecord`, { shards: 3 });
    expect(inspect(writer, { breakLength: Infinity })).toContain("state: 'open', records: 0");
    await writer.write('x');
    await writer.abort();
    expect(inspect(writer, { breakLength: Infinity })).toContain("state: 'aborted'");
  });

  test('files of that name are refused, and replaced with force', async () => {
    const { path, at, names } = folder.place();
    await written(`${path}/a.tfrecord`, { shards: 5 }, numbers(5));
    await expect(ShardedWriter.open(`${path}/a.tfrecord`, { shards: 2 })).rejects.toMatchObject({
      code: 'EEXIST',
      file: expect.stringContaining(at('a')) as string,
    });
    const writer = await ShardedWriter.open(`${path}/a.tfrecord`, { shards: 2, force: true });
    await writer.write('new');
    await writer.flush();
    expect(await texts(at('a.tfrecord@5'))).toHaveLength(5);
    await writer.close();
    expect(names()).toEqual(['a-00000-of-00002.tfrecord', 'a-00001-of-00002.tfrecord', 'a.tfrecord.manifest.json']);
  });

  test('partitions of that name are replaced with force; other files in their folders stay', async () => {
    const { path, at } = folder.place();
    await written(`${path}/a.tfrecord`, { partitionBy: 'label' }, [row(1, 1), row(2, 2)]);
    writeFileSync(at('label=1/other'), '');
    await written(`${path}/a.tfrecord`, { partitionBy: 'label', force: true }, [row(3, 3)]);
    expect([1, 2, 3].map((label) => readdirSync(at(`label=${label}`)))).toEqual([['other'], [], ['a.tfrecord']]);
  });

  test('where a name cannot be given, none is, and the earlier set stays', async () => {
    const { path, at, names } = folder.place();
    await written(`${path}/a.tfrecord`, { partitionBy: 'label' }, [row(1, 1)]);
    const before = readFileSync(at('label=1/a.tfrecord'));
    const writer = await ShardedWriter.open(`${path}/a.tfrecord`, { partitionBy: 'label', force: true });
    for (const label of [0, 1, 5]) await writer.write(row(7, label));
    mkdirSync(at('label=5'));
    mkdirSync(at('label=5/a.tfrecord'));
    await expect(writer.close()).rejects.toThrow();
    expect(names()).toEqual(['a.tfrecord.manifest.json', 'label=1', 'label=5']);
    expect(readFileSync(at('label=1/a.tfrecord'))).toEqual(before);
    expect(readdirSync(at('label=1'))).toEqual(['a.tfrecord']);
  });

  test('a file that appears meanwhile is not replaced', async () => {
    const { path, at, names } = folder.place();
    const writer = await ShardedWriter.open(`${path}/a.tfrecord`, { shards: 2 });
    writeFileSync(at('a-00001-of-00002.tfrecord'), 'other');
    await expect(writer.close()).rejects.toMatchObject({ code: 'EEXIST' });
    expect(names()).toEqual(['a-00001-of-00002.tfrecord']);
  });

  test('what a killed writer of the same name left is removed', async () => {
    const { path, names } = folder.place();
    const left = `${path}/a.tfrecord.99999999-0123456789abcdef.tmp`;
    mkdirSync(left);
    writeFileSync(`${left}/0`, 'part');
    mkdirSync(`${path}/b.tfrecord.99999999-0123456789abcdef.tmp`);
    const writer = await ShardedWriter.open(`${path}/a.tfrecord`, { shards: 1 });
    await writer.abort();
    expect(names()).toEqual(['b.tfrecord.99999999-0123456789abcdef.tmp']);
  });

  test('the manifest is replaced first, and files that a killed writer moved aside go once the new set is there', async () => {
    const { path, at, names } = folder.place();
    await written(`${path}/a.tfrecord`, { shards: 30 }, numbers(3));
    const { files } = await findEarlier(at('a.tfrecord'), [], true);
    expect([files[0], files.length]).toEqual([at('a.tfrecord.manifest.json'), 31]);
    const aside = ['a-00000-of-00001.tfrecord', 'a.tfrecord.manifest.json'].map(
      (name) => `.${name}.99999999-0123456789ab.tmp`,
    );
    for (const name of aside) writeFileSync(at(name), '');
    writeFileSync(at('.b-00000-of-00001.tfrecord.99999999-0123456789ab.tmp'), '');
    const writer = await ShardedWriter.open(at('a.tfrecord'), { shards: 1, force: true });
    await writer.abort();
    expect(names()).toEqual(expect.arrayContaining(aside));
    await written(at('a.tfrecord'), { shards: 1, force: true }, numbers(1));
    expect(names()).toEqual([
      '.b-00000-of-00001.tfrecord.99999999-0123456789ab.tmp',
      'a-00000-of-00001.tfrecord',
      'a.tfrecord.manifest.json',
    ]);
  });

  test('two writers of one folder do not disturb each other', async () => {
    const { path, names } = folder.place();
    const reports = await Promise.all(
      ['a', 'b', 'c'].map((name) => written(`${path}/${name}.tfrecord.gz`, { shards: 2 }, numbers(500))),
    );
    expect(reports.map(({ records }) => records)).toEqual([500, 500, 500]);
    expect(names()).toHaveLength(9);
  });

  test('calls after close reject, and close gives the same promise', async () => {
    const { path } = folder.place();
    const writer = await ShardedWriter.open(`${path}/a.tfrecord`, { shards: 2 });
    const closed = writer.close();
    expect(writer.close()).toBe(closed);
    await expect(writer.write('x')).rejects.toMatchObject({ code: 'TFR_CLOSED' });
    await closed;
    await writer.abort();
    await expect(writer.flush()).rejects.toMatchObject({ code: 'TFR_CLOSED' });
    expect(await texts(`${path}/a.tfrecord@2`)).toEqual([]);
  });

  test('a record is refused if choosing its file closed the writer', async () => {
    const { path } = folder.place();
    const closing: Promise<unknown>[] = [];
    const shardBy = (): number => closing.push(writer.close());
    const writer = await ShardedWriter.open(`${path}/a.tfrecord`, { shards: 2, shardBy });
    await expect(writer.write('x')).rejects.toMatchObject({ code: 'TFR_CLOSED' });
    expect(await closing[0]).toMatchObject({ records: 0 });
  });

  test('a path is that of the moment of open', async () => {
    const { path } = folder.place();
    const before = process.cwd();
    process.chdir(path);
    try {
      const writer = await ShardedWriter.open('a.tfrecord', { partitionBy: 'label' });
      process.chdir(before);
      await writer.write(row(1, 4));
      const { files, manifest } = await writer.close();
      expect([files[0]?.file, manifest]).toEqual(['label=4/a.tfrecord', 'a.tfrecord.manifest.json']);
      expect(readdirSync(path).sort()).toEqual(['a.tfrecord.manifest.json', 'label=4']);
    } finally {
      process.chdir(before);
    }
  });
});

describe('options', () => {
  const wrong: [unknown, unknown, string][] = [
    ['a.tfrecord', {}, 'ERR_INVALID_ARG_VALUE'],
    ['a.tfrecord', { shards: 2, maxShardBytes: 5 }, 'ERR_INVALID_ARG_VALUE'],
    ['a.tfrecord@3', { shards: 2 }, 'ERR_OUT_OF_RANGE'],
    ['a.tfrecord', { shards: 0 }, 'ERR_OUT_OF_RANGE'],
    ['a.tfrecord', { shards: 100_000 }, 'ERR_OUT_OF_RANGE'],
    ['a.tfrecord', { maxShardBytes: 5, shardBy: 'x' }, 'ERR_INVALID_ARG_VALUE'],
    ['a.tfrecord', { shards: 2, shardBy: 5 }, 'ERR_INVALID_ARG_TYPE'],
    ['a.tfrecord', { partitionBy: [] }, 'ERR_INVALID_ARG_VALUE'],
    ['a.tfrecord', { partitionBy: ['a', 'a'] }, 'ERR_INVALID_ARG_VALUE'],
    ['a.tfrecord', { partitionBy: 5 }, 'ERR_INVALID_ARG_TYPE'],
    ['a.tfrecord', { shards: 2, append: true }, 'ERR_INVALID_ARG_VALUE'],
    ['a.tfrecord', { shards: 2, level: 5 }, 'ERR_INVALID_ARG_VALUE'],
    ['a.tfrecord.zz', { partitionBy: 'label' }, 'ERR_INVALID_ARG_VALUE'],
    ['a.tfrecord.zz', { shards: 65 }, 'ERR_INVALID_ARG_VALUE'],
    ['a-*.tfrecord', { shards: 2 }, 'ERR_INVALID_ARG_VALUE'],
    ['out/', { shards: 2 }, 'ERR_INVALID_ARG_VALUE'],
    ['s3://bucket/a.tfrecord', { shards: 2 }, 'ERR_INVALID_ARG_VALUE'],
    ['https://localhost/a.tfrecord', { partitionBy: 'label' }, 'ERR_INVALID_ARG_VALUE'],
    [process.stdout, { shards: 2 }, 'ERR_INVALID_ARG_TYPE'],
  ];
  test.each(wrong)('%p %j', async (target, options, code) => {
    await expect(ShardedWriter.open(target as never, options as never)).rejects.toMatchObject({ code });
  });

  test.each<[string, object | undefined, RegExp]>([
    [
      'none',
      undefined,
      /exactly one of the options shards \(or NAME@N\), maxShardBytes and partitionBy\. Received "none/,
    ],
    ['shardBy alone', { shardBy: 'k' }, /exactly one of .* Received "none of them"/],
    ['two', { shards: 2, maxShardBytes: 9 }, /exactly one of .* Received "shards, maxShardBytes"/],
    ['another number', { shards: 2 }, /"options\.shards" must be the 3 of '.*out@3'\. Received 2$/],
    [
      'an empty name',
      { partitionBy: '' },
      /"options\.partitionBy\[0\]" must be a name that is not empty\. Received ""$/,
    ],
    ['one name twice', { partitionBy: ['k', 'k'] }, /must be another name than those before it\. Received "k"$/],
  ])('errors name what is there and what is to change: %s', async (name, options, message) => {
    const path = folder.at(name === 'another number' ? 'out@3' : 'out');
    await expect(ShardedWriter.open(path, options as never)).rejects.toThrow(message);
  });

  test('a record over maxRecordBytes is refused', async () => {
    const { path } = folder.place();
    const writer = await ShardedWriter.open(`${path}/a.tfrecord`, { shards: 2, maxRecordBytes: 4 });
    expect(thrown(() => writer.write('12345'))).toMatchObject({ code: 'TFR_RECORD_TOO_LARGE' });
    await writer.write('1234');
    expect((await writer.close()).records).toBe(1);
  });
});
