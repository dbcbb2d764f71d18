/** Folders of pictures: what becomes of them, of labels, and of what is no picture. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import fc from 'fast-check';

import {
  bytes,
  decodeExample,
  encodeExample,
  fixedLen,
  float,
  int64,
  varLen,
  type FeatureLike,
  type TFRecordError,
} from '../../../lib';
import { convert, mergeParts, type ConvertOptions, type ConvertReport } from '../../../lib/convert';
import { jpeg, picture, PICTURE_FORMATS } from '../../support/records/pictures';
import { Folder } from '../../support/records/record-files';
import { wholeRecords } from '../../support/records/tfrecord';
import { unprivileged } from '../../support/unprivileged';

const folder = new Folder({ others: true });
afterAll(() => folder.remove());

/** A new folder with these files. */
function files(content: Readonly<Record<string, string | Uint8Array>>): string {
  const path = folder.fresh();
  mkdirSync(path);
  for (const [name, data] of Object.entries(content)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), data);
  }
  return path;
}

async function recordsOf(input: string | readonly string[], options?: ConvertOptions): Promise<Buffer[]> {
  const out = folder.fresh();
  await convert(input, out, options);
  return wholeRecords(readFileSync(out));
}

interface Row {
  readonly file: string;
  readonly class: string | undefined;
  readonly label: bigint | undefined;
}

/** The first value of a bytes feature. */
function bytesOf(feature: { values: Iterable<unknown> } | undefined): Buffer {
  const [value] = feature!.values as Iterable<Uint8Array>;
  return Buffer.from(value!);
}

/** What records say, apart from the pictures. */
function rows(records: readonly Uint8Array[]): Row[] {
  return records.map((record) => {
    const example = decodeExample(record);
    const text = (name: string): string | undefined =>
      name in example ? bytesOf(example[name]).toString() : undefined;
    const label = example['image/class/label'] as { values: BigInt64Array } | undefined;
    return { file: text('image/filename')!, class: text('image/class/text'), label: label?.values[0] };
  });
}

const names = (records: readonly Uint8Array[]): string[] => rows(records).map(({ file }) => file);
const png = picture('png', 3, 2);
const failed = async (input: string | readonly string[], options?: ConvertOptions): Promise<TFRecordError> =>
  convert(input, folder.fresh(), options).then(
    () => Promise.reject(new Error('it resolved')),
    (error: unknown) => error as TFRecordError,
  );

test('a record has the features of TensorFlow, exactly as encodeExample writes them', async () => {
  const file = picture('jpeg', 640, 480, Buffer.alloc(300, 1));
  const [record] = await recordsOf(files({ 'cat/é.jpg': file }));
  const expected: Record<string, FeatureLike> = {
    'image/encoded': bytes([file]),
    'image/format': bytes(['jpeg']),
    'image/width': int64([640]),
    'image/height': int64([480]),
    'image/filename': bytes(['cat/é.jpg']),
    'image/class/text': bytes(['cat']),
    'image/class/label': int64([0]),
  };
  expect(record).toEqual(Buffer.from(encodeExample(expected)));
});

test.each(PICTURE_FORMATS)('%s by its content, not by its name', async (format) => {
  const [record] = await recordsOf(files({ 'a.txt': picture(format, 300, 8000) }));
  const {
    'image/format': found,
    'image/width': width,
    'image/height': height,
  } = decodeExample(record!) as unknown as Record<string, { values: unknown[] }>;
  expect(bytesOf(found).toString()).toBe(format);
  expect([width!.values[0], height!.values[0]]).toEqual([300n, 8000n]);
});

test('the size of a JPEG behind long metadata', async () => {
  const [record] = await recordsOf(files({ 'a.jpg': jpeg(1000, 700, 3_000_000) }));
  expect(decodeExample(record!)).toMatchObject({ 'image/width': { values: BigInt64Array.of(1000n) } });
});

test('order is that of the bytes of paths, classes are the first level, hidden files do not count', async () => {
  const path = files(
    Object.fromEntries(
      ['b/x/2.png', 'b/1.png', 'b-c/1.png', 'b.png', 'é/1.png', 'Z/1.png', '.DS_Store', 'b/.1.png', '.c/1.png']
        .concat('Thumbs.db')
        .map((name) => [name, png]),
    ),
  );
  mkdirSync(join(path, 'empty'));
  expect(rows(await recordsOf(path))).toEqual([
    { file: 'Z/1.png', class: 'Z', label: 0n },
    { file: 'b-c/1.png', class: 'b-c', label: 2n },
    { file: 'b.png', class: undefined, label: undefined },
    { file: 'b/1.png', class: 'b', label: 1n },
    { file: 'b/x/2.png', class: 'b', label: 1n },
    { file: 'é/1.png', class: 'é', label: 4n },
  ]);
});

