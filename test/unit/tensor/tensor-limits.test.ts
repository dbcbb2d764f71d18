/** Tensors too large for any array, and byte strings whose parts were changed: errors of the package, with a code. */
import { BytesArray, DenseTensor, RaggedTensor, SparseTensor, type Shape } from '../../../lib';
import { thrown } from '../../support/thrown';

const TOO_LARGE = { name: 'TFRecordError', code: 'TFR_RECORD_TOO_LARGE' };
const OUT_OF_RANGE = { name: 'RangeError', code: 'ERR_OUT_OF_RANGE' };
const DETACHED = {
  name: 'TypeError',
  code: 'ERR_INVALID_ARG_VALUE',
  message: expect.stringContaining('detached') as string,
};

const places = (denseShape: Shape): SparseTensor<'int64'> =>
  new SparseTensor('int64', {
    values: BigInt64Array.of(7n),
    denseShape,
    indices: new BigInt64Array(denseShape.length),
  });
const lists = (denseShape: Shape): SparseTensor<'int64'> =>
  new SparseTensor('int64', { values: BigInt64Array.of(7n), denseShape, rowSplits: [Int32Array.of(0, 1)] });

describe('toDense of a shape that no array holds', () => {
  test.each([
    [[2 ** 40]],
    [[2 ** 31]],
    [[2 ** 20, 2 ** 20, 2 ** 20]],
    [Array<number>(30).fill(2 ** 50)],
    [[2 ** 40, 2 ** 40, 2]],
  ])('of places: %j', (shape) => {
    for (const make of ['toDense', 'toArray'] as const) {
      expect(thrown(() => places(shape)[make]())).toMatchObject({
        ...TOO_LARGE,
        expected: 'at most 2147483647 values',
        message: expect.stringContaining(`[${shape.join(', ')}]`) as string,
      });
    }
  });

  test.each([[[2 ** 40, 1]], [[1, 2 ** 40]], [[2 ** 30, 2 ** 30]]])('of lists: %j', (shape) => {
    expect(thrown(() => lists(shape).toDense())).toMatchObject(TOO_LARGE);
    expect(thrown(() => lists(shape).toArray())).toMatchObject(TOO_LARGE);
  });

  test('the entries are looked at in vain where there is no value', () => {
    expect(thrown(() => lists([2 ** 40, 0]).toDense())).toMatchObject(OUT_OF_RANGE);
    const empty = new SparseTensor('int64', {
      values: new BigInt64Array(0),
      denseShape: [2 ** 40, 0],
      indices: new BigInt64Array(0),
    });
    expect(empty.toDense().shape).toEqual([2 ** 40, 0]);
    expect(thrown(() => empty.toArray())).toMatchObject(TOO_LARGE);
  });

  test('the machine has no room', () => {
    const tensor = places([4096]);
    const refused = new RangeError('Array buffer allocation failed');
    const real = Int32Array;
    globalThis.Int32Array = new Proxy(real, {
      construct: (target, args, made) => {
        if (args[0] === 4096) throw refused;
        return Reflect.construct(target, args, made) as object;
      },
    });
    try {
      expect(thrown(() => tensor.toDense())).toMatchObject({ ...TOO_LARGE, cause: refused });
    } finally {
      globalThis.Int32Array = real;
    }
  });

  test('more bytes of padding than one array holds', () => {
    const tensor = new SparseTensor('bytes', {
      values: BytesArray.from(['a']),
      denseShape: [2 ** 12],
      indices: BigInt64Array.of(0n),
    });
    expect(thrown(() => tensor.toDense(new Uint8Array(2 ** 20)))).toMatchObject(TOO_LARGE);
  });

  test.each([NaN, Infinity, -1, 1.5, 2 ** 53, '3', undefined])('a shape of %p is none', (size) => {
    expect(thrown(() => places([size as number]))).toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
  });
});

test('toDense of lists that are longer than the shape says', () => {
  const values = BigInt64Array.of(1n, 2n, 3n);
  const of = (denseShape: Shape): SparseTensor<'int64'> =>
    new SparseTensor('int64', { values, denseShape, rowSplits: [Int32Array.of(0, 2, 3)] });
  expect(of([2, 2]).toDense().toArray()).toEqual([
    [1n, 2n],
    [3n, 0n],
  ]);
  expect(of([3, 2]).toDense().toArray()).toHaveLength(3);
  expect(thrown(() => of([2, 1]).toDense())).toMatchObject(OUT_OF_RANGE);
  expect(thrown(() => of([1, 3]).toDense())).toMatchObject(OUT_OF_RANGE);
});

