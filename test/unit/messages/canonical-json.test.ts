/** The JSON of messages, and back. test/interop/messages/any-messages.test.ts holds it against Python's. */
import { loadMessageTypes, type JsonValue, type MessageTypes } from '../../../lib';
import { JsonText } from '../../../lib/example';
import { MessageLines } from '../../../lib/messages';
import { ProtoFolder } from '../../support/messages/proto-folder';

const folder = new ProtoFolder();
let types: MessageTypes;
beforeAll(async () => {
  types = await loadMessageTypes(folder.at('all.proto'));
});
afterAll(() => {
  folder.remove();
});

describe('JSON of messages of any type', () => {
  it.each<[type: string, json: JsonValue]>([
    [
      'new.Int64s',
      {
        one: '-9223372036854775808',
        maybe: '0',
        manyValues: ['1', '-1'],
        texts: { '-5': 'a', '9223372036854775807': 'b' },
      },
    ],
    [
      'new.Uint64s',
      { one: '18446744073709551615', texts: { '18446744073709551615': 'b', '12345678': 'c' }, byName: { a: '0' } },
    ],
    ['new.Fixed64s', { texts: { '3472328296227680304': 'all bytes are digits' } }],
    ['new.Int32s', { one: -2147483648, manyValues: [0, 1], texts: { '-1': 'x' } }],
    ['new.Uint32s', { one: 4294967295, thisOne: 0 }],
    ['new.Bools', { one: true, maybe: false, texts: { true: 'yes', false: 'no' } }],
    ['new.Strings', { one: '\u2028é😀\u0000', maybe: '', texts: { '': 'empty', __proto__x: 'y' } }],
    ['new.Bytess', { one: 'AAH/', maybe: '', manyValues: ['', '/+8='] }],
    ['new.Floats', { one: 0.1, manyValues: ['NaN', 'Infinity', '-Infinity', '-0', 1, 3.4028234663852886e38] }],
    ['new.Doubles', { one: '-0', maybe: 0, manyValues: ['NaN', 5e-324, 1e300] }],
    ['OldInt32s', { one: 0, byDefault: 7, manyValues: [1], packedValues: [2] }],
    ['Colors', { one: 'RED', many: ['BELOW', 'FAR', 77], byNumber: { '-3': 'GREEN' }, maybe: 'NONE', alias: 'FIRST' }],
    [
      'Names',
      {
        snakeCaseName: 1,
        camelCase: 2,
        UPPER: 3,
        with1Digit: 4,
        '@own': 5,
        constructor: 6,
        toString: 7,
        hasOwnProperty: 8,
        trailing: 9,
        valueOf: 10,
      },
    ],
    ['Groups', { optionalgroup: { a: 1, inner: { b: 'c' } }, many: [{ id: '1', values: [0.5] }, { id: '2' }] }],
    [
      'Base',
      {
        text: 'a',
        '[every.old.number_ext]': '7',
        '[every.old.texts_ext]': ['b'],
        '[every.old.message_ext]': { id: 1, name: 'n' },
        '[every.old.closed_ext]': 'TWO',
        '[every.old.Scope.scoped]': { data: 'AA==' },
        '[every.old.Scope.reals]': [1.5],
      },
    ],
    [
      'Times',
      {
        at: '1969-12-31T23:59:59.000000001Z',
        took: '-3.500s',
        all: ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'],
        byName: { a: '0s', b: '1.000010s' },
      },
    ],
    ['Masks', { mask: 'userName,photo.bigOnes', all: [''] }],
    [
      'Wrapped',
      {
        doubleValue: 0,
        floatValue: 0.1,
        int64Value: '0',
        uint64Value: '18446744073709551615',
        boolValue: false,
        stringValue: '',
        bytesValue: 'AA==',
        all: ['5'],
        byName: { a: 'NaN' },
      },
    ],
    [
      'Structs',
      {
        struct: { a: null, b: [1, 'x', false, {}], c: { d: 1.5 } },
        value: null,
        list: [null, []],
        values: [1, null],
        byName: { a: null },
        nothing: null,
      },
    ],
    [
      'Anything',
      {
        any: { '@type': 'type.googleapis.com/every.things.Colors', one: 'RED' },
        all: [
          { '@type': 'x/google.protobuf.Duration', value: '1s' },
          { '@type': 'x/google.protobuf.Any', value: { '@type': 'x/google.protobuf.Int64Value', value: '5' } },
          {},
        ],
        empty: {},
      },
    ],
    ['Tree', { branches: [{}, { label: 'a' }], named: { a: { left: {} } } }],
    ['Maps', { maps: { '1': { flags: { true: '' } } }, doubles: { '0': 0 } }],
    ['things.Empty', {}],
  ])('%s: from JSON to bytes to JSON', (name, json) => {
    const type = types.type(name);
    const bytes = type.encode(type.fromJSON(json));
    expect(type.toJSON(type.decode(bytes))).toEqual(json);
    expect(type.encode(type.fromJSON(JSON.stringify(json)))).toEqual(bytes);
    expect(type.encode(type.decode(bytes))).toEqual(bytes);
    expect(type.fromText(type.toText(type.decode(bytes)))).toEqual(type.decode(bytes));
  });

  it('accepts the names of the file, numbers of enums, and other forms of numbers', () => {
    const json = (name: string, value: unknown): unknown => {
      const type = types.type(name);
      return type.toJSON(type.fromJSON(value as JsonValue));
    };
    expect(json('Names', { snake_case_name: 1, own: 2 })).toEqual({ snakeCaseName: 1, '@own': 2 });
    expect(json('Colors', { one: 1, many: ['RED'] })).toEqual({ one: 'RED', many: ['RED'] });
    expect(json('new.Int64s', '{"one":9007199254740993,"maybe":1e2}')).toEqual({
      one: '9007199254740993',
      maybe: '100',
    });
    expect(json('new.Int32s', { one: '5', maybe: null })).toEqual({ one: 5 });
    expect(json('new.Doubles', { one: 0, maybe: '1.5' })).toEqual({ maybe: 1.5 });
    expect(json('Structs', '{"struct":{"a":{"b":[1e1,-0.0]}}}')).toEqual({ struct: { a: { b: [10, -0] } } });
  });

  it.each<[type: string, json: string]>([
    ['new.Int32s', '{"one":2147483648}'],
    ['new.Int32s', '{"one":1.5}'],
    ['new.Int32s', '{"nope":1}'],
    ['new.Int32s', '{"one":1,"one":2}'],
    ['new.Int32s', '{"thisOne":1,"other":"a"}'],
    ['new.Int32s', '[1]'],
    ['new.Int32s', '{"one":'],
    ['new.Int64s', '{"one":"9223372036854775808"}'],
    ['new.Int64s', '{"texts":{"a":"b"}}'],
    ['new.Uint64s', '{"one":-1}'],
    ['new.Bools', '{"one":"true"}'],
    ['new.Strings', '{"one":"\\ud800"}'],
    ['new.Bytess', '{"one":"A"}'],
    ['new.Floats', '{"one":3.5e38}'],
    ['Colors', '{"one":"BLUE"}'],
    ['Holder', '{"closed":3}'],
    ['Required', '{"id":1}'],
    ['Times', '{"at":"2020-02-30T00:00:00Z"}'],
    ['Times', '{"took":"1"}'],
    ['Anything', '{"any":{"@type":"x/not.There"}}'],
    ['Anything', '{"any":{"@type":"x/"}}'],
    ['Anything', '{"any":{"@type":""}}'],
    ['Anything', '{"any":{"@type":"x/Tree"}}'],
    ['Anything', '{"any":{"@type":"x/.every.things.Tree"}}'],
    ['Anything', '{"any":{"@type":".every.things.Tree"}}'],
    ['Anything', '{"any":{"@type":"x/every.things.Color"}}'],
    ['Base', '{"[every.old.none]":1}'],
    ['Tree', `${'{"left":'.repeat(101)}{}${'}'.repeat(101)}`],
    ['Tree', `${'{"left":'.repeat(20000)}{}${'}'.repeat(20000)}`],
  ])('%s refuses %s', (name, json) => {
    const type = types.type(name);
    expect(() => type.encode(type.fromJSON(json))).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^(TFR_DECODE|ERR_INVALID_ARG_VALUE)$/) }),
    );
  });

  it('refuses to print what has no JSON', () => {
    const json = (name: string, message: object) => () => types.type(name).toJSON(message);
    const refused = expect.objectContaining({ code: 'TFR_DECODE' });
    expect(json('Times', { at: { seconds: 2n ** 50n } })).toThrow(refused);
    expect(json('Times', { took: { seconds: 1n, nanos: -1 } })).toThrow(refused);
    expect(json('Masks', { mask: { paths: ['userName'] } })).toThrow(refused);
    expect(json('Structs', { value: { numberValue: NaN } })).toThrow(refused);
    expect(json('Anything', { any: { typeUrl: 'x/not.There' } })).toThrow(/not\.There is not defined in the files/);
    expect(json('Anything', { any: { typeUrl: 'x/every.things.Node', value: Uint8Array.of(0x0a, 9) } })).toThrow(
      refused,
    );
    expect(json('Anything', { any: { value: Uint8Array.of(1) } })).toThrow(refused);
  });

  it.each([
    ['x/'],
    ['/'],
    ['x/Tree'],
    ['x/.every.things.Tree'],
    ['every'],
    ['x/every.things'],
    ['x/every.things.Color'],
    ['x/constructor'],
  ])('refuses to print an Any with the type %j', (typeUrl) => {
    const type = types.type('Anything');
    const record = type.encode({ any: { typeUrl } });
    const refused = expect.objectContaining({ code: 'TFR_DECODE', message: expect.stringContaining('its type') });
    expect(() => type.toJSON(type.decode(record))).toThrow(refused);
    expect(() => {
      MessageLines.of(type)!.print(record, new JsonText());
    }).toThrow(refused);
  });

  it('prints the keys of maps in an Any, and of those around it, as digits', () => {
    const maps = { '@type': 'x/every.things.Maps', doubles: { '5': 1, '-1': 2 } };
    const any = { '@type': 'x/google.protobuf.Any', value: maps };
    const type = types.type('Anything');
    expect(type.toJSON(type.fromJSON({ any: maps, all: [any] }))).toEqual({ any: maps, all: [any] });
  });

  it('keeps the sign of zero in a Value, which stays a number', () => {
    const type = types.type('Structs');
    const json = type.toJSON(type.fromJSON('{"value":-0.0}'));
    expect(json).toEqual({ value: -0 });
    expect(type.fromJSON(json)).toEqual(type.fromJSON('{"value":-0.0}'));
    expect(type.fromJSON(json)['value']).toEqual({ numberValue: -0 });
  });

  it('reads the JSON of long strings and bytes', () => {
    const text = 'a'.repeat(9_000_000);
    const strings = types.type('new.Strings');
    expect(strings.fromJSON(JSON.stringify({ one: text }))['one'] === text).toBe(true);
    const bytes = types.type('new.Bytess');
    expect(bytes.fromJSON(JSON.stringify({ one: text }))['one']).toHaveLength(6_750_000);
  });

  it('refuses names that come twice, however they are written', () => {
    const strings = types.type('new.Strings');
    for (const twice of ['{"one":"a","one":"a"}', '{"one" :"{","\\u006fne"\n:"{"}', '{"byName":{"\\"":"","\\"":""}}']) {
      expect(() => strings.fromJSON(twice)).toThrow(/comes twice/);
    }
    expect(strings.fromJSON('{"one":"\\\\","byName":{"one":"\\"one\\":"}}')['one']).toBe('\\');
  });

  it('drops unknown fields, and values that a closed enum does not have', () => {
    const holder = types.type('Holder');
    const decoded = holder.decode(Uint8Array.of(0x10, 9, 0x18, 1, 0x18, 9, 0x22, 2, 2, 9, 0xf8, 0x7f, 5));
    expect(holder.toJSON(decoded)).toEqual({ all: ['ONE'], packed: ['TWO'] });
  });

  it('leaves members absent by the rules of the file', () => {
    expect(types.type('OldInt32s').decode(new Uint8Array(0))).toEqual({ manyValues: [], packedValues: [], byName: {} });
    expect(types.type('new.Int64s').decode(new Uint8Array(0))).toEqual({
      one: 0n,
      manyValues: [],
      unpacked: [],
      byName: {},
      texts: {},
    });
    expect(types.type('Defaults').decode(new Uint8Array(0))).toEqual({});
  });

  it('checks what it encodes, with the path', () => {
    const encode = (name: string, message: object) => () => types.type(name).encode(message);
    expect(encode('Required', { id: 1 })).toThrow(/"message\.name" must be given/);
    expect(encode('Holder', { items: [{ id: 1, name: 'a' }, {}] })).toThrow(/message\.items\[1\]\.id/);
    expect(encode('new.Sint32s', { one: 2 ** 31 })).toThrow(RangeError);
    expect(encode('new.Fixed64s', { one: -1n })).toThrow(RangeError);
    expect(encode('new.Int64s', { texts: { a: 'b' } })).toThrow(/an integer/);
    expect(encode('new.Bools', { texts: { 1: 'b' } })).toThrow(/true or false/);
    expect(encode('new.Int32s', { texts: { 4294967296: 'b' } })).toThrow(RangeError);
    const circle: { left?: object } = {};
    circle.left = circle;
    expect(encode('Tree', circle)).toThrow(/at most 100 messages deep/);
  });
});
