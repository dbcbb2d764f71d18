/** Records as plain objects, and decoding with int64 as numbers. */
import { deepStrictEqual } from 'node:assert/strict';

import fc from 'fast-check';

import {
  bytes,
  decodeExample,
  decodeSequenceExample,
  encodeExample,
  encodeSequenceExample,
  exampleEncoder,
  exampleToObject,
  fixedLen,
  float,
  int64,
  parseSingleExample,
  ragged,
  sequenceExampleToObject,
  sparse,
  SparseTensor,
  varLen,
  type DecodedFeatures,
  type FeatureLike,
  type ObjectOptions,
} from '../../../../lib';
import { thrown } from '../../../support/thrown';

const record = encodeExample({
  age: int64(29),
  name: 'Ann',
  score: float([0.1, NaN]),
  picture: Uint8Array.of(0xff, 0xd8),
  none: [],
  empty: int64([]),
});
const plain = {
  age: [29],
  name: ['Ann'],
  score: [0.1, NaN],
  picture: [{ base64: '/9g=' }],
  none: null,
  empty: [],
};
const sequence = encodeSequenceExample({
  context: { id: int64(7) },
  featureLists: { words: [['a', 'b'], [], undefined], steps: [int64(1), float(0.5)], none: [] },
});

test('an Example: its bytes, and decoded', () => {
  deepStrictEqual(exampleToObject(record), plain);
  deepStrictEqual(exampleToObject(decodeExample(record)), plain);
  deepStrictEqual(exampleToObject(decodeExample(record, { int64: 'number' })), plain);
  deepStrictEqual(exampleToObject(new Uint8Array(0)), {});
  expect(JSON.stringify(exampleToObject(record))).toContain('"name":["Ann"],"none":null');
  expect(structuredClone(exampleToObject(record))).toEqual(plain);
});

test('options', () => {
  deepStrictEqual(exampleToObject(record, { int64: 'string', bytes: 'bytes' }), {
    ...plain,
    age: ['29'],
    name: [new Uint8Array(Buffer.from('Ann'))],
    picture: [Uint8Array.of(0xff, 0xd8)],
  });
  deepStrictEqual(exampleToObject(record, { int64: 'bigint', bytes: 'base64' }), {
    ...plain,
    age: [29n],
    name: ['QW5u'],
    picture: ['/9g='],
  });
  expect(thrown(() => exampleToObject(record, { bytes: 'text' }))).toMatchObject({
    code: 'TFR_FEATURE',
    feature: 'picture',
  });
  const unknown = { long: 1 } as ObjectOptions<'number', 'auto'>;
  expect(() => exampleToObject(record, unknown)).toThrow('Unknown option "long"');
  expect(() => sequenceExampleToObject(record, unknown)).toThrow('Unknown option "long"');
});

