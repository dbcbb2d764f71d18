/** Arrays that report wrong facts about themselves: encoders use the engine's own values, or refuse the array. */
import {
  bytes,
  BytesArray,
  encodeExample,
  encodeExamples,
  encodeSequenceExample,
  exampleEncoder,
  fixedLen,
  float,
  int64,
  ragged,
  RaggedTensor,
  DenseTensor,
  sparse,
  SparseTensor,
  varLen,
  type Feature,
  type FeatureLike,
} from '../../../../lib';
import { measureFeature, writeFeature } from '../../../../lib/example/feature/feature-wire';
import { WireWriter } from '../../../../lib/example/feature/wire-writer';
import { setBytes } from '../../../../lib/io';
import { thrown } from '../../../support/thrown';

type Numbers =
  | BigInt64Array<ArrayBuffer>
  | BigUint64Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>;

const nothing = Symbol('what lies');
/** What a lying array may say, and do, instead. */
const LIES: Readonly<Record<string, unknown>> = {
  length: 1,
  byteLength: 0,
  byteOffset: 8,
  buffer: new ArrayBuffer(512),
  slice: () => nothing,
  subarray: () => nothing,
  set: () => undefined,
  findIndex: () => -1,
  constructor: { [Symbol.species]: Int8Array },
  [Symbol.iterator]: function* () {
    /* nothing */
  },
};

const honest = [...Object.keys(LIES), Symbol.iterator];

/** `array` as it is, but for its members, which say something else. */
function lying<T extends Numbers>(array: T, names: readonly PropertyKey[] = honest): T {
  for (const name of names) {
    Object.defineProperty(array, name, { value: LIES[name as string], configurable: true });
  }
  return array;
}

/** The same where the class says it, with `length` too long. */
class Longer extends BigInt64Array<ArrayBuffer> {
  override get length(): number {
    return 40;
  }
  override get byteLength(): number {
    return 320;
  }
}

const SIZES = [2, 20] as const;
const values = (size: number): number[] => Array.from({ length: size }, (_, i) => i + 1);
const big = (size: number): bigint[] => values(size).map(BigInt);
const numbers: readonly (readonly [string, (size: number) => Numbers])[] = [
  ['BigInt64Array', (size) => BigInt64Array.from(big(size))],
  ['BigUint64Array', (size) => BigUint64Array.from(big(size))],
  ['Int32Array', (size) => Int32Array.from(values(size))],
  ['Float32Array', (size) => Float32Array.from(values(size))],
  ['Float64Array', (size) => Float64Array.from(values(size))],
  ['Uint8Array', (size) => Uint8Array.from(values(size))],
];
const cases = numbers.flatMap(([name, make]) => SIZES.map((size) => [name, size, make] as const));
const encoded = (x: FeatureLike): Uint8Array => encodeExample({ x });

describe.each(cases)('a lying %s of %d', (name, size, make) => {
  test('as a feature', () => {
    expect(encoded(lying(make(size)))).toEqual(encoded(make(size)));
    for (const lie of honest) expect(encoded(lying(make(size), [lie]))).toEqual(encoded(make(size)));
  });

  test('in int64(), float() or bytes()', () => {
    const wrap = (array: Numbers): FeatureLike => {
      if (name.startsWith('Float')) return float(array as Float32Array);
      return int64(array as BigInt64Array);
    };
    expect(encoded(wrap(lying(make(size))))).toEqual(encoded(wrap(make(size))));
    if (name !== 'Uint8Array') return;
    const list = [make(size), make(1)] as Uint8Array[];
    expect(encoded(bytes([lying(make(size)) as Uint8Array, lying(make(1)) as Uint8Array]))).toEqual(encoded(list));
  });

  test('as the values of a feature that a caller has made', () => {
    const kind = name === 'Uint8Array' ? 'bytes' : name.startsWith('Float') ? 'float' : 'int64';
    const feature = (array: Numbers): FeatureLike => ({ kind, values: array }) as FeatureLike;
    expect(encoded(feature(lying(make(size))))).toEqual(encoded(feature(make(size))));
  });
});

test('more values than there are', () => {
  for (const size of SIZES) {
    const longer = new Longer(new BigInt64Array(big(size)).buffer);
    const wanted = encoded(int64(big(size)));
    expect(encoded(longer)).toEqual(wanted);
    expect(encoded(int64(longer))).toEqual(wanted);
    expect(encoded({ kind: 'int64', values: longer })).toEqual(wanted);
    expect(exampleEncoder({ x: varLen('int64') })({ x: longer })).toEqual(wanted);
  }
});

