/** Data against schemas: each type of anomaly, and data that fits. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import {
  inferSchema,
  readSchema,
  validate,
  type Anomaly,
  type AnomalyType,
  type Schema,
  type ValidateOptions,
} from '../../../lib/schema';
import { exampleOf, floats, int64s, KINDLESS, sequenceOf, strings, type Wire } from '../../support/examples/wire';
import { NO_REAL_SETS, REAL_SETS } from '../../support/records/real-data';
import { Folder } from '../../support/records/record-files';
import { tfrecord } from '../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => folder.remove());

const schemaOf = (text: string): Promise<Schema> => readSchema(folder.put('schema.pbtxt', text));

/** Records whose only feature is `a`; undefined: without it. */
const records = (...bodies: readonly (Wire | undefined)[]): Uint8Array =>
  tfrecord(bodies.map((body) => exampleOf(body === undefined ? {} : { a: body })));

const check = async (text: string, data: Uint8Array, options?: ValidateOptions): Promise<Anomaly[]> =>
  validate(data, await schemaOf(text), options);

/** Types, and numbers of the records that show them. */
const brief = (anomalies: readonly Anomaly[]): unknown[] =>
  anomalies.map(({ feature, type, records: shown }) => [feature, type, shown.map(({ record }) => record)]);

const WORDS = 'string_domain { value: "x" value: "y" }';
const png = '\x89PNG\r\n\x1a\n';
const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const joined = (...rows: readonly Readonly<Record<string, Wire>>[]): Uint8Array => tfrecord(rows.map(exampleOf));

