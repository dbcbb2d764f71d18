/** CSV says what it changes: which value decided a kind, how many numbers float32 rounds, columns without a name. */
import { readFileSync, writeFileSync } from 'node:fs';

import fc from 'fast-check';

import { decodeExample, encodeExample, int64, varLen } from '../../../lib';
import { convert, type ConvertOptions } from '../../../lib/convert';
import { isRounded } from '../../../lib/convert/csv/literals';
import { shortestFloat32 } from '../../../lib/tensor';
import { Folder } from '../../support/records/record-files';
import { tfrecord, wholeRecords } from '../../support/records/tfrecord';
import { runHere } from '../../support/running/run-here';

const folder = new Folder();
afterAll(() => folder.remove());

/** The values that `text` becomes, by names, and the notes. */
async function read(
  text: string,
  options: ConvertOptions = {},
  name = 'in.csv',
): Promise<{ rows: Record<string, unknown>[]; notes: readonly string[] }> {
  const { at } = folder.place();
  writeFileSync(at(name), text);
  const report = await convert(at(name), at('out'), options);
  const rows = wholeRecords(readFileSync(at('out'))).map((record) =>
    Object.fromEntries(
      Object.entries(decodeExample(record)).map(([key, feature]) => [
        key,
        [...feature!.values].map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString() : value)),
      ]),
    ),
  );
  return { rows, notes: report.notes.map((note) => note.replaceAll(at(name), name)) };
}

describe('the value that decides a kind', () => {
  test.each([
    [
      'a text among numbers',
      'x\n1\n2.5\nNA\n4\n',
      'line 4 of in.csv: "NA" makes column "x" text, with 3 numbers in it. (na) names texts that mean no value, (spec) sets the kind',
    ],
    ['the first one', 'x\nNA\n1\n', 'line 2 of in.csv: "NA" makes column "x" text, with 1 number in it'],
    ['several', 'x\n1\n007\n-\n', 'line 3 of in.csv: "007" (and 1 more) makes column "x" text, with 1 number in it'],
    ['a number in quotes', 'x\n1\n"2"\n', 'line 3 of in.csv: "2" makes column "x" text, with 1 number in it'],
    [
      'a float among integers',
      'x\n1\n2\n0.5\n',
      'line 4 of in.csv: "0.5" makes column "x" float32, with 2 integers in it',
    ],
    [
      'after lines in quotes',
      'a,x\n"b\nc",1\n"d",e\n',
      'line 4 of in.csv: "e" makes column "x" text, with 1 number in it',
    ],
  ])('%s', async (_, text, note) => {
    const { notes } = await read(text);
    expect(notes).toEqual([expect.stringContaining(note)]);
  });

  test('nothing is said where all fields are of one kind', async () => {
    expect((await read('a,b,c,d\n1,0.5,x,\n,,,\n-2,1e3,"",\n')).notes).toEqual([]);
  });

  test('of thousands of columns some are named', async () => {
    const names = Array.from({ length: 100 }, (_, i) => `c${i}`);
    const row = (value: string): string => names.map(() => value).join(',');
    const { notes } = await read(`${names.join(',')}\n${row('1')}\n${row('x')}\n`);
    expect(notes).toHaveLength(21);
    expect(notes.at(-1)).toBe('80 more columns have such notes');
  });
});

