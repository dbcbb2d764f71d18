import fc from 'fast-check';

import {
  bytes,
  decodeExample,
  decodeSequenceExample,
  encodeExample,
  encodeSequenceExample,
  float,
  fixedLen,
  int64,
  parseSingleExample,
  parseSingleSequenceExample,
  varLen,
  type EncodeOptions,
  type FeatureLike,
  type NumbersAs,
  type PlainFeatureLike,
} from '../../../../lib/example';
import { tensorflow } from '../../../../lib/example/message/messages.generated';
import { BytesArray } from '../../../../lib/tensor';
import { thrown } from '../../../support/thrown';
import { unlessForeign } from './plain-features';
import { anyExample, field, float32, text, varint, type Wire } from './wire';

/** Encodes what the types forbid. */
const encode = (value: unknown, name = 'age'): Uint8Array => encodeExample({ [name]: value as FeatureLike });

function wireOf(...features: readonly (readonly [string, Wire])[]): Uint8Array {
  const entries = features.map(([name, feature]) => field(1, field(1, text(name)), field(2, feature)));
  return Uint8Array.from(field(1, ...entries));
}

const ints = (...values: readonly (bigint | number)[]): Wire =>
  field(3, field(1, ...values.map((value) => varint(value))));
const floats = (...values: readonly number[]): Wire => field(2, field(1, ...values.map(float32)));
const strings = (...values: readonly string[]): Wire => field(1, ...values.map((value) => field(1, text(value))));

/** One value of one byte, its offsets overwritten since. */
function spoilt(...offsets: readonly number[]): BytesArray {
  const array = new BytesArray(Uint8Array.of(1), Int32Array.of(0, 1));
  array.offsets.set(offsets);
  return array;
}