/** The type, the schema, data that fits it, data that does not, the records that show it, and a part of the sentence. */
const CASES: readonly (readonly [AnomalyType, string, Uint8Array, Uint8Array, readonly number[], string])[] = [
  [
    'SCHEMA_MISSING_COLUMN',
    'feature { name: "a" type: INT presence { min_count: 1 } }',
    records(undefined, int64s(1)),
    records(undefined, undefined),
    [0, 1],
    'no record has it',
  ],
  [
    'FEATURE_TYPE_NOT_PRESENT',
    'feature { name: "a" type: INT presence { min_fraction: 0.1 } }',
    records(KINDLESS, int64s(1)),
    records(KINDLESS, KINDLESS),
    [0, 1],
    'no record has a value of it',
  ],
  [
    'SCHEMA_NEW_COLUMN',
    'feature { name: "b" type: INT }',
    records(undefined),
    records(undefined, int64s(1), undefined, KINDLESS),
    [1, 3],
    '2 records have it, but the schema does not.',
  ],
  [
    'FEATURE_TYPE_LOW_NUMBER_PRESENT',
    'feature { name: "a" type: INT presence { min_count: 2 } }',
    records(int64s(1), int64s(1)),
    records(int64s(1), undefined, KINDLESS),
    [1, 2],
    'Only 1 record has it, but at least 2 should.',
  ],
  [
    'FEATURE_TYPE_LOW_FRACTION_PRESENT',
    'feature { name: "a" type: INT presence { min_fraction: 0.5 } }',
    records(int64s(1), undefined),
    records(int64s(1), undefined, undefined, undefined, undefined),
    [1, 2, 3],
    'missing from 4 of 5 records, but at least 50 % of the records should have it',
  ],
  [
    'UNEXPECTED_DATA_TYPE',
    'feature { name: "a" type: INT }',
    records(int64s(1), KINDLESS, undefined),
    records(int64s(1), floats(1), strings('x')),
    [1, 2],
    'Its type is INT, but the data has BYTES in 1 record and FLOAT in 1 record.',
  ],
  [
    'FEATURE_TYPE_LOW_NUMBER_VALUES',
    'feature { name: "a" type: INT value_count { min: 1 } }',
    records(int64s(1), KINDLESS, undefined),
    records(int64s(1), int64s()),
    [1],
    'Some records have as few as 0 values, but each should have at least 1.',
  ],
  [
    'FEATURE_TYPE_HIGH_NUMBER_VALUES',
    'feature { name: "a" type: INT value_counts { value_count { max: 1 } } }',
    records(int64s(1), int64s()),
    records(int64s(1, 2), int64s(1), int64s(1, 2, 3)),
    [0, 2],
    'Some records have as many as 3 values, but each should have at most 1.',
  ],
  [
    'VALUE_NESTEDNESS_MISMATCH',
    'feature { name: "a" type: INT value_counts { value_count { max: 1 } value_count { } } }',
    records(undefined),
    records(int64s(1)),
    [0],
    'value_counts with 2 levels, but the data has one level',
  ],
  [
    'INVALID_FEATURE_SHAPE',
    'feature { name: "a" type: INT shape { dim { size: 2 } dim { size: 1 } } }',
    records(int64s(1, 2), int64s(3, 4)),
    records(int64s(1, 2), int64s(3), int64s()),
    [1, 2],
    'The shape [2, 1] needs 2 values in every record, but there are 0 to 2.',
  ],
  [
    'ENUM_TYPE_UNEXPECTED_STRING_VALUES',
    `feature { name: "a" type: BYTES ${WORDS} }`,
    records(strings('x', 'y'), strings(), undefined),
    records(strings('x'), strings('z', 'z'), strings('y'), strings('é', 'y')),
    [1, 3],
    '3 of 6 values are not in the domain: "z" (33 %), "é" (17 %).',
  ],
  [
    'ENUM_TYPE_INVALID_UTF8',
    `feature { name: "a" type: BYTES ${WORDS} }`,
    records(strings('x')),
    records(strings('x'), strings(Uint8Array.of(0xff))),
    [1],
    '1 value is not UTF-8',
  ],
  [
    'BOOL_TYPE_UNEXPECTED_STRING',
    'feature { name: "a" type: BYTES bool_domain { true_value: "yes" false_value: "no" } }',
    records(strings('yes', 'no')),
    records(strings('yes', 'maybe')),
    [0],
    'such as "maybe", are not truth values: the schema has "yes" and "no".',
  ],
  [
    'BOOL_TYPE_SMALL_INT',
    'feature { name: "a" type: INT bool_domain { } }',
    records(int64s(0, 1)),
    records(int64s(0), int64s(-1), int64s(2)),
    [1],
    'The smallest value is -1',
  ],
  [
    'BOOL_TYPE_BIG_INT',
    'feature { name: "a" type: INT bool_domain { } }',
    records(int64s(0, 1)),
    records(int64s(2), int64s(1)),
    [0],
    'The largest value is 2',
  ],
  [
    'BOOL_TYPE_UNEXPECTED_FLOAT',
    'feature { name: "a" type: FLOAT bool_domain { } }',
    records(floats(0, 1, -0), floats(1)),
    records(floats(0, 1), floats(0.5)),
    [1],
    'such as 0.5, are neither 0 nor 1',
  ],
  [
    'INT_TYPE_SMALL_INT',
    'feature { name: "a" type: INT int_domain { min: -5 } }',
    records(int64s(-5)),
    records(int64s(1), int64s(-(2n ** 63n))),
    [1],
    'The smallest value is -9223372036854775808, but the schema allows none below -5.',
  ],
  [
    'INT_TYPE_BIG_INT',
    'feature { name: "a" type: INT domain: "d" } int_domain { name: "d" max: 9007199254740992 }',
    records(int64s(2n ** 53n)),
    records(int64s(2n ** 53n + 1n)),
    [0],
    'The largest value is 9007199254740993',
  ],
  [
    'INT_TYPE_NOT_INT_STRING',
    'feature { name: "a" type: BYTES int_domain { max: 9 } }',
    records(strings(' 9 ', '-3', '+1')),
    records(strings('1'), strings('12', '1.5')),
    [1],
    'such as "1.5", are not integers',
  ],
  [
    'FLOAT_TYPE_SMALL_FLOAT',
    'feature { name: "a" type: FLOAT float_domain { min: 0.1 } }',
    records(floats(0.1, Infinity, NaN)),
    records(floats(1), floats(-Infinity), floats(0)),
    [1, 2],
    'The smallest value is -Infinity, but the schema allows none below 0.1.',
  ],
  [
    'FLOAT_TYPE_BIG_FLOAT',
    'feature { name: "a" type: FLOAT float_domain { max: 0.1 } }',
    records(floats(0.1, -Infinity)),
    records(floats(1), floats(0)),
    [0],
    'The largest value is 1,',
  ],
  [
    'FLOAT_TYPE_HAS_NAN',
    'feature { name: "a" type: FLOAT float_domain { disallow_nan: true } }',
    records(floats(Infinity)),
    records(floats(1), floats(NaN, NaN)),
    [1],
    '2 values of it are NaN',
  ],
  [
    'FLOAT_TYPE_HAS_INF',
    'feature { name: "a" type: FLOAT float_domain { disallow_inf: true } }',
    records(floats(NaN)),
    records(floats(1), floats(-Infinity)),
    [1],
    '1 value of it is infinite',
  ],
  [
    'FLOAT_TYPE_STRING_NOT_FLOAT',
    'feature { name: "a" type: BYTES float_domain { } }',
    records(strings('1', '.5e-3', '-inf', 'NaN', '1.')),
    records(strings('1'), strings('e5')),
    [1],
    'such as "e5", are not numbers',
  ],
  [
    'LOW_SUPPORTED_IMAGE_FRACTION',
    'feature { name: "a" type: BYTES image_domain { minimum_supported_image_fraction: 0.5 } }',
    records(strings(bytes(`${png}1`), bytes('RIFF1234WEBP'))),
    records(strings(bytes(`${png}1`)), strings('no', 'picture')),
    [1],
    '1 of 3 values are pictures in formats that TensorFlow decodes, but at least 50 % should be.',
  ],
  [
    'MAX_IMAGE_BYTE_SIZE_EXCEEDED',
    'feature { name: "a" type: BYTES image_domain { max_image_byte_size: 3 } }',
    records(strings('abc')),
    records(strings('abc'), strings('abcd')),
    [1],
    'The largest value has 4 bytes, but the schema allows at most 3 bytes.',
  ],
  [
    'FEATURE_TYPE_LOW_UNIQUE',
    'feature { name: "a" type: BYTES unique_constraints { min: 2 } }',
    records(strings('x', 'y')),
    records(strings('x', 'x')),
    [],
    'There is 1 different value, and at least 2 are expected.',
  ],
  [
    'FEATURE_TYPE_HIGH_UNIQUE',
    'feature { name: "a" type: INT int_domain { is_categorical: true } unique_constraints { max: 2 } }',
    records(int64s(1, 2, 1)),
    records(int64s(1, 2), int64s(1), int64s(3), int64s(4)),
    [2, 3],
    'There are more than 2 different values',
  ],
  [
    'FEATURE_TYPE_NO_UNIQUE',
    'feature { name: "a" type: FLOAT unique_constraints { max: 2 } }',
    records(undefined),
    records(floats(1)),
    [],
    'are counted only for bytes and for categories',
  ],
  [
    'DATASET_LOW_NUM_EXAMPLES',
    'feature { name: "a" type: INT } dataset_constraints { min_examples_count: 2 }',
    records(undefined, undefined),
    records(undefined),
    [],
    'There is 1 record, but the schema expects at least 2.',
  ],
  [
    'DATASET_HIGH_NUM_EXAMPLES',
    'feature { name: "a" type: INT } dataset_constraints { max_examples_count: 1 }',
    records(undefined),
    records(undefined, undefined),
    [],
    'There are 2 records, but the schema expects at most 1.',
  ],
];

