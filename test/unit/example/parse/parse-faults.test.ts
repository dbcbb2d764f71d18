/** Errors about records that do not fit: their messages, which one is named, and where we do better than TensorFlow. */
import { gzipSync } from 'node:zlib';

import {
  decodeCompressed,
  fixedLen,
  fixedLenSequence,
  parseExample,
  parseSingleExample,
  ragged,
  RecordReader,
  sparse,
  type TFRecordError,
  varLen,
  type FeatureSpec,
  type Spec,
} from '../../../../lib';
import { tfrecord } from '../../../support/records/tfrecord';
import { thrown } from '../../../support/thrown';
import {
  entry,
  exampleOf,
  field,
  float32,
  floats,
  int64s,
  KINDLESS,
  lyingField,
  record,
  strings,
  tag,
  varint,
  type Wire,
} from '../../../support/examples/wire';

const good = exampleOf({ a: int64s(1), b: floats(1), s: strings('x') });
const fits: Spec = { a: fixedLen([], 'int64'), b: fixedLen([], 'float32'), s: fixedLen([], 'bytes') };
const fault = (records: readonly Uint8Array[], spec: Spec): TFRecordError =>
  thrown(() => parseExample(records, spec)) as TFRecordError;

describe('messages name the record, the feature, what was expected and found', () => {
  test.each<[string, FeatureSpec, Wire | undefined, { expected: string; found: string }]>([
    ['required', fixedLen([1, 3], 'int64'), undefined, { expected: '3 int64 values', found: 'no such feature' }],
    [
      'without a kind',
      fixedLen([1, 3], 'int64'),
      KINDLESS,
      { expected: '3 int64 values', found: 'a feature without a kind' },
    ],
    ['count of int64', fixedLen([1, 3], 'int64'), int64s(1, 2), { expected: '3 int64 values', found: '2' }],
    ['count of float32', fixedLen([], 'float32'), floats(1, 2), { expected: '1 float32 value', found: '2' }],
    ['count of bytes', fixedLen([1], 'bytes'), strings(), { expected: '1 bytes value', found: '0' }],
    ['too many bytes', fixedLen([1], 'bytes'), strings('a', 'b'), { expected: '1 bytes value', found: '2' }],
    ['kind, dense', fixedLen([], 'int64'), strings('x'), { expected: '1 int64 value', found: 'bytes values' }],
    [
      'kind, sequence',
      fixedLenSequence([], 'int64', { allowMissing: true }),
      floats(1),
      { expected: 'int64 values', found: 'float32 values' },
    ],
    ['kind, varLen', varLen('bytes'), int64s(1), { expected: 'bytes values', found: 'int64 values' }],
    ['kind, ragged', ragged({ dtype: 'float32' }), int64s(), { expected: 'float32 values', found: 'int64 values' }],
  ])('%s', (_, feature, body, details) => {
    const bad = exampleOf(body === undefined ? {} : { a: body });
    const spec = { a: feature };
    const where = { code: 'TFR_FEATURE', feature: 'a', ...details };
    // Where the count is open, an Example without the feature fits.
    const fitting = /^\d/.test(details.expected) ? [] : [exampleOf({})];
    const batch = fault([...fitting, bad], spec);
    expect(batch).toMatchObject({ ...where, record: fitting.length });
    const single = thrown(() => parseSingleExample(bad, spec)) as TFRecordError;
    expect(single).toMatchObject({ ...where, record: 0 });
    for (const { message } of [batch, single]) {
      expect(message).toMatch(/^Record \d+\. Feature "a": expected .+, found .+\. .+\.$/);
      expect(message).toContain(details.expected);
      expect(message).toContain(details.found);
    }
  });

  test('malformed: the byte, and the feature where it is known', () => {
    const broken = exampleOf({ a: field(3, lyingField(1, 5, [1])) });
    expect(fault([good, broken], fits)).toMatchObject({ code: 'TFR_EXAMPLE', record: 1, expected: 'an Example' });
    expect(fault([good, broken], fits).message).toMatch(
      /^Record 1 is not an Example: the protobuf data is malformed at its byte \d+/,
    );
  });

  test('the bytes of the record are not in the message, however long it is', () => {
    const long = record(lyingField(1, 1, entry('a', strings('x'.repeat(100_000)))));
    expect(fault([long], fits).message.length).toBeLessThan(400);
    expect(fault([exampleOf({ a: strings('x'.repeat(100_000)) })], fits).message.length).toBeLessThan(400);
  });
});