describe('numbers that float32 rounds', () => {
  test('are counted', async () => {
    const text = 't,x\n1700000000.123,0.1\n0.5,0.25\n1700000001.5,3\n';
    const { notes, rows } = await read(text);
    expect(rows[0]).toEqual({ t: [1700000000], x: [Math.fround(0.1)] });
    expect(notes).toEqual([
      'line 2 of in.csv: "0.1" (and 1 more) makes column "x" float32, with 1 integer in it',
      'Column "t": 2 values were rounded to float32; 1700000000.123 in line 2 of in.csv became 1700000000.0. ' +
        '(exact) refuses them, (spec) can keep them as text',
    ]);
  });

  test('of a spec, too; integers count', async () => {
    const { notes } = await read('x\n16777217\n16777216\n0x1.8p1\n', { spec: { x: varLen('float32') } });
    expect(notes).toEqual([expect.stringMatching(/^Column "x": 1 value was rounded.*16777217 in line 2 of in.csv/)]);
  });

  test('are an error with exact', async () => {
    await expect(read('a,x\n1,0.1\n2,0.123456789\n', { exact: true })).rejects.toMatchObject({
      code: 'TFR_FEATURE',
      feature: 'x',
      record: 2,
      message: expect.stringMatching(
        /^Line 3 of .*in\.csv: column "x" is 0\.123456789, which float32 rounds to 0\.12345679; expected/,
      ) as string,
    });
    const skipped = await read('x\n0.1\n0.123456789\n1\n', { exact: true, onError: { action: 'skip', maxRate: 1 } });
    expect(skipped.rows).toEqual([{ x: [Math.fround(0.1)] }, { x: [1] }]);
    expect((await read('x\n0.1\n3.4028235e38\n1e-45\n-0.0\nNaN\n', { exact: true })).notes).toEqual([]);
  });

  const isRoundedText = (text: string): boolean => {
    const bytes = Buffer.from(text);
    return isRounded(bytes, 0, bytes.length, Math.fround(Number(text)));
  };

  test.each([
    ['0.1', false],
    ['0.10', false],
    ['1e-1', false],
    ['.1', false],
    ['100000000000000000000', false],
    ['0.1000000001', true],
    ['0.100000000000000000000001', true],
    ['1700000000.123', true],
    ['16777216', false],
    ['16777217', true],
    ['1e-60', true],
    ['0e5', false],
    ['0.000', false],
    ['1.401298464324817e-45', true],
    ['1e-45', false],
    ['-3.4028235e38', false],
    ['3.4028234663852886e38', false],
    ['3.402823466e38', true],
  ])('%s: %s', (text, rounded) => {
    expect(isRoundedText(text)).toBe(rounded);
  });

  test('the shortest decimal of a float32 is not rounded, and a longer one is', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        // The largest has 17 digits: with more, a decimal is the same double.
        fc.pre(value !== 0 && Math.abs(value) !== 3.4028234663852886e38);
        const shortest = String(shortestFloat32(value));
        const [mantissa, exponent = ''] = shortest.split(/(?=e)/);
        const longer = `${mantissa}${mantissa!.includes('.') ? '' : '.'}00000000000001${exponent}`;
        expect([isRoundedText(shortest), isRoundedText(longer)]).toEqual([false, true]);
      }),
    );
  });
});

describe('na', () => {
  test('texts that mean no value', async () => {
    const { rows, notes } = await read('x,name\n1,NA\nNA,NULL\n2,"NA"\nNULL,b\n', { na: ['NA', 'NULL'] });
    expect(rows).toEqual([{ x: [1n] }, {}, { x: [2n], name: ['NA'] }, { name: ['b'] }]);
    expect(notes).toEqual([]);
  });

  test('with quotes, if those of the file do not count', async () => {
    expect((await read('"x","n"\n"1","NA"\n"NA","a"\n', { na: ['NA'] })).rows).toEqual([{ x: [1n] }, { n: ['a'] }]);
  });

  test('with a spec', async () => {
    const spec = { x: varLen('float32') };
    expect((await read('x\n1.5\nNA\n"NA"\n', { na: ['NA'], spec })).rows).toEqual([{ x: [1.5] }, {}, {}]);
    await expect(read('x\nNULL\n', { na: ['NA'], spec })).rejects.toThrow(/feature "x" is "NULL"; expected a float32/);
  });
});

describe('delimiter', () => {
  test('of the input', async () => {
    const { rows, notes } = await read('a;b\n1;"x;y"\n2;u,v\n', { delimiter: ';' });
    expect(rows).toEqual([
      { a: [1n], b: ['x;y'] },
      { a: [2n], b: ['u,v'] },
    ]);
    expect(notes).toEqual([]);
  });

  test('of the output, if the input is no CSV', async () => {
    const { at } = folder.place();
    const record = encodeExample({ a: int64([1]), b: 'x;y' });
    await convert(tfrecord([record]), at('out.csv'), { delimiter: ';' });
    expect(readFileSync(at('out.csv'), 'utf8')).toBe('a;b\n1;"x;y"\n');
    await convert(at('out.csv'), at('again.csv'), { delimiter: ';' });
    expect(readFileSync(at('again.csv'), 'utf8')).toBe('a,b\n1,x;y\n');
  });

  test.each([['ab'], [''], ['"'], ['\n'], ['é'], ['\0']])('%j is refused', async (delimiter) => {
    await expect(read('a\n1\n', { delimiter })).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
  });

  test.each([
    [
      'in.csv',
      'a;b\n1;2\n',
      'The header of in.csv is one column, "a;b", with semicolons in its name: delimiter: ";" separates them',
    ],
    [
      'in.csv',
      'a\tb\n1\t2\n',
      'The header of in.csv is one column, "a\\tb", with tabs in its name: delimiter: "\\t" separates them',
    ],
    [
      'in.tsv',
      'a,b\n1,2\n',
      'The header of in.tsv is one column, "a,b", with commas in its name: delimiter: "," separates them',
    ],
  ])('a header of %s that looks like another: %j', async (name, text, note) => {
    expect((await read(text, {}, name)).notes).toEqual([note]);
    expect((await read(text, { spec: { [text.split('\n')[0]!]: varLen('text') } }, name)).notes).toEqual([note]);
  });
});

