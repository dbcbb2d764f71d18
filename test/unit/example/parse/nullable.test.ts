/** Single values that records may lack: `fixedLen([], dtype, { default: null })`. */
import { inspect } from 'node:util';

import fc from 'fast-check';

import {
  BytesArray,
  Dataset,
  encodeExamples,
  encodeRecords,
  encodeSequenceExample,
  exampleEncoder,
  fixedLen,
  NullableColumn,
  parseExample,
  parseSequenceExample,
  parseSingleExample,
  parseSingleSequenceExample,
  readExamples,
  readSequenceExamples,
  rowsOf,
  specFromJSON,
  specToJSON,
  type DType,
  type Shape,
  type SequenceExampleSpec,
} from '../../../../lib';
import { planSpec, RowPrinter } from '../../../../lib/example';
import { JsonText } from '../../../../lib/example/print/json';
import { batchOf } from '../../../../lib/record';
import { classParts, ofClassParts } from '../../../../lib/tensor';
import { exampleOf, floats, int64s, KINDLESS, strings } from '../../../support/examples/wire';
import { thrown } from '../../../support/thrown';

const spec = {
  n: fixedLen([], 'int64', { default: null }),
  x: fixedLen([], 'float32', { default: null }),
  b: fixedLen([], 'bytes', { default: null }),
  t: fixedLen([], 'text', { default: null }),
  id: fixedLen([], 'int64', { default: -1 }),
};
async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const rows = fc.array(
  fc.record({
    n: fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
    x: fc.option(fc.float()),
    b: fc.option(fc.uint8Array({ maxLength: 30 })),
    t: fc.option(fc.string({ unit: 'grapheme', maxLength: 9 })),
    id: fc.bigInt({ min: -9n, max: 9n }),
  }),
  { minLength: 1, maxLength: 70 },
);

test('rows with nulls, columns with a bitmap and records are the same', async () => {
  const encode = exampleEncoder(spec);
  await fc.assert(
    fc.asyncProperty(rows, async (given) => {
      const records = given.map((row) => encode(row));
      expect(records.map((record) => parseSingleExample(record, spec))).toEqual(given);
      const columns = parseExample(records, spec);
      for (const name of ['n', 'x', 'b', 't'] as const) {
        const column = columns[name];
        const values = given.map((row) => row[name]);
        expect(column.toArray()).toEqual(values);
        expect(values.map((_, row) => column.isValid(row))).toEqual(values.map((value) => value !== null));
        expect(column).toEqual(NullableColumn.from<DType>(column.dtype, values as never));
        expect(column.nullCount).toBe(values.filter((value) => value === null).length);
      }
      expect([...rowsOf(columns, spec)]).toEqual(given);
      expect([...encodeExamples(columns, spec)]).toEqual(records);
      const read = readExamples(encodeRecords(records), spec);
      expect(await collected(read)).toEqual(given);
      const batches = await collected(readExamples(encodeRecords(records), spec).batches(records.length));
      expect(batches).toEqual([columns]);
    }),
    { numRuns: 25 },
  );
});

describe('the states of the feature', () => {
  const one = { a: fixedLen([], 'int64', { default: null }) };
  const both = (record: Uint8Array): unknown[] => [
    parseSingleExample(record, one).a,
    ...parseExample([record], one).a,
    ...parseExample([record], one, { int64: 'number' }).a,
  ];

  test.each([
    ['there', exampleOf({ a: int64s(5) }), [5n, 5n, 5]],
    ['missing', exampleOf({ z: int64s(5) }), [null, null, null]],
    ['without a kind', exampleOf({ a: KINDLESS }), [null, null, null]],
    ['an empty record', exampleOf({}), [null, null, null]],
  ])('%s', (_, record, values) => {
    expect(both(record)).toEqual(values);
  });

  test.each([
    ['an empty list', int64s(), '0'],
    ['two values', int64s(1, 2), '2'],
    ['another kind', floats(1), 'float32 values'],
  ])('%s is an error, as with any default', (_, body, found) => {
    const fault = { code: 'TFR_FEATURE', feature: 'a', found };
    const records = [exampleOf({}), exampleOf({ a: int64s(1) }), exampleOf({ a: body })];
    expect(thrown(() => parseExample(records, one))).toMatchObject({ ...fault, record: 2 });
    expect(thrown(() => parseSingleExample(records[2]!, one))).toMatchObject(fault);
  });

  test('text that is not UTF-8 names its record, also behind nulls', () => {
    const records = [
      exampleOf({}),
      exampleOf({ t: strings('a') }),
      exampleOf({}),
      exampleOf({ t: strings(Uint8Array.of(0xff)) }),
    ];
    const fault = { code: 'TFR_FEATURE', record: 3, expected: 'UTF-8 in value 0' };
    expect(thrown(() => parseExample(records, { t: spec.t }))).toMatchObject(fault);
    expect(thrown(() => parseSingleExample(records[3]!, { t: spec.t }))).toMatchObject({ ...fault, record: 0 });
    const texts = parseExample(records.slice(0, 3), { t: fixedLen([], 'bytes', { default: null }) }, { bytes: 'text' });
    expect(texts.t.toArray()).toEqual([null, 'a', null]);
  });

  test('an int64 that a number cannot hold names its record, also behind nulls', () => {
    const records = [exampleOf({}), exampleOf({ a: int64s(1) }), exampleOf({}), exampleOf({ a: int64s(2n ** 60n) })];
    expect(thrown(() => parseExample(records, one, { int64: 'number' }))).toMatchObject({
      code: 'TFR_FEATURE',
      record: 3,
    });
  });
});

