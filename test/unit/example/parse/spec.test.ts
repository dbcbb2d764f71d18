/** The features of a spec, and the checks before any data: section by section as in TensorFlow, or better. */
import { inspect } from 'node:util';

import {
  fixedLen,
  fixedLenSequence,
  ragged,
  sequenceSpecFromJSON,
  sparse,
  specFromJSON,
  specToJSON,
  varLen,
  type FeatureSpec,
  type Spec,
} from '../../../../lib/example';
import type { SpecUse } from '../../../../lib/example/kinds';
import { checkNotEmpty, checkSpec } from '../../../../lib/example/spec';

/** For calls that the types forbid. */
const loose = (value: unknown): never => value as never;

const specError = (message: RegExp, details: object = {}): Error =>
  expect.objectContaining({
    name: 'TFRecordError',
    code: 'TFR_SPEC',
    message: expect.stringMatching(message) as string,
    ...details,
  }) as Error;

describe('features are checked where they are made', () => {
  test.each<[string, () => unknown, RegExp]>([
    ['dtype', () => varLen(loose('float64')), /varLen: the dtype is "float64".*'float32', 'int64', 'bytes' or 'text'/],
    ['dtype of fixedLen', () => fixedLen([], loose('string')), /fixedLen: the dtype is "string"/],
    ['dtype of fixedLenSequence', () => fixedLenSequence([], loose(undefined)), /the dtype is undefined/],
    [
      'dtype of sparse',
      () => sparse({ indexKey: 'i', valueKey: 'v', dtype: loose('int32'), size: 1 }),
      /sparse: the dty/,
    ],
    ['dtype of ragged', () => ragged({ dtype: loose('int32') }), /ragged: the dtype is "int32"/],
    ['no shape', () => fixedLen(loose(undefined), 'int64'), /the shape is undefined; give an array.*\[\] for a scalar/],
    ['a number for a shape', () => fixedLenSequence(loose(2), 'int64'), /the shape is 2; give an array/],
    ['unknown first dimension', () => fixedLen([loose(null), 2], 'int64'), /dimension 0.*null.*fixedLenSequence\(\)/],
    ['unknown inner dimension', () => fixedLen([2, loose(undefined)], 'int64'), /dimension 1.*undefined; every dim/],
    ['negative dimension', () => fixedLen([2, -1], 'int64'), /dimension 1 of the shape is -1/],
    ['hole in a shape', () => fixedLen(loose(new Array(2)), 'int64'), /dimension 0 of the shape is undefined/],
    ['fraction', () => fixedLen([1.5], 'int64'), /dimension 0 of the shape is 1.5/],
    ['unknown dimension of a sequence', () => fixedLenSequence([loose(null)], 'int64'), /dimension 0.*null/],
    [
      '0 in the shape of a sequence',
      () => fixedLenSequence([2, 0], 'int64'),
      /dimension 1 of the shape is 0.*1 or more/,
    ],
    ['a shape beyond memory', () => fixedLen([2 ** 20, 2 ** 20], 'int64'), /at most 2\^31/],
    [
      'too few defaults',
      () => fixedLen([2], 'int64', { default: -1 }),
      /1 value, shape \[2\] takes 2: .*neither repeated/,
    ],
    ['too many defaults', () => fixedLen([], 'int64', { default: [1, 2] }), /2 values, shape \[\] takes 1/],
    ['a default for no places', () => fixedLen([0], 'int64', { default: 1 }), /1 value, shape \[0\] takes 0/],
    ['1.5 as int64', () => fixedLen([], 'int64', { default: 1.5 }), /1.5 must be an integer/],
    ['2^63 as int64', () => fixedLen([], 'int64', { default: 2n ** 63n }), /must be an integer of 64 bits/],
    ['an inexact int64', () => fixedLen([], 'int64', { default: 2 ** 60 }), /write a bigint/],
    ['text as a number', () => fixedLen([], 'float32', { default: loose('1') }), /"1" must be a number/],
    ['a number as text', () => fixedLen([], 'bytes', { default: loose(1) }), /1 must be a string or a Uint8Array/],
    ['a float beyond float32', () => fixedLen([], 'float32', { default: 1e40 }), /float32 can hold/],
    ['text without UTF-8', () => fixedLen([], 'bytes', { default: '\ud800' }), /lone surrogates/],
    ['two values of padding', () => fixedLenSequence([2], 'int64', { default: loose([7, 8]) }), /padding is one value/],
    ['no index key', () => sparse(loose({ valueKey: 'v', dtype: 'int64', size: 1 })), /indexKey is missing/],
    ['empty index key', () => sparse({ indexKey: '', valueKey: 'v', dtype: 'int64', size: 1 }), /indexKey is missing/],
    [
      'empty list of keys',
      () => sparse({ indexKey: [], valueKey: 'v', dtype: 'int64', size: [] }),
      /indexKey is missing/,
    ],
    ['no value key', () => sparse(loose({ indexKey: 'i', dtype: 'int64', size: 1 })), /valueKey is missing/],
    ['empty value key', () => sparse({ indexKey: 'i', valueKey: '', dtype: 'int64', size: 1 }), /valueKey is missing/],
    ['one key, sizes', () => sparse(loose({ indexKey: 'i', valueKey: 'v', dtype: 'int64', size: [1] })), /one of each/],
    ['keys, one size', () => sparse(loose({ indexKey: ['i'], valueKey: 'v', dtype: 'int64', size: 1 })), /one of each/],
    [
      'lengths',
      () => sparse({ indexKey: ['i', 'j'], valueKey: 'v', dtype: 'int64', size: [1] }),
      /lists of one length/,
    ],
    ['negative size', () => sparse({ indexKey: 'i', valueKey: 'v', dtype: 'int64', size: -1 }), /is -1/],
    [
      'a key that is none',
      () => sparse(loose({ indexKey: 5, valueKey: 'v', dtype: 'int64', size: 1 })),
      /indexKey is 5/,
    ],
    ['empty value key of ragged', () => ragged({ dtype: 'int64', valueKey: '' }), /leave it out/],
    [
      'splits',
      () => ragged({ dtype: 'int64', rowSplitsDtype: loose('int16') }),
      /"int16"; splits are 'int32' or 'int64'/,
    ],
    ['partitions', () => ragged({ dtype: 'int64', partitions: loose('len') }), /give a list/],
    ['a partition', () => ragged({ dtype: 'int64', partitions: [loose({ by: 'lengths', key: 'l' })] }), /"lengths"/],
    [
      'a partition without key',
      () => ragged({ dtype: 'int64', partitions: [loose({ by: 'rowLengths' })] }),
      /rowLengths/,
    ],
    [
      'a partition with more',
      () => ragged({ dtype: 'int64', partitions: [loose({ by: 'rowLengths', key: 'l', k: 1 })] }),
      /k is/,
    ],
    [
      'rows of length 0',
      () => ragged({ dtype: 'int64', partitions: [{ by: 'uniformRowLength', length: 0 }] }),
      /length 0/,
    ],
    ['a key without UTF-8', () => ragged({ dtype: 'int64', valueKey: '\udc00' }), /lone surrogate/],
  ])('%s', (_, make, message) => {
    expect(make).toThrow(specError(message));
  });

  test.each<[string, () => unknown]>([
    ['fixedLen', () => fixedLen([], 'int64', loose({ defaultValue: 1 }))],
    ['fixedLenSequence', () => fixedLenSequence([], 'int64', loose({ allow_missing: true }))],
    ['sparse', () => sparse(loose({ indexKey: 'i', valueKey: 'v', dtype: 'int64', size: 1, sorted: true }))],
    ['ragged', () => ragged(loose({ dtype: 'int64', splits: 1 }))],
  ])('%s knows its options', (_, make) => {
    expect(make).toThrow(expect.objectContaining({ name: 'TypeError', code: 'ERR_INVALID_ARG_VALUE' }));
  });

  test.each<[string, () => FeatureSpec, string]>([
    [
      'a scalar for [1, 1]',
      () => fixedLen([1, 1], 'int64', { default: 5 }),
      "fixedLen([ 1, 1 ], 'int64', { default: [ 5 ] })",
    ],
    [
      'a flat list',
      () => fixedLen([2, 3], 'float32', { default: [1, 2, 3, 4, 5, 6] }),
      "fixedLen([ 2, 3 ], 'float32', { default: [ 1, 2, 3, 4, 5, 6 ] })",
    ],
    ['true as int64', () => fixedLen([], 'int64', { default: true }), "fixedLen([], 'int64', { default: 1 })"],
    [
      '-2^63',
      () => fixedLen([], 'int64', { default: -(2n ** 63n) }),
      "fixedLen([], 'int64', { default: -9223372036854775808n })",
    ],
    [
      'no values for no places',
      () => fixedLen([0, 2], 'bytes', { default: [] }),
      "fixedLen([ 0, 2 ], 'bytes', { default: [] })",
    ],
    [
      'a list of one to pad with',
      () => fixedLenSequence([], 'int64', { allowMissing: true, default: loose([7]) }),
      "fixedLenSequence([], 'int64', { allowMissing: true, default: 7 })",
    ],
  ])('%s is a default', (_, make, printed) => {
    expect(inspect(make())).toBe(printed);
  });

  test('they cannot change, and keep copies', () => {
    const shape = [2];
    const value = new Uint8Array([65]);
    const feature = fixedLen(shape, 'bytes', { default: [value, value] });
    shape[0] = 3;
    value[0] = 66;
    expect(feature.shape).toEqual([2]);
    expect(inspect(feature)).toBe("fixedLen([ 2 ], 'bytes', { default: [ 'A', 'A' ] })");
    expect(() => Object.assign(feature, { dtype: 'int64' })).toThrow(TypeError);
    expect(() => feature.shape.push(1)).toThrow(TypeError);
  });
});