test('a folder of many pictures is in order, too', async () => {
  const all = Array.from({ length: 2000 }, (_, i) => `${(i * 7919) % 2000}${i % 2 === 0 ? '' : 'é'}.png`);
  const found = names(await recordsOf(files(Object.fromEntries(all.map((name) => [name, png])))));
  expect(found).toEqual(all.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
});

test('files are pictures by their extensions', async () => {
  const path = files({ '1.png': png, '2.jpg': png });
  const found = rows(await recordsOf(join(path, '*')));
  expect(found).toEqual(
    ['1.png', '2.jpg'].map((name) => ({ file: join(path, name), class: undefined, label: undefined })),
  );
  expect(await failed([join(path, '1.png'), 'a.tfrecord'])).toMatchObject({ code: 'ENOENT' });
  for (const from of ['images', undefined] as const) {
    expect(await failed([path, path], { from })).toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
  }
});

test('the records hold exactly the bytes of the files', async () => {
  const content = fc.tuple(fc.constantFrom(...PICTURE_FORMATS), fc.uint8Array({ maxLength: 300 }));
  const name = fc
    .stringMatching(/^[a-cé/]{1,6}$/)
    .map((text) => `${text.replace(/\/+/g, '/').replace(/^\/|\/$/g, '')}x.png`);
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(name, content, { minKeys: 1, maxKeys: 12 }),
      fc.integer({ min: 1, max: 4 }),
      async (all, shards) => {
        const given = Object.fromEntries(
          Object.entries(all).map(([key, [format, rest]]) => [
            key.replace(/x\.png(?=\/)/g, ''),
            picture(format, 5, 7, rest),
          ]),
        );
        const out = folder.fresh();
        const report = await convert(files(given), out, { shards });
        const records = report.files.flatMap((file) => wholeRecords(readFileSync(file)));
        const found = records.map((record) => bytesOf(decodeExample(record)['image/encoded']));
        const order = Object.keys(given).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        expect(names(records)).toEqual(order);
        expect(found).toEqual(order.map((key) => given[key]));
      },
    ),
    { numRuns: 25 },
  );
});

const three = { 'a/1.png': png, 'a/2.png': png, 'b/3.png': png };

