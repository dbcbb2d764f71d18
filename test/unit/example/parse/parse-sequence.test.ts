/** SequenceExamples from bytes: the values of contexts and lists, and errors. */
import {
  fixedLen,
  fixedLenSequence,
  parseSequenceExample,
  parseSingleSequenceExample,
  ragged,
  varLen,
  type SequenceSpec,
} from '../../../../lib';
import { plainFeatures, plainValue } from '../../../support/examples/plain-values';
import { thrown } from '../../../support/thrown';
import { exampleOf, floats, int64s, KINDLESS, sequenceOf, strings, type Wire } from '../../../support/examples/wire';

type Steps = readonly Wire[];
type Lists = Readonly<Record<string, Steps>>;
const spec = (feature: SequenceSpec[string]): { sequence: SequenceSpec } => ({ sequence: { t: feature } });
const bytesOf = (lists: Lists): Uint8Array => sequenceOf({}, lists);
const batchOf = (feature: SequenceSpec[string], ...records: readonly Lists[]): unknown =>
  plainValue(parseSequenceExample(records.map(bytesOf), spec(feature)).sequence['t']);
const singleOf = (feature: SequenceSpec[string], record: Lists): unknown =>
  plainValue(parseSingleSequenceExample(bytesOf(record), spec(feature)).sequence['t']);

test('the worked example', () => {
  const records = [
    '0a100a0e0a046c616e6712060a040a026672123b0a1c0a03746f6b12150a051a030a01030a051a030a01010a051a030a01040a1b0a03656d6212140a0c120a0a080000003f0000803e0a0212000a00',
    '0a100a0e0a046c616e6712060a040a02656e12100a0e0a03746f6b12070a051a030a0109',
  ].map((hex) => new Uint8Array(Buffer.from(hex, 'hex')));
  const context = { lang: fixedLen([], 'bytes') };
  const sequence = { tok: fixedLenSequence([], 'int64'), emb: varLen('float32') };
  const batch = parseSequenceExample(records, { context, sequence });
  expect(plainFeatures(batch.context)).toEqual({ lang: ['fr', 'en'] });
  expect(plainFeatures(batch.sequence)).toEqual({
    tok: { shape: [2, 3], data: [3, 1, 4, 9, 0, 0] },
    emb: {
      indices: [
        [0, 0, 0],
        [0, 0, 1],
      ],
      values: [0.5, 0.25],
      denseShape: [2, 3, 2],
    },
  });
  expect(batch.lengths).toEqual({ tok: Int32Array.of(3, 1) });
  const single = parseSingleSequenceExample(records[0]!, { context, sequence });
  expect(plainFeatures(single.context)).toEqual({ lang: 'fr' });
  expect(plainFeatures(single.sequence)).toEqual({
    tok: [3, 1, 4],
    emb: {
      indices: [
        [0, 0],
        [0, 1],
      ],
      values: [0.5, 0.25],
      denseShape: [3, 2],
    },
  });
  const emb = parseSequenceExample(records, { sequence: { emb: ragged({ dtype: 'float32' }) } }).sequence.emb;
  expect(plainValue(emb)).toEqual({
    splits: [
      [0, 3, 3],
      [0, 2, 2, 2],
    ],
    values: { shape: [2], data: [0.5, 0.25] },
  });
  expect(emb.toArray()).toEqual([[[0.5, 0.25], [], []], []]);
});

