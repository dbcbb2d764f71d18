/** CSV and TSV both ways: the same values come back, and what has no exact form is refused by name. */
import { readFileSync, writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';

import { parse } from 'csv-parse/sync';
import fc from 'fast-check';

import {
  bytes,
  decodeExample,
  encodeExample,
  encodeSequenceExample,
  fixedLen,
  float,
  int64,
  varLen,
  type FeatureLike,
  type Spec,
} from '../../../lib';
import { convert, type ConvertOptions } from '../../../lib/convert';
import { Folder } from '../../support/records/record-files';
import { tfrecord, wholeRecords } from '../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

/** The text that `records` become. */
async function textOf(records: readonly Uint8Array[], options: ConvertOptions = {}): Promise<string> {
  const at = folder.place().at;
  await convert(tfrecord(records), at('out'), { to: 'csv', ...options });
  return readFileSync(at('out'), 'utf8');
}

/** The records that `text` becomes. */
async function recordsOf(text: string | Uint8Array, options: ConvertOptions = {}): Promise<Buffer[]> {
  const at = folder.place().at;
  writeFileSync(at('in.csv'), text);
  await convert(at('in.csv'), at('out'), { from: 'csv', ...options });
  return wholeRecords(readFileSync(at('out')));
}

/** Values with the bits of floats, so that -0 differs from 0; every NaN is one. */
function values(record: Uint8Array): unknown {
  return Object.entries(decodeExample(record) as Record<string, { kind: string; values: Iterable<unknown> }>)
    .map(([name, { kind, values: list }]) => [
      name,
      kind,
      [...list].map((value) =>
        value instanceof Uint8Array ? Buffer.from(value).toString() : Object.is(value, -0) ? '-0' : String(value),
      ),
    ])
    .sort();
}

const same = (records: readonly Uint8Array[]): unknown[] => records.map(values);
const example = (features: Record<string, FeatureLike>): Uint8Array => encodeExample(features);

const mixed = [
  example({ id: int64([2n ** 63n - 1n]), score: float([-0]), text: bytes(['a, "b",\nc\r']) }),
  example({ id: int64([-(2n ** 63n)]), score: float([NaN]), text: bytes(['']) }),
  example({ id: int64([0n]), score: float([-Infinity]), text: bytes(['12']) }),
  example({ id: int64([7n]), text: bytes(['é 007 ']) }),
  example({ id: int64([-1n]), score: float([0.1]) }),
  example({ id: int64([5n]), score: float([1]), text: bytes(['NaN']) }),
];

describe('out', () => {
  test('a header, and exact values', async () => {
    expect(await textOf(mixed)).toBe(
      'id,score,text\n' +
        '9223372036854775807,-0.0,"a, ""b"",\nc\r"\n' +
        '-9223372036854775808,NaN,""\n' +
        '0,-Infinity,"12"\n' +
        '7,,é 007 \n' +
        '-1,0.1,\n' +
        '5,1.0,"NaN"\n',
    );
  });

  test('tabs, GZIP, and no records', async () => {
    const at = folder.place().at;
    await convert(tfrecord(mixed.slice(2, 4)), at('out.tsv.gz'));
    expect(gunzipSync(readFileSync(at('out.tsv.gz'))).toString()).toBe(
      'id\tscore\ttext\n0\t-Infinity\t"12"\n7\t\té 007 \n',
    );
    expect(await textOf([])).toBe('');
    expect(await textOf([], { spec: { a: fixedLen([], 'int64') } })).toBe('a\n');
  });

  test('by a spec: its columns, lists of one value, and defaults', async () => {
    const spec = {
      text: varLen('text'),
      id: fixedLen([1], 'int64'),
      score: fixedLen([], 'float32', { default: 2.5 }),
    };
    expect(await textOf(mixed.slice(2, 4), { spec })).toBe('text,id,score\n"12",0,-Infinity\né 007 ,7,2.5\n');
  });

  test('names that need quotes, and unusual ones', async () => {
    const record = example({
      '': int64([1]),
      'a,b': int64([2]),
      ['__proto__']: int64([3]),
      '\uFEFFx': int64([4]),
      'q"': int64([5]),
    });
    const text = await textOf([record]);
    expect(text).toBe('"",__proto__,"a,b","q""","\uFEFFx"\n1,3,2,5,4\n');
    expect(same(await recordsOf(text))).toEqual(same([record]));
    const marked = example({ '\uFEFFx': int64([4]) });
    expect(same(await recordsOf(await textOf([marked])))).toEqual(same([marked]));
  });

  test.each<[string, readonly Uint8Array[], RegExp]>([
    [
      'a list',
      [example({ a: int64([1]) }), example({ a: int64([1, 2]) })],
      /^Record 1 of <bytes>: feature "a" has 2 values; expected one value.*features.*jsonl/,
    ],
    [
      'an empty list',
      [example({ a: int64([1]) }), example({ a: int64([]) })],
      /^Record 1 of .*feature "a" is present, but has no value/,
    ],
    ['a shape', [example({ a: int64([1, 2]) })], /^Feature "a" has 2 values in each record.*features/],
    ['bytes', [example({ b: bytes([Uint8Array.of(0xff)]) })], /^Record 0 of .*feature "b" has 1 byte that is not text/],
    ['a NUL', [example({ b: bytes(['a\0']) })], /2 bytes that are not text/],
    ['a name with NUL', [example({ 'b\0': bytes(['a']) })], /name of feature "b\\u0000" has a NUL/],
    ['no features', [example({})], /^Record 0 of .*: it has no features/],
    ['feature lists', [encodeSequenceExample({ context: {}, featureLists: { a: [int64([1])] } })], /SequenceExamples/],
    ['several kinds', [example({ a: int64([1]) }), example({ a: float([1]) })], /several kinds/],
  ])('refused: %s', async (_, records, message) => {
    await expect(textOf(records)).rejects.toMatchObject({
      code: 'TFR_FEATURE',
      message: expect.stringMatching(message) as string,
    });
  });

  test('features leaves out what has no form, and skip the records', async () => {
    const records = [example({ a: int64([1]), b: float([1, 2]) }), example({ a: int64([2]), b: float([]) })];
    expect(await textOf(records, { features: ['a'] })).toBe('a\n1\n2\n');
    const at = folder.place().at;
    const report = await convert(tfrecord([...records, example({ a: int64([3]), b: float([0.5]) })]), at('o.csv'), {
      onError: 'skip',
    });
    expect(readFileSync(at('o.csv'), 'utf8')).toBe('a,b\n3,0.5\n');
    expect(report).toMatchObject({ records: 1, skipped: 2 });
    expect((await convert(tfrecord(records), at('p.csv'), { onError: 'stop' })).records).toBe(0);
  });
});

describe('in', () => {
  const read = async (text: string, options?: ConvertOptions): Promise<unknown[]> =>
    same(await recordsOf(text, options));

  test('kinds by all rows', async () => {
    const text =
      '\uFEFFi,f,t,zip,big,word,none\r\n1,2,x,01,9223372036854775808,nan,\r\n-3,2.5,,1,1,,\r\n\r\n,1e3,4,1,1,-inf,';
    expect(await read(text)).toEqual(
      same([
        example({
          i: int64([1]),
          f: float([2]),
          t: bytes(['x']),
          zip: bytes(['01']),
          big: bytes(['9223372036854775808']),
          word: float([NaN]),
        }),
        example({ i: int64([-3]), f: float([2.5]), zip: bytes(['1']), big: bytes(['1']) }),
        example({ f: float([1000]), t: bytes(['4']), zip: bytes(['1']), big: bytes(['1']), word: float([-Infinity]) }),
      ]),
    );
  });

  test('numbers in quotes are text, unless a header in quotes says that all fields have them', async () => {
    expect(await read('a,b\n"1","2"\n"",3\n')).toEqual(
      same([example({ a: bytes(['1']), b: bytes(['2']) }), example({ a: bytes(['']), b: bytes(['3']) })]),
    );
    expect(await read('"a","b","c"\n"1","x","",\n'.replace(',\n', '\n') + '"","",""\n')).toEqual(
      same([example({ a: int64([1]), b: bytes(['x']), c: bytes(['']) }), example({ b: bytes(['']), c: bytes(['']) })]),
    );
    // These need their quotes.
    expect(await read('"a,b"\n"1"\n')).toEqual(same([example({ 'a,b': bytes(['1']) })]));
  });

  test('numbers of a spec', async () => {
    const spec: Spec = {
      i: fixedLen([], 'int64'),
      f: varLen('float32'),
      b: fixedLen([], 'bytes', { default: '' }),
      t: varLen('text'),
    };
    const at = folder.place().at;
    writeFileSync(
      at('in.csv'),
      Buffer.concat([Buffer.from('f,i,b\n 1 ,"+07",'), Buffer.of(0xff, 0), Buffer.from('\n"",8,\n0.1,9,""\n')]),
    );
    await convert(at('in.csv'), at('out'), { spec });
    const [first, ...others] = wholeRecords(readFileSync(at('out')));
    expect(first!.equals(example({ b: bytes([Uint8Array.of(0xff, 0)]), f: float([1]), i: int64([7]) }))).toBe(true);
    expect(same(others)).toEqual(
      same([example({ i: int64([8]) }), example({ i: int64([9]), f: float([0.1]), b: bytes(['']) })]),
    );
  });

  test('floats are rounded once', async () => {
    // Halfway between two float32s, and a little more.
    const [record] = await recordsOf('a\n1.00000005960464477539062500001\n');
    expect(decodeExample(record!)['a']!.values).toEqual(Float32Array.of(1.0000001192092896));
  });

  test('a column alone: an empty line is a record without it', async () => {
    const records = [example({ a: bytes(['x']) }), example({}), example({ a: bytes(['']) })];
    const text = await textOf(records);
    expect(text).toBe('a\nx\n\n""\n');
    expect(await read(text)).toEqual(same(records));
  });

  test('files have their own headers, in any order; an empty file has no records', async () => {
    const at = folder.place().at;
    writeFileSync(at('0.csv'), 'a,b\n1,x\n');
    writeFileSync(at('1.csv'), 'b,a\ny,2.5\n');
    writeFileSync(at('2.csv'), '');
    await convert([at('0.csv'), at('1.csv'), at('2.csv')], at('out'));
    expect(same(wholeRecords(readFileSync(at('out'))))).toEqual(
      same([example({ a: float([1]), b: bytes(['x']) }), example({ a: float([2.5]), b: bytes(['y']) })]),
    );
    writeFileSync(at('2.csv'), 'a,c\n1,2\n');
    await expect(convert([at('0.csv'), at('2.csv')], at('out2'), { onError: 'skip' })).rejects.toMatchObject({
      code: 'TFR_FEATURE',
      file: at('2.csv'),
      message: expect.stringMatching(/^Line 1 of .*columns are a, c; those of the first file are a, b/) as string,
    });
    expect(await read('')).toEqual([]);
    expect(await read('a,b\n')).toEqual([]);
  });

  test('streams: read once with a spec, else from a copy', async () => {
    const stream = (): Readable => Readable.from([Buffer.from('a,b\n1,"x'), Buffer.from('\ny"\n"",2\n')]);
    const at = folder.place().at;
    await convert(stream(), at('0'), { from: 'csv' });
    await convert(stream(), at('1'), { from: 'csv', spec: { a: varLen('bytes'), b: varLen('bytes') } });
    const expected = same([
      example({ a: bytes(['1']), b: bytes(['x\ny']) }),
      example({ a: bytes(['']), b: bytes(['2']) }),
    ]);
    for (const name of ['0', '1']) expect(same(wholeRecords(readFileSync(at(name))))).toEqual(expected);
    writeFileSync(at('a.csv'), 'a,b\n1,2\n');
    const failed = convert([at('a.csv'), '-'], at('2'), { from: 'csv' });
    await expect(failed).rejects.toMatchObject({
      code: 'ERR_INVALID_ARG_VALUE',
      message: expect.stringContaining('one stream alone') as string,
    });
  });

  test('to other tables, shuffled, split and sharded', async () => {
    const at = folder.place().at;
    const rows = Array.from({ length: 100 }, (_, i) => `${i},"text\n${i}"\n`);
    writeFileSync(at('in.csv.gz'), gzipSync(`id,t\n${rows.join('')}`));
    await convert(at('in.csv.gz'), at('out.csv'), { shards: 3 });
    const shards = [0, 1, 2].map((i) => readFileSync(at(`out-0000${i}-of-00003.csv`), 'utf8'));
    expect(shards.map((text) => text.startsWith('id,t\n'))).toEqual([true, true, true]);
    expect(shards.map((text) => text.slice(5)).join('')).toBe(rows.join(''));
    await convert(at('out-*.csv'), at('back'), { shuffle: true, seed: 1n, split: { a: 0.5, b: 0.5 } });
    const back = ['back-a', 'back-b'].flatMap((name) => wholeRecords(readFileSync(at(name))));
    expect(back.map((record) => Number(decodeExample(record)['id']!.values.at(0))).sort((a, b) => a - b)).toEqual(
      rows.map((_, i) => i),
    );
  });
});

describe('damage', () => {
  test.each<[string, string | Buffer, RegExp]>([
    ['twice', 'a,b,a\n', /^Line 1 of .*a column "a" twice/],
    ['a name twice, by its position', 'column2,\n1,2\n', /^Line 1 of .*column "column2" twice/],
    ['no names', '\na\n', /^Line 1 .*no names/],
    ['wide', 'a,b\n1,"\n"\n1,2,3\n', /^Line 4 of .*in\.csv: it has 3 fields, but the header has 2/],
    ['narrow', 'a,b\n1\n', /^Line 2 .*it has 1 fields/],
    ['unclosed', 'a,b\n1,2\n3,"4\n5,6\n', /^Line 3 .*field 2: expected a quote at the end/],
    ['quote inside', 'a,b\n1,2"\n', /^Line 2 .*field 2: expected quotes around the whole field/],
    ['text behind a quote', 'a,b\n1,"2"x\n', /^Line 2 /],
    ['CR alone', 'a,b\r1,2\r', /^Line 1 .*line/],
    ['CR at the start of a field', 'a,b\n1,\r2\n', /^Line 2 .*carriage return/],
    ['NUL', 'a,b\n1,x\0\n', /^Line 2 .*feature "b" is not text/],
    ['Latin-1', Buffer.from('a,b\n1,\xe9\n', 'latin1'), /^Line 2 .*feature "b" is not text.*dtype bytes/],
    ['Latin-1 header', Buffer.from('\xe9,b\n', 'latin1'), /^Line 1 .*header is not UTF-8/],
    ['UTF-16', Buffer.from('\uFEFFa,b\n1,2\n', 'utf16le'), /^Line 1 .*UTF-16/],
  ])('%s', async (_, text, message) => {
    await expect(recordsOf(text as string)).rejects.toMatchObject({
      code: expect.stringMatching(/^TFR_(?:DECODE|FEATURE)$/) as string,
      file: expect.stringContaining('in.csv') as string,
      record: expect.any(Number) as number,
      message: expect.stringMatching(message) as string,
    });
  });

  test.each<[string, Spec, string, RegExp]>([
    ['no int64', { a: fixedLen([], 'int64') }, 'a\n1.5\n', /^Line 2 .*feature "a" is "1\.5"; expected an int64/],
    ['beyond int64', { a: varLen('int64') }, 'a\n9223372036854775808\n', /expected an int64/],
    ['beyond float32', { a: varLen('float32') }, 'a\n1e39\n', /expected a float32/],
    [
      'required',
      { a: fixedLen([], 'int64'), b: varLen('text') },
      'a,b\n,x\n',
      /feature "a" has no value, and the spec requires one/,
    ],
    ['no column', { a: fixedLen([], 'int64'), b: varLen('text') }, 'b\nx\n', /^Line 1 .*no column "a"/],
    ['a stranger', { a: varLen('text') }, 'a,b\nx,y\n', /column "b" is not in the spec/],
    ['a shape', { a: fixedLen([2], 'int64') }, 'a\n1\n', /2 values, but a field of CSV has one/],
  ])('by a spec: %s', async (_, spec, text, message) => {
    await expect(recordsOf(text, { spec })).rejects.toMatchObject({
      message: expect.stringMatching(message) as string,
    });
  });

  test('skip leaves rows out, stop ends before them', async () => {
    const text = 'a,b\n1,x\n2\n3,\xff\n4,y\n';
    const at = folder.place().at;
    writeFileSync(at('in.csv'), Buffer.from(text, 'latin1'));
    const faults: string[] = [];
    const report = (error: Error): void => void faults.push(error.message.replace(/ of .*?in\.csv/, ''));
    const done = await convert(at('in.csv'), at('out'), { onError: { action: 'skip', report } });
    expect(same(wholeRecords(readFileSync(at('out'))))).toEqual(
      same([example({ a: int64([1]), b: bytes(['x']) }), example({ a: int64([4]), b: bytes(['y']) })]),
    );
    expect(done).toMatchObject({ records: 2, skipped: 2 });
    expect(faults).toEqual([
      'Line 3: it has 1 fields, but the header has 2',
      expect.stringMatching(/^Line 4: feature "b" is "�"; expected UTF-8/),
    ]);
    await convert(at('in.csv'), at('stopped'), { onError: 'stop' });
    expect(wholeRecords(readFileSync(at('stopped')))).toHaveLength(1);
  });

  test('a field larger than a slab, and than maxRecordBytes', async () => {
    const large = 'x'.repeat(3_000_000);
    const [record] = await recordsOf(`a,b\n1,"${large}"\n`);
    expect(Buffer.from(decodeExample(record!)['b']!.values.at(0) as Uint8Array).toString()).toBe(large);
    await expect(recordsOf(`a,b\n1,"${large}"\n`, { maxRecordBytes: 1000 })).rejects.toMatchObject({
      code: 'TFR_RECORD_TOO_LARGE',
    });
  });

  test('a spec of SequenceExamples', async () => {
    const spec = { context: { a: varLen('int64') }, sequence: {} };
    await expect(recordsOf('a\n1\n', { spec })).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
  });
});

const name = fc.oneof(
  fc.constantFrom('a', 'A', 'b', '', '__proto__', '1', ',', 'a"', '\uFEFF'),
  fc.string({ unit: 'binary', maxLength: 3 }).filter((text) => !text.includes('\0')),
);
const text = fc.oneof(
  fc.constantFrom(
    '',
    'NaN',
    'inf',
    '12',
    '-0',
    '1.5',
    '.5',
    '1e5',
    '007',
    '"',
    '\r',
    '\n',
    ',',
    '\t',
    ' 1',
    '9223372036854775807',
    '-',
  ),
  fc.string({ unit: 'binary', maxLength: 5 }).filter((value) => !value.includes('\0')),
  fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', '\t', 'a', '1', '.'), maxLength: 5 }),
);
const column = fc.constantFrom<fc.Arbitrary<FeatureLike>>(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => int64([value])),
  fc.float().map((value) => float([value])),
  text.map((value) => bytes([value])),
);
/** Random data sets of what CSV keeps: records of at most one value a feature, each feature of one kind. */
const dataSets = fc
  .uniqueArray(fc.tuple(name, column), { selector: ([key]) => key, minLength: 1, maxLength: 4 })
  .chain((columns) =>
    fc.array(
      fc
        .tuple(...columns.map(([key, value]) => fc.option(value).map((feature) => [key, feature] as const)))
        .map((row) => {
          const features = Object.create(null) as Record<string, FeatureLike>;
          for (const [key, feature] of row) if (feature !== null) features[key] = feature;
          return encodeExample(features);
        }),
      { maxLength: 6 },
    ),
  )
  .filter((records) => records.length === 0 || records.some((record) => Object.keys(decodeExample(record)).length > 0));

