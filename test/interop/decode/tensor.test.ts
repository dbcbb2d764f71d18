/**
 * Compares parseTensor and serializeTensor with tf.io on random tensors and random TensorProtos, whole and damaged:
 * equal values, errors in both, or a departure that is named here.
 */
import {
  BytesArray,
  parseTensor,
  serializeTensor,
  type AnyTensorValue,
  type SerializableDType,
  type SerializableTensor,
} from '../../../lib';
import { Choices, hex, PAIRS, unhex } from '../choices';
import { listOf, ours, theirs, valuesOf, type PeerTensor } from './outcomes';
import { Peer } from '../peer';

let peer: Peer;
beforeAll(() => (peer = new Peer('decode/peer.py')));
afterAll(() => peer.close());

const NUMBERS: Record<SerializableDType, number> = {
  float32: 1,
  float64: 2,
  int32: 3,
  uint8: 4,
  int16: 5,
  int8: 6,
  bytes: 7,
  complex64: 8,
  int64: 9,
  bool: 10,
  bfloat16: 14,
  uint16: 17,
  complex128: 18,
  float16: 19,
  uint32: 22,
  uint64: 23,
};
const DTYPES = Object.keys(NUMBERS) as SerializableDType[];
const SIZES: Partial<Record<SerializableDType, number>> = {
  ...{ float32: 4, float64: 8, int32: 4, uint8: 1, int16: 2, int8: 1, complex64: 8, int64: 8, bool: 1, bfloat16: 2 },
  ...{ uint16: 2, complex128: 16, float16: 2, uint32: 4, uint64: 8 },
};

function varint(value: number): number[] {
  if (value < 0)
    return [
      ...[0, 7, 14, 21, 28, 35, 42, 49, 56].map(
        (s) => Number((BigInt.asUintN(64, BigInt(value)) >> BigInt(s)) & 0x7fn) | 0x80,
      ),
      1,
    ];
  return value < 0x80 ? [value] : [(value % 0x80) | 0x80, ...varint(Math.floor(value / 0x80))];
}

function delimited(field: number, content: readonly number[]): number[] {
  return [...varint(field * 8 + 2), ...varint(content.length), ...content];
}

/** Returns a small tensor of random bits, sometimes without values. */
function randomTensor(choices: Choices): SerializableTensor {
  const dtype = choices.one(DTYPES);
  const shape = choices.list(choices.below(4), () => choices.below(4));
  const length = shape.reduce((product, size) => product * size, 1);
  if (dtype === 'bytes') {
    return { dtype, shape, data: choices.list(length, () => choices.bytes(choices.below(200))) };
  }
  const bytes = choices.bytes(length * (SIZES[dtype] ?? 0));
  const content = dtype === 'bool' ? bytes.map((byte) => byte & 1) : bytes;
  return { dtype, shape, data: valuesOf(dtype, { shape, data: hex(content) }) };
}

/** Returns the bits of a tensor, so that NaN payloads are compared, too. */
function bitsOf({ shape, data }: AnyTensorValue): PeerTensor {
  return { shape, data: data instanceof BytesArray ? [...data].map(hex) : hex(new Uint8Array(data.buffer)) };
}

test(`${PAIRS} random tensors: the same bytes, and the same tensor back`, async () => {
  const tensors = Array.from({ length: PAIRS }, (_, seed) => randomTensor(new Choices(seed)));
  const requests = tensors.map(({ dtype, shape, data }) => ({
    dtype,
    shape,
    data: ArrayBuffer.isView(data) ? hex(new Uint8Array(data.buffer)) : (data as readonly Buffer[]).map(hex),
  }));
  const serialized = await theirs<string>(peer, 'serialize_tensor', requests);
  const mine = tensors.map((tensor) => ({ values: hex(serializeTensor(tensor)) }));
  expect(mine).toEqual(serialized);
  const parsed = mine.map(({ values }, i) =>
    bitsOf(parseTensor(unhex(values), { outType: requests[i]!.dtype }) as AnyTensorValue),
  );
  expect(parsed).toEqual(requests.map(({ shape, data }) => ({ shape, data })));
});

const FIELDS = [5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 17];
/** The number of each dtype's field of typed values. */
const OWN: Record<SerializableDType, number> = {
  ...{ float32: 5, float64: 6, int32: 7, uint8: 7, int16: 7, int8: 7, bytes: 8, complex64: 9, int64: 10, bool: 11 },
  ...{ bfloat16: 13, uint16: 7, complex128: 12, float16: 13, uint32: 16, uint64: 17 },
};