describe('a column without a name', () => {
  const index = ',a,b\n0,5,x\n1,6,y\n';

  test('is called by its position', async () => {
    const { rows, notes } = await read(index);
    expect(rows[1]).toEqual({ column1: [1n], a: [6n], b: ['y'] });
    expect(notes).toEqual(['Column 1 of in.csv has no name: it is the feature "column1". (exclude) leaves it out']);
  });

  test('can be left out, with a spec too', async () => {
    expect(await read(index, { exclude: ['column1'] })).toEqual({
      rows: [
        { a: [5n], b: ['x'] },
        { a: [6n], b: ['y'] },
      ],
      notes: [],
    });
    const spec = { a: varLen('float32'), b: varLen('text') };
    expect((await read(index, { exclude: ['column1'], spec })).rows[0]).toEqual({ a: [5], b: ['x'] });
    await expect(read(index, { spec })).rejects.toThrow(
      /column "column1" is not in the spec; \(exclude\) leaves it out/,
    );
  });

  test('without values it is nothing', async () => {
    expect(await read('a,b,\n1,2,\n')).toEqual({ rows: [{ a: [1n], b: [2n] }], notes: [] });
  });

  test('another column may not have that name', async () => {
    await expect(read(',column1\n1,2\n')).rejects.toThrow(/column "column1" twice/);
  });
});

describe('features and exclude', () => {
  test('columns that are left out are not looked at', async () => {
    const text = Buffer.concat([Buffer.from('a,b,c\n1,'), Buffer.from([0xff]), Buffer.from(',2\n3,x,NA\n')]).toString(
      'latin1',
    );
    const { at } = folder.place();
    writeFileSync(at('in.csv'), text, 'latin1');
    const report = await convert(at('in.csv'), at('out'), { features: ['a'] });
    expect(report).toMatchObject({ records: 2, notes: [] });
    await expect(convert(at('in.csv'), at('x'), { exclude: ['a'] })).rejects.toThrow(/feature "b" is not text/);
  });

  test.each([
    [{ features: ['a', 'z'] }, 'features'],
    [{ exclude: ['z'] }, 'exclude'],
  ])('%j names none', async (options, option) => {
    await expect(read('a,b\n1,2\n', options)).rejects.toMatchObject({
      code: 'TFR_FEATURE',
      message: `No record has the feature "z", which options.${option} names.`,
    });
  });
});