describe('with kinds', () => {
  const extreme = encodeExample({
    id: int64([2n ** 63n - 1n, -(2n ** 63n), 0n]),
    score: float([NaN, Infinity, -Infinity, -0, 0.1, 3.4028234663852886e38]),
    data: bytes(['', 'NaN', 'text', Uint8Array.of(0xff, 0)]),
    noInts: int64([]),
    noFloats: float([]),
    noBytes: bytes([]),
    unset: [],
    kind: int64([1]),
    values: int64([2]),
    __proto__s: int64([3]),
  });

  test('an Example comes back exactly', () => {
    const plain = exampleToObject(extreme, { kinds: true });
    deepStrictEqual(
      { ...plain },
      {
        id: { int64: ['9223372036854775807', '-9223372036854775808', '0'] },
        score: { float: [NaN, Infinity, -Infinity, -0, 0.1, 3.4028234663852886e38] },
        data: { bytes: ['', 'TmFO', 'dGV4dA==', '/wA='].map((base64) => ({ base64 })) },
        noInts: { int64: [] },
        noFloats: { float: [] },
        noBytes: { bytes: [] },
        unset: null,
        kind: { int64: ['1'] },
        values: { int64: ['2'] },
        __proto__s: { int64: ['3'] },
      },
    );
    expect(Buffer.from(encodeExample(plain))).toEqual(Buffer.from(extreme));
    // The same features, however they were decoded.
    deepStrictEqual(exampleToObject(decodeExample(extreme), { kinds: true }), plain);
    const named = encodeExample({ id: int64([-7]), t: 'é' });
    deepStrictEqual(
      exampleToObject(decodeExample(named, { int64: 'number', bytes: 'text' }), { kinds: true }),
      exampleToObject(named, { kinds: true }),
    );
  });

  test('a SequenceExample comes back exactly, also through JSON', () => {
    const plain = sequenceExampleToObject(sequence, { kinds: true });
    expect(Buffer.from(encodeSequenceExample(plain))).toEqual(Buffer.from(sequence));
    expect(Buffer.from(encodeSequenceExample(JSON.parse(JSON.stringify(plain)) as never))).toEqual(
      Buffer.from(sequence),
    );
  });

  test('random Examples come back exactly', () => {
    const feature = fc.oneof(
      fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { maxLength: 3 }).map((list) => int64(list)),
      fc.array(fc.float(), { maxLength: 3 }).map((list) => float(list)),
      fc
        .array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.uint8Array({ maxLength: 4 })), { maxLength: 3 })
        .map((list) => bytes(list)),
      fc.constant<FeatureLike>([]),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme', maxLength: 3 }), feature, { maxKeys: 4 }), (features) => {
        const made = encodeExample(features);
        expect(Buffer.from(encodeExample(exampleToObject(made, { kinds: true })))).toEqual(Buffer.from(made));
      }),
    );
  });

  test.each<[object, object]>([
    [
      { kinds: true, int64: 'bigint' },
      { code: 'ERR_INVALID_ARG_VALUE', message: expect.stringContaining('kinds') as string },
    ],
    [{ kinds: true, bytes: 'text' }, { code: 'ERR_INVALID_ARG_VALUE' }],
    [{ kinds: 1 }, { code: 'ERR_INVALID_ARG_TYPE' }],
  ])('refuses the options %j', (options, error) => {
    expect(thrown(() => exampleToObject(extreme, options as never))).toMatchObject(error);
  });

  test.each<[unknown, string]>([
    [{ int64: ['1'], float: [1] }, 'ERR_INVALID_ARG_TYPE'],
    [{ int32: ['1'] }, 'ERR_INVALID_ARG_TYPE'],
    [{}, 'ERR_INVALID_ARG_TYPE'],
    [{ int64: null }, 'ERR_INVALID_ARG_TYPE'],
    [{ int64: ['1.5'] }, 'ERR_INVALID_ARG_TYPE'],
    [{ int64: [''] }, 'ERR_INVALID_ARG_TYPE'],
    [{ int64: ['0x10'] }, 'ERR_INVALID_ARG_TYPE'],
    [{ int64: ['9223372036854775808'] }, 'ERR_OUT_OF_RANGE'],
    [{ int64: ['9'.repeat(100_000)] }, 'ERR_INVALID_ARG_TYPE'],
    [{ float: ['1'] }, 'ERR_INVALID_ARG_TYPE'],
    [{ float: [null] }, 'ERR_INVALID_ARG_TYPE'],
    [{ bytes: [{ base64: '*' }] }, 'ERR_INVALID_ARG_VALUE'],
    [{ bytes: [{ base64: 1 }] }, 'ERR_INVALID_ARG_VALUE'],
    [{ bytes: [{ base64: 'YQ==', more: 1 }] }, 'ERR_INVALID_ARG_TYPE'],
  ])('encodeExample refuses %j', (age, code) => {
    expect(thrown(() => encodeExample({ age } as never))).toMatchObject({
      code,
      message: expect.stringContaining('features.age') as string,
    });
  });
});

