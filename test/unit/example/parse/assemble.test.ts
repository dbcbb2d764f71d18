/**
 * Composes batches and elements from columns made by hand: the worked examples and tables of features, section by
 * section.
 */
import fc from 'fast-check';

import {
  fixedLen,
  fixedLenSequence,
  ragged,
  sparse,
  varLen,
  type FeatureSpec,
  type Partition,
  type SequenceSpec,
  type Spec,
} from '../../../../lib/example';
import { FeatureFault } from '../../../../lib/example/columns';
import type { BatchValue, ElementValue } from '../../../../lib/example/kinds';
import {
  composeBatch,
  composeElement,
  composeSequenceBatch,
  composeSequenceElement,
} from '../../../../lib/example/parse/compose';
import { planExample, planSequenceExample } from '../../../../lib/example/parse/plan';
import { BytesArray, DenseTensor, RaggedTensor, SparseTensor } from '../../../../lib/tensor';
import { examplesPiece, recordsPiece, type HandMade, type Values } from '../../../support/examples/parsed-columns';

type Records = readonly Readonly<Record<string, Values>>[];
const batch = (spec: Spec, records: Records, numbers = false): Record<string, BatchValue> =>
  composeBatch(examplesPiece(planExample(spec), records, numbers));
const single = (spec: Spec, record: Records[number]): Record<string, ElementValue> =>
  composeElement(examplesPiece(planExample(spec), [record]));
/** The one feature of a batch, or of a record. */
const one = (feature: FeatureSpec, records: Records): unknown => plain(batch({ a: feature }, records)['a']);
const alone = (feature: FeatureSpec, record: Records[number]): unknown => plain(single({ a: feature }, record)['a']);

/** The nested lists of a tensor of int64. */
const numbers = (tensor: unknown): unknown =>
  JSON.parse(
    JSON.stringify((tensor as RaggedTensor<'int64'>).toArray(), (_, value: unknown) =>
      typeof value === 'bigint' ? Number(value) : value,
    ),
  );

/** What tests compare: numbers for bigint, text for bytes. */
function plain(value: unknown): unknown {
  if (value instanceof BytesArray) return value.toJSON();
  if (value instanceof DenseTensor) return { shape: value.shape, data: plain(value.data) };
  if (value instanceof SparseTensor) {
    return { indices: [...value.indices].map(Number), values: plain(value.values), denseShape: value.denseShape };
  }
  if (value instanceof RaggedTensor) {
    return { splits: value.rowSplits.map((splits) => [...splits].map(Number)), values: plain(value.values) };
  }
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (ArrayBuffer.isView(value)) return [...(value as unknown as Iterable<number | bigint>)].map(Number);
  return typeof value === 'bigint' ? Number(value) : value;
}

const fault = (row: number, feature: string, expected: RegExp, found: RegExp): Error =>
  expect.objectContaining({
    row,
    feature,
    expected: expect.stringMatching(expected) as string,
    found: expect.stringMatching(found) as string,
  }) as Error;

test('the worked example of fixedLen, varLen and fixedLenSequence', () => {
  const spec = {
    id: fixedLen([], 'int64'),
    w: varLen('float32'),
    tag: fixedLenSequence([], 'bytes', { allowMissing: true, default: '?' }),
  };
  const records = [{ id: [7], w: [0.5, 2], tag: ['x', 'yz'] }, { id: [8] }, { id: [9], w: [4], tag: [] }];
  const { id, w, tag } = batch(spec, records);
  expect(id).toEqual(BigInt64Array.of(7n, 8n, 9n));
  expect(plain(w)).toEqual({ indices: [0, 0, 0, 1, 2, 0], values: [0.5, 2, 4], denseShape: [3, 2] });
  expect(plain(tag)).toEqual({ shape: [3, 2], data: ['x', 'yz', '?', '?', '?', '?'] });
  const second = single(spec, records[1] as Records[number]);
  expect(second['id']).toBe(8n);
  expect(second['w']).toEqual(new Float32Array(0));
  expect(plain(second['tag'])).toEqual([]);
  const numbers = batch(spec, records, true);
  expect(numbers['id']).toEqual(Float64Array.of(7, 8, 9));
});

test('a feature may be called __proto__', () => {
  const spec = { ['__proto__']: fixedLen([], 'int64') };
  const record = { ['__proto__']: [5] };
  expect(Object.entries(batch(spec, [record]))).toEqual([['__proto__', BigInt64Array.of(5n)]]);
  expect(Object.entries(single(spec, record))).toEqual([['__proto__', 5n]]);
});

