/** Sparse and ragged features from bytes: the tables and worked examples, checked record by record. */
import {
  type RaggedTensor,
  parseExample,
  parseSingleExample,
  ragged,
  sparse,
  type FeatureSpec,
  type Partition,
} from '../../../../lib';
import { plainValue } from '../../../support/examples/plain-values';
import { thrown } from '../../../support/thrown';
import { exampleOf, floats, int64s, KINDLESS, strings, type Wire } from '../../../support/examples/wire';

type Features = Readonly<Record<string, Wire>>;
const batchOf = (feature: FeatureSpec, ...records: readonly Features[]): unknown =>
  plainValue(parseExample(records.map(exampleOf), { f: feature }).f);
const singleOf = (feature: FeatureSpec, record: Features): unknown =>
  plainValue(parseSingleExample(exampleOf(record), { f: feature }).f);

describe('sparse', () => {
  const grid = sparse({ indexKey: ['row', 'col'], valueKey: 'amt', dtype: 'float32', size: [4, 2] });
  const line = sparse({ indexKey: 'row', valueKey: 'amt', dtype: 'int64', size: 9 });
  const worked = { amt: floats(0.5, 1.5, 2.5), row: int64s(2, 0, 2), col: int64s(1, 1, 0) };

  test('the worked example', () => {
    expect(singleOf(grid, worked)).toEqual({
      indices: [
        [0, 1],
        [2, 0],
        [2, 1],
      ],
      values: [1.5, 2.5, 0.5],
      denseShape: [4, 2],
    });
    expect(batchOf(grid, {}, worked)).toEqual({
      indices: [
        [1, 0, 1],
        [1, 2, 0],
        [1, 2, 1],
      ],
      values: [1.5, 2.5, 0.5],
      denseShape: [2, 4, 2],
    });
  });

  test('columns follow indexKey', () => {
    const turned = sparse({ indexKey: ['col', 'row'], valueKey: 'amt', dtype: 'float32', size: [2, 4] });
    expect(singleOf(turned, worked)).toMatchObject({
      indices: [
        [0, 2],
        [1, 0],
        [1, 2],
      ],
      denseShape: [2, 4],
    });
  });

  test('already sorted: taken as it is', () => {
    const taken = sparse({ indexKey: 'row', valueKey: 'amt', dtype: 'int64', size: 9, alreadySorted: true });
    const record = { amt: int64s(1, 2), row: int64s(5, 3) };
    expect(singleOf(taken, record)).toMatchObject({ indices: [[5], [3]], values: [1, 2] });
    expect(singleOf(line, record)).toMatchObject({ indices: [[3], [5]], values: [2, 1] });
  });

  test('equal coordinates are all kept, in their order', () => {
    const record = { amt: int64s(4, 5, 6, 7), row: int64s(1, 0, 1, 1) };
    expect(singleOf(line, record)).toMatchObject({ indices: [[0], [1], [1], [1]], values: [5, 4, 6, 7] });
  });

  test('all missing, kindless or empty', () => {
    expect(batchOf(grid, {}, { amt: KINDLESS, row: int64s() })).toEqual({
      indices: [],
      values: [],
      denseShape: [2, 4, 2],
    });
    expect(singleOf(grid, {})).toEqual({ indices: [], values: [], denseShape: [4, 2] });
    expect(batchOf(grid)).toEqual({ indices: [], values: [], denseShape: [0, 4, 2] });
  });

  test('a key for several features, the name of one, and both parts', () => {
    const spec = {
      amt: sparse({ indexKey: 'row', valueKey: 'amt', dtype: 'int64', size: 9 }),
      same: sparse({ indexKey: 'row', valueKey: 'row', dtype: 'int64', size: 9 }),
    };
    const { amt, same } = parseExample([exampleOf({ amt: int64s(8), row: int64s(3) })], spec);
    expect(plainValue(amt)).toEqual({ indices: [[0, 3]], values: [8], denseShape: [1, 9] });
    expect(plainValue(same)).toEqual({ indices: [[0, 3]], values: [3], denseShape: [1, 9] });
  });

  test('an empty key in a list is the empty name', () => {
    const feature = sparse({ indexKey: [''], valueKey: 'amt', dtype: 'int64', size: [3] });
    expect(singleOf(feature, { amt: int64s(8), '': int64s(2) })).toEqual({
      indices: [[2]],
      values: [8],
      denseShape: [3],
    });
  });

  test('values do not slide to the next record', () => {
    const records = [
      { amt: int64s(1, 2, 3), row: int64s(0, 1) },
      { amt: int64s(4), row: int64s(2, 3) },
    ];
    expect(thrown(() => batchOf(line, ...records))).toMatchObject({
      code: 'TFR_FEATURE',
      record: 0,
      feature: 'f',
      found: '2',
    });
  });

  test.each<[string, Features, RegExp, string]>([
    ['more values', { amt: int64s(1, 2), row: int64s(0) }, /as many coordinates in "row" as values in "amt": 2/, '1'],
    ['no values', { row: int64s(0) }, /: 0/, '1'],
    ['beyond the size', { amt: int64s(1), row: int64s(9) }, /from 0 to 8/, '9'],
    ['negative', { amt: int64s(1), row: int64s(-1) }, /from 0 to 8/, '-1'],
    ['far outside', { amt: int64s(1), row: int64s(-(2n ** 63n)) }, /from 0 to 8/, '-9223372036854775808'],
  ])('refused: %s', (_, record, expected, found) => {
    const fault = { code: 'TFR_FEATURE', feature: 'f', expected: expect.stringMatching(expected) as string, found };
    expect(thrown(() => singleOf(line, record))).toMatchObject({ ...fault, record: 0 });
    expect(thrown(() => batchOf(line, {}, record))).toMatchObject({ ...fault, record: 1 });
  });
});

