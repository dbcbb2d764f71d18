/** Rows of CSV, and of a spec as JSON Lines: those of native code are those of TypeScript, and so are the errors. */
import fc from 'fast-check';

import {
  bytes,
  encodeExample,
  encodeSequenceExample,
  fixedLen,
  fixedLenSequence,
  float,
  int64,
  ragged,
  sparse,
  varLen,
  type FeatureLike,
  type Spec,
} from '../../../../lib';
import { native } from '../../../../lib/native';
import type { LineBinding } from '../../../../lib/native/binding-lines';
import { newTable, type FeatureColumn } from '../../../../lib/table';
import { anyExample } from '../../example/feature/wire';
import {
  compareOutputs,
  csvOf,
  HAS_NATIVE_LINES,
  printed,
  rowsOf,
  withoutNativeLines,
} from '../../../support/records/native-outputs';

const onThreads = HAS_NATIVE_LINES ? test : test.skip;

const EVENT = Buffer.from('09000000000000f03f', 'hex');

/** Calls `work`, and returns how many records were printed by native code. */
async function nativeRecords(work: () => Promise<unknown>): Promise<number> {
  const binding = native() as { linesPrint: NonNullable<LineBinding['linesPrint']> };
  const print = binding.linesPrint;
  let count = 0;
  const spy = jest.spyOn(binding, 'linesPrint').mockImplementation(async (...call) => {
    const lines = await print(...call);
    count += lines.records - (lines.refused?.length ?? 0) / 2;
    return lines;
  });
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
  return count;
}

const TEXTS = [
  '',
  'plain',
  'a longer text of several words',
  'a,b',
  'semi;colon and tab\tand more',
  'say "x"',
  '"',
  '\r',
  'two\nlines',
  'é🙂\ufeff',
  ...['0', '-0', '007', '12', '-9223372036854775808', '9223372036854775808', '1.5', '.5', '5.', '-', '1e5', '1e400'],
  ...['3.4028235e38', '3.5e38', '0e999', 'NaN', 'inf', '-Infinity', 'INF', '+1', ' 1', '0x1'],
  '1'.repeat(401),
];
const FLOATS = [0, -0, 1, 0.1, NaN, Infinity, -Infinity, 1e-45, 3.4028234663852886e38, 16777216, 123456790528, -2.5e-7];
const INTEGERS = [0n, -1n, 7n, 2n ** 63n - 1n, -(2n ** 63n), 10n ** 15n];

const examples = TEXTS.map((text, i) =>
  encodeExample({
    id: int64([INTEGERS[i % INTEGERS.length]!]),
    ...(i % 3 === 0 ? {} : { score: float([FLOATS[i % FLOATS.length]!]) }),
    text: bytes([text]),
  }),
);

const column = (key: string, dtype: FeatureColumn['dtype'], more: Partial<FeatureColumn> = {}): FeatureColumn => ({
  ...{ key, section: 0, dtype, shape: [], nullable: true },
  ...more,
});

onThreads.each([',', '\t', ';', '.', '0', '-', 'n', 'e', ' ', '\x01'])(
  'CSV with %j between fields',
  async (character) => {
    const table = newTable([column('text', 'bytes'), column('id', 'int64'), column('score', 'float32')], false);
    const native = await nativeRecords(async () => {
      expect((await compareOutputs(csvOf(table, character), examples)).rows).toBe(examples.length);
    });
    // One text may be beyond float32.
    expect(native).toBe(examples.length - 1);
  },
);

onThreads('CSV: records without a row, in their places', async () => {
  const columns = [column('a', 'int64', { shape: undefined }), column('b', 'text', { nullable: false })];
  const good = encodeExample({ a: int64([1]), b: 'x' });
  const records = [
    good,
    encodeExample({ a: int64([1, 2]), b: 'x' }),
    encodeExample({ a: int64([]), b: 'x' }),
    encodeExample({ b: 'x' }),
    EVENT,
    good,
    encodeExample({ a: int64([1]) }),
    encodeExample({ a: float([1]), b: 'x' }),
    encodeExample({ a: int64([1]), b: bytes([Uint8Array.of(0xff)]) }),
    encodeExample({ a: int64([1]), b: bytes(['x\0']) }),
    Buffer.from('0a05', 'hex'),
    good,
    encodeSequenceExample({ context: { b: 'x' }, featureLists: { c: [int64([1])] } }),
  ];
  const printing = csvOf(newTable(columns, false));
  expect(await compareOutputs(printing, records)).toEqual({ rows: 5, errors: 8 });
  expect((await printed(printing, records)).text).toBe('a,b\n1,x\n,x\n1,x\n1,x\n,x\n');
});

onThreads('CSV without columns', async () => {
  expect(await compareOutputs(csvOf(newTable([], false)), examples.slice(0, 2))).toEqual({ rows: 0, errors: 2 });
});

const SPEC = {
  'é"\u2028': fixedLen([], 'int64', { default: -5 }),
  score: fixedLen([], 'float32', { default: null }),
  text: fixedLen([1], 'text', { default: 'none' }),
  grid: fixedLen([2, 1, 2], 'int64', { default: [1, 2, 3, 4] }),
  none: fixedLen([0, 2], 'float32'),
  raw: varLen('bytes'),
  words: varLen('text'),
  floats: varLen('float32'),
};