describe('fixedLen', () => {
  test('[B] + shape, row-major', () => {
    const box = fixedLen([2, 2], 'int64');
    expect(one(box, [{ a: [1, 2, 3, 4] }, { a: [5, 6, 7, 8] }])).toEqual({
      shape: [2, 2, 2],
      data: [1, 2, 3, 4, 5, 6, 7, 8],
    });
    expect(alone(box, { a: [1, 2, 3, 4] })).toEqual({ shape: [2, 2], data: [1, 2, 3, 4] });
    expect(one(fixedLen([1], 'bytes'), [{ a: ['x'] }])).toEqual({ shape: [1, 1], data: ['x'] });
    expect(alone(fixedLen([], 'bytes'), { a: ['x'] })).toBe('x');
  });

  test('shapes without places, batches without records', () => {
    expect(one(fixedLen([0, 3], 'float32'), [{ a: [] }, { a: [] }])).toEqual({ shape: [2, 0, 3], data: [] });
    expect(one(fixedLen([2], 'float32'), [])).toEqual({ shape: [0, 2], data: [] });
    expect(one(fixedLen([], 'bytes'), [])).toEqual([]);
  });
});

describe('varLen', () => {
  test.each<[string, Records, unknown, number[]]>([
    ['nothing anywhere', [{}, {}], [], [2, 0]],
    ['an empty batch', [], [], [0, 0]],
    ['the longest list', [{ a: [1] }, {}, { a: [2, 3, 4] }], [0, 0, 2, 0, 2, 1, 2, 2], [3, 3]],
  ])('%s', (_, records, indices, denseShape) => {
    expect(one(varLen('int64'), records)).toMatchObject({ indices, denseShape });
  });

  test('the values of one record are a column', () => {
    expect(alone(varLen('bytes'), { a: ['x', ''] })).toEqual(['x', '']);
    expect(alone(varLen('int64'), {})).toEqual([]);
  });
});

describe('fixedLenSequence', () => {
  const pairs = fixedLenSequence([2], 'int64', { allowMissing: true, default: 7 });
  const of = (feature: FeatureSpec, records: Records): unknown => one(feature, records);

  test.each<[string, Records, unknown]>([
    ['padded at the end', [{}, { a: [1, 2] }], { shape: [2, 1, 2], data: [7, 7, 1, 2] }],
    ['steps', [{ a: [1, 2, 3, 4] }, { a: [5, 6] }], { shape: [2, 2, 2], data: [1, 2, 3, 4, 5, 6, 7, 7] }],
    ['all missing', [{}, {}], { shape: [2, 0, 2], data: [] }],
    ['no records', [], { shape: [0, 0, 2], data: [] }],
    ['no padding', [{ a: [1, 2] }, { a: [3, 4] }], { shape: [2, 1, 2], data: [1, 2, 3, 4] }],
  ])('%s', (_, records, expected) => {
    expect(of(pairs, records)).toEqual(expected);
  });

  test('padded with 0, no bytes, or what was given', () => {
    const records = [{ a: ['x'] }, { a: ['y', 'zz'] }, {}];
    expect(of(fixedLenSequence([], 'bytes', { allowMissing: true }), records)).toEqual({
      shape: [3, 2],
      data: ['x', '', 'y', 'zz', '', ''],
    });
    expect(of(fixedLenSequence([], 'bytes', { allowMissing: true, default: '--' }), records)).toEqual({
      shape: [3, 2],
      data: ['x', '--', 'y', 'zz', '--', '--'],
    });
    expect(of(fixedLenSequence([], 'float32', { allowMissing: true }), [{ a: [0.5] }, {}])).toEqual({
      shape: [2, 1],
      data: [0.5, 0],
    });
    expect(of(fixedLenSequence([], 'float32', { allowMissing: true, default: -0 }), [{ a: [0.5] }, {}])).toEqual({
      shape: [2, 1],
      data: [0.5, -0],
    });
    expect(batch({ a: pairs }, [{}, { a: [1, 2] }], true)['a']).toMatchObject({ data: Float64Array.of(7, 7, 1, 2) });
  });

  test('long rows', () => {
    const long = Array.from({ length: 100 }, (_, i) => i);
    expect(of(fixedLenSequence([], 'int64', { allowMissing: true }), [{ a: [1] }, { a: long }])).toEqual({
      shape: [2, 100],
      data: [1, ...Array<number>(99).fill(0), ...long],
    });
  });

  test('one record is never padded', () => {
    expect(alone(pairs, { a: [1, 2, 3, 4] })).toEqual({ shape: [2, 2], data: [1, 2, 3, 4] });
    expect(alone(pairs, {})).toEqual({ shape: [0, 2], data: [] });
    expect(alone(fixedLenSequence([], 'float32', { allowMissing: true }), { a: [1] })).toEqual([1]);
  });

  test('a record whose values are no whole number of steps', () => {
    // In the batch the total is even.
    expect(() => of(pairs, [{ a: [1, 2] }, { a: [1, 2, 3] }, { a: [1] }])).toThrow(
      fault(1, 'a', /a multiple of 2/, /^3$/),
    );
    expect(() => alone(pairs, { a: [1] })).toThrow(fault(0, 'a', /a multiple of 2/, /^1$/));
  });

  test('NaN payloads stay', () => {
    const piece = examplesPiece(planExample({ a: fixedLenSequence([], 'float32', { allowMissing: true }) }), [
      { a: [0] },
      { a: [0, 0] },
    ]);
    new Uint32Array((piece.columns[0] as { values: Float32Array }).values.buffer).set([
      0x7fa12345, 0xffc00001, 0x7f800001,
    ]);
    const { data } = composeBatch(piece)['a'] as DenseTensor<'float32'>;
    expect([...new Uint32Array(data.buffer)]).toEqual([0x7fa12345, 0, 0xffc00001, 0x7f800001]);
  });
});