describe('specs are checked as a whole', () => {
  const check =
    (spec: unknown, use: SpecUse = 'example') =>
    (): void => {
      checkNotEmpty(checkSpec(spec, use));
    };
  const value = ragged({ dtype: 'float32', valueKey: 'v' });

  test.each<[string, unknown, RegExp, string | undefined]>([
    ['no features', {}, /no features/, undefined],
    ['no object', null, /A spec is an object.*null/, undefined],
    ['a list', [varLen('int64')], /A spec is an object/, undefined],
    ['a single feature', varLen('int64'), /a single feature/, undefined],
    [
      'another class',
      { a: { dtype: 'int64' } },
      /^Feature "a": an object is not a feature: use fixedLen.*use specFromJSON/,
      'a',
    ],
    ['undefined', { a: undefined }, /undefined is not a feature/, 'a'],
    ['a name without UTF-8', { '\ud800': varLen('int64') }, /lone surrogate/, undefined],
    ['a sequence that may not be missing', { a: fixedLenSequence([], 'int64') }, /"a": .*allowMissing: true/, 'a'],
    [
      'a key of two types',
      { v: varLen('int64'), s: sparse({ indexKey: 'i', valueKey: 'v', dtype: 'float32', size: 2 }) },
      /"s": it reads "v" as float32, and feature "v" reads it as int64/,
      's',
    ],
    [
      'coordinates that are no int64',
      { i: varLen('float32'), s: sparse({ indexKey: 'i', valueKey: 'v', dtype: 'float32', size: 2 }) },
      /"i" as int64, and feature "i" reads it as float32/,
      's',
    ],
    [
      'one feature in its own way',
      { r: ragged({ dtype: 'float32', partitions: [{ by: 'rowLengths', key: 'r' }] }) },
      /and it/,
      'r',
    ],
    [
      'a value key that is a coordinate of another type',
      { s: sparse({ indexKey: 'k', valueKey: 'k', dtype: 'float32', size: 2 }) },
      /"k" as int64, and it reads it as float32/,
      's',
    ],
    [
      'dense and sparse',
      { i: fixedLen([], 'int64'), s: sparse({ indexKey: 'i', valueKey: 'v', dtype: 'float32', size: 2 }) },
      /"i" as a sparse feature, and feature "i" reads it as a dense/,
      's',
    ],
    ['dense and ragged', { v: fixedLen([], 'float32'), r: value }, /"v" as a ragged feature.*a dense one/, 'r'],
    ['ragged and sparse', { r: value, v: varLen('float32') }, /"v" as a sparse feature.*a ragged one/, 'v'],
    [
      'two types of splits',
      { r: value, q: ragged({ dtype: 'float32', valueKey: 'v', rowSplitsDtype: 'int64' }) },
      /"v" with rowSplitsDtype 'int64', and feature "r" with 'int32'/,
      'q',
    ],
  ])('%s', (_, spec, message, feature) => {
    expect(check(spec)).toThrow(specError(message, feature === undefined ? {} : { feature }));
  });

  test.each<[string, SpecUse, Spec, RegExp]>([
    ['sparse', 'context', { a: sparse({ indexKey: 'i', valueKey: 'v', dtype: 'int64', size: 1 }) }, /Examples only/],
    ['sparse', 'sequence', { a: sparse({ indexKey: 'i', valueKey: 'v', dtype: 'int64', size: 1 }) }, /Examples only/],
    ['fixedLenSequence', 'context', { a: fixedLenSequence([], 'int64') }, /not possible; use varLen/],
    ['fixedLen', 'sequence', { a: fixedLen([], 'int64') }, /use fixedLenSequence\(\)/],
    ['a default', 'sequence', { a: fixedLenSequence([], 'int64', { default: 1 }) }, /takes no default/],
  ])('%s in the %s of a SequenceExample', (_, use, spec, message) => {
    expect(check(spec, use)).toThrow(specError(message, { feature: 'a' }));
  });

  test('what may stand side by side', () => {
    const names = checkSpec(
      {
        v: varLen('float32'),
        s: sparse({ indexKey: ['i', 'j'], valueKey: 'v', dtype: 'float32', size: [2, 2] }),
        t: sparse({ indexKey: 'j', valueKey: 'i', dtype: 'int64', size: 9 }),
        i: varLen('int64'),
        k: sparse({ indexKey: 'k', valueKey: 'k', dtype: 'int64', size: 9 }),
        // Its name is a key of sparse features, but what it reads is not.
        j: ragged({ dtype: 'float32', valueKey: 'w' }),
        '': fixedLen([], 'bytes'),
      },
      'example',
    ).map(([name]) => name);
    expect(names).toEqual(['v', 's', 't', 'i', 'k', 'j', '']);
    expect(
      checkSpec({ a: fixedLenSequence([2], 'int64'), b: varLen('bytes'), c: ragged({ dtype: 'int64' }) }, 'sequence'),
    ).toHaveLength(3);
    expect(() => checkNotEmpty([], checkSpec({ a: varLen('int64') }, 'sequence'))).not.toThrow();
  });
});