describe('labels', () => {
  const labelled = (name: string, text: string, options: ConvertOptions = {}): Promise<Buffer[]> => {
    const path = files({ ...three, [name]: text });
    return recordsOf(path, { labels: join(path, name), ...options });
  };

  test('CSV: kinds by columns, missing values, the folder of a label', async () => {
    const text =
      '\uFEFFid,file,label,score,note,code\r\n9223372036854775807,a/1.png,dog,1,,007\n-2,./a/2.png,,2.5,"x, ""y""\nz",1\n\n3,b/3.png,cat,,12,2\n';
    const records = await labelled('l.csv', text);
    expect(rows(records)).toMatchObject([
      { class: 'dog', label: 1n },
      { class: undefined, label: undefined },
      { class: 'cat', label: 0n },
    ]);
    const others = records.map((record) =>
      Object.fromEntries(Object.entries(decodeExample(record)).filter(([key]) => !key.startsWith('image/'))),
    );
    const decoded = (features: Record<string, FeatureLike>): unknown => decodeExample(encodeExample(features));
    expect(others).toEqual([
      decoded({ id: int64([9223372036854775807n]), score: float([1]), code: bytes(['007']) }),
      decoded({ id: int64([-2n]), score: float([2.5]), note: bytes(['x, "y"\nz']), code: bytes(['1']) }),
      decoded({ id: int64([3n]), note: bytes(['12']), code: bytes(['2']) }),
    ]);
  });

  test('JSON Lines, with lists, and features on both sides of image/encoded', async () => {
    const text =
      '{"image":"b/3.png","label":7,"boxes":[0.5,1.0],"z":null}\n{"image":"a/1.png","label":-1,"z":["p","q"]}\n{"image":"a/2.png"}\n';
    const records = await labelled('l.jsonl', text);
    expect(rows(records)).toMatchObject([{ label: -1n }, { label: undefined }, { label: 7n, class: undefined }]);
    expect(records[0]).toEqual(
      Buffer.from(
        encodeExample({
          'image/class/label': int64([-1n]),
          'image/encoded': bytes([png]),
          'image/filename': bytes(['a/1.png']),
          'image/format': bytes(['png']),
          'image/height': int64([2]),
          'image/width': int64([3]),
          z: bytes(['p', 'q']),
        }),
      ),
    );
    expect(decodeExample(records[2]!)['boxes']!.values).toEqual(Float32Array.of(0.5, 1));
  });

  describe('with a spec', () => {
    const spec = { zip: varLen('text'), score: varLen('float32'), id: fixedLen([], 'int64') };
    const othersOf = (records: readonly Buffer[]): unknown =>
      records.map((record) =>
        Object.fromEntries(Object.entries(decodeExample(record)).filter(([key]) => !key.startsWith('image/'))),
      );

    test.each([
      ['l.csv', 'file,zip,score,id,more\na/1.png,12,1,007,x\na/2.png,13,2,+8,y\nb/3.png,,2.5,9,\n'],
      [
        'l.jsonl',
        '{"file":"a/1.png","zip":"12","score":1,"id":"7","more":"x"}\n{"file":"a/2.png","zip":"13","score":2,"id":8,"more":"y"}\n{"file":"b/3.png","score":2.5,"id":9}\n',
      ],
    ])('%s: the types are those of the spec, and of its lines for other columns', async (name, text) => {
      const decoded = (features: Record<string, FeatureLike>): unknown => decodeExample(encodeExample(features));
      expect(othersOf(await labelled(name, text, { spec }))).toEqual([
        decoded({ zip: bytes(['12']), score: float([1]), id: int64([7]), more: bytes(['x']) }),
        decoded({ zip: bytes(['13']), score: float([2]), id: int64([8]), more: bytes(['y']) }),
        decoded({ score: float([2.5]), id: int64([9]) }),
      ]);
    });

    test.each([
      ['file,id\na/1.png,x\n', /Line 2 of .*l\.csv: feature "id" is "x"; expected int64, as the spec requires/],
      ['file,id\na/1.png,\n', /Line 2 of .*l\.csv: feature "id" has no value, and the spec requires one/],
    ])('%j does not fit', async (text, message) => {
      const path = files({ ...three, 'l.csv': text });
      expect(await failed(path, { labels: join(path, 'l.csv'), spec })).toMatchObject({
        code: 'TFR_FEATURE',
        message: expect.stringMatching(message) as string,
      });
    });

    test('without labels there is nothing that it says', async () => {
      expect(await failed(files(three), { spec })).toMatchObject({
        code: 'ERR_INVALID_ARG_VALUE',
        message: expect.stringContaining(
          'pictures have features of their own; with labels it sets the types',
        ) as string,
      });
    });
  });

  test('classes say the numbers, of texts and of integers', async () => {
    const classes = ['b', 'x', 'a'];
    expect(rows(await recordsOf(files(three), { classes })).map(({ label }) => label)).toEqual([2n, 2n, 0n]);
    const records = await labelled('l.csv', 'file,label\na/1.png,0\na/2.png,1\nb/3.png,2\n', { classes });
    expect(rows(records)).toMatchObject([
      { class: 'b', label: 0n },
      { class: 'x', label: 1n },
      { class: 'a', label: 2n },
    ]);
    expect(await failed(files(three), { classes: ['a'] })).toMatchObject({
      code: 'TFR_FEATURE',
      file: expect.stringMatching(/b\/3\.png$/) as string,
    });
  });

  test('no label: the folder is the class', async () => {
    expect(rows(await labelled('l.csv', 'file,x\na/1.png,1\na/2.png,1\nb/3.png,1\n'))[2]).toMatchObject({
      class: 'b',
      label: 1n,
    });
  });

  test.each([
    ['l.csv', 'file,label\n"a\n1",x\n', /^.* not in .*: "a\\n1"\. onError.*$/],
    ['l.csv', 'file,label\na/1.png,x\n', /2 of 3 pictures of .* have no line in .*l\.csv: a\/2\.png, b\/3\.png/],
    [
      'l.csv',
      'file\na/1.png\na/2.png\nb/3.png\nc.png\n../x\n',
      /2 of the lines .* name pictures that are not in .*: c\.png, \.\.\/x/,
    ],
    ['l.csv', 'file\na/1.png\na/1.png\n', /Line 3 of .*its picture has a line already, number 2/],
    ['l.csv', 'file,file\n', /twice/],
    ['l.csv', 'path,label\n', /no column with the path/],
    ['l.csv', 'file,a\na/1.png\n', /Line 2 .* 1 fields, but the header has 2/],
    ['l.csv', 'file,a\n"a/1.png,1\n', /Line 2/],
    ['l.csv', 'file,image/encoded\na/1.png,1\n', /name of a feature that pictures have/],
    ['l.csv', '', /3 of 3 pictures/],
    ['l.jsonl', '{"file":"a/1.png","label":1}\n{"file":"a/2.png","label":"x"}\n', /several kinds/],
    ['l.jsonl', '{"file":"a/1.png","label":1.5}\n', /label is 1\.5/],
    ['l.jsonl', '{"file":"a/1.png","x":1.0e300}\n', /beyond float32/],
    ['l.jsonl', '{"file":7}\n', /no member with the path of a picture/],
    ['l.jsonl', '[]\n', /begins an array/],
  ])('refused: %s %j', async (name, text, message) => {
    const path = files({ ...three, [name]: text });
    const error = await failed(path, { labels: join(path, name) });
    expect(error.message).toMatch(message);
    expect(error.code).toMatch(/^TFR_(?:FEATURE|DECODE)$/);
  });

  test('skip leaves out pictures without a line, and lines without a picture', async () => {
    const path = files({ ...three, 'l.csv': 'file,n\nb/3.png,1\nno.png,x\n' });
    const out = folder.fresh();
    const report = await convert(path, out, { labels: join(path, 'l.csv'), onError: 'skip' });
    expect(report).toMatchObject({ records: 1, skipped: 3 });
    expect(names(wholeRecords(readFileSync(out)))).toEqual(['b/3.png']);
  });

  test('arguments', async () => {
    const path = files(three);
    for (const labels of ['l.txt', 7, '', path] as string[]) {
      expect(await failed(path, { labels })).toMatchObject({ code: expect.stringMatching(/^E/) as string });
    }
    expect(await failed(path, { labels: 'none.csv' })).toMatchObject({ code: 'ENOENT', file: 'none.csv' });
    expect(await failed(join(path, 'a', '*.png'), { labels: 'l.csv' })).toMatchObject({
      code: expect.stringMatching(/^E/) as string,
    });
    for (const classes of [[], ['a', 'a'], 'a', [1]] as string[][]) {
      expect(await failed(path, { classes })).toMatchObject({ code: expect.stringMatching(/^ERR_/) as string });
    }
    expect(await failed(path, { from: 'tfrecord', classes: ['a'] })).toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
  });
});

