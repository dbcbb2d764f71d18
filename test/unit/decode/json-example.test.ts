/** decodeJsonExample: the proto3 JSON mapping of Example, strictly. */
import { decodeJsonExample, Example, type ExampleMessage } from '../../../lib';
import { thrown } from '../../support/thrown';

const feature = (json: string): string => `{"features":{"feature":{"a":${json}}}}`;
const decoded = (json: string): ExampleMessage => Example.decode(decodeJsonExample(json));
const values = (json: string): unknown => decoded(feature(json)).features?.feature['a'];

it('serializes what JSON says, exactly', () => {
  const bytes = decodeJsonExample(feature('{"int64List":{"value":["1",2]}}'));
  expect(Buffer.from(bytes).toString('hex')).toBe('0a0d0a0b0a016112061a040a020102');
});

it('takes one, or a list, as text or as bytes', () => {
  const empty = feature('{}');
  expect(decodeJsonExample([])).toEqual([]);
  expect(decodeJsonExample([empty, Buffer.from(empty), '{}'])).toEqual([
    decodeJsonExample(empty),
    decodeJsonExample(empty),
    new Uint8Array(0),
  ]);
});

it.each<[string, unknown]>([
  ['{"int64_list":{"value":[1]}}', { int64List: { value: [1n] } }],
  [
    '{"int64List":{"value":[2.0,1e2,"9223372036854775807",-9223372036854775808,9007199254740993]}}',
    { int64List: { value: [2n, 100n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n] } },
  ],
  [
    '{"floatList":{"value":[1,"1.5","NaN","nan","Infinity","-Infinity"]}}',
    { floatList: { value: [1, 1.5, NaN, NaN, Infinity, -Infinity] } },
  ],
  [
    '{"bytesList":{"value":["YQ==","YQ","_-8","/+8="]}}',
    {
      bytesList: {
        value: ['a', 'a', '\xff\xef', '\xff\xef'].map((text) => new Uint8Array(Buffer.from(text, 'latin1'))),
      },
    },
  ],
  ['null', {}],
  ['{}', {}],
  ['{"int64List":null}', {}],
  ['{"int64List":{"value":null}}', { int64List: { value: [] } }],
  ['{"floatList":{}}', { floatList: { value: [] } }],
])('accepts %s', (json, expected) => {
  expect(values(json)).toEqual(expected);
});

it.each([
  ...['1.5', 'true', '"9223372036854775808"', '9223372036854775808', '"x"'].map(
    (v) => `{"int64List":{"value":[${v}]}}`,
  ),
  ...['1e40', 'true', '"x"'].map((v) => `{"floatList":{"value":[${v}]}}`),
  '{"bytesList":{"value":["Y!"]}}',
  '{"int64List":{},"floatList":{}}',
  '{"unknownList":{}}',
  '{"int64List":{"value":1}}',
])('refuses %s', (json) => {
  expect(thrown(() => decodeJsonExample(feature(json)))).toMatchObject({ code: 'TFR_DECODE' });
});

it.each([
  ...['', ' ', 'null', '[]', '1', '{]', '{} x', '{}{}', '{"unknown":1}', '\ufeff{}'],
  ...["{'features':{}}", '{features:{}}', '{"features":{},}', '{"features":{},"features":{}}'],
  '{"features":{"feature":{"a":{},"a":{}}}}',
])('refuses the text %j', (json) => {
  const error = thrown(() => decodeJsonExample(['{}', json]));
  expect(error).toMatchObject({ code: 'TFR_DECODE', record: 1, expected: 'an Example in JSON' });
  expect(String(error)).toContain('Element 1: expected an Example in JSON, found ');
});

it('refuses what is no UTF-8, and clips what it shows', () => {
  expect(thrown(() => decodeJsonExample(Uint8Array.of(0x22, 0xff)))).toMatchObject({
    code: 'TFR_DECODE',
    found: 'bytes that are not UTF-8',
  });
  const error = thrown(() => decodeJsonExample('x'.repeat(100_000))) as Error;
  expect(error.message.length).toBeLessThan(500);
});

it('wrong arguments', () => {
  expect(thrown(() => decodeJsonExample({} as never))).toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
  expect(thrown(() => decodeJsonExample([{}] as never))).toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
});
