/**
 * TensorFlow reads Examples that we write; protobuf and we read unusual and damaged ones; JSON and text forms.
 * TFRECORD_FULL=1 runs ten times as many.
 */
import fc from 'fast-check';

import {
  BytesArray,
  decodeExample,
  decodeSequenceExample,
  encodeExample,
  encodeSequenceExample,
  Event,
  Example,
  SequenceExample,
  TFRecordError,
  type Feature,
} from '../../../lib';
import { WIRE_LIMITS } from '../../support/examples/wire-limits';
import { anyExample, anySequenceExample } from '../../unit/example/feature/wire';
import { hex } from '../choices';
import { Peer } from '../peer';

const SCALE = process.env['TFRECORD_FULL'] === '1' ? 10 : 1;
const SEED = 20261121;

type Plain = { kind: string; values: (string | number)[] } | null;
interface Forms {
  readonly json: boolean;
  readonly text: boolean;
  readonly theirs: { readonly json: string; readonly text: string };
}

let peer: Peer;
beforeAll(() => (peer = new Peer('messages/peer.py')));
afterAll(() => peer.close());

function plain(feature: Feature | undefined): Plain {
  if (feature === undefined) return null;
  const { kind, values } = feature;
  if (values instanceof BytesArray) return { kind, values: [...values].map(hex) };
  if (values instanceof Float32Array) return { kind, values: [...new Uint32Array(values.slice().buffer)] };
  return { kind, values: [...values].map(String) };
}

function plainMap<T, U>(map: Record<string, T>, convert: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, convert(value)]));
}

const NUMBER_0 = 'a field has number 0';
/** A message of no type that is known, which TensorFlow reads as an empty one. */
const FOREIGN = Symbol('foreign');
/** A message of another type by all of its bytes: damage can make one. */
const OTHER = Symbol('other');

/** Returns what we decode, in the peer's form; null if we refuse the record. */
function ours(type: 'Example' | 'SequenceExample', record: Uint8Array): unknown {
  try {
    if (type === 'Example') return { features: plainMap(decodeExample(record), plain) };
    const { context, featureLists } = decodeSequenceExample(record);
    return { context: plainMap(context, plain), featureLists: plainMap(featureLists, (steps) => steps.map(plain)) };
  } catch (error) {
    if (!(error instanceof TFRecordError) || error.code !== 'TFR_EXAMPLE') throw error;
    if (/This is an? |seems to be an? (?!message)/.test(error.message)) return OTHER;
    if (error.message.includes('seems to be ')) return FOREIGN;
    // This library does not check field numbers within unknown groups; 0 is invalid.
    return error.message.includes('field has number 0') ? NUMBER_0 : null;
  }
}

/** Without NaN: Python converts floats to doubles, which quiets a NaN. */
const floats = fc.float({ noNaN: true });
const int64s = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const KINDS = { i: 'int64', ü: 'int64', f: 'float', '': 'float', b: 'bytes', '🙂 long name': 'bytes' } as const;

/** Values of each kind, of any size, mostly small. */
const VALUES = {
  int64: fc
    .array(fc.oneof(int64s, fc.bigInt({ min: -300n, max: 300n })), { maxLength: 200 })
    .map((values): Feature => ({ kind: 'int64', values: BigInt64Array.from(values) })),
  float: fc
    .array(floats, { maxLength: 200 })
    .map((values): Feature => ({ kind: 'float', values: Float32Array.from(values) })),
  bytes: fc
    .array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 })
    .map((values): Feature => ({ kind: 'bytes', values: BytesArray.from(values) })),
} as const;

const features = fc.record(Object.fromEntries(Object.entries(KINDS).map(([name, kind]) => [name, VALUES[kind]])), {
  requiredKeys: [],
}) as fc.Arbitrary<Record<string, Feature>>;
const lists = fc.record(
  Object.fromEntries(Object.entries(KINDS).map(([name, kind]) => [name, fc.array(VALUES[kind], { maxLength: 4 })])),
  { requiredKeys: [] },
) as fc.Arbitrary<Record<string, Feature[]>>;

function sample<T>(arbitrary: fc.Arbitrary<T>, count: number): T[] {
  return fc.sample(arbitrary, { seed: SEED, numRuns: count * SCALE });
}

/** Changes, removes or inserts one to three bytes. */
const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255), fc.nat(2)), { minLength: 1, maxLength: 3 });

function damaged(record: Uint8Array, changes: readonly (readonly [number, number, number])[]): Uint8Array {
  const bytes = [...record];
  for (const [place, byte, how] of changes) {
    bytes.splice(place % (bytes.length + 1), how === 2 ? 0 : 1, ...(how === 1 ? [] : [byte]));
  }
  return Uint8Array.from(bytes);
}