const OUT_OF_RANGE = { name: 'RangeError', code: 'ERR_OUT_OF_RANGE' };
const WRONG_TYPE = { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' };
const WRONG_VALUE = { name: 'TypeError', code: 'ERR_INVALID_ARG_VALUE' };

describe('int64', () => {
  it.each<[string, Parameters<typeof int64>[0], readonly bigint[]]>([
    ['a number', 5, [5n]],
    ['minus zero', -0, [0n]],
    ['a bigint', -(2n ** 63n), [-(2n ** 63n)]],
    ['a boolean', true, [1n]],
    [
      'a list',
      [1, 2n, false, -1, 2 ** 53 - 1, 1 - 2 ** 53, -(2 ** 32)],
      [1n, 2n, 0n, -1n, 2n ** 53n - 1n, 1n - 2n ** 53n, -(2n ** 32n)],
    ],
    ['an empty list', [], []],
    ['a BigInt64Array', BigInt64Array.of(2n ** 63n - 1n), [2n ** 63n - 1n]],
    ['a BigUint64Array', BigUint64Array.of(2n ** 63n - 1n), [2n ** 63n - 1n]],
    ['an Int8Array', Int8Array.of(-128, 127), [-128n, 127n]],
    ['an Int16Array', Int16Array.of(-32768), [-32768n]],
    ['an Int32Array', Int32Array.of(-(2 ** 31)), [-(2n ** 31n)]],
    ['a Uint8Array', Uint8Array.of(255), [255n]],
    ['a Uint16Array', Uint16Array.of(65535), [65535n]],
    ['a Uint32Array', Uint32Array.of(2 ** 32 - 1), [2n ** 32n - 1n]],
  ])('takes %s', (_name, values, expected) => {
    expect(int64(values)).toEqual({ kind: 'int64', values: BigInt64Array.from(expected) });
    expect(encode(int64(values))).toEqual(wireOf(['age', expected.length === 0 ? field(3) : ints(...expected)]));
  });

  it.each<[string, unknown, object, string]>([
    ['a fraction', 1.5, OUT_OF_RANGE, 'features.age'],
    ['NaN', NaN, OUT_OF_RANGE, 'features.age'],
    ['infinity', Infinity, OUT_OF_RANGE, 'features.age'],
    ['a number that may have lost digits', 2 ** 53, OUT_OF_RANGE, 'features.age'],
    ['2^63', 2n ** 63n, OUT_OF_RANGE, 'features.age'],
    ['less than -2^63', -(2n ** 63n) - 1n, OUT_OF_RANGE, 'features.age'],
    ['a fraction in a list', [1, 1.5], OUT_OF_RANGE, 'features.age[1]'],
    ['a bigint in a list', [1, 2, 2n ** 64n], OUT_OF_RANGE, 'features.age[2]'],
    ['uint64 beyond int64', BigUint64Array.of(1n, 2n ** 63n), OUT_OF_RANGE, 'features.age[1]'],
    ['text', '5', WRONG_TYPE, 'features.age'],
    ['text in a list', ['5'], WRONG_TYPE, 'features.age[0]'],
    ['a hole', Array(1), WRONG_TYPE, 'features.age[0]'],
    ['null', null, WRONG_TYPE, 'features.age'],
    ['undefined', undefined, WRONG_TYPE, 'features.age'],
    ['floats', Float32Array.of(1), WRONG_TYPE, 'features.age'],
    ['a DataView', new DataView(new ArrayBuffer(8)), WRONG_TYPE, 'features.age'],
  ])('refuses %s, naming the feature', (_name, values, expected, name) => {
    const feature = int64(values as never);
    const error = thrown(() => encode(feature));
    expect(error).toMatchObject(expected);
    expect((error as Error).message).toContain(`"${name}" must be`);
    expect((error as Error).cause).toMatchObject(expected);
    expect(thrown(() => feature.values)).toMatchObject(expected);
  });

  it('copies', () => {
    const values = BigInt64Array.of(1n);
    const feature = int64(values);
    values[0] = 2n;
    expect(feature.values).toEqual(BigInt64Array.of(1n));
  });
});

describe('float', () => {
  it.each<[string, Parameters<typeof float>[0], readonly number[]]>([
    ['a number', 0.5, [0.5]],
    ['a list', [1, -0, NaN, Infinity, -Infinity, 0.1], [1, -0, NaN, Infinity, -Infinity, 0.1]],
    ['an empty list', [], []],
    ['a Float32Array', Float32Array.of(1e-45), [1e-45]],
    ['a Float64Array', Float64Array.of(0.1, 1e-60, 3.4028235e38), [0.1, 0, 3.4028235e38]],
  ])('takes %s', (_name, values, expected) => {
    expect(float(values)).toEqual({ kind: 'float', values: Float32Array.from(expected) });
    expect(encode(float(values))).toEqual(wireOf(['age', expected.length === 0 ? field(2) : floats(...expected)]));
  });

  it.each<[string, unknown, object, string]>([
    ['what float32 makes infinite', 1e39, OUT_OF_RANGE, 'features.age'],
    ['the same in a list', [0, -3.5e38], OUT_OF_RANGE, 'features.age[1]'],
    ['the same in a Float64Array', Float64Array.of(0, 1e300), OUT_OF_RANGE, 'features.age[1]'],
    ['a bigint', 1n, WRONG_TYPE, 'features.age'],
    ['a boolean in a list', [true], WRONG_TYPE, 'features.age[0]'],
    ['text', '1', WRONG_TYPE, 'features.age'],
    ['null', null, WRONG_TYPE, 'features.age'],
    ['integers', Int32Array.of(1), WRONG_TYPE, 'features.age'],
  ])('refuses %s, naming the feature', (_name, values, expected, name) => {
    const error = thrown(() => encode(float(values as never)));
    expect(error).toMatchObject(expected);
    expect((error as Error).message).toContain(`"${name}" must be`);
  });
});

describe('bytes', () => {
  const large = 'ä'.repeat(100);
  it.each<[string, Parameters<typeof bytes>[0], readonly string[]]>([
    ['text', 'Grüße 🙂', ['Grüße 🙂']],
    ['long text', large, [large]],
    ['no text', '', ['']],
    ['bytes', Uint8Array.of(0x41, 0), ['A\0']],
    ['a Buffer', Buffer.from('B'), ['B']],
    ['a list', ['a', Buffer.from('bc'), '', large], ['a', 'bc', '', large]],
    ['an empty list', [], []],
    ['a BytesArray', new BytesArray(Uint8Array.from(text('xabcx')), Int32Array.of(1, 2, 4)), ['a', 'bc']],
  ])('takes %s', (_name, values, expected) => {
    expect([...bytes(values).values].map(String)).toEqual(expected.map((value) => text(value).join()));
    expect(encode(bytes(values))).toEqual(wireOf(['age', strings(...expected)]));
  });

  it.each<[string, unknown, object, string]>([
    ['half a surrogate pair', '\ud83d', WRONG_VALUE, 'features.age'],
    ['the same in a list', ['a', 'x\ude42'], WRONG_VALUE, 'features.age[1]'],
    ['a number', 1, WRONG_TYPE, 'features.age'],
    ['a number in a list', ['a', 1], WRONG_TYPE, 'features.age[1]'],
    ['null', null, WRONG_TYPE, 'features.age'],
    ['an ArrayBuffer', new ArrayBuffer(1), WRONG_TYPE, 'features.age'],
    ['a Uint8ClampedArray', new Uint8ClampedArray(1), WRONG_TYPE, 'features.age'],
  ])('refuses %s, naming the feature', (_name, values, expected, name) => {
    const error = thrown(() => encode(bytes(values as never)));
    expect(error).toMatchObject(expected);
    expect((error as Error).message).toContain(`"${name}" must be`);
  });

  it('copies', () => {
    const value = Buffer.from('a');
    const feature = bytes(value);
    value.fill(0);
    expect(feature.values.text(0)).toBe('a');
  });
});

describe('encodeExample', () => {
  it('puts names in the byte order of their UTF-8', () => {
    const record = encodeExample({ '🙂': 1n, '': 2n, b: 3n, '\uffee': 4n, a: 5n, 10: 6n, 9: 7n });
    expect(record).toEqual(
      wireOf(
        ['', ints(2)],
        ['10', ints(6)],
        ['9', ints(7)],
        ['a', ints(5)],
        ['b', ints(3)],
        ['\uffee', ints(4)],
        ['🙂', ints(1)],
      ),
    );
  });

  it('is an Example of no features, too', () => {
    expect(encodeExample({})).toEqual(Uint8Array.of(0x0a, 0));
    expect(encodeExample(Object.create(null) as Record<string, never>)).toEqual(Uint8Array.of(0x0a, 0));
  });

  it('is not made of a Map, which has no members', () => {
    const map = new Map([['age', int64(1)]]) as never;
    expect(() => encodeExample(map)).toThrow(expect.objectContaining(WRONG_TYPE) as Error);
    expect(() => encodeSequenceExample({ featureLists: map })).toThrow(expect.objectContaining(WRONG_TYPE) as Error);
  });

  it('keeps a feature that is called __proto__', () => {
    const features = Object.create(null) as Record<string, FeatureLike>;
    features['__proto__'] = 1n;
    expect(encodeExample(features)).toEqual(wireOf(['__proto__', ints(1)]));
  });

  it('writes any size of varint', () => {
    for (let bit = 0n; bit < 64n; bit++) {
      const around = [1n << bit, (1n << bit) - 1n, -(1n << bit)].filter((value) => BigInt.asIntN(64, value) === value);
      expect(encode(int64(around))).toEqual(wireOf(['age', ints(...around)]));
    }
  });

  it.each<[string, FeatureLike, Wire]>([
    ['a bigint', 5n, ints(5)],
    ['a boolean', true, ints(1)],
    ['bigints', [1n, -1n], ints(1n, -1n)],
    ['booleans', [true, false], ints(1, 0)],
    ['a BigInt64Array', BigInt64Array.of(1n), ints(1)],
    ['a BigUint64Array', BigUint64Array.of(1n), ints(1)],
    ['an Int8Array', Int8Array.of(1), ints(1)],
    ['an Int16Array', Int16Array.of(1), ints(1)],
    ['an Int32Array', Int32Array.of(1), ints(1)],
    ['an empty Int32Array', new Int32Array(0), field(3)],
    ['a Uint16Array', Uint16Array.of(1), ints(1)],
    ['a Uint32Array', Uint32Array.of(1), ints(1)],
    ['a Float32Array', Float32Array.of(0.5), floats(0.5)],
    ['a Float64Array', Float64Array.of(0.5), floats(0.5)],
    ['text', 'a', strings('a')],
    ['bytes', Buffer.from('a'), strings('a')],
    ['a list of text', ['a', 'b'], strings('a', 'b')],
    ['a list of bytes', [Buffer.from('a')], strings('a')],
    ['a BytesArray', new BytesArray(Uint8Array.of(0x61), Int32Array.of(0, 1)), strings('a')],
    ['a feature', { kind: 'float', values: Float32Array.of(2) }, floats(2)],
    ['an empty array, which is none', [], []],
  ])('infers the kind of %s', (_name, value, wire) => expect(encode(value)).toEqual(wireOf(['age', wire])));

  it('null is a feature without a kind', () => {
    expect(encodeExample({ age: null })).toEqual(encodeExample({ age: [] }));
    expect(encodeSequenceExample({ featureLists: { words: [null, 'a'] } })).toEqual(
      encodeSequenceExample({ featureLists: { words: [[], 'a'] } }),
    );
  });

  it('an empty array is a feature without a kind: empty, or missing', () => {
    const record = encodeExample({ tags: [], id: 1n, age: [] });
    expect({ ...decodeExample(record) }).toEqual({ tags: undefined, age: undefined, id: int64(1) });
    const { tags, age } = parseSingleExample(record, {
      tags: varLen('bytes'),
      age: fixedLen([], 'int64', { default: 7 }),
    });
    expect([tags.length, age]).toEqual([0, 7n]);
    expect(() => parseSingleExample(record, { age: fixedLen([], 'int64') })).toThrow(
      expect.objectContaining({ code: 'TFR_FEATURE' }),
    );
    const steps = encodeSequenceExample({ context: { none: [] }, featureLists: { words: [['a'], [], ['b', 'c']] } });
    expect(decodeSequenceExample(steps).featureLists['words']).toEqual([bytes('a'), undefined, bytes(['b', 'c'])]);
    const { sequence } = parseSingleSequenceExample(steps, { sequence: { words: varLen('bytes') } });
    expect(sequence.words.toJSON()).toMatchObject({
      indices: [
        [0, 0],
        [2, 0],
        [2, 1],
      ],
      denseShape: [3, 2],
    });
  });

  it('leaves out members that are undefined', () => {
    expect(encodeExample({ a: undefined, id: 1n, z: undefined })).toEqual(encodeExample({ id: 1n }));
    expect(encodeExample(decodeExample(encodeExample({ tags: [], id: 1n })))).toEqual(encodeExample({ id: 1n }));
    const parts = { context: { id: 1n, none: undefined }, featureLists: { words: undefined } };
    expect(encodeSequenceExample(parts)).toEqual(encodeSequenceExample({ context: { id: 1n }, featureLists: {} }));
    expect(() => encode(undefined, '\ud800')).toThrow(expect.objectContaining(WRONG_VALUE));
  });

  it('keeps the place of a step without a kind when what was decoded is encoded', () => {
    const steps = encodeSequenceExample({ featureLists: { words: [['a'], [], ['b', 'c']] }, context: {} });
    expect(encodeSequenceExample(decodeSequenceExample(steps))).toEqual(steps);
  });

  it.each<[string, unknown, object, string]>([
    ['a whole number', 1, WRONG_TYPE, '"features.age" must be int64(…) or float(…), because whole numbers may be'],
    ['whole numbers', [1, 2], WRONG_TYPE, '"features.age" must be int64(…) or float(…), because whole numbers may be'],
    ['a fraction', 0.5, WRONG_TYPE, '"features.age" must be float(…), because int64 has no fractions'],
    ['a list with a fraction', [1, 0.1], WRONG_TYPE, '"features.age" must be float(…), because int64 has no fractions'],
    ['NaN', NaN, WRONG_TYPE, '"features.age" must be float(…), because int64 has no fractions'],
    ['a function', () => 1, WRONG_TYPE, '"features.age" must be'],
    ['an object', {}, WRONG_TYPE, '"features.age" must be'],
    ['an unknown kind', { kind: 'double', values: [1] }, WRONG_VALUE, '"features.age.kind" must be'],
    ['values of another kind', { kind: 'int64', values: Float32Array.of(1) }, WRONG_TYPE, '"features.age" must be'],
    ['a list of mixed kinds', [1n, 'a'], WRONG_TYPE, '"features.age[1]" must be'],
    ['a list of text and numbers', ['a', 1], WRONG_TYPE, '"features.age[1]" must be'],
    ['a bigint beyond 64 bits', 2n ** 63n, OUT_OF_RANGE, '"features.age" must be'],
    ['a Uint8ClampedArray', new Uint8ClampedArray(1), WRONG_TYPE, '"features.age" must be int64(…) or bytes(…)'],
    ['a DataView', new DataView(new ArrayBuffer(8)), WRONG_TYPE, '"features.age" must be'],
    ['offsets that were made to leave the data', spoilt(0, 2), OUT_OF_RANGE, '"features.age.offsets[1]"'],
    ['offsets that were made to go back', spoilt(1, 0), OUT_OF_RANGE, '"features.age.offsets[1]"'],
  ])('refuses %s', (_name, value, expected, message) => {
    const error = thrown(() => encode(value));
    expect(error).toMatchObject(expected);
    expect((error as Error).message).toContain(message);
  });

  it.each([[null], [undefined], ['a'], [[1n]], [new Uint8Array(1)]])('takes no %p for features', (features) => {
    expect(thrown(() => encodeExample(features as never))).toMatchObject(WRONG_TYPE);
  });

  it('refuses a name with half a surrogate pair', () => {
    expect(thrown(() => encode(1n, 'a\ud800'))).toMatchObject(WRONG_VALUE);
  });

  it('gives back what decodeExample gave', () => {
    fc.assert(
      fc.property(anyExample, (record) => {
        const decoded = Object.entries(unlessForeign(() => decodeExample(record)) ?? {});
        const features = Object.fromEntries(decoded.filter(([, feature]) => feature !== undefined));
        const again = encodeExample(features);
        expect(Object.entries(decodeExample(again)).sort()).toStrictEqual(Object.entries(features).sort());
        const names = Object.keys(tensorflow.Example.decode(again).features?.feature ?? {});
        expect(names.length).toBe(Object.keys(features).length);
      }),
      { numRuns: 250 },
    );
  });
});

describe('the option numbers', () => {
  it.each<[string, NumbersAs, PlainFeatureLike, FeatureLike]>([
    ['a whole number', 'infer', 640, int64(640)],
    ['a fraction', 'infer', 0.1, float(0.1)],
    ['whole numbers', 'infer', [1, 2 ** 40], int64([1, 2 ** 40])],
    ['a list with one fraction', 'infer', [1, 2.5], float([1, 2.5])],
    ['NaN', 'infer', [1, NaN], float([1, NaN])],
    ['an infinity', 'infer', -Infinity, float(-Infinity)],
    ['minus zero', 'infer', -0, int64(0)],
    ['numbers behind bigints', 'infer', [2n ** 60n, 1, true], int64([2n ** 60n, 1, true])],
    ['whole numbers as float', 'float', [1, 2], float([1, 2])],
    ['a number as int64', 'int64', 7, int64(7)],
    ['text, which is no number', 'float', 'a', 'a'],
    ['an empty list', 'int64', [], []],
    ['a typed array, whose kind is sure', 'float', Int32Array.of(1), int64(1)],
    ['what float() gave', 'int64', float(1), float(1)],
  ])('%s, as %s', (_, numbers, value, same) => {
    expect(encodeExample({ a: value }, { numbers })).toEqual(encodeExample({ a: same }));
    const parts = { context: { a: value }, featureLists: { a: [value, undefined] } };
    expect(encodeSequenceExample(parts, { numbers })).toEqual(
      encodeSequenceExample({ context: { a: same }, featureLists: { a: [same, []] } }),
    );
  });

  it.each<[string, NumbersAs, unknown, object, string]>([
    ['a fraction', 'int64', 1.5, OUT_OF_RANGE, '"features.age" must be an integer from -2^63'],
    [
      'a whole number that may have lost digits',
      'infer',
      2 ** 53,
      OUT_OF_RANGE,
      '"features.age" must be an integer from -(2^53 - 1)',
    ],
    ['a number beyond float32', 'float', [1e39], OUT_OF_RANGE, '"features.age[0]" must be a number that float32'],
    ['a bigint beside a fraction', 'infer', [1n, 0.5], WRONG_TYPE, '"features.age[0]" must be a number'],
    ['text beside a number', 'infer', [1, 'a'], WRONG_TYPE, '"features.age[1]" must be'],
    ['null beside a number', 'infer', [null, 1], WRONG_TYPE, '"features.age[0]" must be'],
  ])('refuses %s, as %s', (_, numbers, value, error, message) => {
    const refused = thrown(() => encodeExample({ age: value as number }, { numbers }));
    expect(refused).toMatchObject(error);
    expect((refused as Error).message).toContain(message);
  });

  it('asks a list that computes its values once', () => {
    let asked = 0;
    const list = Object.defineProperty([0], 0, { get: () => (asked++ === 0 ? 1 : 0.5) });
    expect(encodeExample({ a: list }, { numbers: 'infer' })).toEqual(encodeExample({ a: int64(1) }));
  });

  it.each([1, { number: 'int64' }, { numbers: 'double' }, null])('refuses the options %j', (options) => {
    expect(() => encodeExample({ a: 1n }, options as EncodeOptions)).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^ERR_INVALID_ARG/) as string }),
    );
  });
});