describe('the lowest record is named', () => {
  const missing = exampleOf({ a: int64s(1), s: strings('x') });
  const kind = exampleOf({ a: floats(1), b: floats(1), s: strings('x') });
  const broken = record(lyingField(1, 1, entry('a', int64s(1))));

  test.each<[string, Uint8Array[], { record: number; feature?: string }]>([
    ['missing before malformed', [good, missing, broken], { record: 1, feature: 'b' }],
    ['malformed before missing', [good, broken, missing], { record: 1 }],
    ['kind before missing', [kind, missing], { record: 0, feature: 'a' }],
  ])('%s', (_, records, expected) => {
    expect(fault(records, fits)).toMatchObject(expected);
  });

  test.each([1, 2, 9, 100, 1023, 1024, 1025, 5000, 9999])('record %i of 10,000', (at) => {
    const records = Array.from({ length: 10_000 }, (_, i) => (i === at || i === 9_999 ? missing : good));
    expect(fault(records, fits)).toMatchObject({ record: at, feature: 'b' });
  });

  test('a fault of composition before one of parsing', () => {
    const spec = { q: sparse({ indexKey: 'i', valueKey: 'v', dtype: 'int64', size: 5 }) };
    const beyond = exampleOf({ i: int64s(5), v: int64s(1) });
    const wrong = exampleOf({ i: floats(1), v: int64s(1) });
    const many = Array.from({ length: 3000 }, () => exampleOf({ i: int64s(4), v: int64s(1) }));
    for (const last of [broken, wrong]) {
      expect(fault([...many, beyond, last], spec)).toMatchObject({ record: 3000, feature: 'q' });
      expect(fault([...many, last, beyond], spec)).toMatchObject({ record: 3000 });
      expect(fault([last, beyond], spec)).toMatchObject({ record: 0 });
    }
  });

  test('faults of composition: the lowest record, whichever feature', () => {
    const spec = {
      r: ragged({ dtype: 'int64', valueKey: 'n', partitions: [{ by: 'rowLengths', key: 'p' }] }),
      q: sparse({ indexKey: 'i', valueKey: 'v', dtype: 'int64', size: 5 }),
    };
    const wrongRows = exampleOf({ n: int64s(1), p: int64s(2) });
    const wrongLengths = exampleOf({ v: int64s(1) });
    expect(fault([exampleOf({}), wrongLengths, wrongRows], spec)).toMatchObject({ record: 1, feature: 'q' });
    expect(fault([exampleOf({}), wrongRows, wrongLengths], spec)).toMatchObject({ record: 1, feature: 'r' });
  });
});

test('10,000 records are parsed to the same as one by one', () => {
  const records = Array.from({ length: 10_000 }, (_, i) =>
    exampleOf({ a: int64s(i), b: floats(i / 2), s: strings(`${i}`) }),
  );
  const { a, b, s } = parseExample(records, {
    a: fixedLen([], 'int64'),
    b: varLen('float32'),
    s: fixedLen([], 'bytes'),
  });
  expect(a).toEqual(BigInt64Array.from(records, (_, i) => BigInt(i)));
  expect(b.values).toEqual(Float32Array.from(records, (_, i) => i / 2));
  expect(Array.from(records, (_, i) => s.text(i))).toEqual(records.map((_, i) => `${i}`));
});

test('a batch of a reader: the file and the place of the record are named', async () => {
  const reader = await RecordReader.open(tfrecord([good, good, exampleOf({})]));
  const { value: batch } = (await reader.batches().next()) as IteratorYieldResult<Parameters<typeof parseExample>[0]>;
  const error = thrown(() => parseExample(batch, fits));
  expect(error).toMatchObject({
    code: 'TFR_FEATURE',
    file: '<bytes>',
    record: 2,
    offset: 2 * (good.length + 16),
    feature: 'a',
  });
  await reader.close();
});

describe('where TensorFlow crashes, an error', () => {
  const MANY = Array.from({ length: 200_000 }, () => [...tag(1, 5), ...float32(1)]).flat();

  test.each<[string, Uint8Array, Spec, string]>([
    [
      'unpacked floats beyond the shape',
      exampleOf({ a: field(2, MANY) }),
      { a: fixedLen([2], 'float32') },
      'TFR_FEATURE',
    ],
    [
      'a bytes element of length 0xffffffff',
      exampleOf({ a: field(1, [...tag(1, 2), ...varint(0xffff_ffff), 1]) }),
      { a: varLen('bytes') },
      'TFR_EXAMPLE',
    ],
    [
      '… of a length of 64 bits',
      exampleOf({ a: field(1, [...tag(1, 2), ...varint(-1), 1]) }),
      { a: varLen('bytes') },
      'TFR_EXAMPLE',
    ],
    [
      '… in a dense feature',
      exampleOf({ a: field(1, [...tag(1, 2), ...varint(0x7fff_ffff), 1]) }),
      { a: fixedLen([], 'bytes') },
      'TFR_EXAMPLE',
    ],
    [
      '… of a key',
      record(field(1, field(1, [...tag(1, 2), ...varint(0xffff_ffff)]))),
      { a: varLen('bytes') },
      'TFR_EXAMPLE',
    ],
  ])('%s', (_, bytes, spec, code) => {
    expect(thrown(() => parseSingleExample(bytes, spec))).toMatchObject({ code, record: 0 });
    expect(fault([bytes], spec)).toMatchObject({ code, record: 0 });
  });

  test('a step with a 0 in its shape', () => {
    expect(thrown(() => fixedLenSequence([2, 0], 'float32'))).toMatchObject({ code: 'TFR_SPEC' });
    expect(thrown(() => fixedLenSequence([0], 'bytes', { allowMissing: true }))).toMatchObject({ code: 'TFR_SPEC' });
  });
});