describe('one record after another', () => {
  test.each(CASES)('%s', async (type, text, good, bad, numbers, sentence) => {
    expect(await check(text, good)).toEqual([]);
    const anomalies = await check(text, bad);
    const feature = type.startsWith('DATASET') ? '' : 'a';
    expect(brief(anomalies)).toEqual([[feature, type, numbers]]);
    expect(anomalies[0]!.message).toContain(sentence);
    expect(anomalies[0]!.path).toEqual(feature === '' ? [] : ['a']);
    for (const { file } of anomalies[0]!.records) expect(file).toBe('<bytes>');
  });
});

const SPARSE = `
  feature { name: "i" type: INT } feature { name: "v" type: FLOAT }
  sparse_feature { name: "s" index_feature { name: "i" } value_feature { name: "v" } }
`;
const WEIGHTED = `
  feature { name: "v" type: FLOAT } feature { name: "i" type: INT }
  weighted_feature { name: "s" feature { step: "v" } weight_feature { step: "i" } }
`;
test.each<readonly [string, string]>([
  ['SPARSE_FEATURE', SPARSE],
  ['WEIGHTED_FEATURE', WEIGHTED],
])('parts of a %s', async (kind, text) => {
  const whole = { i: int64s(1, 2), v: floats(1, 2) };
  expect(await check(text, joined(whole, {}, { i: int64s(1), v: floats(1) }))).toEqual([]);
  const missing = kind === 'SPARSE_FEATURE' ? 'MISSING_INDEX' : 'MISSING_WEIGHT';
  const found = await check(text, joined(whole, { i: int64s(1) }, { v: floats(1) }, { i: int64s(1), v: floats(1, 2) }));
  expect(brief(found)).toEqual([
    ['s', `${kind}_MISSING_VALUE`, [1]],
    ['s', `${kind}_${missing}`, [2]],
    ['s', `${kind}_LENGTH_MISMATCH`, [3]],
  ]);
  expect(found[2]!.message).toContain('1 record does not have as many');
});

