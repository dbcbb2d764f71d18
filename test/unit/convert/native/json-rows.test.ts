/** Rows of JSON Lines that native code parses, against the same lines read by JavaScript alone: records, notes and errors. */
import { readdirSync, statSync, writeFileSync } from 'node:fs';

import fc from 'fast-check';

import { fixedLen, fixedLenSequence, varLen, type Spec } from '../../../../lib';
import { convert, type ConvertOptions } from '../../../../lib/convert';
import { RowChunk } from '../../../../lib/convert/jsonl/row-chunk';
import { JsonRows } from '../../../../lib/example';
import { batchOf } from '../../../../lib/record';
import {
  expectSame as expectSameOf,
  float,
  int64,
  lines,
  NAMES,
  oneOf,
  outcome as outcomeOf,
  text,
} from '../../../support/records/json-lines';
import { Folder } from '../../../support/records/record-files';

const folder = new Folder();
afterAll(() => folder.remove());

const RUNS = process.env['TFRECORD_FULL'] === '1' ? 5000 : 150;

const outcome = (text: string | Buffer, options?: ConvertOptions): Promise<unknown> =>
  outcomeOf(folder, text, options);
const expectSame = (text: string | Buffer, options?: ConvertOptions): Promise<void> =>
  expectSameOf(folder, text, options);

const options = fc.record({
  onError: oneOf<ConvertOptions['onError']>('throw', 'skip', 'stop', { action: 'skip', maxRate: 1 }),
  choice: oneOf<ConvertOptions>({}, {}, {}, { exclude: ['a'] }, { exclude: ['10', 'é'] }, { features: ['a', 'b'] }),
});

test('random rows give the same records, notes and errors', async () => {
  await fc.assert(
    fc.asyncProperty(lines, options, async (rows, { onError, choice }) => {
      await expectSame(rows.join('\n'), { onError, ...choice });
    }),
    { numRuns: RUNS },
  );
}, 600_000);

const SPECS: readonly Spec[] = [
  { a: varLen('int64'), b: varLen('float32'), '10': varLen('bytes'), é: varLen('text') },
  { a: fixedLen([], 'float32'), b: fixedLen([2], 'int64', { default: [1, 2] }), ab: varLen('text') },
  { a: fixedLen([], 'text', { default: '' }), b: fixedLen([], 'float32', { default: null }), '': varLen('int64') },
  { a: fixedLen([0], 'bytes'), '2': fixedLen([1, 2], 'float32', { default: [0, 0] }), context: varLen('bytes') },
  { a: fixedLenSequence([2], 'int64'), b: varLen('bytes') },
];
const specOptions = fc.record({
  spec: oneOf(...SPECS),
  onError: oneOf<ConvertOptions['onError']>('throw', 'stop', { action: 'skip', maxRate: 1 }),
  exclude: oneOf<string[] | undefined>(
    undefined,
    NAMES.filter((name) => !'ab'.includes(name)).map((name) => JSON.parse(`"${name}"`) as string),
    ['image/width', '01'],
  ),
});

test('random rows by a spec give the same records and errors', async () => {
  await fc.assert(
    fc.asyncProperty(lines, specOptions, async (rows, given) => {
      await expectSame(rows.join('\n'), given);
    }),
    { numRuns: RUNS },
  );
}, 600_000);

/** Rows that fit a spec, except for at most one of them. */
const fitting = fc
  .record({
    i: fc.oneof(int64, oneOf('"7"', '"-9223372036854775808"')),
    f: fc.oneof(
      {
        weight: 9,
        arbitrary: fc.oneof(
          float,
          int64.filter((value) => !/^[tf]/.test(value)),
          oneOf('"NaN"', '"-0"'),
        ),
      },
      oneOf('true', '"1"', '1e39'),
    ),
    t: text,
    two: fc.oneof(
      { weight: 9, arbitrary: oneOf('[1,2.5]', '[16777217,0.1]') },
      oneOf('[1]', '[[1,2]]', '1', '[true,1]', 'null'),
    ),
    rest: oneOf('', '', '', ',"odd":null', ',"odd":[]', ',"odd":1', ',"i":1', ',"many":[1,2,3]', ',"many":null'),
  })
  .map(({ i, f, t, two, rest }) => `{"i":${i},"f":${f},"t":${t},"two":${two}${rest}}`);

test('rows that fit a spec give the same records', async () => {
  const spec = {
    i: fixedLen([], 'int64'),
    f: fixedLen([], 'float32'),
    t: fixedLen([], 'text', { default: '' }),
    two: fixedLen([2], 'float32'),
    many: varLen('int64'),
  };
  await fc.assert(
    fc.asyncProperty(fc.array(fitting, { maxLength: 6 }), specOptions, async (rows, { onError }) => {
      await expectSame(rows.join('\n'), { spec, onError });
    }),
    { numRuns: RUNS },
  );
  const file = '{"i":1,"f":2,"t":"x","two":[1,2]}\n'.repeat(3);
  expect(await outcome(file, { spec })).toMatchObject({ records: 3 });
  const faulty = `${file}{"f":2,"t":"x","two":[1,2]}\n`;
  expect(await outcome(faulty, { spec })).toMatchObject({ code: 'TFR_FEATURE', record: 3 });
}, 600_000);

test.each([
  '{"a":"\xff"}',
  '{"\xff":1}',
  '\xef\xbb\xbf{"a":1}',
  '{"a":"\xed\xa0\x80"}',
  '{"a":1}\0',
  '{"b":1}\n{"a":"\xc3\xa9"}\r\n',
])('bytes %j give the same', async (line) => {
  await expectSame(Buffer.from(line, 'latin1'));
});