describe('specs are printed and go to JSON and back', () => {
  const spec = {
    id: fixedLen([], 'int64'),
    exact: fixedLen([2], 'int64', { default: [2n ** 63n - 1n, -5] }),
    floats: fixedLen([6], 'float32', { default: [0.1, NaN, Infinity, -Infinity, -0, 1e-45] }),
    bytes: fixedLen([3], 'bytes', { default: ['é', new Uint8Array([255, 0]), ''] }),
    tags: varLen('bytes'),
    steps: fixedLenSequence([2, 1], 'float32', { allowMissing: true, default: -1 }),
    at: sparse({ indexKey: 'row', valueKey: 'amt', dtype: 'float32', size: 4 }),
    grid: sparse({ indexKey: ['row', 'col'], valueKey: 'amt', dtype: 'float32', size: [4, 2], alreadySorted: true }),
    plain: ragged({ dtype: 'int64' }),
    rows: ragged({
      dtype: 'int64',
      valueKey: 'n',
      partitions: [
        { by: 'rowLengths', key: 'len' },
        { by: 'uniformRowLength', length: 2 },
      ],
      rowSplitsDtype: 'int64',
      validate: true,
    }),
    ['__proto__']: varLen('int64'),
  };

  test('JSON', () => {
    const json = JSON.stringify(specToJSON(spec));
    expect(json).toBe(JSON.stringify(spec));
    expect(JSON.parse(json)).toMatchObject({
      id: { type: 'fixedLen', dtype: 'int64', shape: [] },
      exact: { type: 'fixedLen', dtype: 'int64', shape: [2], default: ['9223372036854775807', -5] },
      floats: { default: [0.1, 'NaN', 'Infinity', '-Infinity', '-0', 1e-45] },
      bytes: { default: ['é', { base64: '/wA=' }, ''] },
      tags: { type: 'varLen', dtype: 'bytes' },
      steps: { type: 'fixedLenSequence', dtype: 'float32', shape: [2, 1], allowMissing: true, default: -1 },
      at: { type: 'sparse', indexKey: 'row', valueKey: 'amt', dtype: 'float32', size: 4 },
      grid: { indexKey: ['row', 'col'], size: [4, 2], alreadySorted: true },
      plain: { type: 'ragged', dtype: 'int64' },
      rows: {
        valueKey: 'n',
        partitions: [
          { by: 'rowLengths', key: 'len' },
          { by: 'uniformRowLength', length: 2 },
        ],
        rowSplitsDtype: 'int64',
        validate: true,
      },
    });
    const back = specFromJSON(JSON.parse(json));
    expect(Object.keys(back)).toEqual(Object.keys(spec));
    expect(inspect(back)).toBe(inspect(Object.assign(Object.create(null) as object, spec)));
    expect(JSON.stringify(back)).toBe(json);
  });

  test('print', () => {
    expect(
      inspect({ ...spec }, { breakLength: 200 })
        .split('\n')
        .slice(1, -1)
        .map((line) => line.trim().replace(/,$/, '')),
    ).toEqual([
      "id: fixedLen([], 'int64')",
      "exact: fixedLen([ 2 ], 'int64', { default: [ 9223372036854775807n, -5 ] })",
      "floats: fixedLen([ 6 ], 'float32', { default: [ 0.1, NaN, Infinity, -Infinity, -0, 1e-45 ] })",
      "bytes: fixedLen([ 3 ], 'bytes', { default: [ 'é', Uint8Array(2) [ 255, 0 ], '' ] })",
      "tags: varLen('bytes')",
      "steps: fixedLenSequence([ 2, 1 ], 'float32', { allowMissing: true, default: -1 })",
      "at: sparse({ indexKey: 'row', valueKey: 'amt', dtype: 'float32', size: 4 })",
      "grid: sparse({ indexKey: [ 'row', 'col' ], valueKey: 'amt', dtype: 'float32', size: [ 4, 2 ], alreadySorted: true })",
      "plain: ragged({ dtype: 'int64' })",
      "rows: ragged({ dtype: 'int64', valueKey: 'n', partitions: [ { by: 'rowLengths', key: 'len' }, { by: 'uniformRowLength', length: 2 } ], rowSplitsDtype: 'int64', validate: true })",
      "['__proto__']: varLen('int64')",
    ]);
  });

  test.each<[string, unknown, RegExp, string | undefined]>([
    ['no object', '[]', /a spec is an object; this is "\[\]"/, undefined],
    ['no feature', { a: 'int64' }, /"a": a feature is an object; this is "int64"/, 'a'],
    ['no type', { a: { dtype: 'int64' } }, /"a": the type is undefined; it is one of fixedLen, varLen/, 'a'],
    ['a type of Object', { a: { type: 'toString' } }, /the type is "toString"/, 'a'],
    ['an unknown member', { a: { type: 'varLen', dtype: 'int64', shape: [] } }, /"varLen" has no member "shape"/, 'a'],
    ['a wrong dtype', { a: { type: 'varLen', dtype: 'string' } }, /"a": varLen: the dtype is "string"/, 'a'],
    [
      'a wrong default',
      { a: { type: 'fixedLen', dtype: 'int64', shape: [2], default: 1 } },
      /"a": fixedLen: the default/,
      'a',
    ],
    [
      'digits that are none',
      { a: { type: 'fixedLen', dtype: 'int64', shape: [], default: '1.0' } },
      /"1.0" must be an int/,
      'a',
    ],
    [
      'lax base64',
      { a: { type: 'fixedLen', dtype: 'bytes', shape: [], default: { base64: '/wA' } } },
      /standard base64/,
      'a',
    ],
    [
      'a flag',
      { a: { type: 'fixedLenSequence', dtype: 'int64', shape: [], allowMissing: 1 } },
      /allowMissing is 1/,
      'a',
    ],
  ])('JSON with %s', (_, json, message, feature) => {
    expect(() => specFromJSON(json)).toThrow(specError(message, feature === undefined ? {} : { feature }));
  });

  test('SequenceExamples have two specs', () => {
    const both = { context: { a: varLen('int64') }, sequence: { b: fixedLenSequence([], 'bytes') } };
    expect(JSON.stringify(sequenceSpecFromJSON(JSON.parse(JSON.stringify(both))))).toBe(JSON.stringify(both));
    expect(sequenceSpecFromJSON({})).toEqual({ context: {}, sequence: {} });
    expect(() => sequenceSpecFromJSON({ features: {} })).toThrow(
      specError(/Unknown member "features" in a spec of SequenceExamples/),
    );
  });

  test('what is no spec has no JSON', () => {
    expect(() => specToJSON({ a: loose({}) })).toThrow(specError(/an object is not a feature/, { feature: 'a' }));
  });
});