describe('sparse', () => {
  const grid = sparse({ indexKey: ['row', 'col'], valueKey: 'amt', dtype: 'float32', size: [4, 2] });
  const line = sparse({ indexKey: 'i', valueKey: 'v', dtype: 'bytes', size: 3 });

  test('the worked example', () => {
    const record = { amt: [0.5, 1.5, 2.5], row: [2, 0, 2], col: [1, 1, 0] };
    expect(alone(grid, record)).toEqual({ indices: [0, 1, 2, 0, 2, 1], values: [1.5, 2.5, 0.5], denseShape: [4, 2] });
    expect(one(grid, [{}, record])).toEqual({
      indices: [1, 0, 1, 1, 2, 0, 1, 2, 1],
      values: [1.5, 2.5, 0.5],
      denseShape: [2, 4, 2],
    });
    expect(one(grid, [])).toEqual({ indices: [], values: [], denseShape: [0, 4, 2] });
    expect(alone(grid, {})).toEqual({ indices: [], values: [], denseShape: [4, 2] });
  });

  test('equal coordinates are kept, as they came', () => {
    expect(one(line, [{ i: [2, 1, 2, 1], v: ['a', 'b', 'c', 'd'] }])).toEqual({
      indices: [0, 1, 0, 1, 0, 2, 0, 2],
      values: ['b', 'd', 'a', 'c'],
      denseShape: [1, 3],
    });
  });

  test('entries of any order and number are sorted, equal ones stay in their order', () => {
    const entries = fc.array(fc.tuple(fc.nat(5), fc.nat(2)), { maxLength: 60 });
    fc.assert(
      fc.property(fc.array(entries, { maxLength: 3 }), (rows) => {
        const feature = sparse({ indexKey: ['row', 'col'], valueKey: 'amt', dtype: 'int64', size: [6, 3] });
        const records = rows.map((all) => ({
          row: all.map(([i]) => i),
          col: all.map(([, j]) => j),
          amt: all.map((_, n) => n),
        }));
        const wanted = rows.flatMap((all, row) =>
          all
            .map(([i, j], n) => ({ index: [row, i, j], n }))
            .sort((a, b) => a.index[1]! - b.index[1]! || a.index[2]! - b.index[2]!),
        );
        const { indices, values } = one(feature, records) as { indices: number[]; values: number[] };
        expect(indices).toEqual(wanted.flatMap(({ index }) => index));
        expect(values).toEqual(wanted.map(({ n }) => n));
      }),
    );
  });

  test('already sorted: as it is', () => {
    const sorted = sparse({ indexKey: 'i', valueKey: 'v', dtype: 'int64', size: 9, alreadySorted: true });
    expect(alone(sorted, { i: [5, 1], v: [1, 2] })).toEqual({ indices: [5, 1], values: [1, 2], denseShape: [9] });
  });

  test('one key for several features, and for both parts', () => {
    const spec = {
      s: sparse({ indexKey: 'k', valueKey: 'k', dtype: 'int64', size: 9 }),
      t: sparse({ indexKey: ['k', 'k'], valueKey: 'w', dtype: 'float32', size: [9, 9] }),
      k: varLen('int64'),
    };
    const { s, t, k } = batch(spec, [{ k: [3, 1], w: [0.5, 1] }]);
    expect(plain(s)).toEqual({ indices: [0, 1, 0, 3], values: [1, 3], denseShape: [1, 9] });
    expect(plain(t)).toEqual({ indices: [0, 1, 1, 0, 3, 3], values: [1, 0.5], denseShape: [1, 9, 9] });
    expect(plain(k)).toMatchObject({ values: [3, 1] });
  });

  test('coordinates beyond 32 bits, and int64 as numbers', () => {
    const far = sparse({ indexKey: 'i', valueKey: 'v', dtype: 'int64', size: 2 ** 53 - 1 });
    const records = [{ i: [2 ** 40 + 5, 2 ** 31, 2 ** 32 - 1], v: [1, 2, 3] }];
    for (const numbers of [false, true]) {
      expect((batch({ a: far }, records, numbers)['a'] as SparseTensor<'int64'>).indices).toEqual(
        BigInt64Array.of(0n, 2n ** 31n, 0n, 2n ** 32n - 1n, 0n, 2n ** 40n + 5n),
      );
    }
  });

  test('lengths are compared in every record: values do not move to the next', () => {
    const records = [
      { amt: [1, 2, 3], row: [0, 1], col: [0, 1, 1] },
      { amt: [4], row: [2, 3], col: [0] },
    ];
    expect(() => one(grid, records)).toThrow(fault(0, 'a', /coordinates in "row" as values in "amt": 3/, /^2$/));
    expect(() => one(grid, [{}, { amt: [1] }])).toThrow(fault(1, 'a', /"row"/, /^0$/));
    expect(() => alone(line, { i: [1], v: [] })).toThrow(fault(0, 'a', /: 0/, /^1$/));
  });

  test('the lowest record is reported, whichever key is wrong', () => {
    const records = [{}, { amt: [1], row: [0], col: [] }, { amt: [1], row: [], col: [0] }];
    expect(() => one(grid, records)).toThrow(fault(1, 'a', /"col"/, /^0$/));
  });

  test.each<[string, Records, number, RegExp, RegExp]>([
    [
      'beyond the size',
      [
        { i: [0], v: ['a'] },
        { i: [1, 3], v: ['b', 'c'] },
      ],
      1,
      /0 to 2 in "i"/,
      /^3$/,
    ],
    ['negative', [{ i: [-1], v: ['a'] }], 0, /0 to 2/, /^-1$/],
    ['far beyond', [{}, {}, { i: [2n ** 63n - 1n], v: ['a'] }], 2, /0 to 2/, /^9223372036854775807$/],
    ['far below', [{ i: [-(2n ** 63n)], v: ['a'] }], 0, /0 to 2/, /^-9223372036854775808$/],
  ])('a coordinate %s', (_, records, row, expected, found) => {
    expect(() => one(line, records)).toThrow(fault(row, 'a', expected, found));
  });

  test('a size of 0 has no places', () => {
    const none = sparse({ indexKey: 'i', valueKey: 'v', dtype: 'int64', size: 0 });
    expect(one(none, [{}])).toEqual({ indices: [], values: [], denseShape: [1, 0] });
    expect(() => one(none, [{ i: [0], v: [1] }])).toThrow(fault(0, 'a', /the size is 0/, /^0$/));
  });
});

