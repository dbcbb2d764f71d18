/** The four states of a feature, and how each class of dense and variable features parses them, from bytes. */
import {
  Dataset,
  encodeExample,
  fixedLen,
  fixedLenSequence,
  int64,
  parseExample,
  parseSequenceExample,
  parseSingleExample,
  ragged,
  readExamples,
  sparse,
  varLen,
  type FeatureSpec,
  type FixedLen,
} from '../../../../lib';
import { plainFeatures, plainValue } from '../../../support/examples/plain-values';
import { thrown } from '../../../support/thrown';
import {
  exampleOf,
  floats,
  int64s,
  KINDLESS,
  looseFloats,
  sequenceOf,
  strings,
  type Wire,
} from '../../../support/examples/wire';

const only = (body: Wire | undefined): Uint8Array => exampleOf(body === undefined ? {} : { a: body });
const batchOf = (feature: FeatureSpec, ...bodies: readonly (Wire | undefined)[]): unknown =>
  plainValue(parseExample(bodies.map(only), { a: feature }).a);
const singleOf = (feature: FeatureSpec, body: Wire | undefined): unknown =>
  plainValue(parseSingleExample(only(body), { a: feature }).a);

const steps = fixedLenSequence([], 'int64', { allowMissing: true, default: -1 });
const STATES = {
  missing: undefined,
  kindless: KINDLESS,
  'empty list': int64s(),
  'wrong kind': floats(1),
  'wrong kind, empty': floats(),
};
type State = keyof typeof STATES;

const REQUIRED = 'no such feature';
const WITHOUT_KIND = 'a feature without a kind';
const COUNT = '0';
const KIND = 'float32 values';
const EMPTY = { indices: [], values: [], denseShape: [1, 0] };

