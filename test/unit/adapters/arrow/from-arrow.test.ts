/** Tables of Arrow that others made, as records. */
import * as arrow from 'apache-arrow';

import {
  decodeExample,
  decodeSequenceExample,
  encodeExample,
  encodeSequenceExample,
  fixedLen,
  int64,
  varLen,
} from '../../../../lib';
import { fromArrow } from '../../../../lib/adapters/arrow';

const { Field, Schema, Struct, makeData, vectorFromArray } = arrow;

type Data = arrow.Data;

/** A table of one batch. */
function tableOf(columns: Record<string, Data>, metadata?: Map<string, string>): arrow.Table {
  const fields = Object.entries(columns).map(([name, { type }]) => new Field(name, type, true));
  const schema = new Schema(fields, metadata);
  const children = Object.values(columns);
  const data = makeData({ type: new Struct(fields), length: children[0]!.length, children });
  return new arrow.Table(schema, [new arrow.RecordBatch(schema, data)]);
}

const dataOf = (values: unknown[], type: arrow.DataType): Data => vectorFromArray(values, type).data[0]!;
const listOf = (type: arrow.DataType): arrow.List => new arrow.List(new Field('item', type, true));

/** The values of feature `x` in each record; undefined where it is missing. */
function featuresOf(table: arrow.Table, ...rest: [spec?: never, options?: { rounding?: boolean }]): unknown[] {
  return [...fromArrow(table, ...rest)].map((record) => {
    const { x } = decodeExample(record) as { x?: { values: Iterable<unknown> } };
    return x && [...x.values];
  });
}

const one = (values: unknown[], type: arrow.DataType): arrow.Table => tableOf({ x: dataOf(values, type) });

test.each<[string, unknown[], arrow.DataType, unknown[]]>([
  ['Int8', [-128, null, 127], new arrow.Int8(), [[-128n], undefined, [127n]]],
  ['Int32', [-1, 2 ** 31 - 1], new arrow.Int32(), [[-1n], [2n ** 31n - 1n]]],
  ['Int64', [-(2n ** 63n), null, 2n ** 63n - 1n], new arrow.Int64(), [[-(2n ** 63n)], undefined, [2n ** 63n - 1n]]],
  ['Uint8', [255], new arrow.Uint8(), [[255n]]],
  ['Uint32', [2 ** 32 - 1], new arrow.Uint32(), [[2n ** 32n - 1n]]],
  ['Uint64', [2n ** 63n - 1n, null], new arrow.Uint64(), [[2n ** 63n - 1n], undefined]],
  ['Float32', [1.5, -0, NaN], new arrow.Float32(), [[1.5], [-0], [NaN]]],
  ['Float64', [0.5, null, -Infinity, -0], new arrow.Float64(), [[0.5], undefined, [-Infinity], [-0]]],
  ['Bool', [true, null, false], new arrow.Bool(), [[1n], undefined, [0n]]],
  ['Utf8', ['ä', null, ''], new arrow.Utf8(), [[Buffer.from('ä')], undefined, [Buffer.from('')]]],
  ['LargeUtf8', ['ä', null], new arrow.LargeUtf8(), [[Buffer.from('ä')], undefined]],
  ['Binary', [Uint8Array.of(255)], new arrow.Binary(), [[Buffer.from([255])]]],
  ['LargeBinary', [Uint8Array.of(255)], new arrow.LargeBinary(), [[Buffer.from([255])]]],
  ['FixedSizeBinary', [Uint8Array.of(1, 2), null], new arrow.FixedSizeBinary(2), [[Buffer.from([1, 2])], undefined]],
  ['List', [[1n, 2n], null, []], listOf(new arrow.Int64()), [[1n, 2n], undefined, []]],
  ['List of Bool', [[true, false], [true]], listOf(new arrow.Bool()), [[1n, 0n], [1n]]],
  [
    'FixedSizeList',
    [[1, 2], null, [3, 4]],
    new arrow.FixedSizeList(2, new Field('item', new arrow.Float32(), true)),
    [[1, 2], undefined, [3, 4]],
  ],
  [
    'Dictionary',
    ['b', null, 'a', 'b'],
    new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32()),
    [[Buffer.from('b')], undefined, [Buffer.from('a')], [Buffer.from('b')]],
  ],
  ['Null', [null, null], new arrow.Null(), [undefined, undefined]],
])('%s', (_name, values, type, expected) => {
  const plain = (all: unknown[]): unknown[] =>
    all.map((each) => (each as unknown[] | undefined)?.map((v) => (v instanceof Uint8Array ? Buffer.from(v) : v)));
  const table = one(values, type);
  expect(plain(featuresOf(table))).toEqual(expected);
  const again = arrow.tableFromIPC(arrow.tableToIPC(table));
  expect(plain(featuresOf(again))).toEqual(expected);
  // Parts and several batches.
  if (values.length < 2) return;
  const parts = new arrow.Table([...table.slice(1).batches, ...table.slice(0, 1).batches]);
  expect(plain(featuresOf(parts))).toEqual([...expected.slice(1), expected[0]]);
});

