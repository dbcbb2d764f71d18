/** Labels in CSV say what they change, and take the options of CSV, as an input in CSV does. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { decodeExample, varLen } from '../../../lib';
import { convert, type ConvertOptions } from '../../../lib/convert';
import { picture } from '../../support/records/pictures';
import { Folder } from '../../support/records/record-files';
import { wholeRecords } from '../../support/records/tfrecord';
import { runHere } from '../../support/running/run-here';

const folder = new Folder();
afterAll(() => folder.remove());

/** A folder with a folder `photos` of the pictures 1.png to 3.png, and a file of labels. */
function photos(text: string, name: string): { path: string; at: (name: string) => string } {
  const { at, path } = folder.place();
  mkdirSync(at('photos'));
  for (const i of [1, 2, 3]) writeFileSync(join(at('photos'), `${i}.png`), picture('png', i, i));
  writeFileSync(at(name), text);
  return { path, at };
}

/** The features of the three pictures that labels in `text` give, with the numbers of classes, and the notes. */
async function read(
  text: string,
  options: ConvertOptions = {},
  name = 'l.csv',
): Promise<{ rows: Record<string, unknown>[]; notes: readonly string[] }> {
  const { at } = photos(text, name);
  const report = await convert(at('photos'), at('out'), { labels: at(name), ...options });
  const rows = wholeRecords(readFileSync(at('out'))).map((record) =>
    Object.fromEntries(
      Object.entries(decodeExample(record))
        .filter(([key]) => !key.startsWith('image/') || key.startsWith('image/class/'))
        .map(([key, feature]) => [
          key,
          [...feature!.values].map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString() : value)),
        ]),
    ),
  );
  return { rows, notes: report.notes.map((note) => note.replaceAll(at(name), name)) };
}

describe('notes', () => {
  test.each([
    [
      'a text among numbers',
      'file,x\n1.png,1\n2.png,NA\n3.png,3\n',
      'line 3 of l.csv: "NA" makes column "x" text, with 2 numbers in it. (na) names texts that mean no value, (spec) sets the kind',
    ],
    [
      'a float among integers, behind lines in quotes',
      'file,note,x\n1.png,"a\nb",1\n\n2.png,c,0.5\n3.png,d,2\n',
      'line 5 of l.csv: "0.5" makes column "x" float32, with 2 integers in it',
    ],
    [
      'names of classes',
      'file,label\n1.png,1\n2.png,cat\n3.png,2\n',
      'line 3 of l.csv: "cat" makes column "label" text, with 2 numbers in it',
    ],
    [
      'decimals among the names of classes',
      'file,label\n1.png,1\n2.png,1.5\n3.png,2\n',
      'line 3 of l.csv: "1.5" makes column "label" text, with 2 numbers in it',
    ],
    [
      'a column without a name',
      ',file\n0,1.png\n1,2.png\n2,3.png\n',
      'Column 1 of l.csv has no name: it is the feature "column1". (exclude) leaves it out',
    ],
    [
      'rounded numbers',
      'file,t\n1.png,1700000000.123\n2.png,0.1\n3.png,16777217.5\n',
      'Column "t": 2 values were rounded to float32; 1700000000.123 in line 2 of l.csv became 1700000000.0. (exact) refuses them, (spec) can keep them as text',
    ],
  ])('%s', async (_, text, note) => {
    expect((await read(text)).notes).toEqual([expect.stringContaining(note)]);
  });

  test('nothing is said where all fields are of one kind, nor of lines of other pictures', async () => {
    const text = 'file,label,x\n1.png,cat,1\n2.png,dog,2\n3.png,"",""\nother.png,1,z\n';
    expect((await read(text, { onError: 'skip' })).notes).toEqual([]);
  });

  test('once, whatever is written', async () => {
    const { at } = photos('file,t\n1.png,1700000000.123\n2.png,0.1\n3.png,0.2\n', 'l.csv');
    for (const [name, options] of [
      ['out.parquet', {}],
      ['out', { shards: 2 }],
      ['shuffled', { seed: 1n }],
    ] as const) {
      const { notes } = await convert(at('photos'), at(name), { labels: at('l.csv'), ...options });
      expect(notes).toEqual([expect.stringMatching(/^Column "t": 1 value was rounded/)]);
    }
  });

  test('integers in strings of JSON Lines', async () => {
    const { notes } = await read('{"file":"1.png","id":"7","label":"1"}\n', { onError: 'skip' }, 'l.jsonl');
    expect(notes).toEqual([
      'Feature "id" has integers in strings, which stay text: (spec) with dtype int64 makes them integers',
    ]);
  });
});

