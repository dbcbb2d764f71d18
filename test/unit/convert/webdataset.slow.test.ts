/** WebDataset's tars in jobs: both ways, beside Python's tarfile, and tars that are damaged or hostile. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';

import fc from 'fast-check';

import {
  bytes,
  decodeExample,
  encodeExample,
  encodeSequenceExample,
  float,
  int64,
  type FeatureLike,
  type TFRecordError,
} from '../../../lib';
import { convert, type ConvertOptions } from '../../../lib/convert';
import { recordValues } from '../../support/records/record-values';
import { Folder } from '../../support/records/record-files';
import { tfrecord, wholeRecords } from '../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

const BLOCK = 512;

interface Entry {
  readonly name: string;
  readonly content?: string | Uint8Array;
  readonly type?: string;
  /** Size that the header claims. Default: that of the content. */
  readonly size?: number;
}

/** An entry of a tar, by hand. */
function entry({ name, content = '', type = '0', size }: Entry): Buffer {
  const data = Buffer.from(content as string);
  const head = Buffer.alloc(BLOCK);
  head.write(name);
  head.write('0000644\x000000000\x000000000\0', 100, 'latin1');
  head.write(`${(size ?? data.length).toString(8).padStart(11, '0')}\x0000000000000\0`, 124, 'latin1');
  head.write(`        ${type}`, 148, 'latin1');
  head.write('ustar\x0000', 257, 'latin1');
  const sum = head.reduce((all, byte) => all + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return Buffer.concat([head, data, Buffer.alloc(-data.length & (BLOCK - 1))]);
}

const END = Buffer.alloc(2 * BLOCK);
const tar = (entries: readonly Entry[]): Buffer => Buffer.concat([...entries.map(entry), END]);

const values = (records: readonly Uint8Array[]): unknown[] =>
  records.map((record) => recordValues(record, { kindless: true, nans: true, columns: true }));

async function read(content: Uint8Array, options: ConvertOptions = {}): Promise<Buffer[]> {
  const [from, to] = [`${folder.fresh()}.tar`, folder.fresh()];
  writeFileSync(from, content);
  await convert(from, to, options);
  return wholeRecords(readFileSync(to));
}

const rows = (records: readonly Uint8Array[]): unknown[] =>
  records.map((record) =>
    Object.fromEntries(
      Object.entries(decodeExample(record)).map(([name, feature]) => [
        name,
        Array.from<unknown, unknown>(feature!.values as Iterable<unknown>, (value) =>
          value instanceof Uint8Array ? Buffer.from(value).toString() : value,
        ),
      ]),
    ),
  );

test('files with one base name are a sample, and their extensions are its features', async () => {
  const content = tar([
    { name: './train/a.1/', type: '5' },
    { name: './train/a.1/x.jpg', content: 'JPG' },
    { name: './train/a.1/x.cls', content: '7\n' },
    { name: './train/a.1/x.seg.png', content: 'PNG' },
    { name: 'y.json', content: '{"a":1}' },
    { name: 'y.txt' },
  ]);
  const expected = [
    { __key__: ['train/a.1/x'], cls: [7n], jpg: ['JPG'], 'seg.png': ['PNG'] },
    { __key__: ['y'], json: ['{"a":1}'], txt: [''] },
  ];
  expect(rows(await read(content))).toEqual(expected);
  expect(rows(await read(gzipSync(content), { from: 'webdataset' }))).toEqual(expected);
});

const nan = new Float32Array(Uint32Array.of(0xffc0_1234).buffer);
const ODD: readonly Record<string, FeatureLike>[] = [
  { __key__: bytes(['k/a']), jpg: bytes([Uint8Array.of(0xff)]), cls: int64([3]), txt: 'ä', 'image/encoded': 'E' },
  { __key__: bytes(['k/a']), cls: int64([1, 2]), 'a%2fb': 'x', 'a/b': 'y', 'x.npy': 'z' },
  { __key__: bytes(['../a']), cls: 'no number', f: float(nan), i: int64([-(2n ** 63n)]), e: float([]) },
  { __key__: bytes(['k.a']), many: bytes(['a', '']), none: bytes([]), kindless: [] },
  { __key__: int64([1]), tfexample: 'a', tfsequence: 'b', '': 'c', '.': 'd', '\0': 'e', __proto__: 'f' },
  { [`${'long'.repeat(60)}ö`]: 'x', '\uFFFD': 'y', a: int64([]), 'i.npy': int64([5]) },
  { ['__proto__']: int64([1]) },
  { __key__: bytes(['alone']) },
  {},
];
const SEQUENCE = encodeSequenceExample({ context: { id: int64([1]) }, featureLists: { w: [['a'], ['b', 'c'], []] } });
const RECORDS = [...ODD.map((row) => encodeExample(row)), SEQUENCE, SEQUENCE];

test.each(['x.tar', 'x.tar.gz'])('records of every kind come back from %s', async (name) => {
  const { at } = folder.place();
  expect(await convert(tfrecord(RECORDS), at(name))).toMatchObject({ records: RECORDS.length });
  await convert(at(name), at('back'));
  expect(values(wholeRecords(readFileSync(at('back'))))).toEqual(values(RECORDS));
});

test('any records come back', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('cls', 'a.npy', '__key__', 'tfexample', 'a/b', '%2f'),
  );
  const feature: fc.Arbitrary<FeatureLike> = fc.oneof(
    fc.array(fc.uint8Array({ maxLength: 9 }), { maxLength: 3 }).map((list) => bytes(list)),
    fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { maxLength: 3 }).map((list) => int64(list)),
    fc.array(fc.float(), { maxLength: 3 }).map((list) => float(list)),
    text.map((value) => bytes([value])),
  );
  const row = fc.dictionary(text, feature, { maxKeys: 6 });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), async (all) => {
      const records = all.map((features) => encodeExample(features));
      const to = `${folder.fresh()}.tar`;
      await convert(tfrecord(records), to);
      expect(values(await read(readFileSync(to)))).toEqual(values(records));
    }),
    { numRuns: 200 },
  );
});

