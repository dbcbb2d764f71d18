/** Values of other realms, Proxies, and objects that are no decoded Examples. */
import { runInNewContext, runInThisContext } from 'node:vm';

import {
  bytes,
  BytesArray,
  crc32c,
  decodeExample,
  decodeJsonExample,
  DenseTensor,
  encodeExample,
  encodeExamples,
  encodeRecords,
  encodeSequenceExample,
  exampleEncoder,
  exampleToObject,
  fixedLen,
  fixedLenSequence,
  float,
  int64,
  parseExample,
  parseSequenceExample,
  parseSingleExample,
  parseSingleSequenceExample,
  parseTensor,
  ragged,
  RaggedTensor,
  recordType,
  RecordWriter,
  rowsOf,
  sequenceExampleToObject,
  serializeTensor,
  sparse,
  varLen,
} from '../../../../lib';
import { thrown } from '../../../support/thrown';

const proxied = (): Uint8Array => new Proxy(new Uint8Array([1, 2, 3]), {});
function gone<T extends object>(target: T): T {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}
const revoked = (): Uint8Array => gone(new Uint8Array(3));

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

/** A Proxy that was revoked fails in every use: `Array.isArray`, `instanceof` and `in` throw an error without a code. */
describe.each<[string, () => object]>([
  ['a revoked Proxy of bytes', revoked],
  ['a revoked Proxy of a list', () => gone([])],
  ['a revoked Proxy of an object', () => gone({})],
  ['a Proxy of bytes', proxied],
  ['a Proxy of floats', () => new Proxy(new Float32Array(2), {})],
  ['a Proxy of a BytesArray', () => new Proxy(BytesArray.from(['a']), {})],
])('%s', (what, make) => {
  const value = make() as never;
  const kinds = {
    fixedLen: fixedLen([], 'int64'),
    'fixedLen, 2': fixedLen([2], 'float32'),
    'fixedLen, bytes': fixedLen([1], 'bytes'),
    'fixedLen, null': fixedLen([], 'text', { default: null }),
    'fixedLenSequence, int64': fixedLenSequence([], 'int64', { allowMissing: true }),
    'fixedLenSequence, bytes': fixedLenSequence([], 'bytes', { allowMissing: true }),
    'varLen, float32': varLen('float32'),
    'varLen, text': varLen('text'),
    sparse: sparse({ indexKey: 'i', valueKey: 'v', dtype: 'int64', size: 3 }),
    ragged: ragged({ dtype: 'int64', partitions: [{ by: 'rowLengths', key: 'n' }] }),
  };
  const spec = { a: fixedLen([], 'bytes') };
  const calls: Record<string, () => unknown> = {
    parseExample: () => parseExample(value, spec),
    'parseExample, a record': () => parseExample([value], spec),
    parseSingleExample: () => parseSingleExample(value, spec),
    parseSequenceExample: () => parseSequenceExample(value, { context: spec }),
    parseSingleSequenceExample: () => parseSingleSequenceExample(value, { context: spec }),
    'encodeExample, a value': () => encodeExample({ a: value }),
    'encodeExample, an element': () => encodeExample({ a: [value] }),
    'encodeExample, a second element': () => encodeExample({ a: ['x', value] }),
    'encodeExample, numbers': () => encodeExample({ a: value }, { numbers: 'infer' }),
    'encodeExample, an element with numbers': () => encodeExample({ a: [1, value] as never }, { numbers: 'infer' }),
    'encodeExample, kinds': () => encodeExample({ a: { bytes: value } }),
    'encodeExample, values of a feature': () => encodeExample({ a: { kind: 'float', values: value } }),
    'encodeExample, bytes of a feature': () => encodeExample({ a: { kind: 'bytes', values: value } }),
    'encodeExample, int64()': () => encodeExample({ a: int64(value) }),
    'encodeExample, int64([])': () => encodeExample({ a: int64([value]) }),
    'encodeExample, float()': () => encodeExample({ a: float(value) }),
    'encodeExample, bytes([])': () => encodeExample({ a: bytes([value]) }),
    'encodeSequenceExample, a list': () => encodeSequenceExample({ featureLists: { a: value } }),
    'encodeSequenceExample, a step': () => encodeSequenceExample({ featureLists: { a: [value] } }),
    encodeRecords: () => encodeRecords(value),
    'encodeRecords, a record': () => encodeRecords([value]),
    parseTensor: () => parseTensor(value),
    'serializeTensor, data': () => serializeTensor({ dtype: 'uint8', shape: [3], data: value }),
    'serializeTensor, bytes': () => serializeTensor({ dtype: 'bytes', shape: [3], data: value }),
    DenseTensor: () => new DenseTensor('float32', [2], value),
    'BytesArray.from': () => BytesArray.from([value]),
    BytesArray: () => new BytesArray(value, Int32Array.of(0)),
    exampleToObject: () => exampleToObject(value),
    ...Object.fromEntries(
      Object.entries(kinds).flatMap(([name, feature]) => [
        [`exampleEncoder, ${name}`, () => exampleEncoder({ a: feature })({ a: value })],
        [`exampleEncoder, an element of ${name}`, () => exampleEncoder({ a: feature })({ a: [value] as never })],
        [`encodeExamples, ${name}`, () => encodeExamples({ a: value }, { a: feature })],
        [`rowsOf, ${name}`, () => rowsOf({ a: value }, { a: feature })],
      ]),
    ),
  };
  // The error is that of its iterator.
  if (what === 'a Proxy of a BytesArray') delete calls['encodeRecords'];
  // A Proxy of a list or of an object, which was not revoked, is a list or an object.
  if (what.startsWith('a revoked')) {
    Object.assign(calls, {
      'encodeExample, all': () => encodeExample(value),
      'exampleEncoder, a row': () => exampleEncoder(spec)(value),
      'encodeExamples, all': () => encodeExamples(value, spec),
      'encodeSequenceExample, all': () => encodeSequenceExample(value),
      'encodeSequenceExample, context': () => encodeSequenceExample({ context: value }),
      'RaggedTensor, splits': () => new RaggedTensor(new DenseTensor('float32', [0], new Float32Array(0)), value),
      'parseExample, a spec': () => parseExample([], value),
      'fixedLen, a shape': () => fixedLen(value, 'int64'),
    });
  }

  test.each(Object.keys(calls))('is refused with a code: %s', (name) => {
    expect(thrown(calls[name]!)).toMatchObject({ code: expect.stringMatching(/^(ERR|TFR)_/) });
  });

  test('is refused with a code: a writer', async () => {
    const writer = await RecordWriter.open(new WritableStream());
    for (const write of [() => writer.write(value), () => writer.writeBatch(value)]) {
      expect(thrown(write)).toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
    }
    await writer.abort();
  });
});

