/** The forms of an Example on the wire, through parseExample: the two tables of protobuf's rules, row by row. */
import {
  type TFRecordError,
  decodeExample,
  fixedLen,
  fixedLenSequence,
  parseExample,
  parseSequenceExample,
  parseSingleExample,
  varLen,
} from '../../../../lib';
import { plainFeatures, plainValue } from '../../../support/examples/plain-values';
import { thrown } from '../../../support/thrown';
import {
  entry,
  exampleOf,
  field,
  float32,
  floats,
  group,
  int64s,
  KINDLESS,
  looseFloats,
  looseInt64s,
  lyingField,
  record,
  sequenceOf,
  strings,
  tag,
  text,
  varint,
  wireOf,
  type Wire,
} from '../../../support/examples/wire';

const A = { a: varLen('int64') };
const values = (bytes: Uint8Array): unknown => plainValue(parseSingleExample(bytes, A).a);
const code = (bytes: Uint8Array): unknown => (thrown(() => parseSingleExample(bytes, A)) as TFRecordError).code;
/** An Example of entries as they are. */
const entries = (...all: readonly Wire[]): Uint8Array => record(field(1, ...all));
const featureOf = (...parts: readonly Wire[]): Uint8Array => entries(field(1, field(1, text('a')), field(2, ...parts)));
const listOf = (...parts: readonly Wire[]): Uint8Array => featureOf(field(3, ...parts));
const one = int64s(1);

test('the example of the wire format', () => {
  expect(values(record(wireOf('0a 0e 0a 0c 0a 01 61 12 07 1a 05 0a 03 01 02 03')))).toEqual([1, 2, 3]);
});

test.each<[string, Uint8Array, unknown]>([
  ['empty', record(), []],
  ['empty features', record(wireOf('0a 00')), []],
  ['packed', featureOf(int64s(1, 2)), [1, 2]],
  ['unpacked', featureOf(looseInt64s(1, 2)), [1, 2]],
  ['empty packed chunk', listOf(field(1)), []],
  ['varint with needless bytes', listOf(field(1, varint(5, 3), varint(-1))), [5, -1]],
  ['10th byte with more bits', listOf(field(1, [...Array<number>(9).fill(0xff), 0x7f], varint(6))), [-1, 6]],
  ['zero in ten bytes', listOf(field(1, varint(0, 9))), [0]],
  ['several features fields', record(field(1, entry('b', one)), field(1, entry('a', int64s(2)))), [2]],
  ['two Examples glued', record([...exampleOf({ a: one, b: one })], [...exampleOf({ a: int64s(7, 8) })]), [7, 8]],
  ['a key twice: the last', entries(entry('a', int64s(1, 2)), entry('a', int64s(3))), [3]],
  ['a key twice: the last, an empty list', entries(entry('a', one), entry('a', int64s())), []],
  ['a key twice, the first of another kind', entries(entry('a', strings('x')), entry('a', one)), [1]],
  ['value before key', entries(field(1, field(2, one), field(1, text('a')))), [1]],
  ['unknown varint on top', record([...tag(9, 0), 5], field(1, entry('a', one))), [1]],
  ['unknown fixed32 on top', record([...tag(9, 5), 1, 2, 3, 4], field(1, entry('a', one))), [1]],
  ['unknown fixed64 on top', record(field(1, entry('a', one)), [...tag(9, 1), 1, 2, 3, 4, 5, 6, 7, 8]), [1]],
  ['unknown bytes on top', record(field(9, text('?')), field(1, entry('a', one))), [1]],
  ['another key in UTF-8', entries(entry('\u00e4', one), entry('a\u0308', one)), []],
  ['a key that is no UTF-8', entries(field(1, field(1, [0xff, 0xfe]), field(2, one)), entry('a', one)), [1]],
  ['broken contents that nobody asked for', entries(entry('b', [0xff, 0xff]), entry('a', one)), [1]],
])('read: %s', (_, bytes, expected) => {
  expect(values(bytes)).toEqual(expected);
});