describe('the states of a feature', () => {
  test.each<[State, FeatureSpec, unknown]>([
    ['missing', fixedLen([], 'int64', { default: 5 }), [5]],
    ['missing', varLen('int64'), EMPTY],
    ['missing', ragged({ dtype: 'int64' }), { splits: [[0, 0]], values: { shape: [0], data: [] } }],
    ['missing', steps, { shape: [1, 0], data: [] }],
    ['kindless', fixedLen([], 'int64', { default: 5 }), [5]],
    ['kindless', varLen('int64'), EMPTY],
    ['kindless', ragged({ dtype: 'int64' }), { splits: [[0, 0]], values: { shape: [0], data: [] } }],
    ['kindless', steps, { shape: [1, 0], data: [] }],
    ['empty list', fixedLen([0], 'int64'), { shape: [1, 0], data: [] }],
    ['empty list', varLen('int64'), EMPTY],
    ['empty list', ragged({ dtype: 'int64' }), { splits: [[0, 0]], values: { shape: [0], data: [] } }],
    ['empty list', steps, { shape: [1, 0], data: [] }],
  ])('%s: a value (%o)', (state, feature, expected) => {
    expect(batchOf(feature, STATES[state])).toEqual(expected);
  });

  test.each<[State, FeatureSpec, string]>([
    ['missing', fixedLen([], 'int64'), REQUIRED],
    ['missing', fixedLen([0], 'int64'), REQUIRED],
    ['kindless', fixedLen([], 'int64'), WITHOUT_KIND],
    ['kindless', fixedLen([0], 'int64'), WITHOUT_KIND],
    ['empty list', fixedLen([], 'int64', { default: 5 }), COUNT],
    ['empty list', fixedLen([2], 'int64'), COUNT],
    ...(['wrong kind', 'wrong kind, empty'] as const).flatMap((state): [State, FeatureSpec, string][] => [
      [state, fixedLen([], 'int64', { default: 5 }), KIND],
      [state, fixedLen([0], 'int64'), KIND],
      [state, varLen('int64'), KIND],
      [state, steps, KIND],
      [state, ragged({ dtype: 'int64' }), KIND],
      [state, sparse({ indexKey: 'i', valueKey: 'a', dtype: 'int64', size: 3 }), KIND],
    ]),
  ])('%s: an error (%o)', (state, feature, found) => {
    const fault = { code: 'TFR_FEATURE', feature: 'a', found };
    const records = [fits(feature), fits(feature), STATES[state]].map(only);
    expect(thrown(() => parseExample(records, { a: feature }))).toMatchObject({ ...fault, record: 2 });
    expect(thrown(() => parseSingleExample(only(STATES[state]), { a: feature }))).toMatchObject({
      ...fault,
      record: 0,
    });
  });

  /** What the feature takes. */
  function fits(feature: FeatureSpec): Wire {
    const shape = 'shape' in feature ? feature.shape : [0];
    return int64s(...Array<number>(shape.reduce((size, length) => size * length, 1)).fill(1));
  }

  test.each<[State, FeatureSpec, unknown]>([
    ['missing', fixedLen([], 'int64', { default: 5 }), [5]],
    ['kindless', fixedLen([0], 'int64'), { shape: [1, 0], data: [] }],
    ['empty list', fixedLen([0], 'int64'), { shape: [1, 0], data: [] }],
  ])('in a context, %s: a value', (state, feature, expected) => {
    expect(plainFeatures(contextOf(state, feature))).toEqual({ a: expected });
  });

  test.each<[State, FeatureSpec, string]>([
    ['missing', fixedLen([], 'int64'), REQUIRED],
    ['missing', fixedLen([0], 'int64'), REQUIRED],
    ['kindless', fixedLen([], 'int64', { default: 5 }), COUNT],
    ['empty list', fixedLen([], 'int64', { default: 5 }), COUNT],
    ['wrong kind', fixedLen([], 'int64', { default: 5 }), KIND],
    ['wrong kind, empty', fixedLen([], 'int64', { default: 5 }), KIND],
  ])('in a context, %s: an error', (state, feature, found) => {
    expect(thrown(() => contextOf(state, feature))).toMatchObject({ code: 'TFR_FEATURE', feature: 'a', found });
  });

  function contextOf(state: State, feature: FeatureSpec): object {
    const body = STATES[state];
    const bytes = sequenceOf(body === undefined ? {} : { a: body }, {});
    return parseSequenceExample([bytes], { context: { a: feature as FixedLen<'int64', []> } }).context;
  }
});