function values(choices: Choices, field: number): number[] {
  const count = choices.below(6);
  const packed = choices.chance(0.6);
  const one = (): number[] => {
    if (field === 8) return [...choices.bytes(choices.below(4))];
    if (field === 5 || field === 9) return [...new Uint8Array(Float32Array.of(choices.below(9) / 4).buffer)];
    if (field === 6 || field === 12) return [...new Uint8Array(Float64Array.of(choices.below(9) / 4).buffer)];
    return varint(choices.one([0, 1, 2, 127, 128, 255, 300, 32768, 65535, 65536, 2 ** 31, 2 ** 40, -1, -129]));
  };
  const each = choices.list(count, one);
  if (field === 8) return each.flatMap((value) => delimited(8, value));
  if (packed) return delimited(field, each.flat());
  const wireType = field === 5 || field === 9 ? 5 : field === 6 || field === 12 ? 1 : 0;
  return each.flatMap((value) => [...varint(field * 8 + wireType), ...value]);
}

interface ProtoCase {
  readonly dtype: SerializableDType;
  readonly bytes: Buffer;
}

function protoCase(seed: number): ProtoCase {
  const choices = new Choices(seed);
  const dtype = choices.one(DTYPES);
  const shape = choices.list(choices.below(3), () => choices.one([0, 1, 2, 3, 3, 4, choices.chance(0.1) ? -1 : 2]));
  const dims = shape.flatMap((size) => delimited(2, size === 0 && choices.chance(0.5) ? [] : [0x08, ...varint(size)]));
  const length = Math.abs(shape.reduce((product, size) => product * size, 1));
  const size = length * (SIZES[dtype] ?? 2) + (choices.chance(0.2) ? 1 : 0);
  const content = choices.bytes(size).map((byte) => (dtype === 'bool' && choices.chance(0.98) ? byte & 1 : byte));
  if (dtype === 'bytes')
    for (let i = 0; i < length; i++) content[i] = i === 0 ? length - (choices.below(5) === 0 ? 1 : 0) : 0;
  const parts = [
    [0x08, NUMBERS[dtype]],
    choices.chance(0.9) ? delimited(2, dims) : [],
    choices.chance(0.3) ? delimited(4, [...content]) : [],
    ...choices.list(choices.below(3), () => values(choices, OWN[dtype])),
    choices.chance(0.2) ? values(choices, choices.one(FIELDS)) : [],
    choices.chance(0.1)
      ? choices.one([[0x18, 1], delimited(99, [1, 2]), [0xa3, 6, 8, 1, 0xa4, 6], [0x1d, 1, 2, 3, 4]])
      : [],
  ];
  if (choices.chance(0.3)) parts.sort(() => choices.next() - 0.5);
  const bytes = Buffer.from(parts.flat());
  if (!choices.chance(0.25)) return { dtype, bytes };
  if (choices.chance(0.4)) return { dtype, bytes: bytes.subarray(0, choices.below(bytes.length)) };
  bytes[choices.below(bytes.length)]! ^= 1 << choices.below(8);
  return { dtype, bytes };
}

test(`${PAIRS} random TensorProtos`, async () => {
  const cases = Array.from({ length: PAIRS }, (_, seed) => protoCase(seed));
  const requests = cases.map(({ dtype, bytes }) => ({ dtype, input: hex(bytes) }));
  const answers = await theirs<PeerTensor>(peer, 'parse_tensor', requests);
  const counts = { equal: 0, failed: 0, filled: 0 };
  for (const [seed, answer] of answers.entries()) {
    const { dtype, bytes } = cases[seed]!;
    const mine = ours(() => bitsOf(parseTensor(bytes, { outType: dtype }) as AnyTensorValue));
    const context = { seed, request: requests[seed] };
    if ('error' in mine && mine.error.includes('options.maxFillBytes')) {
      // A departure: with a flipped bit, the tensor would be larger than `maxFillBytes`.
      counts.filled++;
    } else if ('error' in mine || 'error' in answer) {
      const failures = { ours: 'error' in mine, theirs: 'error' in answer };
      expect({ ...context, mine, answer, failures }).toEqual({
        ...{ ...context, mine, answer },
        failures: { ours: true, theirs: true },
      });
      counts.failed++;
    } else {
      const expected = listOf(valuesOf(dtype, answer.values));
      const found = listOf(valuesOf(dtype, mine.values));
      expect({ ...context, shape: mine.values.shape, values: found }).toEqual({
        ...context,
        shape: answer.values.shape,
        values: expected,
      });
      counts.equal++;
    }
  }
  expect(counts.equal).toBeGreaterThan(PAIRS / 3);
  expect(counts.failed).toBeGreaterThan(PAIRS / 10);
  expect(counts.filled).toBeLessThan(PAIRS / 100);
});