describe('exact', () => {
  const text = 'file,note,x\n1.png,"a\nb",0.1\n2.png,c,0.123456789\n3.png,d,1\n';

  test('names the line, the row and the column', async () => {
    await expect(read(text, { exact: true })).rejects.toMatchObject({
      code: 'TFR_FEATURE',
      feature: 'x',
      record: 2,
      message: expect.stringMatching(
        /^Line 4 of .*l\.csv: column "x" is 0\.123456789, which float32 rounds to 0\.12345679; expected/,
      ) as string,
    });
  });

  test('with a spec, and with skip', async () => {
    await expect(read(text, { exact: true, spec: { x: varLen('float32') } })).rejects.toMatchObject({ record: 2 });
    expect((await read(text, { exact: true, spec: { x: varLen('text') } })).rows[1]).toMatchObject({
      x: ['0.123456789'],
    });
    const { rows } = await read(text, { exact: true, onError: { action: 'skip', maxRate: 1 } });
    expect(rows.map(({ x }) => x)).toEqual([[Math.fround(0.1)], [1]]);
  });
});

describe('na', () => {
  test('texts that mean no value, where they have no quotes', async () => {
    const text = 'file,label,x,n\n1.png,cat,1,NA\n2.png,NA,NULL,"NA"\n3.png,dog,3,b\n';
    expect(await read(text, { na: ['NA', 'NULL'] })).toEqual({
      rows: [
        { 'image/class/label': [0n], 'image/class/text': ['cat'], x: [1n] },
        { n: ['NA'] },
        { 'image/class/label': [1n], 'image/class/text': ['dog'], x: [3n], n: ['b'] },
      ],
      notes: [],
    });
  });

  test('with a spec of numbers, also in quotes', async () => {
    const text = 'file,x,n\n1.png,"NA",u\n2.png,2.5,u\n3.png,NA,u\n';
    const { rows } = await read(text, { na: ['NA'], spec: { x: varLen('float32') } });
    expect(rows.map(({ x }) => x)).toEqual([undefined, [2.5], undefined]);
  });
});

describe('delimiter', () => {
  test.each([
    ['l.csv', ';'],
    ['l.tsv', ','],
    ['l.tsv', '|'],
  ])('of %s: %s', async (name, delimiter) => {
    const rows = [
      ['file', 'x'],
      ['1.png', '"a;b,c|d"'],
      ['2.png', 'b'],
      ['3.png', 'c'],
    ];
    const text = rows.map((row) => `${row.join(delimiter)}\n`).join('');
    expect(await read(text, { delimiter }, name)).toEqual({
      rows: [{ x: ['a;b,c|d'] }, { x: ['b'] }, { x: ['c'] }],
      notes: [],
    });
  });

  test.each([
    ['l.csv', ';', 'semicolons'],
    ['l.csv', '\t', 'tabs'],
    ['l.tsv', ',', 'commas'],
  ])('a header of %s that looks like another: %j', async (name, character, plural) => {
    const header = ['file', 'label'].join(character);
    await expect(read(`${header}\n1.png${character}cat\n`, {}, name)).rejects.toMatchObject({
      code: 'TFR_FEATURE',
      message: expect.stringContaining(
        `the header has no column with the path: file, filename, file_name, image; it is one column, ${JSON.stringify(header)}, ` +
          `with ${plural} in its name: delimiter: ${JSON.stringify(character)} separates them`,
      ) as string,
    });
  });

  test('of the output, if labels are JSON Lines', async () => {
    const { at } = photos('{"file":"1.png","x":"u;v"}\n', 'l.jsonl');
    await convert(at('photos'), at('out.csv'), {
      labels: at('l.jsonl'),
      features: ['image/width', 'x'],
      delimiter: ';',
      onError: 'skip',
    });
    expect(readFileSync(at('out.csv'), 'utf8')).toBe('image/width;x\n1;"u;v"\n');
  });
});