test('the parts of a BytesArray', () => {
  const data = (): Uint8Array<ArrayBuffer> => Uint8Array.from(values(100));
  const offsets = (): Int32Array<ArrayBuffer> => Int32Array.of(0, 2, 99);
  const wanted = encoded(new BytesArray(data(), offsets()));
  const made = new BytesArray(lying(data()), lying(offsets()));
  expect(made.length).toBe(2);
  expect(encoded(made)).toEqual(wanted);
  expect(encoded(bytes(made))).toEqual(wanted);
  expect(encoded({ kind: 'bytes', values: made })).toEqual(wanted);
  expect([...encodeExamples({ x: made }, { x: fixedLen([], 'bytes') })]).toEqual([
    encoded(data().subarray(0, 2)),
    encoded(data().subarray(2, 99)),
  ]);
});

const WRONG_TYPE = { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' };

test.each<readonly [string, () => unknown]>([
  ['a Proxy', () => new Proxy(new BigInt64Array(2), {})],
  ['what has only the prototype', () => Object.create(BigInt64Array.prototype)],
])('%s is no array', (_, make) => {
  const x = make() as BigInt64Array;
  const row = exampleEncoder({ x: varLen('int64') });
  for (const encode of [
    () => encoded(x),
    () => encoded(int64(x)),
    () => encoded({ kind: 'int64', values: x }),
    () => row({ x }),
    () => encodeExamples({ x: x as never }, { x: fixedLen([], 'int64') }),
  ]) {
    expect(thrown(encode)).toMatchObject({ ...WRONG_TYPE, message: expect.stringMatching(/"[^"]*x[^"]*"/) as string });
  }
  expect(thrown(() => new DenseTensor('int64', [2], x as never))).toMatchObject(WRONG_TYPE);
});

test('a list that says something else each time it is asked', () => {
  let asked = 0;
  const list = new Proxy([] as string[], {
    get: (target, name) => {
      if (name === 'length') return 2;
      return typeof name === 'string' && /^\d+$/.test(name) ? String(++asked).repeat(asked) : Reflect.get(target, name);
    },
  });
  expect(encoded(bytes(list))).toEqual(encoded(['1', '22']));
});

describe('exampleEncoder', () => {
  const partitions = [{ by: 'rowLengths', key: 'len' } as const];
  const rows = ragged({ dtype: 'int64', valueKey: 'v', partitions });
  const wanted = encodeExample({ v: int64([1, 2, 3]), len: int64([2, 1]) });

  test('nested lists of lying arrays', () => {
    const row = [lying(BigInt64Array.of(1n, 2n)), lying(BigInt64Array.of(3n))];
    expect(exampleEncoder({ x: rows })({ x: row })).toEqual(wanted);
  });

  test('lying row splits', () => {
    const values = new DenseTensor('int64', [3], BigInt64Array.of(1n, 2n, 3n));
    const splits = Int32Array.of(0, 2, 3);
    const x = new RaggedTensor(values, [splits]);
    lying(splits);
    expect(exampleEncoder({ x: rows })({ x })).toEqual(wanted);
  });

  test('row splits that were overwritten', () => {
    const values = new DenseTensor('int64', [3], BigInt64Array.of(1n, 2n, 3n));
    const x = new RaggedTensor(values, [Int32Array.of(0, 2, 3)]);
    x.rowSplits[0]![2] = 7;
    const error = {
      name: 'TypeError',
      code: 'ERR_INVALID_ARG_VALUE',
      message: expect.stringContaining('row.x') as string,
    };
    expect(thrown(() => exampleEncoder({ x: rows })({ x }))).toMatchObject(error);
  });

  test('a lying column of integers as numbers', () => {
    const x = lying(Float64Array.of(1, 2, 3));
    expect(exampleEncoder({ x: varLen('int64') })({ x })).toEqual(encoded(int64([1, 2, 3])));
  });

  test('lying coordinates', () => {
    const spec = { x: sparse({ indexKey: 'i', valueKey: 'v', dtype: 'int64', size: 10 }) };
    const of = (indices: BigInt64Array): object =>
      new SparseTensor('int64', { values: BigInt64Array.of(1n, 2n), denseShape: [10], indices });
    const short = Object.defineProperty(BigInt64Array.of(3n), 'length', { value: 2 });
    const error = {
      name: 'TypeError',
      code: 'ERR_INVALID_ARG_VALUE',
      message: expect.stringContaining('row.x') as string,
    };
    expect(thrown(() => exampleEncoder(spec)({ x: of(short) as never }))).toMatchObject(error);
    const indices = BigInt64Array.of(3n, 7n);
    const tensor = of(indices);
    lying(indices);
    expect(exampleEncoder(spec)({ x: tensor as never })).toEqual(encodeExample({ v: int64([1, 2]), i: int64([3, 7]) }));
  });
});

/** Node 20's types do not know it. */
const Resizable = ArrayBuffer as unknown as new (
  size: number,
  options: { maxByteLength: number },
) => ArrayBuffer & { resize(size: number): void };

describe('memory that a getter of another feature changes', () => {
  const kinds = {
    int64: (memory: ArrayBuffer) => ({ kind: 'int64', values: new BigInt64Array(memory) }),
    float: (memory: ArrayBuffer) => ({ kind: 'float', values: new Float32Array(memory) }),
    bytes: (memory: ArrayBuffer) => {
      const offsets = Int32Array.of(0, memory.byteLength);
      return { kind: 'bytes', values: new BytesArray(new Uint8Array(memory), offsets) };
    },
  };
  const sizes = [0, 8, 32, 320, 800];

  test.each(Object.entries(kinds))('%s: what is there at the end is written, or refused with a code', (_, make) => {
    for (const [before, after] of sizes.flatMap((from) => sizes.map((to) => [from, to] as const))) {
      const memory = new Resizable(before, { maxByteLength: 1000 });
      const resize = (): string => {
        memory.resize(after);
        new Uint8Array(memory).fill(0x81);
        return 'resized';
      };
      const feature = make(memory) as FeatureLike;
      const record = outcome(() =>
        encodeExample({
          a: feature,
          get b() {
            return resize();
          },
        }),
      );
      expect(record).toEqual(outcome(() => encodeExample({ a: feature, b: 'resized' })));
      memory.resize(before);
      const found = outcome(() =>
        encodeSequenceExample({
          context: { a: feature },
          featureLists: {
            f: [feature],
            get g() {
              return [resize()];
            },
          },
        }),
      );
      const parts = { context: { a: feature }, featureLists: { f: [feature], g: ['resized'] } };
      expect(found).toEqual(outcome(() => encodeSequenceExample(parts)));
    }
  });
});

/** The bytes, or the code of the error. */
function outcome(encode: () => Uint8Array): unknown {
  try {
    return encode();
  } catch (error) {
    return (error as { code?: unknown }).code ?? error;
  }
}

test('values that another thread changes between measuring and writing are refused', () => {
  const int64s = BigInt64Array.of(1n, 2n);
  const memory = new Resizable(400, { maxByteLength: 800 });
  const offsets = Int32Array.of(0, 3, 100);
  const changes: [Feature, () => void][] = [
    [{ kind: 'int64', values: int64s }, () => int64s.fill(-1n)],
    [{ kind: 'float', values: new Float32Array(memory) }, () => memory.resize(200)],
    [{ kind: 'bytes', values: new BytesArray(new Uint8Array(memory), offsets) }, () => offsets.set([0, 0, 1])],
  ];
  for (const [feature, change] of changes) {
    const measured = measureFeature('features.a', feature);
    const writer = new WireWriter(measured.size);
    change();
    const error = { code: 'ERR_INVALID_ARG_VALUE', message: expect.stringContaining('"features.a"') as string };
    expect(thrown(() => writeFeature(writer, measured))).toMatchObject(error);
  }
});

test('shared memory that grew since it was measured is copied as far as it was measured', () => {
  const to = new Uint8Array(8);
  setBytes(to, Uint8Array.of(1, 2, 3, 4), 6, 2);
  expect(to).toEqual(Uint8Array.of(0, 0, 0, 0, 0, 0, 1, 2));
});

test('encodeExamples: row splits that lie about their length', () => {
  const spec = { x: ragged({ dtype: 'int64' }) };
  const x = new RaggedTensor(new DenseTensor('int64', [3], BigInt64Array.of(1n, 2n, 3n)), [Int32Array.of(0, 2, 3)]);
  Object.defineProperty(x.rowSplits[0], 'length', { value: 2 });
  const error = { name: 'TypeError', code: 'ERR_INVALID_ARG_VALUE', message: expect.stringContaining('"x"') as string };
  expect(thrown(() => encodeExamples({ x }, spec))).toMatchObject(error);
});