test.each(['csv', 'tsv'] as const)('random data sets come back from %s', async (format) => {
  const at = folder.place().at;
  await fc.assert(
    fc.asyncProperty(dataSets, async (records) => {
      await convert(tfrecord(records), at('x'), { to: format, force: true });
      await convert(at('x'), at('y'), { from: format, force: true });
      expect(same(wholeRecords(readFileSync(at('y'))))).toEqual(same(records));
    }),
    { numRuns: 50 },
  );
});

test('random texts are read as csv-parse reads them', async () => {
  const at = folder.place().at;
  const piece = fc.constantFrom('a', 'bc', ' ', '"x"', '""', '"a""b"', '"\n"', '"\r\n"', '","', '', 'é', '7');
  const row = fc.array(piece, { minLength: 2, maxLength: 2 }).map((fields) => fields.join(','));
  const texts = fc
    .tuple(fc.array(row, { maxLength: 6 }), fc.constantFrom('\n', '\r\n'), fc.boolean(), fc.boolean())
    .map(([rows, end, last, mark]) => `${mark ? '\uFEFF' : ''}p,q${end}${rows.join(end)}${last ? end : ''}`);
  await fc.assert(
    fc.asyncProperty(texts, async (csv) => {
      writeFileSync(at('x.csv'), csv);
      const spec = { p: varLen('text'), q: varLen('text') };
      await convert(at('x.csv'), at('y'), { spec, force: true });
      const expected = parse(csv, {
        bom: true,
        columns: true,
        record_delimiter: ['\n', '\r\n'],
        skip_empty_lines: true,
      });
      const found = wholeRecords(readFileSync(at('y'))).map((record) => {
        const { p, q } = decodeExample(record);
        return [p, q].map((feature) =>
          feature === undefined ? '' : Buffer.from(feature.values.at(0) as Uint8Array).toString(),
        );
      });
      expect(found).toEqual((expected as { p: string; q: string }[]).map(({ p, q }) => [p, q]));
    }),
    { numRuns: 120 },
  );
});
