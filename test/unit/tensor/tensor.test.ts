import { deepStrictEqual } from 'node:assert/strict';
import { inspect } from 'node:util';

import { BytesArray, DenseTensor, RaggedTensor, SparseTensor } from '../../../lib/tensor';

const text = (value: unknown): string => Buffer.from(value as Uint8Array).toString();
const words = (...values: string[]): BytesArray => BytesArray.from(values);
const vector = (...values: number[]): DenseTensor<'float32', readonly [number]> =>
  new DenseTensor('float32', [values.length], Float32Array.from(values));

describe('BytesArray', () => {
  const array = words('x', '', 'yzé');

  test('length, at, text, iterator', () => {
    expect(array.length).toBe(3);
    expect([...array].map(text)).toEqual(['x', '', 'yzé']);
    expect([0, 1, 2, 3, -1, -3, -4, NaN, 1.9].map((i) => array.at(i) && text(array.at(i)))).toEqual([
      'x',
      '',
      'yzé',
      undefined,
      'yzé',
      'x',
      undefined,
      'x',
      '',
    ]);
    expect([0, 1, 2, 3, -1].map((i) => array.text(i))).toEqual(['x', '', 'yzé', undefined, 'yzé']);
    expect(array.at(2)?.buffer).toBe(array.data.buffer);
  });

  test('text keeps a byte order mark and replaces what is no UTF-8', () => {
    const bytes = BytesArray.from([new Uint8Array([0xef, 0xbb, 0xbf, 0x61]), new Uint8Array([0xff])]);
    expect(bytes.text(0)).toBe('\ufeffa');
    expect(bytes.text(1)).toBe('\ufffd');
  });

  test('a part shares the memory, and has its bytes alone and offsets of its own', () => {
    const part = array.subarray(1);
    expect([part.length, ...part.offsets]).toEqual([2, 0, 0, 4]);
    expect([part.text(1), part.at(2), part.subarray(-1).text(0)]).toEqual(['yzé', undefined, 'yzé']);
    expect([part.data.buffer, part.data.byteOffset, part.data.length]).toEqual([array.data.buffer, 1, 4]);
    deepStrictEqual(part, BytesArray.from(['', 'yzé']));
    expect(array.subarray(2, 1).length).toBe(0);
  });

  test('copies what it is made from', () => {
    const source = new Uint8Array([1, 2]);
    const copy = BytesArray.from([source]);
    source[0] = 9;
    expect([...(copy.at(0) as Uint8Array)]).toEqual([1, 2]);
  });

  test.each([
    ['offsets that descend', [0, 2, 1]],
    ['offsets past the data', [0, 4]],
    ['negative offsets', [-1, 2]],
    ['no offsets', []],
  ])('refuses %s', (_, offsets) => {
    expect(() => new BytesArray(new Uint8Array(3), Int32Array.from(offsets))).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_ARG_VALUE' }),
    );
  });

  test('refuses what is no bytes', () => {
    expect(() => BytesArray.from([1 as unknown as string])).toThrow(/values\[0\].*a string or a Uint8Array/);
    expect(() => BytesArray.from(['\ud800'])).toThrow(/lone surrogates/);
    expect(() => new BytesArray([1] as never, new Int32Array(1))).toThrow(TypeError);
  });

  test('JSON and print', () => {
    const mixed = BytesArray.from(['é', new Uint8Array([0xff, 0]), new Uint8Array(0)]);
    expect(mixed.toJSON()).toEqual(['é', { base64: '/wA=' }, '']);
    expect(inspect(mixed)).toBe('BytesArray(3) ["é", <ff00>, ""]');
    expect(inspect(BytesArray.from(Array(9).fill('a') as string[]))).toBe(
      'BytesArray(9) ["a", "a", "a", "a", "a", "a", … 3 more]',
    );
  });
});

