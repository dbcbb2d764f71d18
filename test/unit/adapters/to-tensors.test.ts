/** Converts batches of every kind to tensors of tfjs. */
import '@tensorflow/tfjs-backend-cpu';
import * as tf from '@tensorflow/tfjs-core';

import {
  BytesArray,
  Dataset,
  decodeRaw,
  DenseTensor,
  encodeExample,
  fixedLen,
  float,
  int64,
  NullableColumn,
  parseExample,
  parseSingleExample,
  ragged,
  RaggedTensor,
  SparseTensor,
  varLen,
} from '../../../lib';
import { toTensors, type TensorOptions } from '../../../lib/adapters/tfjs';
import { thrown } from '../../support/thrown';

tf.enableProdMode(); // else its backend prints advice
let before = 0;
beforeEach(() => {
  before = tf.memory().numTensors;
});
afterEach(() => {
  tf.disposeVariables();
  expect(tf.memory().numTensors).toBe(before);
});

/** Type, shape and values of each tensor, which are disposed of; bytes as Latin-1. */
async function taken(tensors: unknown): Promise<unknown> {
  if (tensors instanceof tf.Tensor) {
    const { dtype, shape } = tensors;
    const bytes = dtype === 'string' ? ((await tensors.bytes()) as Uint8Array[]) : undefined;
    const values = bytes?.map((value) => Buffer.from(value).toString('latin1')) ?? [...tensors.dataSync()];
    tensors.dispose();
    return [dtype, shape, values];
  }
  const entries = Object.entries(tensors as object).map(async ([name, value]) => [name, await taken(value)] as const);
  return Object.fromEntries(await Promise.all(entries));
}
const tensorsOf = (batch: unknown, options?: TensorOptions): Promise<unknown> => taken(toTensors(batch, options));
const refused = (batch: unknown, options?: TensorOptions): unknown => thrown(() => toTensors(batch, options));

const records = [
  encodeExample({ x: float([1, 2]), id: int64(7), name: 'a', tags: ['t', 'uv'], scores: float([0.5]) }),
  encodeExample({ x: float([3, 4]), id: int64(-8), name: new Uint8Array([255, 0]) }),
];
const spec = {
  x: fixedLen([2], 'float32'),
  id: fixedLen([], 'int64'),
  name: fixedLen([], 'bytes'),
  tags: varLen('bytes'),
  scores: ragged({ dtype: 'float32', valueKey: 'scores' }),
};

test('the columns of a parsed batch', async () => {
  expect(await tensorsOf(parseExample(records, spec), { defaults: { tags: '-', scores: -1 } })).toEqual({
    x: ['float32', [2, 2], [1, 2, 3, 4]],
    id: ['int32', [2], [7, -8]],
    name: ['string', [2], ['a', '\xff\0']],
    tags: ['string', [2, 2], ['t', 'uv', '-', '-']],
    scores: ['float32', [2, 1], [0.5, -1]],
  });
});

test('float32 without a copy', () => {
  const data = Float32Array.of(1, 2, 3, 4);
  const [bare, dense] = [toTensors(data), toTensors(new DenseTensor('float32', [2, 2], data))];
  expect([bare.dataSync(), dense.dataSync()].map((values) => values === data)).toEqual([true, true]);
  tf.dispose([bare, dense]);
});

test.each<[string, unknown, unknown]>([
  ['int64 as numbers', Float64Array.of(3, -4), ['int32', [2], [3, -4]]],
  ['uint64', BigUint64Array.of(5n), ['int32', [1], [5]]],
  ['int32 to its ends', BigInt64Array.of(-(2n ** 31n), 2n ** 31n - 1n), ['int32', [2], [-(2 ** 31), 2 ** 31 - 1]]],
  [
    'what decodeRaw gives',
    decodeRaw(
      ['\0\x01', '\x02\xff'].map((s) => Buffer.from(s, 'latin1')),
      { outType: 'uint8' },
    ),
    ['int32', [2, 2], [0, 1, 2, 255]],
  ],
  ['float64 of a tensor', { dtype: 'float64', shape: [1], data: Float64Array.of(0.5) }, ['float32', [1], [0.5]]],
  ['bool of a tensor', { dtype: 'bool', shape: [2], data: Uint8Array.of(1, 0) }, ['bool', [2], [1, 0]]],
  ['padded arrays', { shape: [2, 1], data: Uint16Array.of(1, 65_535) }, ['int32', [2, 1], [1, 65_535]]],
  ['bytes of a tensor', new DenseTensor('bytes', [2, 1], BytesArray.from(['a', 'b'])), ['string', [2, 1], ['a', 'b']]],
  ['no values', new DenseTensor('float32', [0, 3], new Float32Array(0)), ['float32', [0, 3], []]],
  ['no byte strings', BytesArray.from([]), ['string', [0], []]],
])('%s', async (_name, column, expected) => {
  expect(await tensorsOf(column)).toEqual(expected);
  expect(await tensorsOf({ column })).toEqual({ column: expected });
});