describe('ragged', () => {
  const n = (...partitions: readonly Partition[]): FeatureSpec => ragged({ dtype: 'int64', valueKey: 'n', partitions });
  const by = (by: Exclude<Partition['by'], 'uniformRowLength'>, key = 'p'): Partition => ({ by, key });
  const uniform = (length: number): Partition => ({ by: 'uniformRowLength', length });
  const worked = { n: int64s(10, 20, 30, 40), len: int64s(1, 0, 3) };

  test('the worked example', () => {
    const lengths = n(by('rowLengths', 'len'));
    expect(singleOf(lengths, worked)).toEqual({
      splits: [[0, 1, 1, 4]],
      values: { shape: [4], data: [10, 20, 30, 40] },
    });
    expect(batchOf(lengths, worked, { n: int64s(50), len: int64s(1) })).toEqual({
      splits: [
        [0, 3, 4],
        [0, 1, 1, 4, 5],
      ],
      values: { shape: [5], data: [10, 20, 30, 40, 50] },
    });
    expect(singleOf(n(uniform(2)), worked)).toEqual({ splits: [], values: { shape: [2, 2], data: [10, 20, 30, 40] } });
    expect(batchOf(n(uniform(2)), worked)).toEqual({
      splits: [[0, 2]],
      values: { shape: [2, 2], data: [10, 20, 30, 40] },
    });
    expect(batchOf(n())).toEqual({ splits: [[0]], values: { shape: [0], data: [] } });
  });

  test('no partitions: the values, or a list a record', () => {
    expect(singleOf(n(), worked)).toEqual([10, 20, 30, 40]);
    expect(batchOf(n(), worked, {})).toEqual({ splits: [[0, 4, 4]], values: { shape: [4], data: [10, 20, 30, 40] } });
    expect(singleOf(ragged({ dtype: 'bytes' }), { f: strings('by its name') })).toEqual(['by its name']);
  });

  /** [a][][b c d]: the table of partitions. */
  test.each<[Partition, number[] | undefined]>([
    [by('rowSplits'), [0, 1, 1, 4]],
    [by('rowLengths'), [1, 0, 3]],
    [by('rowStarts'), [0, 1, 1]],
    [by('rowLimits'), [1, 1, 4]],
    [by('valueRowIds'), [0, 2, 2, 2]],
  ])('%o', (partition, told) => {
    const record = { n: int64s(10, 20, 30, 40), p: int64s(...told!) };
    const values = { shape: [4], data: [10, 20, 30, 40] };
    expect(singleOf(n(partition), record)).toEqual({ splits: [[0, 1, 1, 4]], values });
    expect(batchOf(n(partition), {}, record)).toEqual({
      splits: [
        [0, 0, 3],
        [0, 1, 1, 4],
      ],
      values,
    });
    expect(batchOf(n(partition))).toEqual({ splits: [[0], [0]], values: { shape: [0], data: [] } });
  });

  test('uniform rows: dimensions while they are innermost, splits further out', () => {
    const record = { n: int64s(1, 2, 3, 4), p: int64s(1, 1) };
    expect(singleOf(n(by('rowLengths'), uniform(2)), record)).toEqual({
      splits: [[0, 1, 2]],
      values: { shape: [2, 2], data: [1, 2, 3, 4] },
    });
    expect(singleOf(n(uniform(2), by('rowLengths')), { ...record, p: int64s(3, 1) })).toEqual({
      splits: [
        [0, 2],
        [0, 3, 4],
      ],
      values: { shape: [4], data: [1, 2, 3, 4] },
    });
    expect(singleOf(n(uniform(1), uniform(2)), record)).toMatchObject({ splits: [], values: { shape: [2, 1, 2] } });
  });

  test('the outermost partition comes first', () => {
    const record = { n: int64s(1, 2, 3), outer: int64s(2, 0), inner: int64s(1, 2) };
    expect(singleOf(n(by('rowLengths', 'outer'), by('rowLengths', 'inner')), record)).toMatchObject({
      splits: [
        [0, 2, 2],
        [0, 1, 3],
      ],
    });
  });

  test('row ids: skipped ones are empty rows', () => {
    expect(singleOf(n(by('valueRowIds')), { n: int64s(1), p: int64s(3) })).toMatchObject({ splits: [[0, 0, 0, 0, 1]] });
  });

  test.each(['rowSplits', 'rowLengths', 'rowStarts', 'rowLimits', 'valueRowIds'] as const)(
    'a missing partition is zero rows: %s',
    (kind) => {
      const feature = n(by(kind));
      expect(batchOf(feature, {}, {})).toMatchObject({ splits: [[0, 0, 0], [0]] });
      expect(singleOf(feature, {})).toMatchObject({ splits: [[0]] });
      const inner = n(by('rowLengths', 'q'), by(kind));
      expect(batchOf(inner, {})).toMatchObject({ splits: [[0, 0], [0], [0]] });
      expect(singleOf(inner, {})).toMatchObject({ splits: [[0], [0]] });
      // Values that belong to no row are an error.
      const values = { n: int64s(1) };
      const fault = { code: 'TFR_FEATURE', feature: 'f', record: 0 };
      expect(thrown(() => batchOf(feature, values))).toMatchObject(fault);
      expect(thrown(() => singleOf(feature, values))).toMatchObject(fault);
    },
  );

  test('rowSplitsDtype types every vector', () => {
    const feature = ragged({
      dtype: 'int64',
      valueKey: 'n',
      partitions: [{ by: 'rowLengths', key: 'len' }],
      rowSplitsDtype: 'int64',
    });
    const wide = parseExample([exampleOf(worked)], { f: feature }).f;
    expect(wide.rowSplits).toEqual([BigInt64Array.of(0n, 3n), BigInt64Array.of(0n, 1n, 1n, 4n)]);
    const narrow = parseExample([exampleOf(worked)], { f: n(by('rowLengths', 'len')) }).f as RaggedTensor<'int64'>;
    expect(narrow.rowSplits).toEqual([Int32Array.of(0, 3), Int32Array.of(0, 1, 1, 4)]);
  });

  // Checked always, in every record; TensorFlow looks only when asked to, and then over the whole batch.
  describe.each([undefined, false, true])('validate: %s', (validate) => {
    test.each<[string, Partition, number[], number]>([
      ['splits that do not start with 0', by('rowSplits'), [1, 2], 2],
      ['splits that end before', by('rowSplits'), [0, 1], 2],
      ['splits that end behind', by('rowSplits'), [0, 3], 2],
      ['splits that descend', by('rowSplits'), [0, 2, 1, 2], 2],
      ['lengths of fewer values', by('rowLengths'), [1], 2],
      ['lengths of more values', by('rowLengths'), [3], 2],
      ['a negative length', by('rowLengths'), [3, -1], 2],
      ['starts that do not begin with 0', by('rowStarts'), [1], 2],
      ['starts behind the values', by('rowStarts'), [0, 3], 2],
      ['starts that descend', by('rowStarts'), [0, 2, 1], 2],
      ['limits that end before', by('rowLimits'), [1], 2],
      ['limits that descend', by('rowLimits'), [2, 1, 2], 2],
      ['row ids that descend', by('valueRowIds'), [1, 0], 2],
      ['a negative row id', by('valueRowIds'), [-1, 0], 2],
      ['fewer row ids', by('valueRowIds'), [0], 2],
      ['no multiple', uniform(2), [], 3],
    ])('refused: %s', (_, partition, told, size) => {
      const feature = ragged({ dtype: 'int64', valueKey: 'n', partitions: [partition], validate });
      const record = { n: int64s(...Array<number>(size).fill(1)), p: int64s(...told) };
      const fault = { code: 'TFR_FEATURE', feature: 'f' };
      expect(thrown(() => singleOf(feature, record))).toMatchObject({ ...fault, record: 0 });
      // One before it that fits.
      expect(
        thrown(() => batchOf(feature, { p: partition.by === 'rowSplits' ? int64s(0) : int64s() }, record)),
      ).toMatchObject({
        ...fault,
        record: 1,
      });
    });

    test('lengths are those of the record', () => {
      const feature = ragged({ dtype: 'int64', valueKey: 'n', partitions: [by('rowLengths')], validate });
      const records = [
        { n: int64s(1, 2, 3), p: int64s(2) },
        { n: int64s(4), p: int64s(2) },
      ];
      expect(thrown(() => batchOf(feature, ...records))).toMatchObject({ code: 'TFR_FEATURE', record: 0 });
      const uniformly = ragged({ dtype: 'int64', valueKey: 'n', partitions: [uniform(2)], validate });
      expect(thrown(() => batchOf(uniformly, ...records))).toMatchObject({
        code: 'TFR_FEATURE',
        record: 0,
        found: '3',
      });
    });
  });
});