// Where TensorFlow's reader departs from protobuf, we follow protobuf.
test.each<[string, Uint8Array, unknown]>([
  ['an entry with only another key', entries(field(1, field(1, text('b'))), entry('a', one)), [1]],
  ['an entry with only the key', entries(field(1, field(1, text('a')))), []],
  ['an entry with only a value', entries(field(1, field(2, one)), entry('a', int64s(2))), [2]],
  ['an empty entry', entries(field(1), entry('a', one)), [1]],
  ['key, key, value', entries(field(1, field(1, text('b')), field(1, text('a')), field(2, one))), [1]],
  ['an unknown field in Features', entries([...tag(7, 0), 1], entry('a', one), field(8, text('?'))), [1]],
  ['an unknown field in an entry', entries(field(1, field(7, [1]), field(1, text('a')), field(2, one))), [1]],
  ['an unknown field before the kind', featureOf(field(9, [1]), one), [1]],
  ['field 3 as a varint', featureOf([...tag(3, 0), 1], one), [1]],
  ['an unknown field behind the kind', featureOf(one, field(9, [1])), [1]],
  ['two kinds: the last', featureOf(strings('x'), one), [1]],
  ['the same kind twice: joined', featureOf(one, int64s(2, 3)), [1, 2, 3]],
  ['two packed chunks', listOf(field(1, [1, 2]), field(1, [3])), [1, 2, 3]],
  ['packed, then unpacked', listOf(field(1, [1, 2]), [...tag(1, 0), 3]), [1, 2, 3]],
  ['unpacked, then packed', listOf([...tag(1, 0), 3], field(1, [1, 2])), [3, 1, 2]],
  ['an unknown field at the start of a list', listOf(field(5, [1]), field(1, [4])), [4]],
  ['a group on top', record(group(9, field(1, [1]), group(4)), field(1, entry('a', one))), [1]],
  ['a group in Features', entries(group(9, [...tag(1, 0), 7]), entry('a', one)), [1]],
  ['a group in a Feature', featureOf(group(9), one), [1]],
  ['the last of two is kindless', entries(entry('a', one), entry('a', KINDLESS)), []],
  ['an unknown kind in an earlier entry', entries(entry('a', field(9, [1])), entry('a', one)), [1]],
])('read as protobuf reads it: %s', (_, bytes, expected) => {
  expect(values(bytes)).toEqual(expected);
  // What takes everything apart is a walk of its own.
  const decoded = decodeExample(bytes)['a'];
  expect(decoded === undefined ? [] : plainValue(decoded.values)).toEqual(expected);
});

test('the last of two entries is kindless: missing, for dense features too', () => {
  const bytes = entries(entry('a', one), entry('a', KINDLESS));
  expect(parseSingleExample(bytes, { a: fixedLen([], 'int64', { default: -1 }) })).toEqual({ a: -1n });
  expect(parseExample([bytes], { a: fixedLen([], 'int64', { default: -1 }) }).a).toEqual(BigInt64Array.of(-1n));
  const steps = fixedLenSequence([], 'int64', { allowMissing: true });
  expect(plainValue(parseSingleExample(bytes, { a: steps }).a)).toEqual([]);
  expect(thrown(() => parseSingleExample(bytes, { a: fixedLen([], 'int64') }))).toMatchObject({
    code: 'TFR_FEATURE',
    found: 'a feature without a kind',
  });
});

test.each<[string, Uint8Array]>([
  ['a varint of 11 bytes', listOf(field(1, [...Array<number>(10).fill(0xff), 1]))],
  ['a varint that is cut off', listOf(field(1, [1, 0x80]))],
  ['an unpacked varint that is cut off', listOf([...tag(1, 0), 0x80])],
  ['Features past the record', record(lyingField(1, 1, entry('a', one)))],
  ['an entry past Features', entries(lyingField(1, 1, field(1, text('a')), field(2, one)))],
  ['a key past its entry', entries(field(1, field(2, one), lyingField(1, 1, text('a'))))],
  ['a Feature past its entry', entries(field(1, field(1, text('a')), lyingField(2, 1, one)))],
  ['a list past its Feature', featureOf(lyingField(3, 1, field(1, [1])))],
  ['a chunk past its list', listOf(lyingField(1, 1, [1, 2]))],
  ['a list length too small', featureOf(lyingField(3, -1, field(1, [1, 2])))],
  ['a length of an unknown field past the end', record(field(1, entry('a', one)), lyingField(9, 1, [1]))],
  ['field number 0', record([0, 1], field(1, entry('a', one)))],
  ['field number 0 in a list', listOf([0, 1], field(1, [1]))],
  ['wire type 6', record(field(1, entry('a', one)), tag(9, 6))],
  ['a group that does not end', record(tag(9, 3), field(1, entry('a', one)))],
  ['a group that does not start', record(field(1, entry('a', one)), tag(9, 4))],
  ['a group that ends as another', record(tag(9, 3), tag(8, 4), field(1, entry('a', one)))],
  ['a cut tag', record(field(1, entry('a', one)), [0x80])],
  ['a cut fixed32', record(field(1, entry('a', one)), tag(9, 5), [1, 2])],
  ['a cut fixed64', record(field(1, entry('a', one)), tag(9, 1), [1, 2])],
])('refused: %s', (_, bytes) => {
  expect(code(bytes)).toBe('TFR_EXAMPLE');
  expect((thrown(() => parseExample([exampleOf({ a: one }), bytes], A)) as TFRecordError).record).toBe(1);
  // As the record itself, and as a step of a list.
  expect((thrown(() => decodeExample(bytes)) as TFRecordError).code).toBe('TFR_EXAMPLE');
});

test('every cut of a record is refused, or ends between two fields of the record', () => {
  const whole = exampleOf({ a: one });
  for (let size = 1; size < whole.length; size++) expect(code(whole.subarray(0, size))).toBe('TFR_EXAMPLE');
});

test('packed floats of 4n + 1 to 3 bytes are refused', () => {
  const spec = { a: varLen('float32') };
  for (const extra of [[1], [1, 2], [1, 2, 3]]) {
    const bytes = featureOf(field(2, field(1, float32(0.5), extra)));
    expect((thrown(() => parseSingleExample(bytes, spec)) as TFRecordError).code).toBe('TFR_EXAMPLE');
  }
  expect(plainValue(parseSingleExample(featureOf(floats(0.5, 2)), spec).a)).toEqual([0.5, 2]);
  expect(plainValue(parseSingleExample(featureOf(looseFloats(0.5, 2)), spec).a)).toEqual([0.5, 2]);
});