describe('DenseTensor', () => {
  const matrix = new DenseTensor<'int64', readonly [2, 3]>(
    'int64',
    [2, 3],
    BigInt64Array.of(1n, 2n, 3n, -4n, 2n ** 62n, 2n ** 53n - 1n),
  );

  test('toArray, toJSON: int64 is exact', () => {
    expect(matrix.toArray()).toEqual([
      [1n, 2n, 3n],
      [-4n, 2n ** 62n, 2n ** 53n - 1n],
    ]);
    expect(JSON.stringify(matrix)).toBe('[["1","2","3"],["-4","4611686018427387904","9007199254740991"]]');
  });

  test('iterates over its first dimension', () => {
    const rows = [...matrix];
    expect(rows.map((row) => row.shape)).toEqual([[3], [3]]);
    expect([...rows[1]!]).toEqual([-4n, 2n ** 62n, 2n ** 53n - 1n]);
    expect([...vector(0.5, 2)]).toEqual([0.5, 2]);
    expect(() => [...new DenseTensor('float32', [], new Float32Array(1))]).toThrow(/not iterable/);
    expect(new DenseTensor('float32', [], Float32Array.of(1))).toEqual(
      new DenseTensor('float32', [], Float32Array.of(1)),
    );
    expect(new DenseTensor('float32', [], Float32Array.of(1))).not.toEqual(
      new DenseTensor('float32', [], Float32Array.of(2)),
    );
  });

  test('floats in JSON: shortest digits, and strings for what JSON has no number for', () => {
    expect(JSON.stringify(vector(0.1, 3.4028234663852886e38, 1e-45, NaN, -Infinity, -0))).toBe(
      '[0.1,3.4028234663852886e+38,1e-45,"NaN","-Infinity","-0"]',
    );
  });

  test('scalars, empty tensors, bytes', () => {
    expect(new DenseTensor('float32', [], Float32Array.of(2)).toArray()).toBe(2);
    expect(new DenseTensor('float32', [2, 0], new Float32Array(0)).toArray()).toEqual([[], []]);
    expect(new DenseTensor('bytes', [1, 2], words('a', 'b')).toJSON()).toEqual([['a', 'b']]);
    expect(new DenseTensor<'int64', readonly [1], 'number'>('int64', [1], Float64Array.of(5)).toArray()).toEqual([5]);
  });

  test.each([
    ['too few values', [3], new Float32Array(2), 'ERR_INVALID_ARG_VALUE'],
    ['a negative size', [-2, -1], new Float32Array(2), 'ERR_INVALID_ARG_VALUE'],
    ['data of another type', [2], new Float64Array(2), 'ERR_INVALID_ARG_TYPE'],
    ['a shape that is none', 2, new Float32Array(2), 'ERR_INVALID_ARG_TYPE'],
  ])('refuses %s', (_, shape, data, code) => {
    expect(() => new DenseTensor('float32', shape as number[], data as Float32Array<ArrayBuffer>)).toThrow(
      expect.objectContaining({ code }),
    );
  });

  test('prints', () => {
    expect(inspect(matrix)).toBe(
      'DenseTensor int64 [2, 3] [[1n, 2n, 3n], [-4n, 4611686018427387904n, 9007199254740991n]]',
    );
    expect(inspect(new DenseTensor('float32', [3, 3], new Float32Array(9)))).toBe(
      'DenseTensor float32 [3, 3] [[0, 0, 0], [0, 0, 0], …]',
    );
    const gone = new DenseTensor('float32', [1, 1], new Float32Array(1));
    structuredClone(gone.data, { transfer: [gone.data.buffer] });
    expect(inspect(gone)).toBe('DenseTensor float32 [1, 1] [[…]]');
    const numbers = new DenseTensor<'int64', [1, 2], 'number'>('int64', [1, 2], Float64Array.of(2 ** 53 - 2, -0));
    expect(inspect(numbers)).toBe('DenseTensor int64 [1, 2] [[9007199254740990, 0]]');
    expect(inspect(new DenseTensor('int64', [], BigInt64Array.of(5n)))).toBe('DenseTensor int64 [] 5n');
    expect(inspect(new DenseTensor('int64', [2, 0, 3], new BigInt64Array(0)))).toBe(
      'DenseTensor int64 [2, 0, 3] [[], []]',
    );
    expect(inspect(vector(0.1, 1, 2, 3, 4, 5, 6, 7))).toBe('DenseTensor float32 [8] [0.1, 1, 2, 3, 4, 5, … 2 more]');
  });
});

