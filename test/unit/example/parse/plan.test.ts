/** Compiles specs to the columns that native code parses. */
import { fixedLen, fixedLenSequence, ragged, sparse, varLen, type Spec } from '../../../../lib/example';
import { planExample, planSequenceExample } from '../../../../lib/example/parse/plan';

const lines = (plan: ReturnType<typeof planExample>): unknown[] =>
  plan.columns.map(({ key, section, kind, count, required, fallback }) => [
    Buffer.from(key).toString(),
    section,
    kind,
    count,
    required,
    fallback && Buffer.from(fallback).toString('hex'),
  ]);

test('a column for each distinct key', () => {
  const plan = planExample({
    id: fixedLen([], 'int64'),
    box: fixedLen([2, 2], 'float32'),
    none: fixedLen([0], 'bytes', { default: [] }),
    tags: varLen('bytes'),
    steps: fixedLenSequence([3], 'int64', { allowMissing: true }),
    é: varLen('float32'),
    grid: sparse({ indexKey: ['row', 'col'], valueKey: 'é', dtype: 'float32', size: [4, 2] }),
    diagonal: sparse({ indexKey: ['row', 'row'], valueKey: 'row', dtype: 'int64', size: [4, 4] }),
    words: ragged({
      dtype: 'int64',
      partitions: [
        { by: 'rowLengths', key: 'len' },
        { by: 'uniformRowLength', length: 2 },
      ],
    }),
    same: ragged({ dtype: 'int64', valueKey: 'words', partitions: [{ by: 'rowLengths', key: 'len' }] }),
  });
  expect(lines(plan)).toEqual([
    ['id', 0, 3, 1, true, undefined],
    ['box', 0, 2, 4, true, undefined],
    ['none', 0, 1, 0, true, undefined],
    ['tags', 0, 1, -1, false, undefined],
    ['steps', 0, 3, -1, false, undefined],
    ['é', 0, 2, -1, false, undefined],
    ['row', 0, 3, -1, false, undefined],
    ['col', 0, 3, -1, false, undefined],
    ['words', 0, 3, -1, false, undefined],
    ['len', 0, 3, -1, false, undefined],
  ]);
  expect(plan.features.map(({ name, columns }) => [name, ...columns])).toEqual([
    ['id', 0],
    ['box', 1],
    ['none', 2],
    ['tags', 3],
    ['steps', 4],
    ['é', 5],
    ['grid', 5, 6, 7],
    ['diagonal', 6, 6, 6],
    ['words', 8, 9],
    ['same', 8, 9],
  ]);
});

test('context and feature lists are sections: a key may be in both', () => {
  const plan = planSequenceExample(
    { a: fixedLen([], 'bytes'), b: varLen('int64') },
    {
      a: fixedLenSequence([2], 'float32'),
      c: fixedLenSequence([], 'int64', { allowMissing: true }),
      d: ragged({ dtype: 'bytes', partitions: [{ by: 'rowSplits', key: 'e' }] }),
    },
  );
  expect(plan.sequenceExample).toBe(true);
  expect(lines(plan)).toEqual([
    ['a', 0, 1, 1, true, undefined],
    ['b', 0, 3, -1, false, undefined],
    ['a', 1, 2, 2, true, undefined],
    ['c', 1, 3, 1, false, undefined],
    ['d', 1, 1, -1, false, undefined],
    ['e', 1, 3, -1, false, undefined],
  ]);
  expect(planSequenceExample({ b: varLen('int64') }).columns).toHaveLength(1);
  expect(planSequenceExample(undefined, { b: varLen('int64') }).columns[0]?.section).toBe(1);
});

test.each<[string, Spec[string], string]>([
  ['int64', fixedLen([3], 'int64', { default: [1, 300, -1] }), '1a0f0a0d01ac02ffffffffffffffffff01'],
  ['float32', fixedLen([], 'float32', { default: 0.5 }), '12060a040000003f'],
  ['bytes', fixedLen([2], 'bytes', { default: ['', 'é'] }), '0a060a000a02c3a9'],
  ['a long list', fixedLen([], 'bytes', { default: 'x'.repeat(130) }), `0a85010a8201${'78'.repeat(130)}`],
])('a default of %s is a serialized Feature', (_, feature, hex) => {
  expect(lines(planExample({ a: feature }))[0]).toEqual(['a', 0, expect.any(Number), expect.any(Number), true, hex]);
});

test('the same spec has the same plan, a changed one another', () => {
  const spec: Record<string, Spec[string]> = { a: varLen('int64') };
  const plan = planExample(spec);
  expect(planExample(spec)).toBe(plan);
  spec['b'] = varLen('bytes');
  expect(planExample(spec).columns).toHaveLength(2);
  spec['a'] = varLen('float32');
  expect(planExample(spec).columns.map(({ kind }) => kind)).toEqual([2, 1]);
  delete spec['b'];
  expect(planExample(spec).columns).toHaveLength(1);
  // The same feature by another name.
  spec['c'] = spec['a'];
  delete spec['a'];
  expect(planExample(spec).keys).toEqual(['c']);
  const context = { a: varLen('int64') };
  const sequence: Record<string, ReturnType<typeof varLen>> = { a: varLen('int64') };
  const both = planSequenceExample(context, sequence);
  expect(planSequenceExample(context, sequence)).toBe(both);
  expect(planSequenceExample(context)).not.toBe(both);
  sequence['a'] = varLen('bytes');
  expect(planSequenceExample(context, sequence).columns.map(({ kind }) => kind)).toEqual([3, 1]);
});

test.each<[string, () => unknown]>([
  ['an Example without features', () => planExample({})],
  ['a SequenceExample without features', () => planSequenceExample({}, {})],
  ['neither context nor sequence', () => planSequenceExample()],
  ['no spec', () => planExample(undefined as never)],
  ['fixedLen in a list', () => planSequenceExample({}, { a: fixedLen([], 'int64') as never })],
])('%s is TFR_SPEC', (_, plan) => {
  expect(plan).toThrow(expect.objectContaining({ code: 'TFR_SPEC' }));
});