const refusals: [string, arrow.Table, RegExp][] = [
  [
    'Uint64',
    one([1n, 2n ** 63n], new arrow.Uint64()),
    /^Column "x", row 1: expected an int64, found 9223372036854775808\./,
  ],
  [
    'Float64',
    one([0.5, 0.1], new arrow.Float64()),
    /^Column "x", row 1: expected a float32, found 0\.1\. .*"rounding"/,
  ],
  [
    'a null inside',
    one([[1n], null, [2n, null]], listOf(new arrow.Int64())),
    /^Column "x", row 2: .* a null inside a list/,
  ],
  ['Date', one([new Date()], new arrow.DateDay()), /^Column "x": expected .*, found Date32<DAY>\. .*cast/],
  ['Timestamp', one([], new arrow.TimestampSecond()), /found Timestamp<SECOND>/],
  ['Decimal', one([], new arrow.Decimal(2, 10)), /found Decimal/],
  [
    'Map',
    one(
      [],
      new arrow.Map_(
        new Field(
          'entries',
          new Struct([new Field('k', new arrow.Utf8()), new Field('v', new arrow.Int8())] as never[]),
        ),
      ),
    ),
    /found Map/,
  ],
  ['Float16', one([1], new arrow.Float16()), /expected Float32 or Float64, found Float16/],
  [
    'lists of lists of lists',
    one([[[[1n]]]], listOf(listOf(listOf(new arrow.Int64())))),
    /expected lists of flat lists, found List<List<List<Int64>>>/,
  ],
  ['lists of null', one([[null]], listOf(new arrow.Null())), /lists that contain only null/],
  [
    'a dictionary of numbers',
    one([1n], new arrow.Dictionary(new arrow.Int64(), new arrow.Int32())),
    /a dictionary of text or bytes/,
  ],
];
test.each(refusals)('%s is refused by name', (_name, table, message) => {
  expect(() => fromArrow(table)).toThrow(
    expect.objectContaining({ code: 'TFR_FEATURE', feature: 'x', message: expect.stringMatching(message) as string }),
  );
});

test('lists of lists are feature lists', () => {
  const table = tableOf({
    x: dataOf([[[1n, 2n], []], null, []], listOf(listOf(new arrow.Int64()))),
    id: dataOf([7n, 8n, 9n], new arrow.Int64()),
  });
  expect([...fromArrow(table)].map((record) => Buffer.from(record))).toEqual(
    [[int64([1, 2]), int64([])], undefined, []].map((x, i) =>
      Buffer.from(encodeSequenceExample({ context: { id: int64(7 + i) }, featureLists: x === undefined ? {} : { x } })),
    ),
  );
});

test('rows of later batches are counted from the first', () => {
  const table = new arrow.Table([
    ...one([1n, 2n], new arrow.Uint64()).batches,
    ...one([2n ** 64n - 1n], new arrow.Uint64()).batches,
  ]);
  expect(() => fromArrow(table)).toThrow(expect.objectContaining({ record: 2 }));
});

test('what null rows hold is not looked at', () => {
  const nullBitmap = Uint8Array.of(0b01);
  const doubles = makeData({ type: new arrow.Float64(), nullBitmap, nullCount: 1, data: Float64Array.of(1, 0.1) });
  expect(featuresOf(tableOf({ x: doubles }))).toEqual([[1], undefined]);
  const child = dataOf([1n, null], new arrow.Int64());
  const lists = makeData({
    type: listOf(new arrow.Int64()),
    nullBitmap,
    nullCount: 1,
    valueOffsets: Int32Array.of(0, 1, 2),
    child,
  });
  expect(featuresOf(tableOf({ x: lists }))).toEqual([[1n], undefined]);
});

test('rounding rounds, and a finite number stays one', () => {
  expect(featuresOf(one([0.1], new arrow.Float64()), undefined, { rounding: true })).toEqual([[Math.fround(0.1)]]);
  expect(() => fromArrow(one([1e300], new arrow.Float64()), undefined, { rounding: true })).toThrow(/A finite number/);
});