describe('feature lists', () => {
  const list = (rules: string): string =>
    `feature { name: "##SEQUENCE##" type: STRUCT struct_domain { feature { name: "a" ${rules} } } }`;
  const lists = (...all: readonly (readonly Wire[] | undefined)[]): Uint8Array =>
    tfrecord(all.map((steps) => sequenceOf({}, steps === undefined ? {} : { a: steps })));

  test.each<readonly [AnomalyType, string, Uint8Array, readonly number[]]>([
    ['VALUE_NESTEDNESS_MISMATCH', 'type: INT value_count { min: 1 }', lists([int64s()]), [0]],
    [
      'FEATURE_TYPE_LOW_NUMBER_VALUES',
      'type: INT value_counts { value_count { min: 1 } value_count { } }',
      lists([int64s()], []),
      [1],
    ],
    [
      'FEATURE_TYPE_HIGH_NUMBER_VALUES',
      'type: INT value_counts { value_count { } value_count { max: 1 } }',
      lists([int64s(1)], [int64s(), int64s(1, 2)]),
      [1],
    ],
    ['FEATURE_TYPE_LOW_FRACTION_PRESENT', 'type: INT presence { min_fraction: 1 }', lists([int64s(1)], undefined), [1]],
    ['INVALID_FEATURE_SHAPE', 'type: INT shape { dim { size: 2 } }', lists([int64s(1), int64s(2)], [int64s(1)]), [1]],
    ['UNEXPECTED_DATA_TYPE', 'type: INT', lists([int64s(1), KINDLESS], [int64s(1), floats(1)]), [1]],
    [
      'ENUM_TYPE_UNEXPECTED_STRING_VALUES',
      `type: BYTES ${WORDS}`,
      lists([strings('x')], [strings(), strings('z')]),
      [1],
    ],
    ['INT_TYPE_BIG_INT', 'type: INT int_domain { max: 1 }', lists([int64s(1), KINDLESS], [int64s(1), int64s(2)]), [1]],
  ])('%s', async (type, rules, data, numbers) => {
    const anomalies = await check(list(rules), data);
    expect(brief(anomalies)).toEqual([['##SEQUENCE##.a', type, numbers]]);
    expect(anomalies[0]!.path).toEqual(['##SEQUENCE##', 'a']);
  });

  test('a list that the schema does not have, beside a feature of its name', async () => {
    const data = tfrecord([sequenceOf({ a: int64s(1) }, { a: [int64s(1)] })]);
    expect(brief(await check('feature { name: "a" type: INT }', data))).toEqual([
      ['##SEQUENCE##.a', 'SCHEMA_NEW_COLUMN', [0]],
    ]);
  });
});