describe('exampleEncoder takes plain values', () => {
  const spec = {
    id: fixedLen([], 'int64'),
    more: varLen('int64'),
    box: fixedLen([2, 2], 'float32'),
    raw: varLen('bytes'),
    name: fixedLen([], 'text'),
    gone: varLen('float32'),
    at: sparse({ indexKey: ['r', 'c'], valueKey: 'v', dtype: 'int64', size: [4, 5] }),
    words: ragged({ dtype: 'bytes', valueKey: 'w', partitions: [{ by: 'rowLengths', key: 'n' }] }),
  };
  const encode = exampleEncoder(spec);
  const record = encode({
    id: 2n ** 63n - 1n,
    more: [-(2n ** 63n), 7],
    box: [
      [NaN, -0],
      [Infinity, 0.1],
    ],
    raw: [Uint8Array.of(0xff), 'a'],
    name: 'é',
    gone: [],
    at: new SparseTensor('int64', {
      indices: BigInt64Array.of(1n, 2n, 3n, 4n),
      values: BigInt64Array.of(5n, 6n),
      denseShape: [4, 5],
    }),
    words: [['a'], [Uint8Array.of(0xfe)]] as never,
  });

  test('of exampleToObject, whose features are those of the record', () => {
    const { id, more, box, raw, name, gone } = exampleToObject(record, { int64: 'string' });
    const { at, words, ...rest } = spec;
    const plainEncode = exampleEncoder(rest);
    const { id: i, more: m, box: b, raw: r, name: n } = parseSingleExample(record, rest);
    expect(plainEncode({ id, more, box, raw, name, gone } as never)).toEqual(
      plainEncode({ id: i, more: m, box: b, raw: r, name: n, gone: [] }),
    );
    expect([at, words]).toBeDefined();
  });

  test('of rows: toObject, and JSON', () => {
    const row = parseSingleExample(record, spec);
    expect(encode(row.toObject({ int64: 'string' }) as never)).toEqual(record);
    expect(encode(JSON.parse(JSON.stringify(row)) as never)).toEqual(record);
  });

  test('null is missing', () => {
    const small = exampleEncoder({ id: fixedLen([], 'int64', { default: 3 }), x: varLen('bytes') });
    expect(small({ id: null, x: null })).toEqual(encodeExample({}));
  });

  test.each<[object, string]>([
    [{ id: 'x' }, 'ERR_INVALID_ARG_TYPE'],
    [{ id: ['9223372036854775808'] }, 'ERR_OUT_OF_RANGE'],
    [{ id: '1', raw: [{ base64: 'a' }] }, 'ERR_INVALID_ARG_VALUE'],
    [{ id: '1', box: ['nan', 1, 2, 3] }, 'ERR_INVALID_ARG_TYPE'],
    [{ id: '1', at: { indices: [[0, 9]], values: [1], denseShape: [4, 5] } }, 'TFR_FEATURE'],
    [{ id: '1', at: { indices: [[0]], values: [1], denseShape: [4, 5] } }, 'ERR_INVALID_ARG_VALUE'],
    [{ id: '1', at: { indices: [[0, 1.5]], values: [1], denseShape: [4, 5] } }, 'ERR_OUT_OF_RANGE'],
    [{ id: '1', at: { indices: [], values: [], denseShape: [4] } }, 'TFR_FEATURE'],
  ])('refuses %j', (row, code) => {
    const whole = { ...parseSingleExample(record, spec), ...row };
    expect(thrown(() => encode(whole as never))).toMatchObject({ code });
  });
});

test('a SequenceExample: its bytes, and decoded', () => {
  const wanted = {
    context: { id: [7] },
    featureLists: { words: [['a', 'b'], [], null], steps: [[1], [0.5]], none: [] },
  };
  const words = decodeSequenceExample(sequence).featureLists['words']!;
  if (words[1] === undefined) wanted.featureLists.words[1] = null;
  deepStrictEqual(sequenceExampleToObject(sequence), wanted);
  deepStrictEqual(sequenceExampleToObject(decodeSequenceExample(sequence)), wanted);
  deepStrictEqual(sequenceExampleToObject(record), { context: plain, featureLists: {} });
});