test('rows are stacked by name', async () => {
  const row = (i: number): object => ({
    n: i / 2,
    big: BigInt(i),
    yes: i > 1,
    text: `ä${i}`,
    raw: Uint8Array.of(i),
    list: [i, i],
    nested: [[i], [2]],
    floats: Float32Array.of(i),
    shorts: Int16Array.of(-i),
    inner: { dense: new DenseTensor('int64', [1, 1], BigInt64Array.of(BigInt(i))) },
    sparse: new SparseTensor('float32', { values: Float32Array.of(i), denseShape: [2], indices: BigInt64Array.of(1n) }),
  });
  expect(await tensorsOf([row(1), row(2)], { defaults: 0, dtypes: { raw: 'string' } })).toEqual({
    n: ['float32', [2], [0.5, 1]],
    big: ['int32', [2], [1, 2]],
    yes: ['bool', [2], [0, 1]],
    text: ['string', [2], ['Ã¤1', 'Ã¤2']],
    raw: ['string', [2], ['\x01', '\x02']],
    list: ['float32', [2, 2], [1, 1, 2, 2]],
    nested: ['float32', [2, 2, 1], [1, 2, 2, 2]],
    floats: ['float32', [2, 1], [1, 2]],
    shorts: ['int32', [2, 1], [-1, -2]],
    inner: { dense: ['int32', [2, 1, 1], [1, 2]] },
    sparse: ['float32', [2, 2], [0, 1, 0, 2]],
  });
  expect(await tensorsOf([1, 2, 3])).toEqual(['float32', [3], [1, 2, 3]]);
});

test('parsed rows are stacked by name, their bytes are strings', async () => {
  const rows = records.map((record) => parseSingleExample(record, { id: spec.id, name: spec.name }));
  const stacked = { id: ['int32', [2], [7, -8]], name: ['string', [2], ['a', '\xff\0']] };
  expect(await tensorsOf(rows)).toEqual(stacked);
  expect(await tensorsOf(rows.map((row) => ({ row })))).toEqual({ row: stacked });
});

test('a Uint8Array that a function put into a row is refused unless a dtype says what it is', async () => {
  const rows = [{ image: Uint8Array.of(65, 66) }, { image: Uint8Array.of(67, 68) }];
  const refusal = {
    code: 'TFR_FEATURE',
    feature: 'image',
    record: 0,
    expected: 'numbers or text',
    found: 'a Uint8Array, which may be either',
    message: expect.stringMatching(/Int32Array.*dtypes: { "image": 'int32' }/) as string,
  };
  expect(refused(rows)).toMatchObject(refusal);
  expect(refused(rows.map(({ image }) => ({ image: [image] })))).toMatchObject(refusal);
  expect(refused(rows.map((inner) => ({ inner })))).toMatchObject({
    ...refusal,
    feature: 'inner.image',
    message: expect.any(String),
  });
  const [parsed] = records.map((record) => parseSingleExample(record, { name: spec.name }));
  expect(refused([{ ...parsed }])).toMatchObject({ code: 'TFR_FEATURE', feature: 'name' });
  expect(await tensorsOf(rows, { dtypes: { image: 'string' } })).toEqual({ image: ['string', [2], ['AB', 'CD']] });
  const numbers = [
    [2, 2],
    [65, 66, 67, 68],
  ];
  expect(await tensorsOf(rows, { dtypes: { image: 'int32' } })).toEqual({ image: ['int32', ...numbers] });
  expect(await tensorsOf(rows.map(({ image }) => ({ image: Int32Array.from(image) })))).toEqual({
    image: ['int32', ...numbers],
  });
});

test('batches of datasets: padded, of records, of sequences of different lengths', async () => {
  const rows = Dataset.from([
    { ids: [1], at: 0 },
    { ids: [2, 3], at: 1 },
  ]);
  const [padded] = await rows.paddedBatch(2).toArray();
  expect(await tensorsOf(padded)).toEqual({
    values: { ids: ['float32', [2, 2], [1, 0, 2, 3]], at: ['float32', [2], [0, 1]] },
    lengths: { ids: ['int32', [2], [1, 2]] },
  });
  const [raw] = await Dataset.from([Uint8Array.of(65), Uint8Array.of(66)])
    .batch(2)
    .toArray();
  expect(await tensorsOf(raw)).toEqual(['string', [2], ['A', 'B']]);
  const [batch] = await rows.batch(2).toArray();
  expect(refused(batch)).toMatchObject({
    code: 'TFR_FEATURE',
    feature: 'ids',
    record: 1,
    expected: expect.any(String),
  });
});