test('features that the schema no longer uses, or not yet, are neither missed nor new', async () => {
  for (const stage of ['PLANNED', 'ALPHA', 'DEPRECATED', 'DEBUG_ONLY', 'DISABLED']) {
    const text = `feature { name: "a" type: INT presence { min_fraction: 1 } lifecycle_stage: ${stage} }`;
    expect(await check(text, records(strings('x')))).toEqual([]);
    expect(await check(text, records(undefined))).toEqual([]);
  }
  const production = 'feature { name: "a" type: INT presence { min_fraction: 1 } lifecycle_stage: PRODUCTION }';
  expect(await check(production, records(undefined))).toHaveLength(1);
});

test('environments', async () => {
  const text = `
    default_environment: "TRAINING" default_environment: "SERVING"
    feature { name: "a" type: INT presence { min_count: 1 } not_in_environment: "SERVING" }
  `;
  const missing = records(undefined);
  expect(brief(await check(text, missing))).toEqual([['a', 'SCHEMA_MISSING_COLUMN', [0]]]);
  expect(brief(await check(text, missing, { environment: 'TRAINING' }))).toEqual([['a', 'SCHEMA_MISSING_COLUMN', [0]]]);
  expect(await check(text, missing, { environment: 'SERVING' })).toEqual([]);
  const there = records(int64s(1));
  expect(await check(text, there)).toEqual([]);
  expect(brief(await check(text, there, { environment: 'SERVING' }))).toEqual([['a', 'SCHEMA_NEW_COLUMN', [0]]]);
  await expect(check(text, there, { environment: 'serving' })).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
});

test('a part of the values may be outside of a domain', async () => {
  const text = `feature { name: "a" type: BYTES ${WORDS} distribution_constraints { min_domain_mass: 0.5 } }`;
  expect(await check(text, records(strings('x', 'z')))).toEqual([]);
  const [found] = await check(text, records(strings('x', 'z', 'w')));
  expect(found!.message).toBe('2 of 3 values are not in the domain (the schema allows 50 %): "w" (33 %), "z" (33 %).');
});

test('numbers as text have bounds', async () => {
  const text = 'feature { name: "a" type: BYTES int_domain { min: 1 max: 9 } }';
  expect(brief(await check(text, records(strings('1'), strings('0'), strings('10'))))).toEqual([
    ['a', 'INT_TYPE_SMALL_INT', [1]],
    ['a', 'INT_TYPE_BIG_INT', [2]],
  ]);
});

test('many different words are found, and named by their numbers', async () => {
  const words = Array.from({ length: 5000 }, (_, i) => `w${i}`);
  const text = `feature { name: "a" type: BYTES string_domain { ${words.map((word) => `value: "${word}"`).join(' ')} } }`;
  const good = words.map((word) => strings(word));
  expect(await check(text, records(...good))).toEqual([]);
  const more = Array.from({ length: 5000 }, (_, i) => strings(`v${i}`));
  const [found] = await check(text, records(...good, ...more, strings('v3')));
  expect(found).toMatchObject({ records: [{ record: 5000 }, { record: 5001 }, { record: 5002 }] });
  expect(found!.message).toMatch(
    /^5,001 of 10,001 values are not in the domain: "v3" \(< 1 %\), .*, and at least 4,086 more words\.$/,
  );
});