describe('ragged', () => {
  const by = (...partitions: Partition[]): FeatureSpec => ragged({ dtype: 'int64', valueKey: 'n', partitions });
  const keyed = (kind: Exclude<Partition['by'], 'uniformRowLength'>, key = 'p'): Partition => ({ by: kind, key });
  const uniform = (length: number): Partition => ({ by: 'uniformRowLength', length });

  test('no partitions', () => {
    const plainRagged = ragged({ dtype: 'int64', valueKey: 'n' });
    expect(one(plainRagged, [{ n: [1, 2] }, {}, { n: [3] }])).toEqual({
      splits: [[0, 2, 2, 3]],
      values: { shape: [3], data: [1, 2, 3] },
    });
    expect(alone(plainRagged, { n: [1, 2] })).toEqual([1, 2]);
    expect(one(plainRagged, [])).toEqual({ splits: [[0]], values: { shape: [0], data: [] } });
  });

  // [a][][b c d], then [e].
  test.each<[Exclude<Partition['by'], 'uniformRowLength'>, number[], number[]]>([
    ['rowSplits', [0, 1, 1, 4], [0, 1]],
    ['rowLengths', [1, 0, 3], [1]],
    ['rowStarts', [0, 1, 1], [0]],
    ['rowLimits', [1, 1, 4], [1]],
    ['valueRowIds', [0, 2, 2, 2], [0]],
  ])('%s, the worked example', (kind, first, second) => {
    const records = [
      { n: [10, 20, 30, 40], p: first },
      { n: [50], p: second },
    ];
    expect(one(by(keyed(kind)), records)).toEqual({
      splits: [
        [0, 3, 4],
        [0, 1, 1, 4, 5],
      ],
      values: { shape: [5], data: [10, 20, 30, 40, 50] },
    });
    expect(alone(by(keyed(kind)), records[0] as Records[number])).toEqual({
      splits: [[0, 1, 1, 4]],
      values: { shape: [4], data: [10, 20, 30, 40] },
    });
  });

  test.each(['rowSplits', 'rowLengths', 'rowStarts', 'rowLimits', 'valueRowIds'] as const)(
    '%s missing is no rows',
    (kind) => {
      expect(one(by(keyed(kind)), [{}, {}])).toEqual({ splits: [[0, 0, 0], [0]], values: { shape: [0], data: [] } });
      expect(alone(by(keyed(kind)), {})).toEqual({ splits: [[0]], values: { shape: [0], data: [] } });
    },
  );

  test('uniform rows are dimensions of the values while they are innermost', () => {
    const n = [10, 20, 30, 40];
    expect(alone(by(uniform(2)), { n })).toEqual({ splits: [], values: { shape: [2, 2], data: n } });
    expect(one(by(uniform(2)), [{ n }])).toEqual({ splits: [[0, 2]], values: { shape: [2, 2], data: n } });
    expect(one(by(uniform(2), uniform(2)), [{ n }, {}])).toEqual({
      splits: [[0, 1, 1]],
      values: { shape: [1, 2, 2], data: n },
    });
    expect(one(by(keyed('rowLengths'), uniform(2)), [{ n, p: [1, 1] }])).toEqual({
      splits: [
        [0, 2],
        [0, 1, 2],
      ],
      values: { shape: [2, 2], data: n },
    });
    expect(one(by(uniform(2), uniform(3)), [{ n: [1, 2, 3, 4, 5, 6] }])).toMatchObject({
      values: { shape: [1, 2, 3] },
    });
    expect(one(by(uniform(2)), [])).toEqual({ splits: [[0]], values: { shape: [0, 2], data: [] } });
  });

  test('uniform rows further out are ragged', () => {
    const feature = by(uniform(2), keyed('rowLengths'));
    expect(one(feature, [{ n: [1, 2, 3], p: [1, 2] }, {}])).toEqual({
      splits: [
        [0, 1, 1],
        [0, 2],
        [0, 1, 3],
      ],
      values: { shape: [3], data: [1, 2, 3] },
    });
    expect(alone(feature, { n: [1, 2, 3], p: [1, 2] })).toEqual({
      splits: [
        [0, 2],
        [0, 1, 3],
      ],
      values: { shape: [3], data: [1, 2, 3] },
    });
    expect(() => one(feature, [{ n: [1, 2, 3], p: [1, 1, 1] }])).toThrow(fault(0, 'a', /multiple of 2/, /^3$/));
  });

  test('partitions run from the outermost to the innermost', () => {
    const record = { n: [1, 2, 3, 4], outer: [2, 1], inner: [1, 0, 3] };
    const feature = by(keyed('rowLengths', 'outer'), keyed('rowLengths', 'inner'));
    expect(numbers(single({ a: feature }, record)['a'])).toEqual([[[1], []], [[2, 3, 4]]]);
    expect(numbers(batch({ a: feature }, [record, {}])['a'])).toEqual([[[[1], []], [[2, 3, 4]]], []]);
  });

  test('splits of int64', () => {
    const wide = ragged({ dtype: 'bytes', valueKey: 'n', partitions: [keyed('rowLengths')], rowSplitsDtype: 'int64' });
    expect((batch({ a: wide }, [{ n: ['x'], p: [0, 1] }])['a'] as RaggedTensor<'bytes'>).rowSplits).toEqual([
      BigInt64Array.of(0n, 2n),
      BigInt64Array.of(0n, 0n, 1n),
    ]);
  });

  test('lengths are checked in every record', () => {
    const feature = by(keyed('rowLengths'));
    expect(() =>
      one(feature, [
        { n: [1, 2, 3], p: [2] },
        { n: [4], p: [2] },
      ]),
    ).toThrow(fault(0, 'a', /rowLengths "p"/, /^2$/));
  });

  // Each for 4 values.
  test.each<[Exclude<Partition['by'], 'uniformRowLength'>, string, Values, RegExp, RegExp]>([
    ['rowSplits', 'that start late', [1, 4], /start with 0/, /^1$/],
    ['rowSplits', 'that descend', [0, 3, 2, 4], /ascending/, /2 after 3/],
    ['rowSplits', 'that end early', [0, 3], /4 values/, /^3$/],
    ['rowSplits', 'that end late', [0, 5], /4 values/, /ends at 5/],
    ['rowSplits', 'without rows', [0], /4 values/, /^0$/],
    ['rowSplits', 'that are missing', [], /4 values/, /^0$/],
    ['rowSplits', 'far beyond', [0, 2n ** 62n], /4 values/, /ends at 4611686018427388000/],
    ['rowLengths', 'below 0', [-1, 5], /from 0 on/, /^-1$/],
    ['rowLengths', 'too short', [1, 2], /4 values/, /^3$/],
    ['rowLengths', 'too long', [4, 1], /4 values/, /5 or more/],
    ['rowLengths', 'that are missing', [], /4 values/, /^0$/],
    ['rowStarts', 'that start late', [1, 2], /begin with 0/, /^1$/],
    ['rowStarts', 'that descend', [0, 2, 1], /ascending/, /1 after 2/],
    ['rowStarts', 'beyond the values', [0, 5], /4 values/, /ends at 5/],
    ['rowStarts', 'that are missing', [], /4 values/, /^0$/],
    ['rowLimits', 'below 0', [-1, 4], /ascending/, /-1 after 0/],
    ['rowLimits', 'that descend', [3, 2, 4], /ascending/, /2 after 3/],
    ['rowLimits', 'that end early', [1, 3], /4 values/, /^3$/],
    ['rowLimits', 'that are missing', [], /4 values/, /^0$/],
    ['valueRowIds', 'too few', [0, 1, 2], /each of 4/, /^3 row ids$/],
    ['valueRowIds', 'that descend', [0, 1, 0, 1], /ascend/, /0 after 1/],
    ['valueRowIds', 'that run down behind a large one', [0, 10 ** 9, 10 ** 9, 0], /ascend/, /^0 after 1000000000$/],
    [
      'valueRowIds',
      'that run down behind the largest',
      [2n ** 53n - 1n, 0, 0, 0],
      /ascend/,
      /^0 after 9007199254740991$/,
    ],
    [
      'valueRowIds',
      'that run down behind 2^63 - 1',
      [0, 2n ** 63n - 1n, 0, 1],
      /ascend/,
      /^0 after 9223372036854776000$/,
    ],
    ['valueRowIds', 'that end below 0', [0, 10 ** 9, 10 ** 9, -1], /ascend/, /^-1 after 1000000000$/],
    ['valueRowIds', 'below 0', [-1, 0, 0, 0], /ascend/, /-1 after 0/],
    ['valueRowIds', 'that ask for all memory', [0, 0, 0, 2n ** 62n], /leave at most/, /46116860184273/],
    ['valueRowIds', 'that ask for much memory', [0, 0, 0, 2 ** 27], /leave at most/, /^134217728$/],
    ['valueRowIds', 'that are missing', [], /each of 4/, /^0 row ids$/],
  ])('%s %s', (kind, _, p, expected, found) => {
    const good = {
      n: [1],
      p: { rowSplits: [0, 1], rowLengths: [1], rowStarts: [0], rowLimits: [1], valueRowIds: [0] }[kind],
    };
    const feature = by(keyed(kind));
    expect(() => one(feature, [good, { n: [1, 2, 3, 4], p }, good])).toThrow(fault(1, 'a', expected, found));
    expect(() => alone(feature, { n: [1, 2, 3, 4], p })).toThrow(FeatureFault);
    // Told to check, or not: it is the same.
    const checked = ragged({ dtype: 'int64', valueKey: 'n', partitions: [keyed(kind)], validate: true });
    expect(() => one(checked, [{ n: [1, 2, 3, 4], p }])).toThrow(FeatureFault);
  });

  test('uniform rows are counted in every record', () => {
    expect(() => one(by(uniform(2)), [{ n: [1, 2, 3] }, { n: [4] }])).toThrow(fault(0, 'a', /multiple of 2/, /^3$/));
  });
});

