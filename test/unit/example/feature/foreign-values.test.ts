/** Values of other realms, Proxies, and objects that are no decoded Examples. */
import { runInNewContext } from 'node:vm';

import {
  crc32c,
  decodeExample,
  decodeJsonExample,
  encodeExample,
  exampleToObject,
  fixedLen,
  parseSingleExample,
  recordType,
  sequenceExampleToObject,
} from '../../../../lib';
import { thrown } from '../../../support/thrown';

const proxied = (): Uint8Array => new Proxy(new Uint8Array([1, 2, 3]), {});
function revoked(): Uint8Array {
  const { proxy, revoke } = Proxy.revocable(new Uint8Array(3), {});
  revoke();
  return proxy;
}

describe('a Proxy of bytes is refused with a code', () => {
  const calls: Record<string, (bytes: Uint8Array) => unknown> = {
    crc32c,
    decodeExample,
    recordType,
    parseSingleExample: (bytes) => parseSingleExample(bytes, { a: fixedLen([], 'bytes') }),
    decodeJsonExample,
  };
  test.each(Object.keys(calls))('%s', (name) => {
    expect(thrown(() => calls[name]!(proxied()))).toMatchObject({ code: expect.stringMatching(/^(ERR|TFR)_/) });
  });
  test.each(['crc32c', 'decodeExample', 'recordType', 'parseSingleExample'])('%s, of a revoked one', (name) => {
    expect(thrown(() => calls[name]!(revoked()))).toMatchObject({
      code: 'ERR_INVALID_ARG_TYPE',
      message: expect.stringMatching(/Received an object$/),
    });
  });
  test('as a default', () => {
    expect(thrown(() => fixedLen([], 'bytes', { default: proxied() }))).toMatchObject({ code: 'TFR_SPEC' });
  });
});

test('a default of another realm is taken', () => {
  const bytes = runInNewContext('new Uint8Array([65, 66])') as Uint8Array;
  expect(fixedLen([], 'bytes', { default: bytes })).toEqual(fixedLen([], 'bytes', { default: 'AB' }));
  expect(fixedLen([], 'text', { default: bytes as never })).toEqual(fixedLen([], 'text', { default: 'AB' }));
});

test.each([new ArrayBuffer(3), new DataView(new ArrayBuffer(3)), [], [1], new Map(), new Date(), 'x', null])(
  'exampleToObject refuses %p, which would be an empty Example',
  (value) => {
    const expected = { code: 'ERR_INVALID_ARG_TYPE', message: expect.stringContaining('a Uint8Array or a decoded') };
    expect(thrown(() => exampleToObject(value as never))).toMatchObject(expected);
    expect(thrown(() => sequenceExampleToObject({ context: value, featureLists: {} } as never))).toMatchObject({
      code: 'ERR_INVALID_ARG_TYPE',
    });
  },
);

test('exampleToObject keeps the order of the record', () => {
  const part = (name: string): Uint8Array => encodeExample({ [name]: [1n] });
  // Two messages, one after the other, are one message with the features of both.
  const record = Buffer.concat(['z', 'a', 'm', '7'].map(part));
  expect(Object.keys(exampleToObject(record))).toEqual(['7', 'z', 'a', 'm']);
});

test.each([
  ['{"features":[1]}', 'expected object: [1].'],
  ['{"features":{"feature":{"a":{"bytesList":{"value":[{"x":1.5}]}}}}}', 'expected base64 string: {"x":1.5}.'],
])('decodeJsonExample shows the numbers of %s as they were', (json, message) => {
  expect(thrown(() => decodeJsonExample(json))).toMatchObject({ message: expect.stringContaining(message) });
});
