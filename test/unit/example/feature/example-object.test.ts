/** Records as plain objects, and decoding with int64 as numbers. */
import { deepStrictEqual } from 'node:assert/strict';

import {
  decodeExample,
  decodeSequenceExample,
  encodeExample,
  encodeSequenceExample,
  exampleToObject,
  float,
  int64,
  sequenceExampleToObject,
  type DecodedFeatures,
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
  for (const convert of [exampleToObject, sequenceExampleToObject]) {
    expect(() => convert(record as never, { long: 1 } as ObjectOptions<'number', 'auto'>)).toThrow(
      'Unknown option "long"',
    );
  }
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