describe('the command', () => {
  test('prints the notes in its own words', async () => {
    const { at, path } = folder.place();
    writeFileSync(at('in.csv'), ',x\n1,2\n2,NA\n');
    const { code, stderr } = await runHere(['convert', 'in.csv', 'out'], { cwd: path });
    expect(code).toBe(0);
    expect(stderr.split('\n').slice(0, 2)).toEqual([
      'tfrecord: note: Column 1 of in.csv has no name: it is the feature "column1". (--exclude) leaves it out',
      'tfrecord: note: line 3 of in.csv: "NA" makes column "x" text, with 1 number in it. (--na) names texts that mean no value, (--spec) sets the kind',
    ]);
    const args = ['--na', 'NA,NULL', '--exclude', 'column1', '--delimiter', ',', '--exact', '--force', '--json'];
    const { stdout, stderr: none } = await runHere(['convert', 'in.csv', 'out', ...args], { cwd: path });
    expect([none, JSON.parse(stdout)]).toEqual(['', expect.objectContaining({ records: 2, notes: [] })]);
  });

  test.each([
    [
      ['--features', 'a', '--exclude', 'b'],
      /option '--exclude <names>' cannot be used with option '--features <names>'/,
    ],
    [['--exclude', 'z'], /No record has the feature "z", which --exclude names/],
    [['--dates', 'text'], /--dates must be absent, because only Parquet and Arrow have dates/],
    [['--delimiter', ';;'], /--delimiter must be one character of ASCII/],
  ])('%j', async (args, message) => {
    const { at, path } = folder.place();
    writeFileSync(at('in.csv'), 'a\n1\n');
    const { code, stderr } = await runHere(['convert', 'in.csv', 'out', ...args], { cwd: path });
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});

test.each([
  [{ na: ['NA'] }, '"options.na" must be absent: it is for CSV and TSV as inputs'],
  [{ delimiter: ';' }, '"options.delimiter" must be absent: it is for CSV and TSV as inputs, or for CSV as the output'],
])('%j is refused where the output alone is a table', async (options, message) => {
  const { at } = folder.place();
  writeFileSync(at('in.jsonl'), '{"a":1}\n');
  await expect(convert(at('in.jsonl'), at('out.tsv'), options)).rejects.toThrow(message);
});

test.each([[{ exclude: ['b'] }], [{ na: ['NA'] }], [{ exact: true }], [{ delimiter: ';' }]])(
  'a job with %j is another one for resume',
  async (options) => {
    const { at } = folder.place();
    writeFileSync(at('in.csv'), 'a,b\n1,2\n');
    await convert(at('in.csv'), at('out'), { resume: true });
    await expect(convert(at('in.csv'), at('out'), { resume: true, ...options })).rejects.toMatchObject({
      code: 'TFR_STATE_MISMATCH',
    });
    await convert(at('in.csv'), at('other'), { resume: true, ...options });
    expect(await convert(at('in.csv'), at('other'), { resume: true, ...options })).toMatchObject({ upToDate: true });
  },
);

describe('a spec that says nothing', () => {
  test.each([
    [{ from: 'tfrecord' }, 'records are copied; features or exclude choose some of their features'],
    [{ from: 'protojson' }, 'its lines define the kind of each feature; features or exclude choose some of them'],
  ] as const)('of %j is refused with the reason', async (options, reason) => {
    await expect(read('', { ...options, spec: { a: varLen('int64') } })).rejects.toMatchObject({
      code: 'ERR_INVALID_ARG_VALUE',
      message: expect.stringContaining(reason) as string,
    });
  });
});

test('of TFRecords features are left out byte by byte', async () => {
  const { at } = folder.place();
  const records = [
    encodeExample({ a: int64([1]), b: 'x', c: 'y' }),
    encodeExample({ b: 'x' }),
    encodeExample({ d: 'z' }),
  ];
  await convert(tfrecord(records), at('out'), { exclude: ['b', 'c'] });
  const expected = [{ a: int64([1]) }, {}, { d: 'z' }].map((row) => Buffer.from(encodeExample(row)).toString('hex'));
  expect(wholeRecords(readFileSync(at('out'))).map((record) => record.toString('hex'))).toEqual(expected);
  await expect(convert(tfrecord(records), at('x'), { exclude: ['b', 'nam'] })).rejects.toThrow(
    'No record has the feature "nam", which options.exclude names.',
  );
});

test('of JSON Lines an object in an object can be left out, and the message says so', async () => {
  const { at } = folder.place();
  writeFileSync(at('in.jsonl'), '{"a":1,"b":{"c":[2]}}\n');
  await expect(convert(at('in.jsonl'), at('out.csv'))).rejects.toThrow(
    /feature "b" has a value of type object; .* \(exclude\) leaves it out\.$/,
  );
  await convert(at('in.jsonl'), at('out.csv'), { exclude: ['b'] });
  expect(readFileSync(at('out.csv'), 'utf8')).toBe('a\n1\n');
});

test('of JSON Lines features that are left out may be of several kinds', async () => {
  const { at } = folder.place();
  writeFileSync(at('in.jsonl'), '{"a":1,"b":"x"}\n{"a":2,"b":3}\n');
  await convert(at('in.jsonl'), at('out.csv'), { exclude: ['b'] });
  expect(readFileSync(at('out.csv'), 'utf8')).toBe('a\n1\n2\n');
});

test('features of TFRecords that have no form in CSV are left out, and the message names the ways', async () => {
  const { at } = folder.place();
  const records = [encodeExample({ a: int64([1]), list: int64([1, 2]) })];
  await expect(convert(tfrecord(records), at('out.csv'))).rejects.toThrow(/\(features\), or to leave out \(exclude\)/);
  await convert(tfrecord(records), at('out.csv'), { exclude: ['list'] });
  expect(readFileSync(at('out.csv'), 'utf8')).toBe('a\n1\n');
});