describe('splits that were overwritten', () => {
  const sparse = () =>
    new SparseTensor('int64', {
      values: new BigInt64Array(3),
      denseShape: [2, 2],
      rowSplits: [Int32Array.of(0, 2, 3)],
    });
  const steps = () =>
    new SparseTensor('int64', {
      values: new BigInt64Array(3),
      denseShape: [2, 1, 2],
      rowSplits: [Int32Array.of(0, 1, 2), Int32Array.of(0, 2, 3)],
    });
  const ragged = () => new RaggedTensor(new DenseTensor('int64', [3], new BigInt64Array(3)), [Int32Array.of(0, 2, 3)]);
  type Splits = readonly (Int32Array | BigInt64Array)[];
  test.each<[string, () => { readonly rowSplits?: Splits | undefined }, (tensor: never) => unknown]>([
    ['indices of a SparseTensor', sparse, (tensor: SparseTensor<'int64'>) => tensor.indices],
    ['indices of steps', steps, (tensor: SparseTensor<'int64'>) => tensor.indices],
    ['a SparseTensor made dense', sparse, (tensor: SparseTensor<'int64'>) => tensor.toDense()],
    ['a RaggedTensor made dense', ragged, (tensor: RaggedTensor<'int64'>) => tensor.toDense()],
  ])('%s: an error at once', (_, make, use) => {
    for (const wrong of [
      [0, 3, 2],
      [0, -7, 3],
      [0, 5_000_000, 3],
      [1, 2, 3],
      [0, 2, 4],
      [0, 0, 2 ** 31 - 1],
    ]) {
      const tensor = make();
      (tensor.rowSplits!.at(-1) as Int32Array).set(wrong);
      expect(() => use(tensor as never)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARG_VALUE' }));
    }
  });
});

test('a copy made member by member, with plain objects for typed arrays, can be serialized', () => {
  const made = lists([1, 1]);
  const copy = Object.create(null, Object.getOwnPropertyDescriptors(made)) as Record<string, unknown>;
  Object.defineProperty(copy, 'rowSplits', { value: [{ 0: 0, 1: 1 }], enumerable: true });
  expect(() =>
    JSON.stringify(copy, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
  ).not.toThrow();
});

describe('offsets that were overwritten', () => {
  /** 'ab' and 'c', in the middle of memory that holds more. */
  const spoilt = (...offsets: number[]): BytesArray => {
    const array = new BytesArray(Buffer.from('--abc---').subarray(2, 5), Int32Array.of(0, 2, 3));
    array.offsets.set(offsets);
    return array;
  };

  test.each([
    ['descend', [3, 1], 'offsets[1]'],
    ['are negative', [-2, 2], 'offsets[0]'],
    ['pass the data', [0, 4], 'offsets[1]'],
    ['pass the memory', [0, 2 ** 31 - 1], 'offsets[1]'],
    ['begin behind the data', [2 ** 30, 2 ** 30], 'offsets[0]'],
  ])('they %s', (_, offsets, name) => {
    const error = { ...OUT_OF_RANGE, message: expect.stringContaining(name) as string };
    const array = spoilt(...offsets);
    expect(thrown(() => array.at(0))).toMatchObject(error);
    expect(thrown(() => array.text(0))).toMatchObject(error);
    expect(thrown(() => array.toArray())).toMatchObject(error);
    expect(thrown(() => [...array])).toMatchObject(error);
    const indices = BigInt64Array.of(0n, 1n);
    const tensor = new SparseTensor('bytes', { values: array, denseShape: [2], indices });
    expect(thrown(() => tensor.toDense())).toMatchObject(error);
  });

  test('those that stay in the data are what counts', () => {
    const array = spoilt(1, 3, 3);
    expect([array.text(0), array.text(1)]).toEqual(['bc', '']);
  });

  test('text after text', () => {
    const array = spoilt();
    expect(array.text(0)).toBe('ab');
    array.offsets[1] = 9;
    expect(thrown(() => array.text(0))).toMatchObject(OUT_OF_RANGE);
  });
});

test.each(['data', 'offsets'] as const)('%s whose memory is gone', (part) => {
  const array = new BytesArray(Uint8Array.of(1, 2), Int32Array.of(0, 1, 2));
  array.text(1);
  structuredClone(0, { transfer: [array[part].buffer] });
  for (const read of [() => array.at(0), () => array.text(1), () => array.toArray()]) {
    expect(thrown(read)).toMatchObject(DETACHED);
  }
});