test('the lowest record at fault is reported, whichever feature it is', () => {
  const spec = {
    a: fixedLenSequence([2], 'int64', { allowMissing: true }),
    b: sparse({ indexKey: 'i', valueKey: 'v', dtype: 'int64', size: 3 }),
    c: ragged({ dtype: 'int64', partitions: [{ by: 'rowLengths', key: 'l' }] }),
  };
  const records = [{}, { c: [1] }, { a: [1], i: [9], v: [1] }];
  expect(() => batch(spec, records)).toThrow(fault(1, 'c', /rowLengths "l"/, /^0$/));
  expect(() => batch(spec, records.toSpliced(1, 1))).toThrow(fault(1, 'a', /multiple/, /^1$/));
});

describe('SequenceExamples', () => {
  const context = { lang: fixedLen([], 'bytes') };
  const sequences = (sequence: SequenceSpec, records: readonly HandMade[]): ReturnType<typeof composeSequenceBatch> =>
    composeSequenceBatch(recordsPiece(planSequenceExample({}, sequence), records));
  const inOne = (sequence: SequenceSpec, record: HandMade): Record<string, ElementValue> =>
    composeSequenceElement(recordsPiece(planSequenceExample({}, sequence), [record])).sequence;
  const records: HandMade[] = [
    { features: { lang: ['fr'] }, lists: { tok: [[3], [1], [4]], emb: [[0.5, 0.25], [], []] } },
    { features: { lang: ['en'] }, lists: { tok: [[9]] } },
  ];

  test('the worked example', () => {
    const sequence = { tok: fixedLenSequence([], 'int64'), emb: varLen('float32') };
    const plan = planSequenceExample(context, sequence);
    const made = composeSequenceBatch(recordsPiece(plan, records));
    expect(plain(made.context['lang'])).toEqual(['fr', 'en']);
    expect(plain(made.sequence['tok'])).toEqual({ shape: [2, 3], data: [3, 1, 4, 9, 0, 0] });
    expect(made.lengths).toEqual({ tok: Int32Array.of(3, 1) });
    expect(plain(made.sequence['emb'])).toEqual({
      indices: [0, 0, 0, 0, 0, 1],
      values: [0.5, 0.25],
      denseShape: [2, 3, 2],
    });
    const first = composeSequenceElement(recordsPiece(plan, records.slice(0, 1)));
    expect(plain(first.context['lang'])).toBe('fr');
    expect(plain(first.sequence['tok'])).toEqual([3, 1, 4]);
    expect(plain(first.sequence['emb'])).toEqual({ indices: [0, 0, 0, 1], values: [0.5, 0.25], denseShape: [3, 2] });
    const rag = sequences({ emb: ragged({ dtype: 'float32' }) }, records).sequence['emb'] as RaggedTensor<'float32'>;
    expect(plain(rag)).toMatchObject({
      splits: [
        [0, 3, 3],
        [0, 2, 2, 2],
      ],
    });
    expect(rag.toArray()).toEqual([[[0.5, 0.25], [], []], []]);
  });

  test('steps of a shape', () => {
    const sequence = { a: fixedLenSequence([2], 'float32'), b: fixedLenSequence([], 'bytes', { allowMissing: true }) };
    const made = sequences(sequence, [
      {
        lists: {
          a: [
            [1, 2],
            [3, 4],
          ],
        },
      },
      { lists: { a: [], b: [['x']] } },
      { lists: { a: [[5, 6]] } },
    ]);
    expect(plain(made.sequence['a'])).toEqual({ shape: [3, 2, 2], data: [1, 2, 3, 4, 0, 0, 0, 0, 5, 6, 0, 0] });
    expect(plain(made.sequence['b'])).toEqual({ shape: [3, 1], data: ['', 'x', ''] });
    expect(made.lengths).toEqual({ a: Int32Array.of(2, 0, 1), b: Int32Array.of(0, 1, 0) });
    const element = inOne(sequence, {
      lists: {
        a: [
          [1, 2],
          [3, 4],
        ],
      },
    });
    expect(plain(element['a'])).toEqual({ shape: [2, 2], data: [1, 2, 3, 4] });
    expect(plain(element['b'])).toEqual([]);
  });

  test('partitions are feature lists, a Feature a step', () => {
    const sequence = { a: ragged({ dtype: 'int64', partitions: [{ by: 'rowLengths', key: 'l' }] }) };
    const lists = { a: [[1, 2], [], [3]], l: [[0, 2], [], [1]] };
    const made = sequences(sequence, [{ lists }, {}]).sequence['a'] as RaggedTensor<'int64'>;
    expect(numbers(made)).toEqual([[[[], [1, 2]], [], [[3]]], []]);
    expect(made.rowSplits).toHaveLength(3);
    expect(numbers(inOne(sequence, { lists })['a'])).toEqual([[[], [1, 2]], [], [[3]]]);
  });

  test('step counts of values and partitions match', () => {
    const sequence = { a: ragged({ dtype: 'int64', partitions: [{ by: 'rowLengths', key: 'l' }] }) };
    const of = (lists: HandMade['lists']) => (): unknown => sequences(sequence, [{}, { lists: lists ?? {} }]);
    expect(of({ a: [[1]], l: [[1], []] })).toThrow(fault(1, 'a', /steps in "l".*: 1/, /^2$/));
    expect(of({ a: [[]] })).toThrow(fault(1, 'a', /: 1/, /^0$/));
    expect(of({ a: [[], [1]], l: [[], [2]] })).toThrow(fault(1, 'a', /step 1/, /2 or more/));
  });

  test('the lowest record at fault is reported, of the context or of a list', () => {
    const rows = ragged({ dtype: 'int64', partitions: [{ by: 'rowLengths', key: 'l' }] });
    const plan = planSequenceExample({ c: rows }, { s: rows });
    const wrongContext: HandMade = { features: { c: [1] } };
    const wrongList: HandMade = { lists: { s: [[1]] } };
    const of =
      (...made: HandMade[]) =>
      (): unknown =>
        composeSequenceBatch(recordsPiece(plan, made));
    expect(of({}, wrongList, wrongContext)).toThrow(fault(1, 's', /steps in "l"/, /^0$/));
    expect(of(wrongContext, wrongList)).toThrow(fault(0, 'c', /rowLengths "l"/, /^0$/));
  });

  test('empty batches', () => {
    const made = sequences(
      { a: fixedLenSequence([2], 'int64'), b: varLen('bytes'), c: ragged({ dtype: 'int64' }) },
      [],
    );
    expect(plain(made.sequence['a'])).toEqual({ shape: [0, 0, 2], data: [] });
    expect(plain(made.sequence['b'])).toEqual({ indices: [], values: [], denseShape: [0, 0, 0] });
    expect(plain(made.sequence['c'])).toEqual({ splits: [[0], [0]], values: { shape: [0], data: [] } });
    expect(made.lengths).toEqual({ a: new Int32Array(0) });
  });
});