describe('what is no picture', () => {
  const [good, more] = ['a/1.png', 'c/9.png'];
  const around = { [good]: png, [more]: png };
  const cases: [string, string | Uint8Array][] = [
    ['empty', ''],
    ['text', 'hello'],
    ['TIFF', Buffer.from('49492a0008000000', 'hex')],
    ['a BMP of OS/2', picture('bmp', 1, 1).fill(12, 14, 15)],
    ['no width', picture('png', 0, 4)],
    ['a JPEG of garbage', Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(100_000, 0x11)])],
    [
      'a JPEG of empty segments',
      Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(400_000, Buffer.from('ffe00002', 'hex'))]),
    ],
    ...PICTURE_FORMATS.map((format): [string, Uint8Array] => [
      `half a head of ${format}`,
      picture(format, 9, 9, Buffer.alloc(0)).subarray(
        0,
        format === 'png' ? 20 : format === 'bmp' ? 20 : format === 'gif' ? 8 : -16,
      ),
    ]),
  ];

  test.each(cases)('%s', async (_, content) => {
    const path = files({ ...around, 'b/x.png': content });
    const file = join(path, 'b/x.png');
    expect(await failed(path)).toMatchObject({ code: 'TFR_NOT_IMAGE', file, expected: 'JPEG, PNG, GIF, WebP or BMP' });
    expect(names(await recordsOf(path, { onError: 'skip' }))).toEqual([good, more]);
    expect(names(await recordsOf(path, { onError: 'stop' }))).toEqual([good]);
  });

  test('skipped pictures count in their shard', async () => {
    const path = files({ ...around, 'b/x.png': '', 'd/1.png': png });
    const out = folder.fresh();
    const seen: string[] = [];
    await convert(path, out, { shards: 2, onError: { action: 'skip', report: ({ file }) => seen.push(file!) } });
    const { outputs } = JSON.parse(readFileSync(`${out}.manifest.json`, 'utf8')) as { outputs: unknown[] };
    expect(outputs).toMatchObject([
      { records: 1, skipped: 1 },
      { records: 2, skipped: 0 },
    ]);
    expect(seen).toEqual([join(path, 'b/x.png')]);
  });

  test('links, cycles, pipes and files that cannot be opened', async () => {
    const other = files({ '2.png': png });
    const path = files(around);
    symlinkSync(other, join(path, 'b'));
    symlinkSync(join(other, '2.png'), join(path, 'a', '2.png'));
    symlinkSync(path, join(path, 'a', 'again'));
    const good = ['a/1.png', 'a/2.png', 'b/2.png', 'c/9.png'];
    expect(names(await recordsOf(path))).toEqual(good);
    symlinkSync('nowhere', join(path, 'a', '0.png'));
    expect(await failed(path)).toMatchObject({ code: 'ENOENT', file: join(path, 'a/0.png') });
    expect(names(await recordsOf(path, { onError: 'skip' }))).toEqual(good);
    rmSync(join(path, 'a', '0.png'));
    execFileSync('mkfifo', [join(path, 'a', 'pipe')]);
    symlinkSync('/dev/zero', join(path, 'a', 'zero'));
    expect(await failed(path)).toMatchObject({ code: 'TFR_NOT_IMAGE', file: join(path, 'a/pipe') });
    expect(names(await recordsOf(path, { onError: 'skip' }))).toEqual(good);
  });

  test('names that are not UTF-8 are kept byte by byte', async () => {
    const path = files(around);
    const name = Buffer.from('b\xff.png', 'latin1');
    writeFileSync(Buffer.concat([Buffer.from(`${path}/`), name]), png);
    const records = await recordsOf(path);
    expect(bytesOf(decodeExample(records[1]!)['image/filename'])).toEqual(name);
    writeFileSync(Buffer.concat([Buffer.from(`${path}/`), name]), '');
    expect(await failed(path)).toMatchObject({ file: join(path, 'b\\xff.png') });
  });

  test('folders without pictures, and that are not there', async () => {
    const empty = files({ '.hidden': png });
    expect(await failed(empty)).toMatchObject({
      code: 'ENOENT',
      file: empty,
      message: expect.stringContaining('no pictures') as string,
    });
    expect(await failed(join(empty, 'none'), { from: 'images' })).toMatchObject({ code: 'ENOENT' });
    expect(await failed(empty, { from: 'tfrecord' })).toMatchObject({ code: 'EISDIR' });
    expect(await failed(new Uint8Array(3) as never, { from: 'images' })).toMatchObject({
      code: 'ERR_INVALID_ARG_VALUE',
    });
  });

  test('an output in the folder would be one of the pictures', async () => {
    const path = files(around);
    await expect(convert(path, join(path, 'x', 'out.tfrecord'))).rejects.toMatchObject({
      code: 'ERR_INVALID_ARG_VALUE',
    });
    await expect(convert(path, folder.at('out.png'))).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
  });

  test('longer than maxRecordBytes', async () => {
    const path = files({ ...around, 'b/x.png': picture('png', 1, 1, Buffer.alloc(500)) });
    expect(await failed(path, { maxRecordBytes: 400 })).toMatchObject({
      code: 'TFR_RECORD_TOO_LARGE',
      file: join(path, 'b/x.png'),
    });
    expect(names(await recordsOf(path, { maxRecordBytes: 560, onError: 'skip' }))).toEqual([good, more]);
  });

  test('large files: pictures are read, others get no memory', async () => {
    const path = files({ ...around, 'b/x.png': picture('png', 1, 1), 'b/y.png': 'text' });
    for (const name of ['x', 'y'])
      truncateSync(join(path, `b/${name}.png`), name === 'y' ? 2 ** 31 - 4096 : 20_000_000);
    expect(await failed(path)).toMatchObject({ code: 'TFR_NOT_IMAGE', file: join(path, 'b/y.png') });
    const records = await recordsOf(path, { onError: 'skip' });
    expect(names(records)).toEqual([good, 'b/x.png', more]);
    expect(bytesOf(decodeExample(records[1]!)['image/encoded'])).toHaveLength(20_000_000);
  });
});