test('a float64 NaN keeps its sign and the bits that float32 has', () => {
  const data = new Float64Array(BigUint64Array.of(0xfff8_0000_2000_0000n, 0x7ff0_0000_0000_0001n).buffer);
  const [first, second] = [...fromArrow(tableOf({ x: makeData({ type: new arrow.Float64(), data }) }))];
  const bits = (record: Uint8Array): number => Buffer.from(record).readUInt32LE(record.length - 4);
  expect(bits(first!)).toBe(0xffc0_0001);
  expect(bits(second!)).toBe(0x7fc0_0000);
});

describe('a spec', () => {
  const table = tableOf({
    id: dataOf([1, null], new arrow.Int32()),
    more: dataOf(['a', 'b'], new arrow.Utf8()),
    pair: dataOf([[1n, 2n], [3n]], listOf(new arrow.Int64())),
  });

  test('chooses columns, and checks them', () => {
    const [first, second] = [...fromArrow(table, { more: varLen('text') })];
    expect(Buffer.from(first!)).toEqual(Buffer.from(encodeExample({ more: 'a' })));
    expect(Buffer.from(second!)).toEqual(Buffer.from(encodeExample({ more: 'b' })));
    expect(() => fromArrow(table, { id: fixedLen([], 'int64') })).toThrow(
      /^Column "id", row 1: expected a value, found null/,
    );
    expect(fromArrow(table, { id: fixedLen([], 'int64', { default: 0 }) })).toHaveLength(2);
    expect(() => fromArrow(table, { id: varLen('float32') })).toThrow(/^Column "id": expected float32, found Int32/);
    expect(() => fromArrow(table, { pair: fixedLen([2], 'int64') })).toThrow(
      /^Column "pair", row 1: expected 2 values, found 1/,
    );
    expect(() => fromArrow(table, { id: fixedLen([2], 'int64', { default: [0, 0] }) })).toThrow(
      /expected 2 values, found 1/,
    );
    expect(() => fromArrow(table, { lacking: fixedLen([], 'int64') })).toThrow(
      /^Column "lacking": expected a column of int64, found none/,
    );
    expect([...fromArrow(table, { lacking: varLen('int64') })].map(({ length }) => length)).toEqual([2, 2]);
  });

  test('makes SequenceExamples, of lists of steps', () => {
    const lists = tableOf({ s: dataOf([[[1n], []], null, []], listOf(listOf(new arrow.Int64()))) });
    const records = [...fromArrow(lists, { sequence: { s: varLen('int64') } })].map((record) =>
      decodeSequenceExample(record),
    );
    expect(records.map(({ featureLists }) => featureLists['s']?.length)).toEqual([2, undefined, 0]);
    expect(() => fromArrow(table, { sequence: { id: varLen('int64') } })).toThrow(
      /expected a list of steps, found Int32/,
    );
  });

  test('in the metadata, that is none, is an error that says what to do', () => {
    const broken = tableOf({ x: dataOf([1], new arrow.Int8()) }, new Map([['tfrecord.spec', '{']]));
    expect(() => fromArrow(broken)).toThrow(expect.objectContaining({ code: 'TFR_SPEC' }));
    expect(fromArrow(broken, { x: varLen('int64') })).toHaveLength(1);
  });

  test('in the metadata leaves columns that others added to their types', () => {
    const spec = new Map([
      [
        'tfrecord.spec',
        '{"x":{"type":"fixedLen","dtype":"int64","shape":[]},"gone":{"type":"fixedLen","dtype":"int64","shape":[]}}',
      ],
    ]);
    const added = tableOf({ x: dataOf([1], new arrow.Int8()), y: dataOf([2], new arrow.Float32()) }, spec);
    const [record] = [...fromArrow(added)];
    expect(Object.keys(decodeExample(record!))).toEqual(['x', 'y']);
  });
});

test('malformed data is an error', () => {
  const list = (valueOffsets: Int32Array): arrow.Table =>
    tableOf({
      x: makeData({
        type: listOf(new arrow.Int64()),
        length: 2,
        nullCount: 0,
        valueOffsets,
        child: dataOf([1n, 2n], new arrow.Int64()),
      }),
    });
  const wrong = [
    list(Int32Array.of(0, 1)),
    list(Int32Array.of(0, 2, 1)),
    list(Int32Array.of(0, 1, 9)),
    list(Int32Array.of(-1, 1, 2)),
    tableOf({ x: makeData({ type: new arrow.Int64(), length: 3, nullCount: 0, data: BigInt64Array.of(1n) }) }),
    tableOf({
      x: makeData({
        type: new arrow.Utf8(),
        length: 1,
        nullCount: 0,
        valueOffsets: Int32Array.of(0, 9),
        data: new Uint8Array(3),
      }),
    }),
    tableOf({ x: makeData({ type: new arrow.FixedSizeBinary(4), length: 2, nullCount: 0, data: new Uint8Array(4) }) }),
    tableOf({ x: makeData({ type: new arrow.Bool(), length: 9, nullCount: 0, data: Uint8Array.of(1) }) }),
  ];
  for (const table of wrong) {
    expect(() => fromArrow(table)).toThrow(expect.objectContaining({ code: 'TFR_DECODE', feature: 'x' }));
  }
});