describe('SparseTensor', () => {
  const rows = new SparseTensor('float32', {
    values: Float32Array.of(0.5, 2, 4),
    denseShape: [3, 2],
    rowSplits: [Int32Array.of(0, 2, 2, 3)],
  });
  const steps = new SparseTensor('int64', {
    values: BigInt64Array.of(7n, 8n, 9n),
    denseShape: [2, 2, 2],
    rowSplits: [Int32Array.of(0, 2, 3), Int32Array.of(0, 2, 2, 3)],
  });
  const places = new SparseTensor('bytes', {
    values: words('b', 'a'),
    denseShape: [2, 2],
    indices: BigInt64Array.of(1n, 0n, 0n, 1n),
  });

  test('indices of rows and of steps', () => {
    expect([...rows.indices]).toEqual([0n, 0n, 0n, 1n, 2n, 0n]);
    expect(rows.indices).toBe(rows.indices);
    expect([...steps.indices]).toEqual([0n, 0n, 0n, 0n, 0n, 1n, 1n, 0n, 0n]);
    expect(places.rowSplits).toBeUndefined();
  });

  test('toDense, padded with a default', () => {
    expect(rows.toDense().toArray()).toEqual([
      [0.5, 2],
      [0, 0],
      [4, 0],
    ]);
    expect(rows.toDense(-1).toArray()).toEqual([
      [0.5, 2],
      [-1, -1],
      [4, -1],
    ]);
    expect(steps.toDense(5).toArray()).toEqual([
      [
        [7n, 8n],
        [5n, 5n],
      ],
      [
        [9n, 5n],
        [5n, 5n],
      ],
    ]);
    expect(places.toDense('?').toJSON()).toEqual([
      ['?', 'a'],
      ['b', '?'],
    ]);
    expect(() => rows.toDense('x' as unknown as number)).toThrow(/defaultValue/);
  });

  test('toDense of integers as numbers refuses a default that is not exact', () => {
    const numbers = new SparseTensor<'int64', 'number'>('int64', {
      values: Float64Array.of(1),
      denseShape: [1, 2],
      rowSplits: [Int32Array.of(0, 1)],
    });
    expect(numbers.toDense(3).toArray()).toEqual([[1, 3]]);
    expect(() => numbers.toDense(2n ** 60n)).toThrow(/2\^53/);
  });

  test('toDense: entries outside, and two at one place, are errors', () => {
    const at = (...indices: bigint[]): SparseTensor<'float32'> =>
      new SparseTensor('float32', {
        values: Float32Array.of(1, 2),
        denseShape: [3],
        indices: BigInt64Array.from(indices),
      });
    expect(() => at(0n, 3n).toDense()).toThrow(expect.objectContaining({ code: 'ERR_OUT_OF_RANGE' }));
    expect(() => at(0n, -1n).toDense()).toThrow(RangeError);
    expect(() => at(2n, 2n).toDense()).toThrow(expect.objectContaining({ code: 'TFR_FEATURE' }));
    expect(at(2n, 0n).toDense().toArray()).toEqual([2, 0, 1]);
  });

  test('fromDense keeps what differs from the empty value', () => {
    const dense = new DenseTensor('float32', [2, 2], Float32Array.of(0, NaN, -0, 3));
    const sparse = SparseTensor.fromDense(dense);
    expect([[...sparse.indices], [...sparse.values], sparse.denseShape]).toEqual([
      [0n, 1n, 1n, 1n],
      [NaN, 3],
      [2, 2],
    ]);
    expect([...SparseTensor.fromDense(dense, NaN).values]).toEqual([0, -0, 3]);
    expect(SparseTensor.fromDense(places.toDense('?'), '?').toJSON()).toEqual({
      indices: [
        [0, 1],
        [1, 0],
      ],
      values: ['a', 'b'],
      denseShape: [2, 2],
    });
  });

  test('iterates over entries, prints, JSON', () => {
    expect([...rows]).toEqual([
      [[0, 0], 0.5],
      [[0, 1], 2],
      [[2, 0], 4],
    ]);
    expect(inspect(rows)).toBe('SparseTensor float32 [3, 2] {[0, 0]: 0.5, [0, 1]: 2, [2, 0]: 4}');
    expect(JSON.stringify(rows)).toBe('{"indices":[[0,0],[0,1],[2,0]],"values":[0.5,2,4],"denseShape":[3,2]}');
    expect(rows.toArray()).toEqual(rows.toDense().toArray());
  });

  test.each([
    ['indices and splits', { indices: new BigInt64Array(6), rowSplits: [Int32Array.of(0, 2, 2, 3)] }],
    ['neither', {}],
    ['too few indices', { indices: new BigInt64Array(5) }],
    ['splits of other values', { rowSplits: [Int32Array.of(0, 2, 2, 2)] }],
    ['splits of another rank', { rowSplits: [Int32Array.of(0, 1), Int32Array.of(0, 3)] }],
  ])('refuses %s', (_, parts) => {
    expect(
      () => new SparseTensor('float32', { values: Float32Array.of(1, 2, 3), denseShape: [3, 2], ...parts }),
    ).toThrow(TypeError);
  });
});