describe('jobs', () => {
  const many = (): string =>
    files(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`${i % 3}/${i}.png`, picture('png', i + 1, 1)])));

  test('shuffle and split have all of them', async () => {
    const path = many();
    const out = folder.fresh();
    const report = await convert(path, out, { split: { a: 0.5, b: 0.5 }, shards: 2, seed: 1 });
    const records = report.files.flatMap((file) => wholeRecords(readFileSync(file)));
    expect(names(records)).not.toEqual(names(await recordsOf(path)));
    expect(names(records).sort()).toEqual(names(await recordsOf(path)).sort());
  });

  test('resume reads what is missing, and refuses other pictures', async () => {
    const path = many();
    const labels = folder.put(
      'resume.csv',
      `file,n\n${names(await recordsOf(path))
        .map((name, i) => `${name},${i}\n`)
        .join('')}`,
    );
    const out = folder.fresh();
    const job = (): Promise<ConvertReport> => convert(path, out, { shards: 4, labels, resume: true });
    const { files: outputs } = await job();
    const before = outputs.map((file) => readFileSync(file));
    rmSync(outputs[2]!);
    expect(await job()).toMatchObject({ kept: 3, records: 40 });
    expect(outputs.map((file) => readFileSync(file))).toEqual(before);
    expect(await job()).toMatchObject({ upToDate: true });
    writeFileSync(join(path, '0', '99.png'), png);
    await expect(job()).rejects.toMatchObject({
      code: 'TFR_STATE_MISMATCH',
      message: expect.stringContaining('41 pictures') as string,
    });
    rmSync(join(path, '0', '99.png'));
    expect(await job()).toMatchObject({ upToDate: true });
    appendFileSync(labels, '\n');
    await expect(job()).rejects.toMatchObject({
      code: 'TFR_STATE_MISMATCH',
      message: expect.stringContaining('"labels"') as string,
    });
  });

  test('parts have the pictures of one run, in its order', async () => {
    const path = many();
    const out = folder.fresh();
    for (let i = 0; i < 3; i++) await convert(path, out, { shard: `${i}/3`, shards: 4 });
    const { files: outputs, records } = await mergeParts(out);
    expect(records).toBe(40);
    expect(outputs.flatMap((file) => wholeRecords(readFileSync(file)))).toEqual(await recordsOf(path));
    const few = files({ 'a.png': png });
    for (let i = 0; i < 3; i++) await convert(few, `${out}-few`, { shard: `${i}/3` });
    expect(await mergeParts(`${out}-few`)).toMatchObject({ records: 1 });
  });

  test('a picture that changes meanwhile is refused', async () => {
    const path = files({ 'a/1.png': png, 'b/1.png': png });
    const change = (content: Uint8Array): ConvertOptions => ({
      shards: 2,
      onProgress: ({ phase }) => {
        if (phase === 'count') writeFileSync(join(path, 'b/1.png'), content);
      },
    });
    const refusal = { code: 'TFR_NOT_IMAGE', file: join(path, 'b/1.png') };
    expect(await failed(path, change(Buffer.concat([png, png])))).toMatchObject(refusal);
    expect(await failed(path, change(png))).toMatchObject(refusal);
    utimesSync(join(path, 'b/1.png'), 1e9, 1e9);
    expect(await failed(path, change(png))).toMatchObject({ ...refusal, expected: 'the file as it was' });
  });

  test('other formats, and streams', async () => {
    const path = files({ 'a/1.png': png });
    const out = `${folder.fresh()}.jsonl`;
    await convert(path, out, { features: ['image/width', 'image/class/text'] });
    expect(readFileSync(out, 'utf8')).toBe('{"image/class/text":["a"],"image/width":[3]}\n');
  });

  test('an abort ends it', async () => {
    const path = many();
    await expect(convert(path, folder.fresh(), { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow(
      'enough',
    );
    const control = new AbortController();
    const job = convert(path, folder.fresh(), { signal: control.signal });
    setImmediate(() => control.abort(new Error('later')));
    await expect(job).rejects.toThrow('later');
  });

  test('a file without permission', async () => {
    const path = files({ 'a/1.png': png, 'a/2.png': png });
    // All that reads a picture is loaded then.
    expect(await recordsOf(path)).toHaveLength(2);
    chmodSync(join(path, 'a/1.png'), 0);
    chmodSync(folder.path, 0o777);
    await unprivileged(async () => {
      expect(await failed(path)).toMatchObject({ code: 'EACCES', file: join(path, 'a/1.png') });
    });
  });
});