test('shared memory is copied, before others change it', () => {
  const data = new BigInt64Array(new SharedArrayBuffer(16)).fill(7n);
  const table = tableOf({ x: makeData({ type: new arrow.Int64(), data: data as never }) });
  expect(featuresOf(table)).toEqual([[7n], [7n]]);
});

test('other arguments are TypeErrors', () => {
  for (const wrong of [undefined, {}, { schema: {} }, encodeExample({ x: int64(1) })]) {
    expect(() => fromArrow(wrong as never)).toThrow(TypeError);
  }
  expect(() => fromArrow(one([1], new arrow.Int8()), undefined, { round: true } as never)).toThrow(/Unknown option/);
});

describe('structs', () => {
  const int8 = new arrow.Int8();
  const struct = (...fields: arrow.Field[]): arrow.Struct => new Struct(fields);
  const field = (name: string, type: arrow.DataType): arrow.Field => new Field(name, type, true);
  const rowsOf = (data: arrow.Table | arrow.RecordBatch): unknown[] =>
    [...fromArrow(data)].map((record) => {
      const { context, featureLists } = decodeSequenceExample(record);
      const entries = [
        ...Object.entries(context),
        ...Object.entries(featureLists).map(([name, steps]) => [name, steps[0]]),
      ];
      return Object.fromEntries(
        entries.map(([name, feature]) => [name, [...(feature as { values: Iterable<unknown> }).values].map(String)]),
      );
    });

  test('their fields are features; a null struct has none', () => {
    const type = struct(field('a', int8), field('in', struct(field('b', new arrow.List(field('item', int8))))));
    const table = one([{ a: 1, in: { b: [2, 3] } }, null, { a: null, in: null }, { a: 4, in: { b: [] } }], type);
    const expected = [{ 'x/a': ['1'], 'x/in/b': ['2', '3'] }, {}, {}, { 'x/a': ['4'], 'x/in/b': [] }];
    expect(rowsOf(table)).toEqual(expected);
    for (let begin = 0; begin < 4; begin++) {
      expect(rowsOf(table.batches[0]!.slice(begin, 4))).toEqual(expected.slice(begin));
    }
  });

  test('fields of a null struct may hold anything', () => {
    const a = makeData({ type: int8, length: 2, data: Int8Array.of(1, 2) });
    const x = makeData({
      type: struct(field('a', int8)),
      length: 2,
      nullCount: 1,
      nullBitmap: Uint8Array.of(2),
      children: [a],
    });
    expect(rowsOf(tableOf({ x }))).toEqual([{}, { 'x/a': ['2'] }]);
  });

  test('lists of structs are lists of each field', () => {
    const list = (inner: arrow.DataType): arrow.DataType => new arrow.List(field('item', inner));
    const table = one([[{ a: 1 }, { a: 2 }], [], null], list(struct(field('a', int8))));
    expect(rowsOf(table)).toEqual([{ 'x/a': ['1', '2'] }, { 'x/a': [] }, {}]);
    expect(() => fromArrow(one([[{ a: 1 }], [null]], list(struct(field('a', int8)))))).toThrow(
      /^Column "x\/a", row 1: expected values, found a null inside a list/,
    );
    expect(() => fromArrow(one([[{ a: 1 }], [{ a: null }]], list(struct(field('a', int8)))))).toThrow(
      /null inside a list/,
    );
  });

  test('a field that no feature holds is named', () => {
    expect(() => fromArrow(one([], struct(field('d', new arrow.Decimal(2, 10)))))).toThrow(
      /^Column "x\/d": expected.*found Decimal/,
    );
  });
});

test('dates are those of the spec', () => {
  const table = one([new Date(1_704_164_645_500)], new arrow.TimestampMillisecond('UTC'));
  const valueOf = (type: 'int64' | 'text'): unknown => {
    const [record] = fromArrow(table, { x: varLen(type) });
    return [...decodeExample(record!)['x']!.values][0];
  };
  expect(valueOf('int64')).toBe(1_704_164_645_500_000n);
  expect(Buffer.from(valueOf('text') as Uint8Array).toString()).toBe('2024-01-02T03:04:05.500000+00:00');
});
