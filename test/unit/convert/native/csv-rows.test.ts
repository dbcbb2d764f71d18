/** Rows of CSV that native code reads, against the same rows read by JavaScript alone: records, notes and errors. */
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';

import fc from 'fast-check';

import { fixedLen, varLen, type Spec } from '../../../../lib';
import { convert, type ConvertOptions } from '../../../../lib/convert';
import { native } from '../../../../lib/native';
import { textDamage } from '../../../support/records/damages';
import { Folder } from '../../../support/records/record-files';

const folder = new Folder();
afterAll(() => folder.remove());

const IS_FULL = process.env['TFRECORD_FULL'] === '1';
const RUNS = IS_FULL ? 5000 : 200;
const DAMAGED = IS_FULL ? 20_000 : 300;

/** The records, notes and bytes of a conversion of files with these texts to TFRecords, or its error. */
async function outcome(texts: readonly (string | Buffer)[], options: ConvertOptions = {}): Promise<unknown> {
  const { at } = folder.place();
  const files = texts.map((text, i) => folder.put(`${i}.csv`, text));
  const reports: unknown[] = [];
  const report = ({ message }: Error): void => void reports.push(message);
  const { onError } = options;
  const reported = typeof onError === 'object' ? { ...onError, report } : onError;
  try {
    const { records, skipped, notes } = await convert(files, at('out'), { from: 'csv', ...options, onError: reported });
    return { records, skipped, notes, reports, bytes: readFileSync(at('out')).toString('hex') };
  } catch (error) {
    expect(readdirSync(at('.'))).toEqual([]);
    const { name, message, code, record, feature, expected, found } = error as Record<string, unknown>;
    return { name, message, code, record, feature, expected, found, reports };
  }
}

/** Calls `run` while the binding has no functions for rows, as in WebAssembly. */
async function byJavaScript<T>(run: () => Promise<T>): Promise<T> {
  const binding = native() as { csvRowsNew: unknown };
  const { csvRowsNew } = binding;
  binding.csvRowsNew = undefined;
  try {
    return await run();
  } finally {
    binding.csvRowsNew = csvRowsNew;
  }
}

async function expectSame(texts: readonly (string | Buffer)[], options?: ConvertOptions): Promise<void> {
  expect(await outcome(texts, options)).toEqual(await byJavaScript(() => outcome(texts, options)));
}

const oneOf = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const integer = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -300, max: 300 }).map(String) },
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  oneOf('0', '16777217', '9223372036854775807', '-9223372036854775808', '999999999999999999', '1000000000000000000'),
);
const float = fc.oneof(
  fc.float({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e38, max: 1e38 }).map(String),
  fc.integer({ min: -99_999, max: 99_999 }).map((value) => String(value / 1000)),
  fc.tuple(fc.integer({ min: 1, max: 999_999_999 }), fc.integer({ min: 0, max: 12 })).map(([value, places]) => {
    return (value / 10 ** places).toFixed(places);
  }),
  oneOf('NaN', 'nan', 'inf', '-inf', 'Infinity', '-Infinity', '1.', '.5', '-.5', '1e5', '1E-5', '2.5e+3', '-0.0'),
  oneOf(
    '3.4028235e38',
    '3.4028234663852886e+38',
    '3.40282346638528859811704183484516925440e38',
    '1.1754944e-38',
    '1e-45',
    '1e-400',
    '0.0000000000000000000000000000000000000000000001',
    '1.00000005960464477539062500',
    '1.0000000596046448',
    '16777217.0',
    '0.10000000149011612',
    '123456789.0',
  ),
);
/** Text that looks like a number, but is none, or is only just one. */
const near = oneOf(
  '007',
  '-0',
  '+1',
  '1e39',
  '3.4028236e38',
  '1e999999999999',
  '9223372036854775808',
  '-9223372036854775809',
  '12345678901234567890',
  '0x10',
  '0x1p-3',
  ' 1',
  '1 ',
  '1.5.5',
  '.',
  '-',
  'e5',
  '1e',
  '1e+',
  'INF',
  'nan(x)',
  '1'.repeat(400),
  `0.${'1'.repeat(399)}`,
);
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  oneOf('x', '', 'é', '名', '😀', '"', '""', 'a"b', 'a,b', 'a\nb', 'a\r\nb', '\r', ';', '\t', '\0', 'NULL', 'n/a'),
);
const THEMES = [integer, float, text, near, fc.oneof(integer, float), fc.oneof(integer, text), oneOf('')];

interface Form {
  readonly delimiter: string;
  readonly end: string;
  readonly quotesAll: boolean;
}