test("Python's tarfile lists the files that were written, and its tars are read, in all its formats", async () => {
  const { at } = folder.place();
  const key = `${'folder/'.repeat(30)}käy`;
  await convert(tfrecord([encodeExample({ __key__: key, jpg: 'J', cls: int64([3]), f: float([1.5]) })]), at('a.tar'));
  const script = `
import io, json, sys, tarfile
with tarfile.open('a.tar') as tar:
    print(json.dumps([[m.name, m.isreg(), tar.extractfile(m).read().decode('latin1')] for m in tar]))
for name in ['USTAR', 'GNU', 'PAX']:
    with tarfile.open(name + '.tar', 'w', format=getattr(tarfile, name + '_FORMAT')) as tar:
        for i in range(3):
            for file, data in [('jpg', b'x' * 1000 * i), ('cls', b'%d' % i)]:
                info = tarfile.TarInfo('d' * 90 + '/' + ('' if name == 'USTAR' else 'ö' * 60) + '%d.%s' % (i, file))
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))
`;
  const { stdout, stderr } = spawnSync('python3', ['-c', script], { cwd: at('.'), encoding: 'utf8' });
  expect(stderr).toBe('');
  const npy = expect.stringMatching(/^\x93NUMPY.*'<f4'.*\(1,\).*\n\0\0\xc0\x3f$/su) as unknown;
  expect(JSON.parse(stdout)).toEqual([
    [`${key}.cls`, true, '3'],
    [`${key}.f.npy`, true, npy],
    [`${key}.jpg`, true, 'J'],
  ]);
  for (const name of ['USTAR', 'GNU', 'PAX']) {
    const expected = [0, 1, 2].map((i) => ({
      __key__: [`${'d'.repeat(90)}/${name === 'USTAR' ? '' : 'ö'.repeat(60)}${i}`],
      cls: [BigInt(i)],
      jpg: ['x'.repeat(1000 * i)],
    }));
    expect(rows(await read(readFileSync(at(`${name}.tar`))))).toEqual(expected);
  }
});

const GOOD: readonly Entry[] = [
  { name: 'a.txt', content: 'A' },
  { name: 'a.cls', content: '1' },
];
const LAST: readonly Entry[] = [{ name: 'z.txt', content: 'Z' }];
const A = { __key__: ['a'], cls: [1n], txt: ['A'] };
const Z = { __key__: ['z'], txt: ['Z'] };

test.each<[string, readonly Entry[], string, RegExp]>([
  ['an absolute path', [{ name: '/etc/b.txt' }], 'TFR_DECODE', /an absolute path/],
  ['a path that leaves the folder', [{ name: 'x/../../b.txt' }], 'TFR_DECODE', /a path with "\.\."/],
  ['a link', [{ name: 'b.txt', type: '1' }], 'TFR_DECODE', /found a link/],
  ['a symbolic link', [{ name: 'b.txt', type: '2' }], 'TFR_DECODE', /found a symlink/],
  ['a device', [{ name: 'b.txt', type: '3' }], 'TFR_DECODE', /found a character-device/],
  ['a name without an extension', [{ name: 'README' }], 'TFR_DECODE', /a name without an extension/],
  ['a hidden file', [{ name: 'b/._x.jpg' }], 'TFR_DECODE', /begins with a dot/],
  ['a name that is not UTF-8', [{ name: 'b.\uFFFD' }], 'TFR_DECODE', /not UTF-8/],
  ['two files of one name', [{ name: 'b.txt' }, { name: 'b.txt' }], 'TFR_FEATURE', /"txt" of a sample is there twice/],
  [
    'a class that is no integer',
    [{ name: 'b.cls', content: '1.5' }],
    'TFR_DECODE',
    /expected an int64 in text, found "1.5"/,
  ],
  ['a class beyond int64', [{ name: 'b.cls', content: '9223372036854775808' }], 'TFR_DECODE', /expected an int64/],
  ['an Example that is none', [{ name: 'b.tfexample', content: 'no' }], 'TFR_EXAMPLE', /Example/],
  ['a sequence beside others', [{ name: 'b.tfsequence' }, { name: 'b.x' }], 'TFR_EXAMPLE', /found 2 files/],
])('%s is an error with file and byte, and skip leaves out its sample', async (_, entries, code, message) => {
  const content = tar([...GOOD, ...entries, ...LAST]);
  const error = (await read(content).catch((thrown: unknown) => thrown)) as TFRecordError;
  expect(error).toMatchObject({ code, record: 1, file: expect.stringMatching(/\.tar$/) as unknown });
  expect(error.message).toMatch(message);
  expect([2048, 2560]).toContain(error.offset);
  expect(rows(await read(content, { onError: 'skip' }))).toEqual([A, Z]);
  expect(rows(await read(content, { onError: 'stop' }))).toEqual([A]);
});