describe('fixedLenSequence', () => {
  const pairs = fixedLenSequence([2], 'int64');

  test('padded with 0 or no bytes, the steps counted', () => {
    const records = [{ t: [int64s(1, 2), int64s(3, 4)] }, { t: [int64s(5, 6)] }, { t: [] }];
    expect(batchOf(pairs, ...records)).toEqual({ shape: [3, 2, 2], data: [1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0, 0] });
    const { lengths } = parseSequenceExample(records.map(bytesOf), spec(pairs));
    expect(lengths).toEqual({ t: Int32Array.of(2, 1, 0) });
    expect(batchOf(fixedLenSequence([], 'bytes'), { t: [strings('a')] }, { t: [] })).toEqual({
      shape: [2, 1],
      data: ['a', ''],
    });
    expect(singleOf(pairs, records[0]!)).toEqual({ shape: [2, 2], data: [1, 2, 3, 4] });
    expect(singleOf(pairs, records[2]!)).toEqual({ shape: [0, 2], data: [] });
    expect(batchOf(pairs)).toEqual({ shape: [0, 0, 2], data: [] });
  });

  test('lengths exist only for dense lists', () => {
    const sequence = {
      t: varLen('int64'),
      r: ragged({ dtype: 'int64' }),
      d: fixedLenSequence([], 'int64', { allowMissing: true }),
    };
    expect(Object.keys(parseSequenceExample([bytesOf({})], { sequence }).lengths)).toEqual(['d']);
  });

  test('a missing list has no steps where that is allowed', () => {
    const allowed = fixedLenSequence([2], 'int64', { allowMissing: true });
    expect(batchOf(allowed, {}, { t: [int64s(1, 2)] })).toEqual({ shape: [2, 1, 2], data: [0, 0, 1, 2] });
    const fault = { code: 'TFR_FEATURE', feature: 't', found: 'no such feature list' };
    expect(thrown(() => batchOf(pairs, { t: [] }, {}))).toMatchObject({ ...fault, record: 1 });
    expect(thrown(() => singleOf(pairs, {}))).toMatchObject({ ...fault, record: 0 });
  });

  test.each<[string, Steps, number, string]>([
    ['an empty step', [int64s(1, 2), int64s()], 1, '0'],
    ['a kindless step', [KINDLESS], 0, '0'],
    ['a short step', [int64s(1, 2), int64s(3, 4), int64s(5)], 2, '1'],
    ['a long step', [int64s(1, 2, 3)], 0, '3'],
    ['steps whose total fits', [int64s(1), int64s(2, 3, 4)], 0, '1'],
    ['another kind', [int64s(1, 2), floats(1, 2)], 1, 'float32 values'],
    ['another kind, empty', [floats()], 0, 'float32 values'],
  ])('refused: %s', (_, steps, step, found) => {
    const words = expect.stringContaining(`step ${step}`) as string;
    const fault = { code: 'TFR_FEATURE', feature: 't', found, message: words };
    expect(thrown(() => batchOf(pairs, { t: [] }, { t: steps }))).toMatchObject({ ...fault, record: 1 });
    expect(thrown(() => singleOf(pairs, { t: steps }))).toMatchObject({ ...fault, record: 0 });
  });
});

test('varLen and ragged: empty and kindless steps count', () => {
  const record = { t: [int64s(1), KINDLESS, int64s(), int64s(2, 3)] };
  expect(batchOf(varLen('int64'), record, {})).toEqual({
    indices: [
      [0, 0, 0],
      [0, 3, 0],
      [0, 3, 1],
    ],
    values: [1, 2, 3],
    denseShape: [2, 4, 2],
  });
  expect(batchOf(ragged({ dtype: 'int64' }), record, {})).toEqual({
    splits: [
      [0, 4, 4],
      [0, 1, 1, 1, 3],
    ],
    values: { shape: [3], data: [1, 2, 3] },
  });
  expect(singleOf(ragged({ dtype: 'int64' }), record)).toEqual({
    splits: [[0, 1, 1, 1, 3]],
    values: { shape: [3], data: [1, 2, 3] },
  });
  expect(thrown(() => batchOf(varLen('int64'), { t: [int64s(1), floats()] }))).toMatchObject({
    code: 'TFR_FEATURE',
    message: expect.stringContaining('step 1') as string,
  });
});