test('the limits of the wire format are those that protobuf has', async () => {
  const records = WIRE_LIMITS.map(({ record }) => hex(record));
  const answers = await peer.exchange<unknown[]>({ op: 'decode', type: 'Example', records });
  const theirs = WIRE_LIMITS.map(({ name }, i) => [name, answers[i] !== null]);
  expect(theirs).toEqual(WIRE_LIMITS.map(({ name, accepted }) => [name, accepted]));
});

test('encodeExample: protobuf and parse_example read every value', async () => {
  const rows = sample(features, 300);
  const records = rows.map((row) => encodeExample(row));
  const expected = rows.map((row) => ({ features: plainMap(row, plain) }));
  expect(await peer.exchange({ op: 'decode', type: 'Example', records: records.map(hex) })).toEqual(expected);
  const parsed = await peer.exchange<Record<string, unknown>>({ op: 'parse', kinds: KINDS, records: records.map(hex) });
  for (const name of Object.keys(KINDS)) {
    expect(parsed[name]).toEqual(rows.map((row) => (name in row ? plain(row[name])!.values : [])));
  }
});

test('encodeSequenceExample: protobuf reads every value', async () => {
  const rows = sample(fc.record({ context: features, featureLists: lists }), 200);
  const records = rows.map((row) => hex(encodeSequenceExample(row)));
  expect(await peer.exchange({ op: 'decode', type: 'SequenceExample', records })).toEqual(
    rows.map(({ context, featureLists }) => ({
      context: plainMap(context, plain),
      featureLists: plainMap(featureLists, (steps) => steps.map(plain)),
    })),
  );
});

/** The entries of `maps` whose names have no control characters. */
function plainlyNamed(maps: readonly unknown[]): unknown[] {
  return maps.flatMap((map) => Object.entries(Object(map) as object).filter(([name]) => !/[\0-\x1f]/.test(name)));
}

test.each(['Example', 'SequenceExample'] as const)('decode%s: what protobuf says, whole and damaged', async (type) => {
  const any = fc.tuple(type === 'Example' ? anyExample : anySequenceExample, damage);
  const whole = sample(any, 2000);
  const records = whole.flatMap(([record, changes]) => [record, damaged(record, changes)]);
  const theirs = await peer.exchange<({ dropped?: boolean } | null)[]>({
    op: 'decode',
    type,
    records: records.map(hex),
  });
  let refused = 0;
  let dropped = 0;
  let compared = 0;
  for (const [i, record] of records.entries()) {
    if (theirs[i] === null) refused++;
    if (theirs[i]?.dropped === true) {
      dropped++;
      continue;
    }
    const message = ours(type, record);
    if (message === NUMBER_0 || message === OTHER) continue;
    compared++;
    if (message === FOREIGN) {
      // TensorFlow reads it as empty, or by names that only damage, or another message, brings.
      const named = plainlyNamed(Object.values(Object(theirs[i]) as object));
      expect({ record: hex(record), kinds: JSON.stringify(named).includes('"kind"') }).toEqual({
        record: hex(record),
        kinds: false,
      });
      continue;
    }
    expect({ record: hex(record), message: quiet(message) }).toEqual({
      record: hex(record),
      message: quiet(theirs[i]),
    });
  }
  // Protobuf's libraries differ about a map entry with an unknown field: this one drops the entry, we keep it.
  expect(dropped).toBeGreaterThan(100);
  // Many mutants are refused, but not all damage makes a message unreadable.
  expect(refused).toBeGreaterThan(100);
  expect(compared - refused).toBeGreaterThan(1000);
});

/** Quiets signalling NaNs, as Python does. */
function quiet(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, part: unknown) => {
    if (typeof part !== 'number') return part;
    const isNaN = (part & 0x7f80_0000) === 0x7f80_0000 && (part & 0x007f_ffff) !== 0;
    return isNaN ? (part | 0x0040_0000) >>> 0 : part;
  });
}

/** JSON of one value in a list. Lax forms, which only TensorFlow accepts, have a test of their own. */
const TAKEN: Readonly<Record<string, readonly string[]>> = {
  int64List: ['1', '"1"', '2.0', '1e2', '"1e2"', '-0', '10e-1', '"+1"', '9007199254740993', '-9223372036854775808'],
  floatList: ['1', '0.1', '"0.1"', '1e-50', '3.4028235e38', '"NaN"', '"nan"', '"Infinity"', '"-Infinity"', '"inf"'],
  bytesList: ['""', '"YQ=="', '"YQ"', '"-_8"', '"+/8="', '"+_8="'],
};
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  int64List: ['1.5', '9223372036854775808', 'true', '" 1"', '""', '{}'],
  floatList: ['1e40', '"1e40"', '3.40282357e38', 'true', '""', '{}'],
  bytesList: ['"YQ="', '"Y"', '"Y Q=="', '"YQ===" ', '1', '{}'],
};
/** Lax syntax and spellings that only TensorFlow accepts. */
const STRICTER = [
  "{'features':{}}",
  '{features:{}}',
  '{"features":{},}',
  '{"features":{},"features":{}}',
  '{"features":{"feature":{"a":{"int64List":{"value":1}}}}}',
  '{"features":{"feature":{"a":{"int64List":{"value":[null]}}}}}',
  '{"features":{"feature":{"a":{"int64List":{"value":["0x1"]}}}}}',
];
const WHOLE = ['null', '[]', '{]', '', '{} {}', '{"a":1}', '{"features":{"feature":{"a":{},"a":{}}}}'];
const KINDLESS = ['{}', '{"features":{"feature":{"a":null}}}', '{"features":{"feature":{"a":{"int64List":null}}}}'];

