/** Every function that reads an Example has protobuf's limits on tags, lengths, integers and depth. */
import {
  decodeExample,
  decodeSequenceExample,
  Example,
  Features,
  parseExample,
  parseSequenceExample,
  parseSingleExample,
  parseSingleSequenceExample,
  fixedLen,
  SequenceExample,
  TFRecordError,
  varLen,
} from '../../../../lib';
import { field, int64s, record, tag, text, type Wire } from '../../../support/examples/wire';
import { WIRE_LIMITS, type WireLimit } from '../../../support/examples/wire-limits';

type Decode = (record: Uint8Array, dtype: WireLimit['dtype']) => unknown;

const DECODERS: Readonly<Record<string, Decode>> = {
  'Example.decode': (bytes) => Example.decode(bytes),
  'SequenceExample.decode': (bytes) => SequenceExample.decode(bytes),
  decodeExample: (bytes) => decodeExample(bytes),
  decodeSequenceExample: (bytes) => decodeSequenceExample(bytes),
  'parseExample, varLen': (bytes, dtype) => parseExample([bytes], { a: varLen(dtype) }),
  'parseExample, fixedLen': (bytes, dtype) => parseExample([bytes], { a: fixedLen([1], dtype) }),
  'parseSingleExample, varLen': (bytes, dtype) => parseSingleExample(bytes, { a: varLen(dtype) }),
  'parseSingleExample, fixedLen': (bytes, dtype) => parseSingleExample(bytes, { a: fixedLen([], dtype) }),
  parseSequenceExample: (bytes, dtype) => parseSequenceExample([bytes], { context: { a: varLen(dtype) } }),
  parseSingleSequenceExample: (bytes, dtype) => parseSingleSequenceExample(bytes, { context: { a: varLen(dtype) } }),
};

function accepts(decode: Decode, bytes: Uint8Array, dtype: WireLimit['dtype'] = 'int64'): boolean {
  try {
    decode(bytes, dtype);
    return true;
  } catch (error) {
    if (error instanceof TFRecordError && error.code === 'TFR_EXAMPLE') return false;
    throw error;
  }
}

const outcomes = (decoders: Readonly<Record<string, Decode>>, bytes: Uint8Array, dtype?: WireLimit['dtype']): unknown =>
  Object.fromEntries(Object.entries(decoders).map(([name, decode]) => [name, accepts(decode, bytes, dtype)]));
const all = (decoders: object, accepted: boolean): unknown =>
  Object.fromEntries(Object.keys(decoders).map((name) => [name, accepted]));

test.each(WIRE_LIMITS)('$name: accepted is $accepted', ({ record: bytes, accepted, dtype }) => {
  expect(outcomes(DECODERS, bytes, dtype)).toEqual(all(DECODERS, accepted));
});

/** The places of groups in feature lists, and the number of messages around each. */
const IN_LISTS: readonly (readonly [place: string, depth: number, make: (groups: Wire) => Wire])[] = [
  ['feature lists', 1, (some) => field(2, some, field(1, field(1, text('a'))))],
  ['an entry', 2, (some) => field(2, field(1, field(1, text('a')), some))],
  ['a feature list', 3, (some) => field(2, field(1, field(1, text('a')), field(2, some, field(1, int64s(7)))))],
  ['a step', 4, (some) => field(2, field(1, field(1, text('a')), field(2, field(1, some, int64s(7)))))],
  ['a list', 5, (some) => field(2, field(1, field(1, text('a')), field(2, field(1, field(3, some)))))],
];
const LIST_DECODERS = {
  'SequenceExample.decode': DECODERS['SequenceExample.decode']!,
  decodeSequenceExample: DECODERS['decodeSequenceExample']!,
  parseSequenceExample: (bytes) => parseSequenceExample([bytes], { sequence: { a: varLen('int64') } }),
  parseSingleSequenceExample: (bytes) => parseSingleSequenceExample(bytes, { sequence: { a: varLen('int64') } }),
} satisfies Readonly<Record<string, Decode>>;

test.each(IN_LISTS)('groups in %s, which lies in %d messages', (_, depth, make) => {
  for (const count of [1, 100 - depth, 101 - depth]) {
    const nested = [3, 4].flatMap((end) => Array.from({ length: count }, () => tag(15, end)).flat());
    expect([count, outcomes(LIST_DECODERS, record(make(nested)))]).toEqual([
      count,
      all(LIST_DECODERS, depth + count <= 100),
    ]);
  }
});

test('what is over-long is told with its byte', () => {
  const bytes = record([0x8a, 0x80, 0x80, 0x80, 0x80, 0x00, 0x00]);
  const error = { code: 'TFR_EXAMPLE', message: expect.stringMatching(/byte 0\b/) as string };
  expect(() => Example.decode(bytes)).toThrow(expect.objectContaining(error));
  expect(() => Features.decode(bytes)).toThrow(expect.objectContaining(error));
  expect(() => decodeExample(bytes)).toThrow(expect.objectContaining(error));
  expect(() => parseSingleExample(bytes, { a: varLen('int64') })).toThrow(expect.objectContaining(error));
});
