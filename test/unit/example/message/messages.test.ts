import fc from 'fast-check';

import {
  BytesList,
  decodeExample,
  encodeExample,
  Event,
  Example,
  Feature,
  FeatureList,
  FeatureLists,
  Features,
  float,
  FloatList,
  int64,
  Int64List,
  SequenceExample,
  TensorProto,
  type ExampleMessage,
  type FeatureMessage,
  type JsonValue,
  type MessageInit,
} from '../../../../lib/example';
import { thrown } from '../../../support/thrown';
import { fitsForeign, unlessForeign } from '../feature/plain-features';
import { anyExample, exampleOf, field } from '../feature/wire';

const MAX = 2n ** 63n - 1n;
const MIN = -(2n ** 63n);

const message: MessageInit<ExampleMessage> = {
  features: {
    feature: {
      age: { int64List: { value: [1n, MIN, MAX, 5] } },
      score: { floatList: { value: [Math.fround(0.1), -0, NaN, Infinity, -Infinity, 3.4028234663852886e38] } },
      name: { bytesList: { value: [Buffer.from('hi\0ä')] } },
      missing: {},
      none: { bytesList: {} },
    },
  },
};

/** What any form gives back of it. */
const plain = {
  features: {
    feature: {
      age: { int64List: { value: [1n, MIN, MAX, 5n] } },
      score: { floatList: { value: [Math.fround(0.1), -0, NaN, Infinity, -Infinity, 3.4028234663852886e38] } },
      name: { bytesList: { value: [Uint8Array.from(Buffer.from('hi\0ä'))] } },
      missing: {},
      none: { bytesList: { value: [] } },
    },
  },
};

const json = {
  features: {
    feature: {
      age: { int64List: { value: ['1', String(MIN), String(MAX), '5'] } },
      score: { floatList: { value: [0.1, '-0', 'NaN', 'Infinity', '-Infinity', 3.4028234663852886e38] } },
      name: { bytesList: { value: ['aGkAw6Q='] } },
      missing: {},
      none: { bytesList: {} },
    },
  },
};