test('words are counted in records of several kinds', async () => {
  const text = `feature { name: "a" type: BYTES ${WORDS} }`;
  expect(brief(await check(text, records(strings('z'), int64s(1), strings('x'), strings('w'))))).toEqual([
    ['a', 'UNEXPECTED_DATA_TYPE', [1]],
    ['a', 'ENUM_TYPE_UNEXPECTED_STRING_VALUES', [0, 3]],
  ]);
});

test('long words are known by their whole', async () => {
  const long = 'x'.repeat(3000);
  const text = `feature { name: "a" type: BYTES string_domain { value: "${long}" } }`;
  expect(await check(text, records(strings(long)))).toEqual([]);
  expect(brief(await check(text, records(strings(long), strings(`${long.slice(1)}y`))))).toEqual([
    ['a', 'ENUM_TYPE_UNEXPECTED_STRING_VALUES', [1]],
  ]);
});

describe('faults of the schema itself', () => {
  test.each<readonly [AnomalyType, string]>([
    ['FEATURE_MISSING_TYPE', 'feature { name: "a" }'],
    ['FEATURE_MISSING_NAME', 'feature { type: INT }'],
    ['INVALID_SCHEMA_SPECIFICATION', 'feature { name: "a" type: INT presence { min_fraction: 1.5 } }'],
    ['INVALID_SCHEMA_SPECIFICATION', 'feature { name: "a" type: INT value_count { min: 2 max: 1 } }'],
    ['INVALID_SCHEMA_SPECIFICATION', 'feature { name: "a" type: INT value_count { min: -1 } }'],
    ['INVALID_SCHEMA_SPECIFICATION', 'feature { name: "a" type: INT shape { dim { size: 0 } } }'],
    ['INVALID_SCHEMA_SPECIFICATION', 'feature { name: "a" type: INT distribution_constraints { } }'],
    ['INVALID_DOMAIN_SPECIFICATION', 'feature { name: "a" type: BYTES domain: "none" }'],
    ['INVALID_DOMAIN_SPECIFICATION', 'feature { name: "a" type: BYTES string_domain { value: "x" value: "x" } }'],
    [
      'INVALID_DOMAIN_SPECIFICATION',
      'feature { name: "a" type: BYTES bool_domain { true_value: "x" false_value: "x" } }',
    ],
    ['DOMAIN_INVALID_FOR_TYPE', 'feature { name: "a" type: FLOAT int_domain { } }'],
    [
      'SPARSE_FEATURE_NAME_COLLISION',
      'feature { name: "a" type: INT } feature { name: "v" type: INT int_domain { max: 1 } } sparse_feature { name: "a" index_feature { name: "a" } value_feature { name: "v" } }',
    ],
    [
      'WEIGHTED_FEATURE_NAME_COLLISION',
      'feature { name: "a" type: INT } weighted_feature { name: "a" feature { step: "a" } weight_feature { step: "a" } }',
    ],
  ])('%s in %s', async (type, text) => {
    const found = await check(text, tfrecord([]));
    expect(found.map((each) => each.type)).toContain(type);
    expect(found.find((each) => each.type === type)!.records).toEqual([]);
  });
});

test('data fits the schema that was inferred from it, and a spec', async () => {
  const data = tfrecord([
    sequenceOf({ a: int64s(1), t: strings('x'), n: KINDLESS }, { l: [floats(1, NaN), KINDLESS], e: [] }),
    sequenceOf({ a: strings('x'), t: strings('x') }, { l: [floats()] }),
  ]);
  const schema = await inferSchema(data);
  expect(await validate(data, schema)).toEqual([]);
  expect(await validate(data, await schemaOf(schema.toPbtxt()), { features: ['t', 'l'] })).toEqual([]);
  const spec = await readSchema(folder.put('spec.json', '{"a":{"type":"fixedLen","dtype":"int64","shape":[2]}}'));
  expect(brief(await validate(records(int64s(1, 2), int64s(1), undefined), spec))).toEqual([
    ['a', 'FEATURE_TYPE_LOW_FRACTION_PRESENT', [2]],
    ['a', 'INVALID_FEATURE_SHAPE', [1, 2]],
  ]);
});