describe('features and exclude', () => {
  test('columns that are left out are not looked at', async () => {
    const csv = 'file,image/width,x,y\n1.png,5,NA,1\n2.png,5,1,2\n3.png,5,2,3\n';
    expect(await read(csv, { features: ['y'] })).toEqual({ rows: [{ y: [1n] }, { y: [2n] }, { y: [3n] }], notes: [] });
    expect(await read(csv, { exclude: ['image/width', 'x'] })).toMatchObject({
      rows: [{ y: [1n] }, {}, {}],
      notes: [],
    });
    const jsonl = '{"file":"1.png","x":1}\n{"file":"2.png","x":"a"}\n{"file":"3.png","x":[]}\n';
    expect((await read(jsonl, { exclude: ['x'] }, 'l.jsonl')).rows).toEqual([{}, {}, {}]);
  });

  test('the class stays, though its column is no feature of the records', async () => {
    const text = 'file,label\n1.png,a\n2.png,b\n3.png,a\n';
    const { rows } = await read(text, { features: ['image/class/text'] });
    expect(rows).toEqual([{ 'image/class/text': ['a'] }, { 'image/class/text': ['b'] }, { 'image/class/text': ['a'] }]);
  });

  test('text that is none is refused, and a spec reads it', async () => {
    const text = Buffer.from('file,x\n1.png,\xff\n2.png,a\n3.png,b\n', 'latin1') as unknown as string;
    await expect(read(text)).rejects.toThrow(/Line 2 of .*l\.csv: feature "x" is not text; expected UTF-8 without NUL/);
    expect((await read(text, { spec: { x: varLen('bytes') } })).rows[1]).toEqual({ x: ['a'] });
  });
});

describe('the command', () => {
  const text = 'file;x\n1.png;1\n2.png;NA\n3.png;0.123456789\n';
  const run = (path: string, ...more: string[]): ReturnType<typeof runHere> =>
    runHere(['convert', 'photos', 'out', '--labels', 'l.csv', '--force', '--json', ...more], { cwd: path });

  test('names its own options', async () => {
    const { path } = photos(text, 'l.csv');
    const first = await run(path);
    expect([first.code, first.stderr]).toEqual([1, expect.stringContaining("--delimiter ';' separates them")]);
    const second = await run(path, '--delimiter', ';');
    expect([second.code, second.stderr]).toEqual([
      0,
      'tfrecord: note: line 3 of l.csv: "NA" makes column "x" text, with 2 numbers in it. (--na) names texts that mean no value, (--spec) sets the kind\n',
    ]);
    const third = await run(path, '--delimiter', ';', '--na', 'NA');
    expect(third.stderr).toContain('Column "x": 1 value was rounded to float32; 0.123456789 in line 4 of l.csv');
    const fourth = await run(path, '--delimiter', ';', '--na', 'NA', '--exact');
    expect([fourth.code, fourth.stderr]).toEqual([
      1,
      expect.stringContaining('TFR_FEATURE: Line 4 of l.csv: column "x"'),
    ]);
  });

  test('a tab is written as in shells', async () => {
    const { path } = photos(text.replaceAll(';', '\t'), 'l.csv');
    expect((await run(path)).stderr).toContain("--delimiter '\\t' separates them");
    expect((await run(path, '--delimiter', '\\t', '--na', 'NA')).code).toBe(0);
  });

  test.each([
    [[], 'it is for CSV and TSV, as files of labels'],
    [['--labels', 'l.jsonl'], 'it is for CSV and TSV, as files of labels'],
  ])('options of CSV without labels in CSV: %j', async (labels, message) => {
    const { path } = photos('{"file":"1.png"}\n', 'l.jsonl');
    for (const option of [['--exact'], ['--na', 'NA'], ['--delimiter', ';']]) {
      const { code, stderr } = await runHere(['convert', 'photos', 'out', ...labels, ...option], { cwd: path });
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    }
  });
});

test.each([[{ na: ['NA'] }], [{ exact: true }], [{ delimiter: ',' }]])(
  'a job with %j is another one for resume',
  async (options) => {
    const { at } = photos('file,x\n1.png,1\n2.png,2\n3.png,3\n', 'l.csv');
    const job = { labels: at('l.csv'), resume: true };
    await convert(at('photos'), at('out'), job);
    await expect(convert(at('photos'), at('out'), { ...job, ...options })).rejects.toMatchObject({
      code: 'TFR_STATE_MISMATCH',
    });
  },
);