describe('RaggedTensor', () => {
  const int64 = (...values: number[]): DenseTensor<'int64', readonly [number]> =>
    new DenseTensor('int64', [values.length], BigInt64Array.from(values, BigInt));
  const ragged = new RaggedTensor(int64(10, 20, 30, 40, 50), [
    Int32Array.of(0, 3, 4),
    BigInt64Array.of(0n, 1n, 1n, 4n, 5n),
  ]);
  const pairs = new RaggedTensor(new DenseTensor('bytes', [2, 2], words('a', 'b', 'c', 'd')), [Int32Array.of(0, 0, 2)]);

  test('toArray, toJSON, shape', () => {
    expect(ragged.toArray()).toEqual([[[10n], [], [20n, 30n, 40n]], [[50n]]]);
    expect(JSON.stringify(ragged)).toBe('[[["10"],[],["20","30","40"]],[["50"]]]');
    expect(ragged.shape).toEqual([2, null, null]);
    expect(pairs.toJSON()).toEqual([
      [],
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ]);
    expect(pairs.shape).toEqual([2, null, 2]);
  });

  test('dense dimensions inside are printed as they are nested', () => {
    const uniform = new RaggedTensor(
      new DenseTensor('int64', [2, 2, 2], BigInt64Array.of(1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n)),
      [],
    );
    expect(inspect(uniform)).toBe('RaggedTensor int64 [2, 2, 2] [[[1n, 2n], [3n, 4n]], [[5n, 6n], …]]');
  });

  test('rows share the values', () => {
    const [first, second] = [...ragged] as unknown as [RaggedTensor<'int64'>, RaggedTensor<'int64'>];
    expect(first.toArray()).toEqual([[10n], [], [20n, 30n, 40n]]);
    expect(second.rowSplits).toEqual([BigInt64Array.of(0n, 1n)]);
    expect(second.values.data.buffer).toBe(ragged.values.data.buffer);
    expect((pairs.row(1) as DenseTensor<'bytes'>).toJSON()).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect(() => ragged.row(2)).toThrow(RangeError);
  });

  test('toDense, padded with a default', () => {
    expect(ragged.toDense().toArray()).toEqual([
      [
        [10n, 0n, 0n],
        [0n, 0n, 0n],
        [20n, 30n, 40n],
      ],
      [
        [50n, 0n, 0n],
        [0n, 0n, 0n],
        [0n, 0n, 0n],
      ],
    ]);
    expect(ragged.toDense(-1).toArray()).toEqual([
      [
        [10n, -1n, -1n],
        [-1n, -1n, -1n],
        [20n, 30n, 40n],
      ],
      [
        [50n, -1n, -1n],
        [-1n, -1n, -1n],
        [-1n, -1n, -1n],
      ],
    ]);
    expect(pairs.toDense('-').toJSON()).toEqual([
      [
        ['-', '-'],
        ['-', '-'],
      ],
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ]);
  });

  test('fromDense: all values, by lengths, without padding', () => {
    const dense = new DenseTensor('float32', [2, 3], Float32Array.of(1, 0, 0, 0, 5, 0));
    expect(RaggedTensor.fromDense(dense).toArray()).toEqual([
      [1, 0, 0],
      [0, 5, 0],
    ]);
    expect(RaggedTensor.fromDense(dense, { padding: 0 }).toArray()).toEqual([[1], [0, 5]]);
    expect(RaggedTensor.fromDense(dense, { lengths: [0, 2] }).toArray()).toEqual([[], [0, 5]]);
    expect(RaggedTensor.fromDense(pairs.toDense('-'), { padding: '-' }).toJSON()).toEqual(pairs.toJSON());
    expect(() => RaggedTensor.fromDense(dense, { lengths: [1, 4] })).toThrow(RangeError);
    expect(() => RaggedTensor.fromDense(dense, { lengths: [1] })).toThrow(TypeError);
    expect(() => RaggedTensor.fromDense(vector(1))).toThrow(/two dimensions/);
    expect(() => RaggedTensor.fromDense(dense, { pad: 0 } as object)).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_ARG_VALUE' }),
    );
  });

  test('prints', () => {
    expect(inspect(ragged)).toBe('RaggedTensor int64 [2, ?, ?] [[[10n], [], [20n, 30n, 40n]], [[50n]]]');
    expect(inspect(pairs)).toBe('RaggedTensor bytes [2, ?, 2] [[], [["a", "b"], ["c", "d"]]]');
    expect(inspect(RaggedTensor.fromDense(new DenseTensor('float32', [9, 1], new Float32Array(9))))).toBe(
      'RaggedTensor float32 [9, ?] [[0], [0], [0], [0], [0], [0], …]',
    );
  });

  test.each([
    ['splits that do not reach the values', [Int32Array.of(0, 4)]],
    ['splits that descend', [Int32Array.of(0, 3, 2, 5)]],
    ['splits that start late', [Int32Array.of(1, 5)]],
    ['levels that do not meet', [Int32Array.of(0, 2), Int32Array.of(0, 5)]],
    ['empty splits', [new Int32Array(0)]],
    ['splits of another type', [[0, 5] as unknown as Int32Array]],
  ])('refuses %s', (_, rowSplits) => {
    expect(() => new RaggedTensor(int64(1, 2, 3, 4, 5), rowSplits)).toThrow(TypeError);
  });
});