test('records of another type, and what is no record', () => {
  expect(thrown(() => exampleToObject(sequence))).toMatchObject({ code: 'TFR_EXAMPLE' });
  expect(() => exampleToObject('x' as never)).toThrow('"record" must be a Uint8Array or a decoded Example');
  expect(() => exampleToObject({ a: 1 } as never)).toThrow('"record["a"]" must be a decoded feature');
  expect(() => exampleToObject({ a: { kind: 'int64', values: [1] } } as never)).toThrow(/BigInt64Array/);
  expect(() => sequenceExampleToObject({} as never)).toThrow('a Uint8Array or a decoded SequenceExample');
  expect(() => sequenceExampleToObject({ context: {}, featureLists: { a: 1 } } as never)).toThrow(
    'an array of features',
  );
});

const unsafe = encodeExample({ a: int64(1), big: [2n ** 53n - 1n, -(2n ** 53n)] });

test('an int64 that a number would round is refused, naming its feature', () => {
  expect(thrown(() => exampleToObject(unsafe))).toMatchObject({
    code: 'TFR_FEATURE',
    feature: 'big',
    found: '-9007199254740992',
  });
  const lists = encodeSequenceExample({ context: {}, featureLists: { big: [int64(1), [2n ** 60n]] } });
  expect(thrown(() => sequenceExampleToObject(lists))).toMatchObject({ code: 'TFR_FEATURE', feature: 'big' });
  for (const decode of [() => decodeExample(unsafe, { int64: 'number' })]) {
    expect(thrown(decode)).toMatchObject({
      code: 'TFR_FEATURE',
      feature: 'big',
      expected: 'integers within ±(2^53 - 1), which int64: "number" asks for',
      found: '-9007199254740992',
      message:
        'Feature "big": expected integers within ±(2^53 - 1), which int64: "number" asks for, found -9007199254740992. ' +
        'int64: "bigint" reads all.',
    });
  }
  expect(thrown(() => decodeSequenceExample(lists, { int64: 'number' }))).toMatchObject({
    code: 'TFR_FEATURE',
    feature: 'big',
    found: String(2n ** 60n),
  });
});

test('decoding with int64 as numbers', () => {
  const edges = [2 ** 53 - 1, -(2 ** 53) + 1, 0, -1];
  const many = Array.from({ length: 50 }, (_, i) => i - 25);
  const { few, more, f } = decodeExample(encodeExample({ few: int64(edges), more: int64(many), f: float(0.5) }), {
    int64: 'number',
  });
  deepStrictEqual(few, { kind: 'int64', values: Float64Array.from(edges) });
  deepStrictEqual(more, { kind: 'int64', values: Float64Array.from(many) });
  deepStrictEqual(f, { kind: 'float', values: Float32Array.of(0.5) });
  const { context } = decodeSequenceExample(sequence, { int64: 'number' });
  deepStrictEqual(context['id'], { kind: 'int64', values: Float64Array.of(7) });
  deepStrictEqual(decodeExample(record, { int64: 'bigint' }), decodeExample(record));
  expect(() => decodeExample(record, { int64: 'string' as 'number' })).toThrow('"options.int64" must be one of');
  expect(() => decodeSequenceExample(record, { ints: 1 } as never)).toThrow('Unknown option "ints"');
});

test('features may have any name', () => {
  const names = ['__proto__', 'constructor', 'toObject', 'toString', '0'];
  const made = exampleToObject(encodeExample(Object.fromEntries(names.map((name, i) => [name, int64(i)]))));
  expect(Object.keys(made).sort()).toEqual([...names].sort());
  names.forEach((name, i) => {
    expect(Object.getOwnPropertyDescriptor(made, name)?.value).toEqual([i]);
  });
  const decoded: DecodedFeatures = decodeExample(record);
  expect(Object.getPrototypeOf(decoded)).toBeNull();
});