describe('defaults of another realm are taken', () => {
  test.each([
    [[], 'bytes', 'new Uint8Array([65, 66])', 'AB'],
    [[], 'text', 'new Uint8Array([65, 66])', 'AB'],
    [[2], 'bytes', '[new Uint8Array([65]), "B"]', ['A', 'B']],
    [[2], 'text', '[new Uint8Array([65]), "B"]', ['A', 'B']],
    [[2], 'int64', '[1, 2n]', [1, 2]],
    [[2], 'float32', '[1, 2.5]', [1, 2.5]],
    [[2], 'float32', 'new Float32Array([1, 2.5])', [1, 2.5]],
    [[2], 'float32', 'new Float64Array([1, 2.5])', [1, 2.5]],
    [[2], 'int64', 'new BigInt64Array([1n, -2n])', [1, -2]],
    [[2], 'int64', 'new Int32Array([1, -2])', [1, -2]],
    [[2], 'int64', 'new Uint8Array([1, 2])', [1, 2]],
  ] as const)('%j of %s: %s', (shape, dtype, code, same) => {
    const expected = (fixedLen as (...given: unknown[]) => unknown)(shape, dtype, { default: same });
    // In Jest, `code` of this realm is of another realm than Node's own modules.
    for (const given of [runInNewContext(code), runInThisContext(code), (0, eval)(code)] as unknown[]) {
      expect((fixedLen as (...given: unknown[]) => unknown)(shape, dtype, { default: given })).toEqual(expected);
    }
  });

  test('as padding', () => {
    const given = runInNewContext('new Uint8Array([65, 66])') as Uint8Array;
    const steps = { allowMissing: true };
    expect(fixedLenSequence([], 'bytes', { ...steps, default: given })).toEqual(
      fixedLenSequence([], 'bytes', { ...steps, default: 'AB' }),
    );
    const tags = parseExample([encodeExample({ a: ['x'] }), encodeExample({})], { a: varLen('bytes') }).a;
    expect(tags.toDense(given).data.texts()).toEqual(['x', 'AB']);
  });
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