describe('fixedLen', () => {
  test.each<[string, FeatureSpec, (Wire | undefined)[], unknown]>([
    ['a scalar is a column', fixedLen([], 'int64'), [int64s(3), int64s(-4)], [3, -4]],
    ['[1] is not', fixedLen([1], 'int64'), [int64s(3)], { shape: [1, 1], data: [3] }],
    ['row-major', fixedLen([2, 2], 'float32'), [floats(1, 2, 3, 4)], { shape: [1, 2, 2], data: [1, 2, 3, 4] }],
    ['rank 4', fixedLen([1, 2, 1, 1], 'bytes'), [strings('x', '')], { shape: [1, 1, 2, 1, 1], data: ['x', ''] }],
    ['unpacked', fixedLen([2], 'float32'), [looseFloats(1, 2)], { shape: [1, 2], data: [1, 2] }],
    ['a default of [1]', fixedLen([1], 'int64', { default: 5 }), [undefined], { shape: [1, 1], data: [5] }],
    ['a default of [1, 1]', fixedLen([1, 1], 'int64', { default: 5 }), [undefined], { shape: [1, 1, 1], data: [5] }],
    [
      'a default replaces whole features',
      fixedLen([2, 3], 'int64', { default: [1, 2, 3, 4, 5, 6] }),
      [int64s(9, 9, 9, 9, 9, 9), undefined],
      { shape: [2, 2, 3], data: [9, 9, 9, 9, 9, 9, 1, 2, 3, 4, 5, 6] },
    ],
    ['an integer for float32', fixedLen([], 'float32', { default: 2 }), [undefined], [2]],
    ['true for int64', fixedLen([], 'int64', { default: true }), [undefined], [1]],
    ['text for bytes', fixedLen([], 'bytes', { default: 'g\u00fc' }), [undefined], ['g\u00fc']],
    ['a dimension of 0', fixedLen([2, 0], 'int64'), [int64s()], { shape: [1, 2, 0], data: [] }],
    ['no records', fixedLen([2], 'bytes'), [], { shape: [0, 2], data: [] }],
  ])('%s', (_, feature, bodies, expected) => {
    expect(batchOf(feature, ...bodies)).toEqual(expected);
  });

  test.each<[string, FeatureSpec, Wire | undefined, string]>([
    ['too many', fixedLen([], 'int64'), int64s(1, 2), '2'],
    ['too few', fixedLen([3], 'int64'), int64s(1, 2), '2'],
    ['a short list is not filled up', fixedLen([2], 'int64', { default: [-1, -1] }), int64s(1), '1'],
    ['too many strings', fixedLen([1, 3], 'bytes'), strings('a', 'b', 'c', 'd'), '4'],
    ['too many floats, unpacked', fixedLen([1], 'float32'), looseFloats(1, 2), '2'],
    ['missing, a dimension of 0 and an empty default', fixedLen([0], 'int64', { default: [] }), undefined, REQUIRED],
  ])('refused: %s', (_, feature, body, found) => {
    expect(thrown(() => batchOf(feature, body))).toMatchObject({ code: 'TFR_FEATURE', found });
    expect(thrown(() => singleOf(feature, body))).toMatchObject({ code: 'TFR_FEATURE', found });
  });
});

describe('varLen', () => {
  test.each<[string, (Wire | undefined)[], unknown]>([
    [
      'example by example',
      [int64s(5, 6), undefined, int64s(7)],
      {
        indices: [
          [0, 0],
          [0, 1],
          [2, 0],
        ],
        values: [5, 6, 7],
        denseShape: [3, 2],
      },
    ],
    ['nothing anywhere', [undefined, KINDLESS], { indices: [], values: [], denseShape: [2, 0] }],
    ['no records', [], { indices: [], values: [], denseShape: [0, 0] }],
  ])('%s', (_, bodies, expected) => {
    expect(batchOf(varLen('int64'), ...bodies)).toEqual(expected);
  });

  test('one record: the values', () => {
    expect(singleOf(varLen('int64'), int64s(5, 6))).toEqual([5, 6]);
    expect(singleOf(varLen('bytes'), undefined)).toEqual([]);
  });
});