const one = (kind: string, value: string): string => `{"features":{"feature":{"a":{"${kind}":{"value":[${value}]}}}}}`;
const all = (table: Readonly<Record<string, readonly string[]>>): string[] =>
  Object.entries(table).flatMap(([kind, values]) => values.map((value) => one(kind, value)));

const refuses = (text: string): boolean => {
  try {
    Example.fromJSON(text);
  } catch (error) {
    return error instanceof TFRecordError && error.code === 'TFR_DECODE';
  }
  return false;
};

test('Example.fromJSON: what decode_json_example takes and refuses', async () => {
  const taken = [...all(TAKEN), ...KINDLESS];
  const answers = await peer.exchange<(string | null)[]>({ op: 'json', texts: taken });
  for (const [i, text] of taken.entries()) {
    expect({ text, message: Example.fromJSON(text) }).toEqual({
      text,
      message: Example.decode(Buffer.from(answers[i] ?? 'ff', 'hex')),
    });
  }
  const refused = [...all(REFUSED), ...WHOLE];
  const nothing = await peer.exchange<(string | null)[]>({ op: 'json', texts: refused });
  expect(refused.filter((_text, i) => nothing[i] !== null)).toEqual([]);
  expect(refused.filter((text) => !refuses(text))).toEqual([]);
});

test('Example.fromJSON is stricter where TensorFlow is lax', async () => {
  const answers = await peer.exchange<(string | null)[]>({ op: 'json', texts: STRICTER });
  expect(answers.filter((answer) => answer === null)).toEqual([]);
  expect(STRICTER.filter((text) => !refuses(text))).toEqual([]);
});

test('JSON and text forms: protobuf reads ours, we read protobuf', async () => {
  const types = [
    { type: 'Example', message: Example, records: sample(features, 100).map((row) => encodeExample(row)) },
    {
      type: 'SequenceExample',
      message: SequenceExample,
      records: sample(fc.record({ context: features, featureLists: lists }), 50).map((row) =>
        encodeSequenceExample(row),
      ),
    },
    { type: 'Event', message: Event, records: sample(events, 100).map((event) => Event.encode(event)) },
  ] as const;
  for (const { type, message, records } of types) {
    const decoded = records.map((record) => message.decode(record));
    const requests = decoded.map((value, i) => ({
      bytes: hex(records[i]!),
      json: JSON.stringify(message.toJSON(value as never)),
      text: message.toText(value as never),
    }));
    const answers = await peer.exchange<Forms[]>({ op: 'forms', type, records: requests });
    for (const [i, { json, text, theirs }] of answers.entries()) {
      expect({ ...requests[i], same: { json, text } }).toEqual({ ...requests[i], same: { json: true, text: true } });
      expect(message.fromJSON(theirs.json)).toEqual(decoded[i]);
      expect(message.fromText(theirs.text)).toEqual(decoded[i]);
    }
  }
});

const events = fc.record({
  wallTime: fc.double({ noNaN: true }),
  step: int64s,
  summary: fc.record({
    value: fc.array(
      fc.oneof(
        fc.record({ tag: fc.string({ unit: 'binary' }), simpleValue: floats }),
        fc.record({ image: fc.record({ height: fc.integer(), encodedImageString: fc.uint8Array() }) }),
        fc.record({
          histo: fc.record({ min: fc.double({ noNaN: true }), bucket: fc.array(fc.double({ noNaN: true })) }),
        }),
        fc.record({
          tensor: fc.record({
            dtype: fc.integer({ min: 0, max: 33 }),
            tensorShape: fc.record({ dim: fc.array(fc.record({ size: int64s }), { maxLength: 3 }) }),
            floatVal: fc.array(floats),
            int64Val: fc.array(int64s),
            uint64Val: fc.array(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })),
            boolVal: fc.array(fc.boolean()),
            stringVal: fc.array(fc.uint8Array()),
          }),
        }),
      ),
      { maxLength: 4 },
    ),
  }),
});