test.each<[string, Buffer, string, number]>([
  ['a sparse file', Buffer.concat([entry({ name: 'b.txt', type: 'S' }), tar(LAST)]), 'TFR_DECODE', 2048],
  ['an unknown type', Buffer.concat([entry({ name: 'b.txt', type: 'Q' }), tar(LAST)]), 'TFR_DECODE', 2048],
  ['a folder with content', Buffer.concat([entry({ name: 'b', type: '5', size: 9 }), tar(LAST)]), 'TFR_DECODE', 2048],
  ['a wrong checksum', Buffer.alloc(BLOCK, 1), 'TFR_DECODE', 2048],
  ['a long name of 1 GB', entry({ name: 'b', type: 'L', size: 2 ** 30 }), 'TFR_DECODE', 2048],
  ['a size beyond the end', entry({ name: 'b.txt', size: 2 ** 20 }), 'TFR_TRUNCATED', 2048],
  [
    'only the header of a long name',
    entry({ name: '././@LongLink', type: 'L', content: 'b'.repeat(120) }),
    'TFR_TRUNCATED',
    2048,
  ],
  ['a cut header', entry({ name: 'b.txt' }).subarray(0, 100), 'TFR_TRUNCATED', 2048],
  ['no end', Buffer.alloc(0), 'TFR_TRUNCATED', 2048],
  ['half an end', Buffer.alloc(BLOCK), 'TFR_TRUNCATED', 2048],
])('%s ends the tar', async (name, rest, code, offset) => {
  const content = Buffer.concat([...LAST.map(entry), ...GOOD.slice(1).map(entry), rest]);
  const error = (await read(content).catch((thrown: unknown) => thrown)) as TFRecordError;
  expect(error).toMatchObject({ code, offset });
  // The sample before is whole only if the header of another one follows it.
  const whole = name === 'a size beyond the end' ? [Z, { __key__: ['a'], cls: [1n] }] : [Z];
  expect(rows(await read(content, { onError: 'skip' }))).toEqual(whole);
});

test('a sample larger than the limit is not read', async () => {
  const content = tar([...GOOD, { name: 'b.bin', content: Buffer.alloc(5000) }, ...LAST]);
  await expect(read(content, { maxRecordBytes: 4000 })).rejects.toMatchObject({
    code: 'TFR_RECORD_TOO_LARGE',
    record: 1,
  });
  expect(rows(await read(content, { maxRecordBytes: 4000, onError: 'skip' }))).toEqual([A, Z]);
});

test('each cut of a tar ends, with an error', async () => {
  const content = tar([...GOOD, ...LAST]);
  for (let size = 0; size < content.length; size += 100) {
    const error = (await read(content.subarray(0, size)).catch((thrown: unknown) => thrown)) as TFRecordError;
    expect(error.code).toBe('TFR_TRUNCATED');
  }
});

test('shards, several tars, and an aborted job', async () => {
  const { at } = folder.place();
  const records = Array.from({ length: 10 }, (_, i) => encodeExample({ id: int64([i]) }));
  await convert(tfrecord(records), at('x.tar'), { shards: 3 });
  await convert(at('x-*.tar'), at('back.tfrecord'), { shards: 2 });
  const parts = [0, 1].map((i) => readFileSync(at(`back-0000${i}-of-00002.tfrecord`)));
  expect(values(parts.flatMap((part) => wholeRecords(part)))).toEqual(values(records));
  const reason = new Error('enough');
  await expect(convert(at('x-*.tar'), at('never'), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test('equal records make equal tars, which gzip does not change', async () => {
  const { at } = folder.place();
  await convert(tfrecord(RECORDS), at('a.tar'));
  await convert(tfrecord(RECORDS), at('b.tar.gz'));
  expect(gunzipSync(readFileSync(at('b.tar.gz'))).equals(readFileSync(at('a.tar')))).toBe(true);
});
