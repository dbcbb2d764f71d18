/** Arguments that encodeExamples refuses, whoever made them: native code never reads what was not checked. */
import {
  BytesArray,
  DenseTensor,
  encodeExample,
  encodeExamples,
  fixedLen,
  fixedLenSequence,
  int64,
  parseExample,
  ragged,
  RaggedTensor,
  sparse,
  SparseTensor,
  varLen,
  type Partition,
  type Spec,
} from '../../../../lib';
import { native, type EncoderColumn } from '../../../../lib/native';
import { thrown } from '../../../support/thrown';

type Row = [what: string, spec: Spec, columns: unknown, error: object, message: string];
const scalar = { x: fixedLen([], 'int64') };
const list = { x: varLen('int64') };
const grid = { x: sparse({ indexKey: 'i', valueKey: 'v', dtype: 'int64', size: 3 }) };
const cut = (by: string, more: object[] = []): Spec => ({
  x: ragged({ dtype: 'int64', partitions: [{ by, key: 'p' } as Partition, ...(more as Partition[])] }),
});
const TYPE = { name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' };
const VALUE = { name: 'TypeError', code: 'ERR_INVALID_ARG_VALUE' };
const feature = (record: number): object => ({ name: 'TFRecordError', code: 'TFR_FEATURE', feature: 'x', record });

const ints = (...values: number[]): BigInt64Array<ArrayBuffer> => BigInt64Array.from(values, BigInt);
const dense = (shape: number[], values: BigInt64Array<ArrayBuffer>): object => new DenseTensor('int64', shape, values);
const entries = (denseShape: number[], ...indices: number[]): object =>
  new SparseTensor('int64', {
    values: ints(...indices.filter((_, i) => i % 2 === 0)),
    denseShape,
    indices: ints(...indices),
  });
const rowsBy = (...splits: number[][]): object => {
  const total = splits.at(-1)!.at(-1)!;
  const values = new DenseTensor('int64', [total], new BigInt64Array(total));
  return new RaggedTensor(
    values,
    splits.map((each) => Int32Array.from(each)),
  );
};
/** `made`, in which a property says something else. */
const lying = <T extends object>(made: T, name: string, value: unknown): T =>
  Object.defineProperty(made, name, { value });
const detached = <T extends ArrayBufferView>(array: T): T => {
  structuredClone(0, { transfer: [array.buffer as ArrayBuffer] });
  return array;
};

test.each<Row>([
  ['no columns', scalar, undefined, TYPE, '"columns"'],
  ['a list', scalar, [ints(1)], TYPE, '"columns"'],
  ['a misspelt feature', scalar, { y: ints(1) }, VALUE, '"y"'],
  ['nothing that tells the rows', list, {}, VALUE, 'at least one column'],
  ['undefined only', list, { x: undefined }, VALUE, 'at least one column'],
  ['a required feature that lacks', scalar, {}, { code: 'TFR_FEATURE', feature: 'x' }, '"x"'],
  ['a required feature that is undefined', scalar, { x: undefined }, { code: 'TFR_FEATURE' }, '"x"'],
  ['a flat column of half a row', { x: fixedLen([2], 'int64') }, { x: ints(1, 2, 3) }, VALUE, 'a multiple of 2 values'],
  ['a flat column of no values', { x: fixedLen([0], 'int64') }, { x: ints() }, VALUE, 'a DenseTensor'],
  ['a flat column of another type', { x: fixedLen([2], 'int64') }, { x: new Int32Array(2) }, TYPE, 'columns["x"]'],
  ['a flat column as a list', { x: fixedLen([2], 'int64') }, { x: [1n, 2n] }, TYPE, 'columns["x"]'],
  ['a list for a column', scalar, { x: [1n] }, TYPE, 'columns["x"]" must be a BigInt64Array'],
  ['a column of another type', scalar, { x: new Int32Array(2) }, TYPE, 'columns["x"]'],
  ['a DataView', scalar, { x: new DataView(new ArrayBuffer(8)) }, TYPE, 'columns["x"]'],
  ['what looks like a column', scalar, { x: Object.create(BigInt64Array.prototype) }, TYPE, 'columns["x"]'],
  ['a fraction', scalar, { x: Float64Array.of(1, 1.5) }, { code: 'ERR_OUT_OF_RANGE' }, 'columns["x"][1]'],
  ['NaN', scalar, { x: Float64Array.of(NaN) }, { code: 'ERR_OUT_OF_RANGE' }, 'columns["x"][0]'],
  ['a number beyond 2^53', scalar, { x: Float64Array.of(2 ** 53) }, { code: 'ERR_OUT_OF_RANGE' }, '2^53'],
  ['a tensor for a column', scalar, { x: dense([1], ints(1)) }, TYPE, 'columns["x"]'],
  ['a sparse tensor for a tensor', { x: fixedLen([1], 'int64') }, { x: entries([1, 2], 0, 0) }, TYPE, 'DenseTensor'],
  ['another shape', { x: fixedLen([2], 'int64') }, { x: dense([1, 3], ints(1, 2, 3)) }, VALUE, '[rows, 2]'],
  ['another rank', { x: fixedLen([2], 'int64') }, { x: dense([2], ints(1, 2)) }, VALUE, '[rows, 2]'],
  ['another dtype', { x: fixedLen([1], 'float32') }, { x: dense([1, 1], ints(1)) }, VALUE, 'float32'],
  [
    'a shape that lies',
    { x: fixedLen([2], 'int64') },
    { x: lying(dense([1, 2], ints(1, 2)), 'shape', [2 ** 20, 2]) },
    VALUE,
    'values',
  ],
  [
    'steps that lie',
    { x: fixedLenSequence([], 'int64', { allowMissing: true }) },
    { x: lying(dense([1, 2], ints(1, 2)), 'shape', [1, 2 ** 40]) },
    VALUE,
    'values',
  ],
  ['a row with a gap', list, { x: entries([2, 3], 0, 0, 1, 1) }, feature(1), 'no gaps'],
  ['rows in disorder', list, { x: entries([2, 1], 1, 0, 0, 0) }, VALUE, 'in the order of the rows'],
  ['rows beyond the shape', list, { x: entries([2, 1], 2, 0) }, VALUE, 'in the order of the rows'],
  ['a row before the first', list, { x: entries([2, 1], -1, 0) }, VALUE, 'in the order of the rows'],
  [
    'rows other than the shape says',
    list,
    { x: new SparseTensor('int64', { values: ints(1), denseShape: [3, 1], rowSplits: [Int32Array.of(0, 1)] }) },
    VALUE,
    'of 3 rows',
  ],
  [
    'feature lists',
    list,
    {
      x: new SparseTensor('int64', {
        values: ints(1),
        denseShape: [1, 1, 1],
        rowSplits: [Int32Array.of(0, 1), Int32Array.of(0, 1)],
      }),
    },
    VALUE,
    'of shape',
  ],
  ['a coordinate beyond the size', grid, { x: entries([2, 3], 0, 2, 1, 3) }, feature(1), 'from 0 to 2'],
  ['a negative coordinate', grid, { x: entries([2, 3], 0, -1) }, feature(0), 'found -1'],
  ['another size', grid, { x: entries([2, 4]) }, VALUE, '[rows, 3]'],
  ['no partition where there should be one', cut('rowLengths'), { x: rowsBy([0, 1]) }, VALUE, 'of 2 rowSplits'],
  ['an empty last row by ids', cut('valueRowIds'), { x: rowsBy([0, 1, 3], [0, 1, 2, 2]) }, feature(1), 'valueRowIds'],
  [
    'rows of another length',
    {
      x: ragged({
        dtype: 'int64',
        partitions: [
          { by: 'uniformRowLength', length: 2 },
          { by: 'rowLengths', key: 'p' },
        ],
      }),
    },
    { x: rowsBy([0, 1, 2], [0, 2, 3], [0, 0, 0, 0]) },
    feature(1),
    'rows of 2',
  ],
  [
    'innermost rows that should be a dimension',
    cut('rowLengths', [{ by: 'uniformRowLength', length: 1 }]),
    { x: rowsBy([0, 1], [0, 1], [0, 1]) },
    VALUE,
    'shape [any, 1]',
  ],
  ['rows of different numbers', { ...scalar, y: list.x }, { x: ints(1, 2), y: entries([3, 1]) }, VALUE, 'of 2 rows'],
  ['memory that is gone', scalar, { x: lying(detached(ints(1)), 'length', 1) }, VALUE, 'detached'],
  [
    'bytes whose memory is gone',
    { x: fixedLen([], 'bytes') },
    { x: ((array) => (detached(array.data), array))(BytesArray.from(['abc'])) },
    VALUE,
    'detached',
  ],
  [
    'offsets that changed',
    { x: fixedLen([], 'bytes') },
    { x: ((array) => (array.offsets.set([0, 99]), array))(BytesArray.from(['abc'])) },
    VALUE,
    'offsets',
  ],
])('refuses %s', (_what, spec, columns, error, message) => {
  const found = thrown(() => encodeExamples(columns as never, spec));
  expect(found).toMatchObject(error);
  expect((found as Error).message).toContain(message);
});

test('splits that changed since the tensor was made', () => {
  for (const [splits, changed] of [
    [Int32Array.of(0, 1, 2), [0, 2, 1]],
    [Int32Array.of(0, 1, 2), [0, 1, 9]],
    [Int32Array.of(0, 1, 2), [1, 1, 2]],
    [Int32Array.of(0, 1, 2), [0, -1, 2]],
  ] as const) {
    const tensor = new SparseTensor('int64', { values: ints(1, 2), denseShape: [2, 1], rowSplits: [splits] });
    splits.set(changed);
    expect(thrown(() => encodeExamples({ x: tensor }, list))).toMatchObject(VALUE);
  }
  const wide = BigInt64Array.of(0n, 1n, 2n);
  const tensor = new RaggedTensor(new DenseTensor('int64', [2], ints(1, 2)), [wide]);
  wide[1] = 2n ** 32n;
  expect(thrown(() => encodeExamples({ x: tensor }, { x: ragged({ dtype: 'int64' }) }))).toMatchObject(VALUE);
});

test('features that share a key hold the same', () => {
  const partitions = [{ by: 'rowLengths', key: 'p' }] as const;
  const spec = { a: ragged({ dtype: 'int64', partitions }), b: ragged({ dtype: 'int64', partitions }) };
  const columns = (b: object): never => ({ a: rowsBy([0, 2, 3], [0, 1, 2, 3]), b }) as never;
  expect([...encodeExamples(columns(rowsBy([0, 2, 3], [0, 1, 2, 3])), spec)]).toEqual([
    encodeExample({ a: int64([0, 0]), b: int64([0, 0]), p: int64([1, 1]) }),
    encodeExample({ a: int64([0]), b: int64([0]), p: int64([1]) }),
  ]);
  const other = thrown(() => encodeExamples(columns(rowsBy([0, 2, 3], [0, 1, 2, 4])), spec));
  expect(other).toMatchObject({ code: 'TFR_FEATURE', feature: 'b', record: 1 });
  const words = {
    a: ragged({ dtype: 'bytes', valueKey: 'w' }),
    b: ragged({ dtype: 'bytes', valueKey: 'w' }),
  };
  const text = (...values: string[]): object =>
    new RaggedTensor(new DenseTensor('bytes', [2], BytesArray.from(values)), [Int32Array.of(0, 1, 2)]);
  expect(encodeExamples({ a: text('x', 'y'), b: text('x', 'y') } as never, words).length).toBe(2);
  expect(thrown(() => encodeExamples({ a: text('x', 'y'), b: text('x', 'z') } as never, words))).toMatchObject({
    record: 1,
  });
});

describe('what is too large is told before memory is asked for', () => {
  const TOO_LARGE = { name: 'TFRecordError', code: 'TFR_RECORD_TOO_LARGE' };

  test('rows of nothing', () => {
    const x = dense([2 ** 40, 0], ints());
    const error = thrown(() => encodeExamples({ x } as never, { x: fixedLen([0], 'int64') }));
    expect(error).toMatchObject(TOO_LARGE);
    expect((error as Error).message).toMatch(/at most \d+ rows at a time/);
    const none = new SparseTensor('int64', { values: ints(), denseShape: [2 ** 50, 0], indices: ints() });
    expect(thrown(() => encodeExamples({ x: none }, list))).toMatchObject(TOO_LARGE);
  });

  test.each([
    [1, 2 ** 12, 'record', /Row 0 takes/],
    [2 ** 13, 1, 'batch', /encode at most 8191 rows/],
  ])('%i rows of %i values: the %s', (rows, count, _what, message) => {
    // Values that share their bytes are small in memory only.
    const x = new BytesArray(new Uint8Array(1 << 19), Int32Array.of(0, 1 << 19));
    const [starts, ends] = [new Int32Array(rows), new Int32Array(rows).fill(1)];
    const columns = Array.from({ length: count }, (_, i): EncoderColumn => [
      Buffer.from(String(i)),
      1,
      x.data,
      x.offsets,
      starts,
      ends,
      0,
    ]);
    const original = native().encodeColumns;
    const spy = jest
      .spyOn(native(), 'encodeColumns')
      .mockImplementation((_columns, _frames, slab, waste) =>
        original(columns, new Uint32Array(2 * rows), slab, waste),
      );
    const allocate = jest.spyOn(Buffer, 'allocUnsafeSlow');
    try {
      const error = thrown(() => encodeExamples({ x: ints(1) }, { x: fixedLen([], 'int64') }));
      expect(error).toMatchObject(TOO_LARGE);
      expect((error as Error).message).toMatch(message);
      expect(allocate).not.toHaveBeenCalled();
    } finally {
      spy.mockRestore();
      allocate.mockRestore();
    }
  });

  test('no memory for the slab', () => {
    const allocate = jest.spyOn(Buffer, 'allocUnsafeSlow').mockImplementation(() => {
      throw new RangeError('Array buffer allocation failed');
    });
    try {
      const error = thrown(() => encodeExamples({ x: ints(1) }, scalar));
      expect(error).toMatchObject({ name: 'TFRecordError', code: 'ENOMEM', file: '<encoded>' });
    } finally {
      allocate.mockRestore();
    }
  });
});

test('shared memory is copied, parts of arrays are taken as parts', () => {
  const shared = new BigInt64Array(new SharedArrayBuffer(24), 8, 2);
  shared.set([1n, 300n]);
  const wanted = [encodeExample({ x: 1n }), encodeExample({ x: 300n })];
  const seen = jest.spyOn(native(), 'encodeColumns');
  expect([...encodeExamples({ x: shared as never }, scalar)]).toEqual(wanted);
  expect(seen.mock.calls[0]?.[0][0]?.[2].buffer).toBeInstanceOf(ArrayBuffer);
  seen.mockRestore();
  expect([...encodeExamples({ x: ints(9, 1, 300, 9).subarray(1, 3) }, scalar)]).toEqual(wanted);
});

test('an array with a length of its own is encoded as it is', () => {
  class Liar extends BigInt64Array {
    override get byteOffset(): number {
      return 64;
    }
    override get buffer(): ArrayBuffer {
      return new ArrayBuffer(8);
    }
  }
  const liar = new Liar(2);
  liar.set([1n, 2n]);
  expect([...encodeExamples({ x: liar }, scalar)]).toEqual([1n, 2n].map((x) => encodeExample({ x })));
  const longer = lying(ints(1, 2), 'length', 4);
  expect([...encodeExamples({ x: longer }, scalar)]).toEqual([1n, 2n].map((x) => encodeExample({ x })));
});

test('a getter that transfers another column away', () => {
  const spec = { a: fixedLen([], 'int64'), b: fixedLen([], 'int64') };
  const a = ints(1, 2);
  const columns = {
    a,
    get b() {
      detached(a);
      return ints(1, 2);
    },
  };
  expect(thrown(() => encodeExamples(columns, spec))).toMatchObject(VALUE);
});

test('features may have the names of what objects have', () => {
  const spec = { ['__proto__']: fixedLen([], 'int64'), constructor: varLen('int64'), toString: varLen('int64') };
  const record = encodeExample({ ['__proto__']: 1n, constructor: 2n, toString: int64([]) });
  expect([...encodeExamples(parseExample([record], spec), spec)]).toEqual([record]);
  expect([...encodeExamples({ ['__proto__']: ints(1) } as never, spec)]).toEqual([
    encodeExample({ ['__proto__']: 1n }),
  ]);
});

describe('native checks of its own', () => {
  const column = {
    key: Buffer.from('k'),
    kind: 3,
    values: ints(1, 2),
    offsets: undefined,
    starts: undefined,
    ends: undefined,
    count: 1,
  };
  const encode = (change: object, size?: number): unknown => {
    const changed = Object.values({ ...column, ...change }) as unknown as EncoderColumn;
    return native().encodeColumns([changed], new Uint32Array(4), new Uint8Array(size ?? 1000), Infinity);
  };

  test.each<[string, object]>([
    ['another class', { values: new Float32Array(2) }],
    ['no array', { values: {} }],
    ['kind 0', { kind: 0 }],
    ['kind 4', { kind: 4 }],
    ['bytes without offsets', { kind: 1, values: new Uint8Array(2) }],
    ['bytes with no offset', { kind: 1, values: new Uint8Array(2), offsets: new Int32Array(0) }],
    ['too few starts', { starts: new Int32Array(1), ends: new Int32Array(2) }],
    ['starts without ends', { starts: new Int32Array(2) }],
    ['a negative count', { count: -1 }],
    ['a count that is none', { count: NaN }],
  ])('%s throws', (_what, change) => {
    expect(() => encode(change)).toThrow(/tfrecord: /);
  });

  test('a slab that is too small, or far too large, is answered by the bytes that it has to have', () => {
    const bytes = encode({}, 8) as number;
    expect(bytes).toBeGreaterThan(8);
    expect(encode({}, bytes - 1)).toBe(bytes);
    expect(encode({}, bytes)).toBeUndefined();
    const columns: EncoderColumn[] = [[column.key, 3, column.values, undefined, undefined, undefined, 1]];
    const frames = new Uint32Array(4);
    expect(native().encodeColumns(columns, frames, new Uint8Array(2 * bytes + 1), 2)).toBe(bytes);
    expect(native().encodeColumns(columns, frames, undefined, 2)).toBe(bytes);
  });

  test.each<[string, object, object]>([
    ['too few values', { count: 2 }, { code: 1, row: 1 }],
    ['ends behind the values', { starts: new Int32Array(2), ends: Int32Array.of(2, 3) }, { code: 1, row: 1 }],
    ['ends before starts', { starts: Int32Array.of(1, 0), ends: Int32Array.of(0, 1) }, { code: 1, row: 0 }],
    ['negative starts', { starts: Int32Array.of(-1, 0), ends: Int32Array.of(1, 1) }, { code: 1, row: 0 }],
  ])('%s are a fault', (_what, change, fault) => {
    expect(encode(change)).toMatchObject({ column: 0, ...fault });
  });
});