test('partitions are lists, a Feature a step', () => {
  const feature = ragged({ dtype: 'int64', valueKey: 'n', partitions: [{ by: 'rowLengths', key: 'len' }] });
  const record = { n: [int64s(1, 2, 3), int64s(4)], len: [int64s(1, 2), int64s(1)] };
  expect(batchOf(feature, record)).toEqual({
    splits: [
      [0, 2],
      [0, 2, 3],
      [0, 1, 3, 4],
    ],
    values: { shape: [4], data: [1, 2, 3, 4] },
  });
  expect(singleOf(feature, record)).toMatchObject({
    splits: [
      [0, 2, 3],
      [0, 1, 3, 4],
    ],
  });
  const fault = { code: 'TFR_FEATURE', feature: 't', record: 1 };
  expect(thrown(() => batchOf(feature, record, { n: record.n, len: [int64s(1, 2)] }))).toMatchObject(fault);
  // The totals of the record fit; those of its steps do not.
  expect(thrown(() => batchOf(feature, record, { n: record.n, len: [int64s(1), int64s(2, 1)] }))).toMatchObject(fault);
});

describe('contexts', () => {
  const pair = { context: { a: fixedLen([2], 'int64') } };
  const contexts = (...all: readonly (Wire | undefined)[]): Uint8Array[] =>
    all.map((body) => exampleOf(body === undefined ? {} : { a: body }));

  test.each<[string, (Wire | undefined)[], string]>([
    ['more in every record', [int64s(1, 2, 3), int64s(1, 2, 3)], '3'],
    ['missing everywhere', [undefined, undefined], 'no such feature'],
    ['fewer in one', [int64s(1), int64s(1, 2)], '1'],
  ])('refused: %s', (_, bodies, found) => {
    expect(thrown(() => parseSequenceExample(contexts(...bodies), pair))).toMatchObject({
      code: 'TFR_FEATURE',
      record: 0,
      found,
    });
  });

  test('missing in some', () => {
    const records = contexts(int64s(1, 2), undefined);
    expect(thrown(() => parseSequenceExample(records, pair))).toMatchObject({ code: 'TFR_FEATURE', record: 1 });
    const lenient = { context: { a: fixedLen([2], 'int64', { default: [8, 9] }) } };
    expect(plainFeatures(parseSequenceExample(records, lenient).context)).toEqual({
      a: { shape: [2, 2], data: [1, 2, 8, 9] },
    });
  });

  test('no records have no fault, whatever the shape', () => {
    expect(plainFeatures(parseSequenceExample([], pair).context)).toEqual({ a: { shape: [0, 2], data: [] } });
  });

  test('varLen and ragged as in an Example', () => {
    const records = contexts(int64s(1, 2), undefined);
    const lists = parseSequenceExample(records, { context: { a: varLen('int64') } }).context;
    expect(plainFeatures(lists)).toEqual({
      a: {
        indices: [
          [0, 0],
          [0, 1],
        ],
        values: [1, 2],
        denseShape: [2, 2],
      },
    });
    const rows = parseSequenceExample(records, { context: { a: ragged({ dtype: 'int64' }) } }).context;
    expect(plainFeatures(rows)).toEqual({ a: { splits: [[0, 2, 2]], values: { shape: [2], data: [1, 2] } } });
  });
});

test("int64: 'number'", () => {
  const records = [sequenceOf({ a: int64s(5) }, { t: [int64s(6)] })];
  const both = { context: { a: fixedLen([], 'int64') }, sequence: { t: fixedLenSequence([], 'int64') } };
  const found = parseSequenceExample(records, both, { int64: 'number' });
  expect([found.context.a, found.sequence.t.data]).toEqual([Float64Array.of(5), Float64Array.of(6)]);
  expect(parseSingleSequenceExample(records[0]!, both, { int64: 'number' }).context.a).toBe(5);
  const wide = [sequenceOf({ a: int64s(5) }, { t: [int64s(2n ** 53n)] })];
  expect(thrown(() => parseSequenceExample(wide, both, { int64: 'number' }))).toMatchObject({
    code: 'TFR_FEATURE',
    feature: 't',
  });
});

test('features outside of context and sequence are refused by name', () => {
  const plain = { t: fixedLen([], 'int64') } as never;
  expect(() => parseSequenceExample([], plain)).toThrow('"spec" must be { context, sequence }');
  expect(() => parseSequenceExample([], { context: {}, t: 1 } as never)).toThrow('Unknown option "spec.t"');
});