test('types by name', async () => {
  const batch = parseExample(records, { id: fixedLen([], 'int64'), x: fixedLen([2], 'float32') });
  expect(await tensorsOf(batch, { dtypes: { id: 'float32', x: 'int32' } })).toEqual({
    id: ['float32', [2], [7, -8]],
    x: ['int32', [2, 2], [1, 2, 3, 4]],
  });
  const image = BytesArray.from([Uint8Array.of(0, 255), Uint8Array.of(7, 8)]);
  expect(await tensorsOf({ image }, { dtypes: { image: 'float32' } })).toEqual({
    image: ['float32', [2, 2], [0, 255, 7, 8]],
  });
  expect(await tensorsOf({ image }, { dtypes: { image: 'int32' } })).toEqual({
    image: ['int32', [2, 2], [0, 255, 7, 8]],
  });
  expect(await tensorsOf([{ yes: 1n }, { yes: 0n }], { dtypes: { yes: 'bool' } })).toEqual({
    yes: ['bool', [2], [1, 0]],
  });
  expect(await tensorsOf({ at: Float64Array.of(0.1) }, { dtypes: { at: 'float32' } })).toEqual({
    at: ['float32', [1], [Math.fround(0.1)]],
  });
});

const TOO_LONG = BigInt64Array.of(1n, 2n, 2n ** 31n);
test.each<[string, unknown, TensorOptions | undefined, object]>([
  ['an int64 beyond int32', { id: TOO_LONG }, undefined, { feature: 'id', record: 2, found: '2147483648' }],
  ['one below', { id: BigInt64Array.of(-(2n ** 31n) - 1n) }, undefined, { feature: 'id', record: 0 }],
  [
    'one of a row of two',
    { id: new DenseTensor('int64', [2, 2], BigInt64Array.of(1n, 2n, 3n, 2n ** 40n)) },
    undefined,
    { feature: 'id', record: 1 },
  ],
  [
    'one that float32 would round',
    { id: BigInt64Array.of(2n ** 24n + 1n) },
    { dtypes: { id: 'float32' } },
    { feature: 'id', record: 0, found: '16777217' },
  ],
  [
    'one that a number would round',
    { id: BigInt64Array.of(2n ** 62n + 1n) },
    { dtypes: { id: 'float32' } },
    { feature: 'id', found: String(2n ** 62n + 1n) },
  ],
  ['a uint32 beyond int32', [Uint32Array.of(2 ** 31)], undefined, { record: 0, found: '2147483648' }],
  ['a fraction among int64 as numbers', { at: Float64Array.of(1, 0.5) }, undefined, { feature: 'at', record: 1 }],
  ['NaN as int32', [{ a: NaN }], { dtypes: { a: 'int32' } }, { feature: 'a', record: 0, found: 'NaN' }],
  ['a number beyond float32', [{ a: 1e39 }], undefined, { feature: 'a', record: 0, found: '1e+39' }],
  ['2 as bool', [{ a: true }, { a: 2n }], undefined, { feature: 'a', record: 1 }],
  ['2n as bool', [{ a: 2n }], { dtypes: { a: 'bool' } }, { feature: 'a', record: 0, found: '2' }],
  ['a bigint beyond int64', [{ a: 2n ** 64n }], undefined, { feature: 'a', record: 0 }],
  ['text that is no Unicode', [{ a: '\ud800' }], undefined, { feature: 'a', record: 0 }],
  ['numbers as string', { a: Float32Array.of(1) }, { dtypes: { a: 'string' } }, { feature: 'a' }],
  ['bytes as bool', { a: BytesArray.from(['a']) }, { dtypes: { a: 'bool' } }, { feature: 'a' }],
  [
    'pixels of different counts',
    { a: BytesArray.from(['ab', 'c']) },
    { dtypes: { a: 'int32' } },
    { feature: 'a', record: 1, expected: '2 bytes, as in the first', found: '1 byte' },
  ],
  [
    'a sparse column',
    parseExample(records, { tags: varLen('bytes') }),
    undefined,
    { feature: 'tags', found: 'a SparseTensor' },
  ],
  [
    'a ragged column',
    { a: new RaggedTensor(new DenseTensor('float32', [1], Float32Array.of(1)), [Int32Array.of(0, 1)]) },
    { defaults: {} },
    { feature: 'a', found: 'a RaggedTensor' },
  ],
  [
    'float16',
    { a: { dtype: 'float16', shape: [1], data: Uint16Array.of(1) } },
    undefined,
    { feature: 'a', found: 'float16' },
  ],
  ['rows of different kinds', [{ a: 1 }, { a: 'b' }], undefined, { feature: 'a', record: 1 }],
  ['a row that lacks a name', [{ a: 1 }, {}], undefined, { feature: 'a', record: 1, found: 'none' }],
  ['an object where a value was', [{ a: 1 }, { a: {} }], undefined, { feature: 'a', record: 1, found: 'an object' }],
  ['undefined', [{ a: undefined }], undefined, { feature: 'a', record: 0, found: 'undefined' }],
  ['rows within rows', [{ a: [[1], [1, 2]] }], undefined, { feature: 'a', record: 0 }],
  ['what is no column', { a: new Date(0) }, undefined, { feature: 'a', found: 'an instance of Date' }],
  [
    'a view that is no array',
    { a: new DataView(new ArrayBuffer(1)) },
    undefined,
    { feature: 'a', found: 'an instance of DataView' },
  ],
  ['a batch of another library', new Map(), undefined, { found: 'an instance of Map' }],
  ['a row, not a batch', { a: 1 }, undefined, { feature: 'a', found: '1' }],
])('%s is TFR_FEATURE', (_name, batch, options, details) => {
  expect(refused(batch, options)).toMatchObject({ code: 'TFR_FEATURE', ...details });
});