test('only the features that are asked for, in files in their order', async () => {
  const text = 'feature { name: "a" type: INT } feature { name: "b" type: INT }';
  const first = folder.put('1.tfrecord', records(int64s(1), floats(1)));
  const second = folder.put(
    '2.tfrecord',
    joined({ b: floats(1), c: floats(1), a: floats(1) }, { a: floats(2) }, { a: floats(3) }),
  );
  const schema = await schemaOf(text);
  const found = await validate([first, second], schema, { features: ['a'] });
  expect(found).toMatchObject([
    {
      type: 'UNEXPECTED_DATA_TYPE',
      records: [
        { file: first, record: 1 },
        { file: second, record: 0 },
        { file: second, record: 1 },
      ],
    },
  ]);
  expect((await validate([first, second], schema)).map(({ feature }) => feature)).toEqual(['a', 'b', 'c']);
  await expect(validate(first, schema, { features: ['d'] })).rejects.toMatchObject({ code: 'TFR_FEATURE' });
});

test('wrong arguments, and damage', async () => {
  const schema = await schemaOf('feature { name: "a" type: INT presence { min_count: 2 } }');
  await expect(validate(records(), {} as never)).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
  await expect(validate(records(), schema, { environment: 1 } as never)).rejects.toMatchObject({
    code: 'ERR_INVALID_ARG_TYPE',
  });
  await expect(validate(records(), schema, { onProgress: 1 } as never)).rejects.toMatchObject({
    code: 'ERR_INVALID_ARG_TYPE',
  });
  await expect(validate(records(), schema, { other: 1 } as never)).rejects.toMatchObject({
    code: 'ERR_INVALID_ARG_VALUE',
  });
  const damaged = tfrecord([exampleOf({ a: int64s(1) }), Uint8Array.of(0xff), exampleOf({ a: int64s(2) })]);
  await expect(validate(damaged, schema)).rejects.toMatchObject({ code: 'TFR_EXAMPLE', record: 1 });
  expect(await validate(damaged, schema, { onError: 'skip' })).toEqual([]);
});

if (!existsSync(join(REAL_SETS, 'tfx-taxi'))) test.todo(NO_REAL_SETS);
else {
  test('the taxi data of TFX has two anomalies', async () => {
    const schema = await readSchema(join(REAL_SETS, 'tfx-taxi/schema.pbtxt'));
    const found = await validate(join(REAL_SETS, 'tfx-taxi/Split-eval/*'), schema);
    expect(found.map(({ feature, type }) => [feature, type])).toEqual([
      ['company', 'ENUM_TYPE_UNEXPECTED_STRING_VALUES'],
      ['payment_type', 'ENUM_TYPE_UNEXPECTED_STRING_VALUES'],
    ]);
    expect(found[1]).toMatchObject({
      message: '1 of 5,091 values is not in the domain: "Prcard" (< 1 %).',
      records: [{}],
    });
    expect(found[0]!.records).toHaveLength(3);
  });

  test.each(['tfx-taxi/Split-eval/*', 'tfx-sequence/Split-eval/*', 'tfds-para_crawl/ende/1.2.0/*.tfrecord*'])(
    '%s fits the schema that is inferred from it',
    async (files) => {
      const source = join(REAL_SETS, files);
      expect(await validate(source, await inferSchema(source))).toEqual([]);
    },
  );
}

test('data fit the schema that was inferred from them, also with a feature that never has a value', async () => {
  const data = joined({ a: int64s(1), never: KINDLESS }, { a: int64s(2), never: KINDLESS });
  const schema = await inferSchema(data);
  expect(await validate(data, schema)).toEqual([]);
  const read = await schemaOf(schema.toPbtxt());
  expect(await validate(data, read)).toEqual([]);
  expect(read.spec).toEqual(schema.spec);
});
