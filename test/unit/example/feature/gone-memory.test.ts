/** Arrays whose memory was transferred, or resized away, are refused, and never taken for empty ones. */
import {
  bytes,
  BytesArray,
  encodeExample,
  exampleEncoder,
  float,
  int64,
  parseSingleExample,
  varLen,
} from '../../../../lib';

function gone<T extends ArrayBufferView>(view: T): T {
  structuredClone(view.buffer, { transfer: [view.buffer as ArrayBuffer] });
  return view;
}
function shrunk(): Uint8Array {
  const Constructor = ArrayBuffer as unknown as new (
    size: number,
    options: object,
  ) => ArrayBuffer & { resize(size: number): void };
  const buffer = new Constructor(8, { maxByteLength: 16 });
  const view = new Uint8Array(buffer, 0, 8);
  buffer.resize(2);
  return view;
}
const strings = (part: 'data' | 'offsets'): BytesArray => {
  const array = BytesArray.from(['a', 'b']);
  gone(array[part]);
  return array;
};
const refused = expect.objectContaining({
  name: 'TypeError',
  code: 'ERR_INVALID_ARG_VALUE',
  message: expect.stringContaining('detached') as unknown,
}) as Error;

test.each<[string, () => unknown]>([
  ['Float32Array', () => gone(new Float32Array(8))],
  ['Float64Array', () => gone(new Float64Array(8))],
  ['BigInt64Array', () => gone(new BigInt64Array(8))],
  ['BigUint64Array', () => gone(new BigUint64Array(8))],
  ['Int32Array', () => gone(new Int32Array(8))],
  ['Uint8Array', () => gone(new Uint8Array(8))],
  ['a list of Uint8Arrays', () => ['a', gone(new Uint8Array(8))]],
  ['resized', shrunk],
  ['data of a BytesArray', () => strings('data')],
  ['offsets of a BytesArray', () => strings('offsets')],
  ['float()', () => float(gone(new Float32Array(8)))],
  ['int64()', () => int64(gone(new Int32Array(8)))],
  ['bytes()', () => bytes(gone(new Uint8Array(8)))],
  ['bytes() of a BytesArray', () => bytes(strings('data'))],
  ['float values', () => ({ kind: 'float', values: gone(new Float32Array(8)) })],
  ['int64 values', () => ({ kind: 'int64', values: gone(new BigInt64Array(8)) })],
  ['bytes values', () => ({ kind: 'bytes', values: strings('offsets') })],
])('encodeExample: %s', (_, make) => {
  expect(() => encodeExample({ a: make() } as never)).toThrow(refused);
});

test.each([
  ['float32', () => gone(new Float32Array(8))],
  ['int64', () => gone(new BigInt64Array(8))],
  ['bytes', () => strings('data')],
] as const)('exampleEncoder: %s', (dtype, make) => {
  expect(() => exampleEncoder({ a: varLen(dtype) })({ a: make() })).toThrow(refused);
});

test('parseSingleExample', () => {
  const spec = { a: varLen('int64') };
  expect(parseSingleExample(new Uint8Array(0), spec).a).toHaveLength(0);
  for (const record of [gone(new Uint8Array(8)), shrunk()])
    expect(() => parseSingleExample(record, spec)).toThrow(refused);
});

test('what is empty is no less', () => {
  const features = {
    f: float(new Float32Array(0)),
    i: new Int32Array(0),
    b: new Uint8Array(0),
    s: BytesArray.from([]),
  };
  expect(encodeExample(features)).toHaveLength(encodeExample({ ...features, i: int64([]), f: float([]) }).length);
});