test('the message says what to do', () => {
  expect(refused({ id: TOO_LONG })).toMatchObject({
    message:
      'Feature "id" in row 2 of the batch cannot become a tensor: expected an integer from -2147483648 to 2147483647 ' +
      '(tfjs has no int64), found 2147483648. Choose float32 in options.dtypes if it is exact, or map the values first.',
  });
  expect(refused(parseExample(records, { tags: varLen('bytes') }))).toMatchObject({
    message: expect.stringContaining(`{ "tags": '' }`),
  });
});

test('a nullable column needs a value for its gaps, if it has any', () => {
  const { age } = parseExample([encodeExample({ age: 29n }), encodeExample({})], {
    age: fixedLen([], 'int64', { default: null }),
  });
  expect(refused({ age })).toMatchObject({
    code: 'TFR_FEATURE',
    message: expect.stringContaining(
      'found a NullableColumn. Give options.defaults the value for the gaps: { "age": 0 }',
    ),
  });
  const tensors = toTensors({ age }, { defaults: { age: -1 } });
  expect([...tensors.age.dataSync()]).toEqual([29, -1]);
  const whole = toTensors({ age: NullableColumn.from('int64', [1, 2]) });
  expect([...whole.age.dataSync()]).toEqual([1, 2]);
  tf.dispose([tensors.age, whole.age]);
});

test('when one tensor cannot be made, none is left', () => {
  // Values that are gone: the shape is no longer theirs.
  const gone = new DenseTensor('float32', [1], new Float32Array(1));
  structuredClone(gone.data, { transfer: [gone.data.buffer] });
  expect(() => toTensors({ a: Float32Array.of(1), b: BytesArray.from(['x']), gone })).toThrow();
  expect(tf.memory().numTensors).toBe(before);
});

test.each<[string, unknown, unknown, object]>([
  ['no batch', 5, undefined, { code: 'ERR_INVALID_ARG_TYPE' }],
  ['no rows', [], undefined, { code: 'ERR_INVALID_ARG_VALUE' }],
  ['an unknown option', [1], { dtype: 'int32' }, { code: 'ERR_INVALID_ARG_VALUE' }],
  ['a type that tfjs lacks', [{ a: 1 }], { dtypes: { a: 'int64' } }, { code: 'ERR_INVALID_ARG_VALUE' }],
  ['types that are none', [{ a: 1 }], { dtypes: 'int32' }, { code: 'ERR_INVALID_ARG_TYPE' }],
  ['a default that is none', [{ a: 1 }], { defaults: { a: {} } }, { code: 'ERR_INVALID_ARG_TYPE' }],
  ['a column that is not there', [{ a: 1 }], { dtypes: { b: 'int32' } }, { message: expect.stringContaining('("a")') }],
  [
    'a default of the wrong type',
    parseExample(records, { tags: varLen('bytes') }),
    { defaults: 0 },
    { code: 'ERR_INVALID_ARG_VALUE' },
  ],
])('%s is a TypeError', (_name, batch, options, details) => {
  const error = refused(batch, options as TensorOptions);
  expect(error).toBeInstanceOf(TypeError);
  expect(error).toMatchObject(details);
});

test('features called __proto__ and constructor', () => {
  const batch = Object.fromEntries([
    ['__proto__', Float32Array.of(1)],
    ['constructor', Float32Array.of(2)],
  ]);
  const tensors = toTensors(batch);
  expect(Object.keys(tensors)).toEqual(['__proto__', 'constructor']);
  tf.dispose(Object.values(tensors));
});