describe('where TensorFlow damages data in silence', () => {
  test('a record that is cut between two entries is no smaller Example', () => {
    const parts = [entry('a', int64s(1)), entry('b', floats(1))];
    const whole = record(field(1, ...parts));
    const cut = whole.subarray(0, whole.length - parts[1]!.length);
    expect(thrown(() => parseSingleExample(cut, { a: varLen('int64') }))).toMatchObject({ code: 'TFR_EXAMPLE' });
  });

  test('the last kind and all chunks count', () => {
    const spec = { a: varLen('int64') };
    const twice = exampleOf({ a: [...floats(1), ...int64s(1)] });
    const chunks = exampleOf({ a: field(3, field(1, [1]), field(1, [2])) });
    expect(parseSingleExample(twice, spec).a).toEqual(BigInt64Array.of(1n));
    expect(parseSingleExample(chunks, spec).a).toEqual(BigInt64Array.of(1n, 2n));
  });

  test('lengths of sparse and ragged features, and bounds, are checked in every record', () => {
    const line = { f: sparse({ indexKey: 'i', valueKey: 'v', dtype: 'int64', size: 3 }) };
    const slid = [exampleOf({ v: int64s(1, 2), i: int64s(0) }), exampleOf({ i: int64s(1) })];
    expect(fault(slid, line)).toMatchObject({ code: 'TFR_FEATURE', record: 0 });
    expect(fault([exampleOf({ v: int64s(1), i: int64s(3) })], line)).toMatchObject({ code: 'TFR_FEATURE', found: '3' });
    const rows = {
      f: ragged({ dtype: 'int64', valueKey: 'n', partitions: [{ by: 'rowLengths', key: 'p' }], validate: false }),
    };
    const moved = [exampleOf({ n: int64s(1, 2), p: int64s(1) }), exampleOf({ n: int64s(3), p: int64s(2) })];
    expect(fault(moved, rows)).toMatchObject({ code: 'TFR_FEATURE', record: 0 });
  });

  test('truncated compressed data is an error', () => {
    const whole = gzipSync('a text of some length');
    for (const size of [0, 5, whole.length - 9, whole.length - 1]) {
      expect(thrown(() => decodeCompressed([whole.subarray(0, size)], { compression: 'gzip' }))).toMatchObject({
        code: 'TFR_DECODE',
      });
    }
  });
});

test.each<[string, number]>([
  ['beyond', 2 ** 53],
  ['below', -(2 ** 53)],
])("int64: 'number' never rounds: %s", (_, value) => {
  const spec = { a: varLen('int64') };
  const records = [exampleOf({ a: int64s(2 ** 53 - 1, -(2 ** 53 - 1)) }), exampleOf({ a: int64s(1, value) })];
  expect(parseExample(records.slice(0, 1), spec, { int64: 'number' }).a.values).toEqual(
    Float64Array.of(2 ** 53 - 1, -(2 ** 53 - 1)),
  );
  const error = thrown(() => parseExample(records, spec, { int64: 'number' }));
  expect(error).toMatchObject({ code: 'TFR_FEATURE', record: 1, feature: 'a', found: String(value) });
});

test.each<[string, () => unknown, object]>([
  ['no features', () => parseExample([], {}), { code: 'TFR_SPEC' }],
  ['records that are none', () => parseExample(good as never, fits), { code: 'ERR_INVALID_ARG_TYPE' }],
  ['a record that is text', () => parseExample([good, 'text' as never], fits), { code: 'ERR_INVALID_ARG_TYPE' }],
  ['an unknown option', () => parseExample([], fits, { other: 1 } as never), { code: 'ERR_INVALID_ARG_VALUE' }],
  [
    'int64 as something else',
    () => parseExample([], fits, { int64: 'string' as never }),
    { code: 'ERR_INVALID_ARG_VALUE' },
  ],
  [
    'a key of two types',
    () =>
      parseExample([], {
        a: ragged({ dtype: 'int64', partitions: [{ by: 'rowLengths', key: 'b' }] }),
        b: varLen('bytes'),
      }),
    { code: 'TFR_SPEC', feature: 'b' },
  ],
  [
    'dense and sparse',
    () =>
      parseExample([], {
        a: fixedLen([], 'int64'),
        s: sparse({ indexKey: 'i', valueKey: 'a', dtype: 'int64', size: 1 }),
      }),
    { code: 'TFR_SPEC', feature: 's' },
  ],
  [
    'a sequence that must not be missing',
    () => parseExample([], { a: fixedLenSequence([], 'int64') }),
    { code: 'TFR_SPEC', feature: 'a' },
  ],
])('refused: %s', (_, run, details) => {
  expect(thrown(run)).toMatchObject(details);
});