describe('fixedLenSequence', () => {
  const pairs = fixedLenSequence([2], 'int64', { allowMissing: true });

  test.each<[string, FeatureSpec, (Wire | undefined)[], unknown]>([
    ['padded with 0', pairs, [int64s(1, 2, 3, 4), int64s(5, 6)], { shape: [2, 2, 2], data: [1, 2, 3, 4, 5, 6, 0, 0] }],
    ['padded with the default', steps, [int64s(1, 2), undefined], { shape: [2, 2], data: [1, 2, -1, -1] }],
    [
      'padded with no bytes',
      fixedLenSequence([], 'bytes', { allowMissing: true }),
      [strings('a', 'b'), strings('c')],
      { shape: [2, 2], data: ['a', 'b', 'c', ''] },
    ],
    ['all missing', pairs, [undefined, KINDLESS], { shape: [2, 0, 2], data: [] }],
    ['no records', pairs, [], { shape: [0, 0, 2], data: [] }],
  ])('%s', (_, feature, bodies, expected) => {
    expect(batchOf(feature, ...bodies)).toEqual(expected);
  });

  test('one record is not padded', () => {
    expect(singleOf(pairs, int64s(1, 2))).toEqual({ shape: [1, 2], data: [1, 2] });
    expect(singleOf(steps, undefined)).toEqual([]);
  });

  test('padding that int64: "number" would round is refused with the spec, in every lane', async () => {
    const spec = { a: fixedLenSequence([], 'int64', { allowMissing: true, default: 2n ** 53n + 1n }) };
    const error = {
      code: 'TFR_SPEC',
      feature: 'a',
      expected: 'integers within ±(2^53 - 1)',
      found: '9007199254740993',
    };
    const record = new Uint8Array(0);
    const options = { int64: 'number' } as const;
    for (const read of [
      () => parseExample([record], spec, options),
      () => parseSingleExample(record, spec, options),
      () => readExamples(record, spec, options),
      () => Dataset.from([record]).parse(spec, options),
    ]) {
      expect(thrown(read)).toMatchObject(error);
    }
    expect(parseExample([record], spec).a.shape).toEqual([1, 0]);
    const exact = { a: fixedLenSequence([], 'int64', { allowMissing: true, default: 1n - 2n ** 53n }) };
    const records = [encodeExample({ a: int64([1]) }), record];
    expect(parseExample(records, exact, options).a.toArray()).toEqual([[1], [1 - 2 ** 53]]);
    for await (const { a } of Dataset.from(records).parse(exact, options).batch(2)) {
      expect(a.toArray()).toEqual([[1], [1 - 2 ** 53]]);
    }
  });

  test('no multiple of a step', () => {
    const fault = {
      code: 'TFR_FEATURE',
      feature: 'a',
      expected: 'a multiple of 2 values, the size of a step',
      found: '3',
    };
    const bodies = [int64s(1, 2), int64s(1, 2, 3), int64s(1)];
    expect(thrown(() => batchOf(pairs, ...bodies))).toMatchObject({ ...fault, record: 1 });
    expect(thrown(() => singleOf(pairs, bodies[1]))).toMatchObject({ ...fault, record: 0 });
    // Whatever the size of the batch: TensorFlow counts values of several examples.
    const many = Array.from({ length: 300 }, (_, i) => (i === 257 ? int64s(1, 2, 3) : int64s(1, 2)));
    expect(thrown(() => batchOf(pairs, ...many))).toMatchObject({ ...fault, record: 257 });
  });
});

test('the worked example', () => {
  const records = [
    '0a320a0b0a02696412051a030a01070a110a0177120c120a0a080000003f000000400a100a0374616712090a070a01780a02797a',
    '0a140a0b0a02696412051a030a01080a050a01771200',
    '0a270a0b0a02696412051a030a01090a0d0a0177120812060a04000080400a090a0374616712020a00',
  ].map((hex) => new Uint8Array(Buffer.from(hex, 'hex')));
  const spec = {
    id: fixedLen([], 'int64'),
    w: varLen('float32'),
    tag: fixedLenSequence([], 'bytes', { allowMissing: true, default: '?' }),
  };
  expect(plainFeatures(parseExample(records, spec))).toEqual({
    id: [7, 8, 9],
    w: {
      indices: [
        [0, 0],
        [0, 1],
        [2, 0],
      ],
      values: [0.5, 2, 4],
      denseShape: [3, 2],
    },
    // An empty string is an element: the third record's list holds none.
    tag: { shape: [3, 2], data: ['x', 'yz', '?', '?', '?', '?'] },
  });
  expect(plainFeatures(parseSingleExample(records[1]!, spec))).toEqual({ id: 8, w: [], tag: [] });
});

test('bytes of every short length are copies of their own', () => {
  for (let length = 0; length < 70; length++) {
    const text = Array.from({ length }, (_, i) => String.fromCharCode(33 + ((7 * length + i) % 90))).join('');
    const { a } = parseSingleExample(only(strings(text)), { a: fixedLen([], 'bytes') });
    expect(Buffer.from(a).toString()).toBe(text);
    expect(a.buffer.byteLength).toBe(length);
  }
});