describe('encodeSequenceExample', () => {
  it('writes what it is given', () => {
    const record = encodeSequenceExample({
      context: { id: 7n },
      featureLists: { b: [], a: ['x', int64([]), float(1)] },
    });
    const steps = [strings('x'), field(3), floats(1)].map((step) => field(1, step));
    expect(record).toEqual(
      Uint8Array.from([
        ...field(1, field(1, field(1, text('id')), field(2, ints(7)))),
        ...field(2, field(1, field(1, text('a')), field(2, ...steps)), field(1, field(1, text('b')), field(2))),
      ]),
    );
    const { context, featureLists } = decodeSequenceExample(record);
    expect(context['id']).toEqual(int64(7));
    expect(featureLists['a']).toEqual([bytes('x'), int64([]), float(1)]);
    expect(featureLists['b']).toEqual([]);
  });

  it('leaves out the parts that are left out', () => {
    expect(encodeSequenceExample({})).toEqual(new Uint8Array(0));
    expect(encodeSequenceExample({ context: {} })).toEqual(Uint8Array.of(0x0a, 0));
    expect(encodeSequenceExample({ featureLists: {} })).toEqual(Uint8Array.of(0x12, 0));
  });

  it.each<[string, unknown, object, string]>([
    ['no object', null, WRONG_TYPE, '"parts"'],
    ['a list', [], WRONG_TYPE, '"parts"'],
    ['an unknown part', { feature_lists: {} }, WRONG_VALUE, 'feature_lists'],
    ['a context that is none', { context: 5 }, WRONG_TYPE, '"context"'],
    ['a value that does not fit', { context: { age: int64(1.5) } }, OUT_OF_RANGE, '"context.age"'],
    ['a list that is none', { featureLists: { words: 'a' } }, WRONG_TYPE, '"featureLists.words"'],
    [
      'a step that does not fit',
      { featureLists: { words: ['a', int64([1, NaN])] } },
      OUT_OF_RANGE,
      '"featureLists.words[1][1]"',
    ],
  ])('refuses %s', (_name, parts, expected, message) => {
    const error = thrown(() => encodeSequenceExample(parts as never));
    expect(error).toMatchObject(expected);
    expect((error as Error).message).toContain(message);
  });
});