test('excluded features may have any form, and are known to be there', async () => {
  const text = '{"a":1,"b":{"c":[[1,{"d":null}]]}}\n{"a":2.5,"b":"x"}\n';
  expect(await outcome(text, { exclude: ['b'] })).toMatchObject({ records: 2 });
  await expectSame(text, { exclude: ['b'] });
  await expectSame(text, { exclude: ['b', 'c'] });
  await expectSame(text, { features: ['a'] });
  await expectSame(text, { features: ['a', 'A'] });
  await expectSame(text);
});

test('rows that need their text after the survey are read again, after those that were delivered', async () => {
  const rows = Array.from(
    { length: 60_000 },
    (_, i) => `{"a":${i === 50_000 ? 16_777_217 : i},"b":"${'x'.repeat(i % 50)}"}`,
  );
  const all = [...rows, '{"a":0.5}'].join('\n');
  expect(await outcome(all)).toMatchObject({ code: 'TFR_FEATURE', record: 50_000 });
  const skipping = { onError: { action: 'skip', maxRate: 1 } } as const;
  expect(await outcome(all, skipping)).toMatchObject({ records: 60_000, skipped: 1 });
  // 123456790 is the shortest decimal of a float, which JavaScript knows.
  const held = all.replace('16777217', '123456790');
  expect(await outcome(held)).toMatchObject({ records: 60_001, skipped: 0 });
  await expectSame(held);
});

/** Rows whose last one makes the feature `a` a float, and needs the text of an earlier one. */
const NEEDY = [
  ...Array.from({ length: 60_000 }, (_, i) => `{"a":${i === 50_000 ? 123_456_790 : i},"b":"${'x'.repeat(i % 50)}"}\n`),
  '{"a":0.5}\n',
];

test('progress goes on, and never backwards, when files are read again', async () => {
  const { at } = folder.place();
  const long = `{"a":1,"b":"${'x'.repeat(300)}"}\n`.repeat(10_000);
  const files = [
    folder.put('first.jsonl', long),
    folder.put('second.jsonl', NEEDY.join('')),
    folder.put('third.jsonl', long),
  ];
  const bytes: number[] = [];
  const { records } = await convert(files, at('out'), {
    onProgress: ({ phase, bytes: read }) => phase === 'write' && bytes.push(read),
  });
  expect(records).toBe(80_001);
  expect(bytes).toEqual(bytes.toSorted((a, b) => a - b));
  const all = files.reduce((sum, file) => sum + statSync(file).size, 0);
  expect(bytes.at(-1)).toBe(all);
  // The last file is larger than two portions.
  expect(bytes.filter((read) => read > all - long.length && read < all)).not.toEqual([]);
});

test.each([
  ['the only file', [], 20_000],
  ['a file before another one', ['{"a":2.5}\n'], 20_000],
  ['all of a file', ['{"a":2.5}\n'], 0],
  ['behind the line that is needed', [], 60_000],
  ['behind the line that is needed, before another file', ['{"a":2.5}\n'], 59_999],
])('lines that vanish before they are read again are an error: %s', async (_, others, left) => {
  const { at } = folder.place();
  const file = folder.put('shrinks.jsonl', NEEDY.join(''));
  const inputs = [file, ...others.map((content) => folder.put('after.jsonl', content))];
  const converting = convert(inputs, at('out'), {
    onProgress: ({ phase }) => {
      if (phase === 'write') writeFileSync(file, NEEDY.slice(0, left).join(''));
    },
  });
  await expect(converting).rejects.toMatchObject({
    code: 'TFR_STATE_MISMATCH',
    message: expect.stringMatching(/ changed while it was read: expected 60001 lines, found \d+ lines/),
    file,
    expected: '60001 lines',
    found: `${left} lines`,
  });
  expect(readdirSync(at('.'))).toEqual([]);
});

test('lines that vanish from rows that were not kept are an error', async () => {
  const { at } = folder.place();
  const rows = Array.from({ length: 600 }, (_, i) => `{"text":"${'x'.repeat(64_000)}","n":${i}}\n`);
  const file = folder.put('shrinks.jsonl', rows.join(''));
  const converting = convert(file, at('out'), {
    onProgress: ({ phase, bytes }) => {
      if (phase === 'count' && bytes > 64_000 * 595) writeFileSync(file, rows.slice(0, 599).join(''));
    },
  });
  await expect(converting).rejects.toMatchObject({
    code: 'TFR_STATE_MISMATCH',
    expected: '600 lines',
    found: '599 lines',
  });
});

test('lines that are kept count with their objects', async () => {
  const lines = Array.from({ length: 1000 }, () => new TextEncoder().encode('{"a":[[1]]}'));
  const chunks = await RowChunk.parse({ batch: batchOf(lines, 'lines'), input: 0, numbers: 0 }, undefined, [
    new JsonRows(),
  ]);
  const [chunk] = chunks;
  const before = chunk!.heldBytes;
  chunk!.keep(0);
  expect(chunk!.heldBytes - before).toBeGreaterThan(200_000);
  chunk!.free();
});

test('more rows than are kept are read twice', async () => {
  const rows = Array.from({ length: 600 }, (_, i) => `{"text":"${'x'.repeat(64_000 + i)}","n":${i}}\n`).join('');
  expect(await outcome(`${rows}{"n":0.5}\n`)).toMatchObject({ records: 601 });
  expect(await outcome(`${rows}{"n":"x"}\n`)).toMatchObject({
    code: 'TFR_FEATURE',
    record: 600,
    found: 'bytes (a string or base64)',
  });
  expect(await outcome(`${rows}{"n":[[1]]}\n`, { onError: 'skip' })).toMatchObject({ records: 600, skipped: 1 });
}, 60_000);