describe('batches too large for one array', () => {
  const long = Array<number>(2 ** 20).fill(1);
  const records = [{ a: long }, ...Array.from({ length: 4095 }, () => ({}))];

  test('padding: the batch size to use is told', () => {
    expect(() => one(fixedLenSequence([], 'int64', { allowMissing: true }), records)).toThrow(
      expect.objectContaining({
        code: 'TFR_RECORD_TOO_LARGE',
        feature: 'a',
        found: '4294967296 values',
        message: expect.stringMatching(/parse at most 2047 records at a time/) as string,
      }),
    );
  });

  test('bytes to pad with', () => {
    const feature = fixedLenSequence([], 'bytes', { allowMissing: true, default: 'x'.repeat(2 ** 20) });
    expect(() => one(feature, [{ a: Array<string>(3000).fill('') }, {}])).toThrow(
      expect.objectContaining({ code: 'TFR_RECORD_TOO_LARGE', found: '3145728000 bytes' }),
    );
  });
});

describe('partitions of every kind tell the same rows', () => {
  type Rows = readonly (readonly number[])[];
  const tell: Record<Exclude<Partition['by'], 'uniformRowLength'>, (rows: Rows) => number[]> = {
    rowSplits: (rows) => [0, ...tell.rowLimits(rows)],
    rowLengths: (rows) => rows.map(({ length }) => length),
    rowStarts: (rows) => rows.map((_, i) => rows.slice(0, i).flat().length),
    rowLimits: (rows) => rows.map((_, i) => rows.slice(0, i + 1).flat().length),
    // Trailing empty rows cannot be said.
    valueRowIds: (rows) => rows.flatMap((row, i) => row.map(() => i)),
  };
  const rows = fc.array(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 3 }), { maxLength: 4 });

  test.each(Object.keys(tell) as (keyof typeof tell)[])('%s', (by) => {
    const feature = ragged({ dtype: 'int64', valueKey: 'n', partitions: [{ by, key: 'p' }] });
    fc.assert(
      fc.property(fc.array(rows, { maxLength: 4 }), (made) => {
        const wanted =
          by === 'valueRowIds'
            ? made.map((all) => all.slice(0, all.findLastIndex(({ length }) => length > 0) + 1))
            : made;
        const records = wanted.map((all) => ({ n: all.flat(), p: tell[by](all) }));
        expect(numbers(batch({ a: feature }, records)['a'])).toEqual(wanted);
      }),
    );
  });
});