onThreads('rows by a spec: defaults, shapes, lists and missing values', async () => {
  const records = [
    ...examples,
    ...examples.map((_, i) =>
      encodeExample({
        'é"\u2028': int64([INTEGERS[i % INTEGERS.length]!]),
        grid: int64([1n, -1n, 2n ** 62n, 0n]),
        raw: bytes(TEXTS.slice(0, i).map((text) => (i % 2 === 0 ? text : Buffer.from(text, 'latin1')))),
        words: bytes(TEXTS.slice(0, i)),
        floats: float(FLOATS),
        score: [],
      }),
    ),
  ];
  const withNone = records.map((record) => Buffer.concat([record, encodeExample({ none: float([]) })]));
  const native = await nativeRecords(async () => {
    const { rows, errors } = await compareOutputs(rowsOf(SPEC), withNone);
    expect([rows, errors]).toEqual([records.length, 0]);
  });
  expect(native).toBe(records.length);
});

onThreads('rows by a spec: errors', async () => {
  const spec = { a: fixedLen([2], 'int64'), b: fixedLen([], 'text'), c: varLen('float32') };
  const good = encodeExample({ a: int64([1, 2]), b: 'x' });
  const records = [
    good,
    encodeExample({ a: int64([1]), b: 'x' }),
    encodeExample({ b: 'x' }),
    encodeExample({ a: int64([1, 2]), b: bytes([Uint8Array.of(0xff)]) }),
    good,
    encodeExample({ a: int64([1, 2]), b: 'x', c: int64([3]) }),
    EVENT,
    Buffer.from('0a05', 'hex'),
    good,
  ];
  expect(await compareOutputs(rowsOf(spec), records)).toEqual({ rows: 3, errors: 6 });
});

test.each<[string, Spec]>([
  ['sparse', { s: sparse({ indexKey: 'at', valueKey: 'value', dtype: 'int64', size: 9 }) }],
  ['ragged', { value: ragged({ dtype: 'int64' }) }],
  ['steps', { value: fixedLenSequence([], 'int64', { allowMissing: true }) }],
])('rows with a feature that only TypeScript prints: %s', async (_, spec) => {
  const records = [encodeExample({ at: int64([3]), value: int64([7]) }), encodeExample({})];
  expect(await compareOutputs(rowsOf(spec), records)).toEqual({ rows: 2, errors: 0 });
});

/** Features of the right kinds, mostly. */
const features = fc
  .record(
    {
      a: fc.constantFrom(...INTEGERS).map((value) => int64([value])),
      b: fc.oneof(
        { arbitrary: fc.float().map((value) => float([value])), weight: 9 },
        { arbitrary: fc.array(fc.float(), { maxLength: 3 }).map((list) => float(list)), weight: 1 },
      ),
      ä: fc.oneof(
        {
          arbitrary: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...TEXTS)).map((text) => bytes([text])),
          weight: 9,
        },
        { arbitrary: fc.uint8Array({ maxLength: 4 }).map((value) => bytes([value])), weight: 1 },
      ),
    },
    { requiredKeys: [] },
  )
  .map((given) => encodeExample(given as Record<string, FeatureLike>));

onThreads('random records, as strange as protobuf allows', async () => {
  const table = newTable(
    [column('ä', 'bytes'), column('a', 'int64', { shape: undefined }), column('b', 'float32')],
    false,
  );
  const spec = { a: fixedLen([], 'int64', { default: 1 }), ä: varLen('bytes'), b: varLen('float32') };
  const records = fc.array(fc.oneof({ arbitrary: features, weight: 3 }, anyExample), { minLength: 1, maxLength: 30 });
  let [rows, errors] = [0, 0];
  await fc.assert(
    fc.asyncProperty(records, async (some) => {
      for (const printing of [csvOf(table), csvOf(table, 'e'), rowsOf(spec)]) {
        const result = await compareOutputs(printing, some);
        rows += result.rows;
        errors += result.errors;
      }
    }),
    { numRuns: 60 },
  );
  expect(rows).toBeGreaterThan(300);
  expect(errors).toBeGreaterThan(100);
});

onThreads('outputs of several parts, and rows longer than their room', async () => {
  const long = encodeExample({ text: bytes(['"'.repeat(1_200_000)]), id: int64([1]) });
  const records = [long, ...Array.from({ length: 6000 }, (_, i) => examples[i % examples.length]!), long];
  const table = newTable([column('text', 'bytes'), column('id', 'int64')], false);
  expect((await compareOutputs(csvOf(table), records)).rows).toBe(records.length);
  expect((await compareOutputs(rowsOf({ text: varLen('text'), id: fixedLen([], 'int64') }), records)).rows).toBe(
    records.length,
  );
});

test('without native lines, TypeScript writes all rows', async () => {
  const spec = { id: fixedLen([], 'int64'), text: varLen('text') };
  const texts = await withoutNativeLines(async () => [
    (await printed(csvOf(spec), examples.slice(0, 2))).text,
    (await printed(rowsOf(spec), examples.slice(0, 2))).text,
  ]);
  expect(texts).toEqual(['id,text\n0,""\n-1,plain\n', '{"id":0,"text":[""]}\n{"id":-1,"text":["plain"]}\n']);
});