test('in the context of SequenceExamples', async () => {
  const context = { a: fixedLen([], 'float32', { default: null }) };
  const records = [
    encodeSequenceExample({ context: { a: Float32Array.of(0.5) } }),
    encodeSequenceExample({ context: {} }),
  ];
  expect(parseSequenceExample(records, { context }).context.a.toArray()).toEqual([0.5, null]);
  expect(records.map((record) => parseSingleSequenceExample(record, { context }).context.a)).toEqual([0.5, null]);
  const read = await collected(readSequenceExamples(encodeRecords(records), { context }));
  expect(read.map((row) => row.context.a)).toEqual([0.5, null]);

  const sequence = { sequence: context } as unknown as SequenceExampleSpec;
  expect(thrown(() => parseSequenceExample(records, sequence))).toMatchObject({ code: 'TFR_SPEC' });
});

describe('specs', () => {
  test('null is only for single values', () => {
    for (const shape of [[1], [2, 3], [0]]) {
      const call = (): unknown => (fixedLen as (...given: unknown[]) => unknown)(shape, 'float32', { default: null });
      expect(thrown(call)).toMatchObject({
        code: 'TFR_SPEC',
        message: expect.stringMatching(/shape \[\].*varLen\('float32'\) or ragged\(/),
      });
    }
  });

  test('as JSON and as text', () => {
    const json = JSON.parse(JSON.stringify(specToJSON(spec))) as Record<string, unknown>;
    expect(json['n']).toEqual({ type: 'fixedLen', dtype: 'int64', shape: [], default: null });
    expect(specFromJSON(json)).toEqual(spec);
    expect(JSON.stringify(specToJSON(specFromJSON(json)))).toBe(JSON.stringify(json));
    expect(inspect(spec.n)).toBe("fixedLen([], 'int64', { default: null })");
    expect(spec.n).toMatchObject({ nullable: true });
    expect(Object.keys(spec.id)).not.toContain('nullable');
  });
});

describe('encoding', () => {
  const one = { a: fixedLen([], 'int64', { default: null }) };

  test('null and undefined leave the feature out', () => {
    const encode = exampleEncoder(one);
    expect(encode({ a: null })).toEqual(encode({}));
    expect(parseSingleExample(encode({ a: null }), one)).toEqual({ a: null });
  });

  test('columns without a bitmap have all values', () => {
    const records = encodeExamples({ a: BigInt64Array.of(1n, 2n) }, one);
    expect(parseExample(records, one).a.toArray()).toEqual([1n, 2n]);
    const numbers = parseExample(records, one, { int64: 'number' });
    expect(numbers.a.values).toEqual(Float64Array.of(1, 2));
    expect([...encodeExamples(numbers, one)]).toEqual([...records]);
  });

  test.each<[string, unknown, string]>([
    ['a column of another dtype', NullableColumn.from('float32', [1]), 'of dtype int64'],
    ['no column', { length: 3 }, 'a NullableColumn, or a BigInt64Array'],
  ])('%s is refused', (_, a, message) => {
    expect(thrown(() => encodeExamples({ a } as never, one))).toMatchObject({
      code: expect.stringMatching(/^ERR_INVALID_ARG/),
      message: expect.stringContaining(message),
    });
  });

  test('other features take no nullable columns', () => {
    const a = NullableColumn.from('int64', [1, null]);
    for (const shape of [[], [2]]) {
      const required = { a: fixedLen<DType, Shape>(shape, 'int64') };
      expect(thrown(() => encodeExamples({ a } as never, required))).toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
      expect(thrown(() => rowsOf({ a } as never, required))).toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
    }
  });

  test('memory that was transferred away is an error, never null', () => {
    for (const part of ['values', 'validity'] as const) {
      const a = NullableColumn.from('int64', [1, null]);
      const made = rowsOf({ a }, one);
      const { buffer } = a[part];
      structuredClone(buffer, { transfer: [buffer] });
      expect(thrown(() => made.next())).toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
      expect(thrown(() => encodeExamples({ a }, one))).toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
    }
    const a = NullableColumn.from('int64', [1, null]);
    structuredClone(a.validity.buffer, { transfer: [a.validity.buffer as ArrayBuffer] });
    expect(thrown(() => a.toArray())).toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
  });
});

describe('in datasets', () => {
  const records = [5n, null, 7n, null, 9n].map((n) => exampleEncoder(spec)({ n, id: 1 }));
  const some = { n: spec.n };
  const of = (batch: unknown): unknown => (batch as { n: NullableColumn<'int64'> }).n.toArray();

  test('batches, joined, taken apart, and without null', async () => {
    const dataset = Dataset.from(records);
    const batches = await dataset.parse(some).batch(2).toArray();
    expect(batches.map(of)).toEqual([[5n, null], [7n, null], [9n]]);
    expect((await dataset.parse(some).batch(2).rebatch(3).toArray()).map(of)).toEqual([
      [5n, null, 7n],
      [null, 9n],
    ]);
    const apart = batches.map((batch) => ({ ...classParts((batch as { n: object }).n)! }));
    expect(apart.map((parts) => of({ n: ofClassParts(parts) }))).toEqual(batches.map(of));
    const single = await dataset.parse(some).batch(2).unbatch().toArray();
    expect(single).toEqual([{ n: 5n }, { n: null }, { n: 7n }, { n: null }, { n: 9n }]);
  });
});

test('as JSON, plain and printed', () => {
  const records = [exampleEncoder(spec)({ n: 5, t: 'ä' }), exampleEncoder(spec)({})];
  const batch = parseExample(records, spec);
  expect(JSON.parse(JSON.stringify(batch))).toMatchObject({ n: ['5', null], t: ['ä', null] });
  expect(batch.toObject().n).toEqual([5, null]);
  expect(parseSingleExample(records[1]!, spec).toObject()).toEqual({ n: null, x: null, b: null, t: null, id: -1 });
  expect(inspect(batch.n)).toBe('NullableColumn int64 [2] [5n, null]');
  const out = new JsonText();
  new RowPrinter(planSpec(spec)).print(batchOf(records, '<bytes>'), 1, out);
  expect(String(out)).toBe('{"n":null,"x":null,"b":null,"t":null,"id":-1}');
});

test('a column by itself', () => {
  const column = new NullableColumn('bytes', BytesArray.from(['a', '', 'c']), Uint8Array.of(0b101));
  expect(column.toArray()).toEqual([Uint8Array.of(97), null, Uint8Array.of(99)]);
  expect([column.at(-1), column.at(1), column.at(3)]).toEqual([Uint8Array.of(99), null, undefined]);
  expect([column.isValid(-1), column.isValid(1), column.isValid(3)]).toEqual([true, false, false]);
  expect(column.toDense('?').data.texts()).toEqual(['a', '?', 'c']);
  expect(NullableColumn.from('float32', [1, null]).toDense().data).toEqual(Float32Array.of(1, 0));
  for (const [values, bits] of [
    [new Float32Array(9), new Uint8Array(1)],
    [new Float32Array(1), [1]],
    [[1], new Uint8Array(1)],
  ]) {
    expect(thrown(() => new NullableColumn('float32', values as never, bits as never))).toMatchObject({
      code: expect.stringMatching(/^ERR_INVALID_ARG/),
    });
  }
  expect(thrown(() => NullableColumn.from('int64', [1.5]))).toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
});