describe('bytes', () => {
  it('writes and reads every int64 exactly', () => {
    expect(Example.decode(Example.encode(message))).toEqual(plain);
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: MIN, max: MAX })), (value) => {
        const bytes = Int64List.encode({ value });
        expect(Int64List.decode(bytes)).toEqual({ value });
        expect(encodeExample({ a: int64(value) })).toEqual(
          Example.encode({
            features: { feature: { a: value.length === 0 ? { int64List: {} } : { int64List: { value } } } },
          }),
        );
      }),
    );
  });

  it('takes typed arrays for lists', () => {
    expect(Int64List.decode(Int64List.encode({ value: BigInt64Array.of(MIN) }))).toEqual({ value: [MIN] });
    expect(FloatList.decode(FloatList.encode({ value: Float32Array.of(0.5) }))).toEqual({ value: [0.5] });
  });

  it('reads what the encoder wrote', () => {
    const { a, b } = Example.decode(encodeExample({ a: int64([MIN]), b: float(0.5) })).features!.feature;
    expect([a, b]).toEqual([{ int64List: { value: [MIN] } }, { floatList: { value: [0.5] } }]);
  });

  it('has every kind of message', () => {
    expect(SequenceExample.decode(SequenceExample.encode({}))).toEqual({});
    expect(SequenceExample.encode({ context: {}, featureLists: {} })).toEqual(Uint8Array.of(0x0a, 0, 0x12, 0));
    expect(Features.decode(new Uint8Array(0))).toEqual({ feature: {} });
    expect(Feature.decode(Feature.encode({ bytesList: { value: [Uint8Array.of(1)] } }))).toEqual({
      bytesList: { value: [Uint8Array.of(1)] },
    });
    expect(BytesList.encode({ value: [Uint8Array.of(1)] })).toEqual(Uint8Array.of(0x0a, 1, 1));
    expect(FeatureList.decode(Uint8Array.of(0x0a, 0))).toEqual({ feature: [{}] });
    expect(FeatureLists.decode(FeatureLists.encode({ featureList: { a: {} } }))).toEqual({
      featureList: { a: { feature: [] } },
    });
  });

  it('keeps a feature that is called __proto__', () => {
    const feature = Object.create(null) as Record<string, MessageInit<FeatureMessage>>;
    feature['__proto__'] = { int64List: { value: [1n] } };
    const init = { features: { feature } };
    for (const again of [
      Example.decode(Example.encode(init)),
      Example.fromJSON(Example.toJSON(init)),
      Example.fromText(Example.toText(init)),
    ]) {
      expect(Object.entries(again.features!.feature)).toEqual([['__proto__', { int64List: { value: [1n] } }]]);
      expect(Object.getPrototypeOf(again.features!.feature)).toBeNull();
    }
  });

  it('takes the last of two kinds', () => {
    const record = exampleOf(field(1, field(1, [1])), field(3, field(1, [2])));
    expect(Example.decode(record).features!.feature['a']).toEqual({ int64List: { value: [2n] } });
  });

  it('gives copies', () => {
    const bytes = BytesList.encode({ value: [Uint8Array.of(7)] });
    const { value } = BytesList.decode(bytes);
    bytes.fill(0);
    expect(value).toEqual([Uint8Array.of(7)]);
  });

  it('agrees with decodeExample', () => {
    fc.assert(
      fc.property(anyExample, (record) => {
        const ours = unlessForeign(() => decodeExample(record));
        const theirs = Example.decode(record).features?.feature ?? {};
        if (ours === undefined) {
          if (fitsForeign(record)) return;
          // Nothing that has a value is refused as a message of another type.
          expect(Object.values(theirs)).toEqual(Object.values(theirs).map(() => ({})));
          return;
        }
        expect(Object.keys(theirs).sort()).toEqual(Object.keys(ours).sort());
        for (const [name, { int64List, floatList }] of Object.entries(theirs)) {
          if (int64List) expect(ours[name]?.values).toEqual(BigInt64Array.from(int64List.value));
          if (floatList) expect(ours[name]?.values).toEqual(Float32Array.from(floatList.value));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('tells what broken bytes are not', () => {
    const error = { name: 'TFRecordError', code: 'TFR_EXAMPLE' };
    expect(thrown(() => Example.decode(Uint8Array.of(0x0a, 9)))).toMatchObject(error);
    expect(thrown(() => Feature.decode(Uint8Array.of(0x0a, 9)))).toMatchObject(error);
    expect(thrown(() => Event.decode(Uint8Array.of(0x2a, 9)))).toMatchObject({ code: 'TFR_DECODE' });
    expect(thrown(() => Example.decode('text' as never))).toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
  });

  const int64Of =
    (value: unknown): (() => unknown) =>
    () =>
      Int64List.encode({ value: [value as bigint] });
  it.each<[string, () => unknown, string, string]>([
    ['a bigint beyond 64 bits', int64Of(2n ** 63n), 'ERR_OUT_OF_RANGE', 'message.value[0]'],
    ['a fraction', int64Of(1.5), 'ERR_OUT_OF_RANGE', 'message.value[0]'],
    ['a number that may have lost digits', int64Of(2 ** 53), 'ERR_OUT_OF_RANGE', 'message.value[0]'],
    ['text for an int64', int64Of('1'), 'ERR_INVALID_ARG_TYPE', 'message.value[0]'],
    ['null in a list', int64Of(null), 'ERR_INVALID_ARG_TYPE', 'message.value[0]'],
    ['no list', () => Int64List.encode({ value: 5 as never }), 'ERR_INVALID_ARG_TYPE', 'message.value'],
    [
      'bytes for a list of bytes',
      () => BytesList.encode({ value: Uint8Array.of(1) as never }),
      'ERR_INVALID_ARG_TYPE',
      'message.value',
    ],
    ['text for bytes', () => BytesList.encode({ value: ['a'] as never }), 'ERR_INVALID_ARG_TYPE', 'message.value[0]'],
    ['what float32 makes infinite', () => FloatList.encode({ value: [1e39] }), 'ERR_OUT_OF_RANGE', 'message.value[0]'],
    [
      'an unknown member',
      () => Feature.encode({ int64_list: {} } as never),
      'ERR_INVALID_ARG_VALUE',
      'bytesList, floatList, int64List',
    ],
    ['two kinds', () => Feature.encode({ int64List: {}, floatList: {} }), 'ERR_INVALID_ARG_VALUE', 'message.floatList'],
    [
      'half a surrogate pair',
      () => Features.encode({ feature: { '\ud800': {} } }),
      'ERR_INVALID_ARG_VALUE',
      'message.feature',
    ],
    ['no message', () => Example.encode(null as never), 'ERR_INVALID_ARG_TYPE', 'message'],
    [
      'a list for a message',
      () => Example.encode({ features: [] as never }),
      'ERR_INVALID_ARG_TYPE',
      'message.features',
    ],
    ['no boolean', () => TensorProto.encode({ boolVal: [1 as never] }), 'ERR_INVALID_ARG_TYPE', 'message.boolVal[0]'],
    ['an int32 that is none', () => TensorProto.encode({ intVal: [2 ** 31] }), 'ERR_OUT_OF_RANGE', 'message.intVal[0]'],
    ['a negative uint64', () => TensorProto.encode({ uint64Val: [-1n] }), 'ERR_OUT_OF_RANGE', 'message.uint64Val[0]'],
    [
      'an unknown name of an enum',
      () => TensorProto.encode({ dtype: 'DT_FLOAT32' as never }),
      'ERR_INVALID_ARG_VALUE',
      'message.dtype',
    ],
  ])('refuses %s', (_name, action, code, path) => {
    const error = thrown(action);
    expect(error).toMatchObject({ code });
    expect((error as Error).message).toContain(path);
    expect((error as Error).name).toMatch(/^(TypeError|RangeError)$/);
  });

  it('takes undefined and null for absent', () => {
    expect(Feature.encode({ int64List: undefined, floatList: null as never })).toEqual(new Uint8Array(0));
  });
});

describe('JSON', () => {
  it('goes there and back', () => {
    expect(Example.toJSON(message)).toEqual(json);
    expect(Example.fromJSON(json)).toEqual(plain);
    expect(Example.fromJSON(JSON.stringify(json).replace('"-0"', '-0.0'))).toEqual(plain);
  });

  const feature = (text: string): unknown =>
    Example.fromJSON(`{"features":{"feature":{"a":${text}}}}`).features!.feature['a'];
  const list = (kind: string, text: string): unknown[] =>
    Object.values(feature(`{"${kind}":{"value":[${text}]}}`) as Record<string, { value: unknown[] }>)[0]!.value;

  it.each<[string, bigint]>([
    ['1', 1n],
    ['"1"', 1n],
    ['"+1"', 1n],
    ['-0', 0n],
    ['2.0', 2n],
    ['1e2', 100n],
    ['"1e2"', 100n],
    ['10e-1', 1n],
    ['0.5e1', 5n],
    ['0e99', 0n],
    ['9007199254740993', 9007199254740993n],
    ['9007199254740991.0', 9007199254740991n],
    ['9.007199254740991e15', 9007199254740991n],
    ['9223372036854775807', MAX],
    ['"9223372036854775807"', MAX],
    ['-9223372036854775808', MIN],
  ])('int64 %s', (text, value) => {
    expect(list('int64List', text)).toEqual([value]);
    expect(list('int64_list', text)).toEqual([value]);
  });

  it.each([
    '1.5',
    '12e-1',
    // Doubles beyond 2^53 may lose digits.
    '9007199254740993.0',
    '"9007199254740993.0"',
    '9.007199254740992e15',
    '1e18',
    '"1e18"',
    '9.223372036854775807e18',
    '9223372036854775808',
    '-9223372036854775809',
    '1e19',
    '1e999999999',
    'true',
    '" 1"',
    '"0x1"',
    '""',
    '"a"',
    'null',
    '[1]',
    '{}',
  ])('refuses int64 %s', (text) =>
    expect(thrown(() => list('int64List', text))).toMatchObject({ name: 'TFRecordError', code: 'TFR_DECODE' }),
  );

  it.each<[string, number]>([
    ['0.5', 0.5],
    ['"0.5"', 0.5],
    ['1e-50', 0],
    ['0.1', Math.fround(0.1)],
    ['3.4028235e38', 3.4028234663852886e38],
    ['"NaN"', NaN],
    ['"nan"', NaN],
    ['"-NAN"', NaN],
    ['"Infinity"', Infinity],
    ['"-Infinity"', -Infinity],
    ['"+Infinity"', Infinity],
    ['"inf"', Infinity],
    ['"-INF"', -Infinity],
    ['"3.4028235e38"', 3.4028234663852886e38],
    ['"-3.40282356e38"', -3.4028234663852886e38],
    ['"1e-45"', 2 ** -149],
    ['9007199254740993', 9007199254740992],
  ])('float %s', (text, value) => expect(list('floatList', text)).toEqual([value]));

  it.each([
    '1e40',
    '"1e40"',
    '3.40282357e38',
    '"3.40282357e38"',
    '1e400',
    '"1e400"',
    '"-1e400"',
    '"infinit"',
    'true',
    '""',
    '" 1"',
    '"x"',
    'null',
    '"0x1p3"',
  ])('refuses float %s', (text) => expect(thrown(() => list('floatList', text))).toMatchObject({ code: 'TFR_DECODE' }));

  it.each<[string, string]>([
    ['""', ''],
    ['"YQ=="', '61'],
    ['"YQ"', '61'],
    ['"+/8="', 'fbff'],
    ['"-_8"', 'fbff'],
    ['"aGkAw6Q="', '686900c3a4'],
  ])('bytes %s', (text, hex) => {
    expect(list('bytesList', text)).toEqual([Uint8Array.from(Buffer.from(hex, 'hex'))]);
  });

  it.each([
    '"YQ="',
    '"YQ==="',
    '"Y"',
    '"Y Q=="',
    '"Y=Q="',
    '"="',
    '"YQ==\\n"',
    '"Ä"',
    '1',
    '123',
    'null',
    '12345678901234567890',
  ])('refuses bytes %s', (text) => expect(thrown(() => list('bytesList', text))).toMatchObject({ code: 'TFR_DECODE' }));

  it('takes null for absent', () => {
    expect(feature('null')).toEqual({});
    expect(feature('{"int64List":null}')).toEqual({});
    expect(feature('{"int64List":{"value":null}}')).toEqual({ int64List: { value: [] } });
    expect(feature('{"int64List":{},"floatList":null}')).toEqual({ int64List: { value: [] } });
    expect(Example.fromJSON('{"features":null}')).toEqual({});
  });

  it.each([
    ['', /./],
    ['null', /expected object/],
    ['[]', /expected object/],
    ['{]', /./],
    ['{} {}', /./],
    ["{'features':{}}", /./],
    ['{features:{}}', /./],
    ['{"features":{},}', /./],
    ['{"other":1}', /unknown field.*other/],
    ['{"features":{"feature":{"a":{"kind":"int64List"}}}}', /unknown field.*kind/],
    ['{"features":{"feature":{"a":{"int64List":{},"floatList":{}}}}}', /multiple values/],
    ['{"features":{"feature":{"a":{"int64List":{},"int64_list":{}}}}}', /duplicate field/],
    ['{"features":{"feature":{"a":{},"a":{}}}}', /"a" comes twice/],
    ['{"features":{"feature":{"a":{},"\\u0061":{}}}}', /"a" comes twice/],
    ['{"features":{},"features":{}}', /"features" comes twice/],
    ['{"features":{"feature":{"a":{"int64List":{"value":1}}}}}', /expected array/],
    ['{"features":{"feature":{"\\ud800":{}}}}', /surrogate/],
    ['{"features":{"feature":[]}}', /expected object/],
  ])('refuses %s', (text, reason) => {
    const error = thrown(() => Example.fromJSON(text));
    expect(error).toMatchObject({ name: 'TFRecordError', code: 'TFR_DECODE' });
    expect((error as Error).message).toMatch(/^The JSON is not an Example: /);
    expect((error as Error).message).toMatch(reason);
  });

  it('is not fooled by names and text that look like JSON', () => {
    const text =
      '{"features":{"feature":{"isLosslessNumber":{},"{\\"a\\":":{},"}":{},"a":{"bytesList":{"value":["a","a"]}}}}}';
    expect(thrown(() => Example.fromJSON(text))).toMatchObject({ code: 'TFR_DECODE' });
    const right = text.replace('["a","a"]', '["YQ","YQ"]');
    expect(Object.keys(Example.fromJSON(right).features!.feature)).toEqual(['isLosslessNumber', '{"a":', '}', 'a']);
  });

  it('takes values whose digits are sure', () => {
    const of = (value: unknown): JsonValue => ({ value: [value as JsonValue] });
    expect(Int64List.fromJSON(of(5))).toEqual({ value: [5n] });
    expect(Int64List.fromJSON(of(MAX))).toEqual({ value: [MAX] });
    expect(thrown(() => Int64List.fromJSON(of(2 ** 60)))).toMatchObject({ code: 'TFR_DECODE' });
  });

  it('clips what it quotes', () => {
    const error = thrown(() => Example.fromJSON(JSON.stringify({ features: { feature: { a: 'x'.repeat(10_000) } } })));
    expect((error as Error).message.length).toBeLessThan(300);
  });
});

describe('text', () => {
  it('goes there and back', () => {
    expect(Example.fromText(Example.toText(message))).toEqual(plain);
    expect(Feature.toText({ int64List: { value: [MIN, 5] } })).toBe(
      ['int64_list {', '  value: -9223372036854775808', '  value: 5', '}'].join('\n'),
    );
    expect(FloatList.toText({ value: [Math.fround(0.1)] })).toBe('value: 0.1');
  });

  it('reads what people write', () => {
    const text =
      'features { feature { key: "a" value { int64_list { value: [1, 0x10] } } } # and so on\n feature { key: "b" } }';
    expect(Example.fromText(text)).toEqual({
      features: { feature: { a: { int64List: { value: [1n, 16n] } }, b: {} } },
    });
  });

  it('refuses what is none', () => {
    for (const text of ['features', 'other: 1', 'features { feature { key: 1 } }']) {
      expect(thrown(() => Example.fromText(text))).toMatchObject({ code: 'TFR_DECODE' });
    }
    expect(thrown(() => Int64List.fromText('value: 9223372036854775808'))).toMatchObject({ code: 'TFR_DECODE' });
    expect(thrown(() => Example.fromText(5 as never))).toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
  });
});

describe('Event', () => {
  const event = {
    wallTime: 1.5,
    step: MAX,
    summary: {
      value: [
        { tag: 'loss', simpleValue: 0 },
        {
          tag: 't',
          tensor: {
            dtype: 1,
            tensorShape: { dim: [{ size: 2n, name: 'x' }] },
            floatVal: [1, 2],
            int64Val: [MIN],
            uint64Val: [2n ** 64n - 1n],
          },
        },
      ],
    },
  };

  it('goes through every form', () => {
    const bytes = Event.decode(Event.encode(event));
    expect(bytes).toMatchObject(event);
    expect(Event.fromJSON(JSON.stringify(Event.toJSON(event)))).toEqual(bytes);
    expect(Event.fromText(Event.toText(event))).toEqual(bytes);
    expect(Event.toJSON(event)).toMatchObject({
      step: String(MAX),
      summary: { value: [{ simpleValue: 0 }, { tensor: { dtype: 'DT_FLOAT' } }] },
    });
  });

  it('has defaults', () => {
    expect(Event.decode(new Uint8Array(0))).toEqual({ wallTime: 0, step: 0n });
    expect(Event.encode({ wallTime: 0, step: 0 })).toEqual(new Uint8Array(0));
    expect(Event.fromJSON('{"fileVersion":""}')).toEqual({ wallTime: 0, step: 0n, fileVersion: '' });
  });
});

test.each([-0, 0, 0.5])('a double of %d keeps its sign in all forms', (wallTime) => {
  const event = Event.decode(Event.encode({ wallTime, step: 1n }));
  expect(event.wallTime).toBe(wallTime);
  expect(Event.fromJSON(JSON.stringify(Event.toJSON(event)))).toEqual(event);
  expect(Event.fromJSON({ wallTime: `${Object.is(wallTime, -0) ? '-' : ''}${wallTime}`, step: '1' })).toEqual(event);
  expect(Event.fromText(Event.toText(event))).toEqual(event);
  expect('wallTime' in (Event.toJSON(event) as object)).toBe(!Object.is(wallTime, 0));
});

test('a number in JSON with millions of zeros is refused at once', () => {
  // With quadratic time, this would not end.
  const number = `1${'0'.repeat(4_000_000)}1`;
  expect(() => Int64List.fromJSON(`{"value":[${number}]}`)).toThrow(/out of range for int64/);
  expect(Int64List.fromJSON('{"value":[1200e-2,"5000"]}').value).toEqual([12n, 5000n]);
});