/** Writes a field, mostly as valid CSV. */
function field(value: string, { delimiter, quotesAll }: Form, more: boolean): string {
  const needs = value.includes(delimiter) || /["\r\n]/.test(value);
  return needs || quotesAll || more ? `"${value.replaceAll('"', '""')}"` : value;
}

const NAMES = ['a', 'b', 'c d', 'é', '__proto__', '1', 'x,y', '', 'B', '"'];

/** Texts of which some columns have one kind of values each. */
const texts = fc
  .record({
    delimiter: oneOf(',', ',', ';', '\t'),
    end: oneOf('\n', '\n', '\r\n'),
    quotesAll: fc.boolean(),
    mark: oneOf('', '', '\uFEFF'),
    names: fc.uniqueArray(oneOf(...NAMES), { minLength: 1, maxLength: 5 }),
    themes: fc.array(fc.nat(THEMES.length - 1), { minLength: 5, maxLength: 5 }),
    isClean: fc.boolean(),
  })
  .chain((form) => {
    const { names, themes, isClean, mark } = form;
    const cells = names.map((_, i) => {
      const theme = THEMES[themes[i]!]!;
      const value = isClean ? theme : fc.oneof({ weight: 20, arbitrary: theme }, near, text, oneOf(''));
      const quotes = isClean ? fc.constant(false) : fc.integer({ max: 7, min: 0 }).map((n) => n === 7);
      return fc.tuple(value, quotes).map(([each, more]) => field(each, form, more));
    });
    const row = fc.tuple(...cells).map((each) => each.join(form.delimiter));
    const broken = oneOf('', 'x', '"', 'a"b', '"a"b', '"open', ',', ',,,,,,,', 'a\rb', '\r', '" "" "');
    const rows = isClean ? row : fc.oneof({ weight: 25, arbitrary: row }, broken);
    const header = names.map((name) => field(name, form, false)).join(form.delimiter);
    return fc
      .tuple(fc.array(rows, { maxLength: 14 }), fc.boolean())
      .map(([lines, isOpen]) => mark + [header, ...lines].join(form.end) + (isOpen ? '' : form.end));
  });

const SPECS: readonly (Spec | undefined)[] = [
  undefined,
  undefined,
  { a: varLen('int64'), b: varLen('float32'), B: varLen('text') },
  { a: fixedLen([], 'float32'), b: fixedLen([], 'text', { default: '' }), é: varLen('bytes') },
  { a: fixedLen([1], 'int64'), b: fixedLen([], 'float32', { default: 1 }) },
];
const options = fc
  .record({
    onError: oneOf<ConvertOptions['onError']>('throw', 'throw', 'stop', { action: 'skip', maxRate: 1 }),
    choice: oneOf<ConvertOptions>({}, {}, {}, { exclude: ['a'] }, { features: ['a', 'b'] }),
    spec: oneOf(...SPECS),
    na: oneOf<readonly string[] | undefined>(undefined, undefined, ['NULL', 'n/a'], ['0', 'x']),
    exact: fc.boolean(),
    delimiter: oneOf<string | undefined>(undefined, undefined, ';', '\t'),
  })
  .map(({ choice, ...rest }) => ({ ...choice, ...rest }));

test('random texts give the same records, notes and errors', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(texts, { minLength: 1, maxLength: 2 }), options, async (each, given) => {
      await expectSame(each, given);
      await expectSame([each[0]!, each[0]!], given);
    }),
    { numRuns: RUNS },
  );
}, 3_600_000);

test('damaged texts give the same', async () => {
  const damage = textDamage(['"', ',', '\n', '\r', '\0', '\xff', '\xc3', '0', '.', 'e', '-', ' ']);
  await fc.assert(
    fc.asyncProperty(texts, damage, options, async (whole, damaged, given) => {
      await expectSame([damaged(whole)], given);
    }),
    { numRuns: DAMAGED },
  );
}, 3_600_000);

test('a header after other rows of the same slab, long rows, and rows with line ends', async () => {
  const long = 'x'.repeat(3_000_000);
  const rows = Array.from({ length: 30_000 }, (_, i) => `${i},"line\n${i % 7 === 0 ? '\n' : ''}",${i / 8}`);
  const mixed = [...rows, `1,"${long}",2`, '1,"two ""quotes""\r\n",3'];
  const all = ['n,text,half', ...mixed].join('\n');
  await expectSame([all, all]);
  expect(await outcome([all, all])).toMatchObject({ records: 2 * 30_002 });
  // The first value of another kind, and the first that is rounded, are in the second part of a slab.
  const odd = [...mixed.slice(0, 25_000), '1,,0.123456789', 'x,,0.5', ...mixed.slice(25_000)];
  const withOdd = ['n,text,half', ...odd].join('\n');
  await expectSame([withOdd, all]);
  expect(await outcome([withOdd])).toMatchObject({
    notes: [
      expect.stringContaining('makes column "n" text'),
      expect.stringContaining('makes column "half" float32'),
      expect.stringContaining('1 value was rounded to float32; 0.123456789 in line 53574 of'),
    ],
  });
  await expectSame([['n,text,half', ...odd, '1,2'].join('\n')], { onError: { action: 'skip', maxRate: 1 } });
  await expectSame([['n,text,half', ...odd, '1,2'].join('\n')]);
});

test('rows that vanish after the survey are an error', async () => {
  const { at } = folder.place();
  const rows = Array.from({ length: 40_000 }, (_, i) => `${i},${'x'.repeat(100)}\n`);
  const file = folder.put('shrinks.csv', ['a,b\n', ...rows].join(''));
  const { size } = statSync(file);
  const converting = convert(file, at('out'), {
    onProgress: ({ phase, bytes }) => {
      if (phase === 'count' && bytes === size) writeFileSync(file, ['a,b\n', ...rows.slice(0, 39_999)].join(''));
    },
  });
  await expect(converting).rejects.toMatchObject({
    code: 'TFR_STATE_MISMATCH',
    file,
    expected: '40001 lines',
    found: '40000 lines',
  });
});
