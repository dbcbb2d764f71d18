import {
  DenseTensor,
  encodeExample,
  exampleEncoder,
  fixedLen,
  fixedLenSequence,
  float,
  int64,
  parseExample,
  parseSingleExample,
  ragged,
  RaggedTensor,
  rowsOf,
  sparse,
  SparseTensor,
  varLen,
  type Partition,
} from '../../../../lib';
import { thrown } from '../../../support/thrown';

const spec = {
  id: fixedLen([], 'int64'),
  box: fixedLen([2, 2], 'float32', { default: [0, 0, 1, 1] }),
  tags: varLen('bytes'),
  steps: fixedLenSequence([2], 'int64', { allowMissing: true }),
  amount: sparse({ indexKey: ['row', 'col'], valueKey: 'values', dtype: 'float32', size: [4, 2] }),
  words: ragged({ dtype: 'bytes', valueKey: 'letters', partitions: [{ by: 'rowLengths', key: 'lengths' }] }),
};
const encode = exampleEncoder(spec);
const words = [['a'], [], ['b', 'c']];

describe('exampleEncoder', () => {
  const amount = new SparseTensor('float32', {
    values: Float32Array.of(0.5, 1.5),
    indices: BigInt64Array.of(0n, 1n, 2n, 0n),
    denseShape: [4, 2],
  });
  const row = {
    id: 7,
    box: [
      [1, 2],
      [3, 4],
    ],
    tags: ['x', 'yz'],
    steps: [1, 2, 3, 4],
    amount,
    words,
  };

  it('writes what parsing reads', () => {
    expect(encode(row)).toEqual(
      encodeExample({
        id: int64(7),
        box: float([1, 2, 3, 4]),
        tags: ['x', 'yz'],
        steps: int64([1, 2, 3, 4]),
        values: float([0.5, 1.5]),
        row: int64([0, 2]),
        col: int64([1, 0]),
        letters: ['a', 'b', 'c'],
        lengths: int64([1, 0, 2]),
      }),
    );
  });

  it.each(['bigint', 'number'] as const)('takes what parsing gives, int64 as %s', (as) => {
    const record = encode(row);
    const element = parseSingleExample(record, spec, { int64: as });
    expect(element.words).toBeInstanceOf(RaggedTensor);
    expect(element.box).toBeInstanceOf(DenseTensor);
    expect(encode(element)).toEqual(record);
  });

  it('takes the views of rowsOf, whose features are getters', () => {
    const record = encode(row);
    const views = [...rowsOf(parseExample([record, encode({ id: 8 })], spec), spec)];
    expect(encode(views[0]!)).toEqual(record);
    const { id } = spec;
    expect(thrown(() => exampleEncoder({ id })(views[0]!))).toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
    const plain = { tags: varLen('bytes'), name: fixedLen([], 'bytes') };
    const example = encodeExample({ name: 'a', tags: ['x', 'yz'] });
    const [view] = rowsOf(parseExample([example], plain), plain);
    expect(encodeExample(view as never)).toEqual(example);
  });

  it.each<[Partition['by'], number[]]>([
    ['rowSplits', [0, 1, 1, 3]],
    ['rowLengths', [1, 0, 2]],
    ['rowStarts', [0, 1, 1]],
    ['rowLimits', [1, 1, 3]],
    ['valueRowIds', [0, 2, 2]],
  ])('writes rows by %s', (by, expected) => {
    const partitions = [{ by, key: 'p' } as Partition];
    const encoder = exampleEncoder({ w: ragged({ dtype: 'bytes', partitions }) });
    expect(encoder({ w: words })).toEqual(encodeExample({ w: ['a', 'b', 'c'], p: int64(expected) }));
  });

  it('writes rows of rows', () => {
    const partitions = [
      { by: 'rowLengths', key: 'p' },
      { by: 'uniformRowLength', length: 2 },
    ] as const;
    const encoder = exampleEncoder({ n: ragged({ dtype: 'int64', partitions }) });
    expect(
      encoder({
        n: [
          [
            [1, 2],
            [3, 4],
          ],
          [[5, 6]],
        ],
      }),
    ).toEqual(encodeExample({ n: int64([1, 2, 3, 4, 5, 6]), p: int64([2, 1]) }));
    expect(thrown(() => encoder({ n: [[[1, 2, 3]]] }))).toMatchObject({ code: 'TFR_FEATURE', expected: 'rows of 2' });
  });

  it('leaves out what is undefined', () => {
    expect(encode({ id: 7n })).toEqual(encodeExample({ id: 7n }));
  });

  it.each<[string, object, object, string]>([
    ['a required feature that lacks', { box: [1, 2, 3, 4] }, { code: 'TFR_FEATURE', feature: 'id' }, '"id"'],
    ['too many values', { id: [1, 2] }, { code: 'TFR_FEATURE', feature: 'id', found: '2' }, '"id"'],
    ['too few values', { id: 1, box: [1] }, { code: 'TFR_FEATURE', feature: 'box', found: '1' }, '[2, 2]'],
    ['part of a step', { id: 1, steps: [1, 2, 3] }, { code: 'TFR_FEATURE', feature: 'steps' }, 'a multiple of 2'],
    ['a fraction', { id: 1.5 }, { code: 'ERR_OUT_OF_RANGE' }, '"row.id"'],
    ['a wrong type', { id: 'a' }, { code: 'ERR_INVALID_ARG_TYPE' }, '"row.id"'],
    ['a misspelt feature', { id: 1, tag: ['x'] }, { code: 'ERR_INVALID_ARG_VALUE' }, '"tag"'],
    ['a list for a sparse tensor', { id: 1, amount: [1] }, { code: 'ERR_INVALID_ARG_TYPE' }, '"row.amount"'],
    ['flat values for rows', { id: 1, words: ['a'] }, { code: 'ERR_INVALID_ARG_TYPE' }, '"row.words"'],
    ['no row', [], { code: 'ERR_INVALID_ARG_TYPE' }, '"row"'],
  ])('refuses %s', (_name, value, expected, message) => {
    const error = thrown(() => encode(value));
    expect(error).toMatchObject(expected);
    expect((error as Error).message).toContain(message);
  });

  it.each([
    ['negative', -1n],
    ['equal to the size', 2n],
    ['beyond 2^32', 2n ** 32n],
  ])('refuses a coordinate that is %s, as parsing does', (_name, index) => {
    const of = { v: sparse({ indexKey: ['i', 'j'], valueKey: 'w', dtype: 'float32', size: [3, 2] }) };
    const v = new SparseTensor('float32', {
      values: Float32Array.of(1),
      indices: BigInt64Array.of(0n, index),
      denseShape: [3, 2],
    });
    const record = encodeExample({ w: float(1), i: int64(0), j: int64(index) });
    expect(thrown(() => parseSingleExample(record, of))).toMatchObject({ code: 'TFR_FEATURE', feature: 'v' });
    expect(thrown(() => exampleEncoder(of)({ v }))).toMatchObject({
      code: 'TFR_FEATURE',
      feature: 'v',
      expected: 'coordinates from 0 to 1 in dimension 1',
      found: String(index),
    });
  });

  it.each([fixedLen([0], 'int64'), fixedLen([2, 0], 'int64', { default: [] })])(
    'refuses a missing feature without places, whose default counts as none: %s',
    (none) => {
      const of = { none, id: fixedLen([], 'int64') };
      const encoder = exampleEncoder(of);
      const missing = encodeExample({ id: 1n });
      expect(thrown(() => parseSingleExample(missing, of))).toMatchObject({ code: 'TFR_FEATURE', feature: 'none' });
      expect(thrown(() => encoder({ id: 1n }))).toMatchObject({ code: 'TFR_FEATURE', feature: 'none' });
      expect(encoder({ id: 1n, none: [] })).toEqual(encodeExample({ id: 1n, none: int64([]) }));
    },
  );

  it('keeps the bits of a NaN in a ragged tensor', () => {
    const of = { x: ragged({ dtype: 'float32', partitions: [{ by: 'rowLengths', key: 'p' }] }) };
    const bits = new Float32Array(Uint32Array.of(0x7f80_0001, 0xffc0_1234).buffer);
    const record = encodeExample({ x: bits, p: int64([2]) });
    expect(exampleEncoder(of)(parseSingleExample(record, of))).toEqual(record);
  });

  it('takes rows of equal lengths as parsing gives them, and as a DenseTensor', () => {
    const partitions = [
      { by: 'uniformRowLength', length: 1 },
      { by: 'uniformRowLength', length: 2 },
    ] as const;
    const of = { n: ragged({ dtype: 'int64', partitions }) };
    const record = encodeExample({ n: int64([1, 2, 3, 4]) });
    const element = parseSingleExample(record, of);
    expect(element.n.rowSplits).toEqual([]);
    expect(exampleEncoder(of)(element)).toEqual(record);
    expect(exampleEncoder(of)({ n: element.n.values })).toEqual(record);
    const flat = new DenseTensor('int64', [2], new BigInt64Array(2));
    expect(thrown(() => exampleEncoder(of)({ n: flat }))).toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
  });

  it('refuses a hole in a nested list', () => {
    const encoder = exampleEncoder({ x: varLen('int64') });
    expect(thrown(() => encoder({ x: [[1, , 2]] as never }))).toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
  });

  it('refuses what its spec or partition cannot say', () => {
    const ids = exampleEncoder({ w: ragged({ dtype: 'bytes', partitions: [{ by: 'valueRowIds', key: 'p' }] }) });
    expect(thrown(() => ids({ w: [[['a'], ['b']]] }))).toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
    const flat = exampleEncoder({ w: ragged({ dtype: 'bytes' }) });
    expect(thrown(() => flat({ w: [['a'], ['b']] }))).toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
    expect(thrown(() => ids({ w: [['a'], []] }))).toMatchObject({ code: 'TFR_FEATURE', feature: 'w' });
    const shared = exampleEncoder({
      a: ragged({ dtype: 'int64', partitions: [{ by: 'rowLengths', key: 'p' }] }),
      b: ragged({ dtype: 'int64', partitions: [{ by: 'rowLengths', key: 'p' }] }),
    });
    expect(shared({ a: [[1], [2]], b: [[3], [4]] })).toEqual(
      encodeExample({ a: int64([1, 2]), b: int64([3, 4]), p: int64([1, 1]) }),
    );
    expect(thrown(() => shared({ a: [[1, 2]], b: [[3]] }))).toMatchObject({ code: 'TFR_FEATURE', feature: 'b' });
    expect(thrown(() => exampleEncoder({}))).toMatchObject({ code: 'TFR_SPEC' });
  });
});