test('broken contents of a feature nobody asked for go unnoticed, its length does not', () => {
  const spec = { b: varLen('int64') };
  expect(plainFeatures(parseSingleExample(featureOf(lyingField(3, 9, [1])), spec))).toEqual({ b: [] });
  const past = entries(field(1, field(1, text('a')), lyingField(2, 1, one)));
  expect((thrown(() => parseSingleExample(past, spec)) as TFRecordError).code).toBe('TFR_EXAMPLE');
});

test('keys: the empty one, raw bytes, one that is no identifier', () => {
  const keys = ['', '\u00e4', 'a\u0308', '__proto__', 'constructor', 'a b', '\0', '\u{1f642}', 'k'.repeat(300)];
  const spec = Object.fromEntries(keys.map((key) => [key, fixedLen([], 'int64')]));
  const bytes = entries(...keys.map((key, i) => entry(key, int64s(i))));
  const found = parseSingleExample(bytes, spec) as Record<string, bigint>;
  expect(Object.entries(found).map(([key, value]) => [key, Number(value)])).toEqual(keys.map((key, i) => [key, i]));
});

test('bytes are any bytes, NUL kept; floats any bits', () => {
  const raw = [Buffer.from([0, 255, 0]), Buffer.alloc(0), Buffer.from('a\0')];
  const bits = Uint32Array.of(0x7fc01234, 0xff800000, 0x80000000, 1, 0x7fa00001);
  const packed = field(2, field(1, [...new Uint8Array(bits.buffer)]));
  const bytes = exampleOf({ a: strings(...raw), b: packed });
  const { a, b } = parseExample([bytes], { a: varLen('bytes'), b: varLen('float32') });
  expect(Array.from(a.values, (value) => Buffer.from(value))).toEqual(raw);
  expect(new Uint32Array(b.values.buffer)).toEqual(bits);
});

test('an Example is a SequenceExample with only a context', () => {
  const { context, sequence } = parseSequenceExample([exampleOf({ a: one })], {
    context: { a: fixedLen([], 'int64') },
    sequence: { t: varLen('int64') },
  });
  expect(context.a).toEqual(BigInt64Array.of(1n));
  expect(sequence.t.denseShape).toEqual([1, 0, 0]);
});

describe('SequenceExamples', () => {
  const spec = { context: { c: varLen('int64') }, sequence: { t: varLen('int64') } };
  const steps = (bytes: Uint8Array): unknown => plainValue(parseSequenceExample([bytes], spec).sequence.t);
  const list = (...parts: readonly Wire[]): Uint8Array => record(field(2, ...parts));
  const first = { indices: [[0, 0, 0]], values: [1], denseShape: [1, 1, 1] };

  test.each<[string, Uint8Array]>([
    ['plain', sequenceOf({}, { t: [one] })],
    ['value before key', list(field(1, field(2, field(1, one)), field(1, text('t'))))],
    ['an unknown field in a FeatureList', list(field(1, field(1, text('t')), field(2, field(7, [1]), field(1, one))))],
    ['an unknown field in FeatureLists', list([...tag(3, 0), 1], entry('t', field(1, one)))],
    ['an unknown field in a step', list(entry('t', field(1, field(9), one)))],
    ['an unknown field on top', record(field(9), [...sequenceOf({}, { t: [one] })])],
    ['a group', record(group(9), [...sequenceOf({}, { t: [one] })])],
    ['a key twice: the last', list(entry('t', field(1, int64s(5, 6))), entry('t', field(1, one)))],
    ['key, key, value', list(field(1, field(1, text('x')), field(1, text('t')), field(2, field(1, one))))],
  ])('read: %s', (_, bytes) => {
    expect(steps(bytes)).toEqual(first);
  });

  test('one key in the context and in the lists', () => {
    const both = { context: { t: fixedLen([], 'int64') }, sequence: { t: varLen('int64') } };
    const found = parseSequenceExample([sequenceOf({ t: int64s(9) }, { t: [one] })], both);
    expect([plainFeatures(found.context), plainFeatures(found.sequence)]).toEqual([{ t: [9] }, { t: first }]);
  });

  test.each<[string, Uint8Array]>([
    ['a step past its list', list(entry('t', lyingField(1, 1, one)))],
    ['a list past its entry', list(field(1, field(1, text('t')), lyingField(2, 1, field(1, one))))],
    ['lists past the record', record(lyingField(2, 1, entry('t', field(1, one))))],
    ['field number 0 in a list', list(entry('t', [0, 1]))],
    ['a broken context', record(field(1, lyingField(1, 1, field(1, text('c')))))],
  ])('refused: %s', (_, bytes) => {
    expect(thrown(() => parseSequenceExample([bytes], spec))).toMatchObject({ code: 'TFR_EXAMPLE', record: 0 });
  });
});
