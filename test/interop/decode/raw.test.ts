/** Compares decodeRaw and decodePaddedRaw with tf.io.decode_raw on random strings: equal values, or errors in both. */
import { decodePaddedRaw, decodeRaw, type PaddedRawDType, type RawDType, type TensorValue } from '../../../lib';
import { Choices, hex, PAIRS } from '../choices';
import { listOf, ours, theirs, valuesOf, type PeerTensor } from './outcomes';
import { Peer } from '../peer';

let peer: Peer;
beforeAll(() => (peer = new Peer('decode/peer.py')));
afterAll(() => peer.close());

const PADDED: readonly PaddedRawDType[] = [
  ...(['bfloat16', 'float32', 'float64', 'int8', 'int16', 'int32', 'int64', 'uint8', 'uint16'] as const),
];
const RAW: readonly RawDType[] = [...PADDED, 'float16', 'bool', 'complex64', 'complex128'];

interface RawCase {
  readonly input: Buffer | readonly Buffer[];
  readonly outType: RawDType;
  readonly littleEndian: boolean;
  readonly fixedLength?: number;
}

function rawCase(seed: number): RawCase {
  const choices = new Choices(seed);
  const padded = choices.chance(0.4);
  const size = choices.below(4) * choices.one([1, 2, 4, 8, 16]);
  const string = (): Buffer => choices.bytes(padded || choices.chance(0.1) ? choices.below(40) : size);
  return {
    input: choices.chance(0.2) ? string() : choices.list(choices.below(5), string),
    littleEndian: choices.chance(0.5),
    ...(padded
      ? { outType: choices.one(PADDED), fixedLength: 8 * (1 + choices.below(4)) }
      : { outType: choices.one(RAW) }),
  };
}

function run({ input, outType, littleEndian, fixedLength }: RawCase): TensorValue {
  if (fixedLength === undefined) return decodeRaw(input, { outType, littleEndian });
  return decodePaddedRaw(input, { outType: outType as PaddedRawDType, littleEndian, fixedLength });
}

test(`${PAIRS} random cases`, async () => {
  const cases = Array.from({ length: PAIRS }, (_, seed) => rawCase(seed));
  const requests = cases.map(({ input, ...rest }) => ({
    ...rest,
    input: Buffer.isBuffer(input) ? hex(input) : input.map(hex),
  }));
  const answers = await theirs<PeerTensor>(peer, 'decode_raw', requests);
  let equal = 0;
  let failed = 0;
  for (const [seed, answer] of answers.entries()) {
    const mine = ours(() => run(cases[seed]!));
    if ('error' in answer || 'error' in mine) {
      const failures = { ours: 'error' in mine, theirs: 'error' in answer };
      expect({ seed, request: requests[seed], failures }).toMatchObject({ failures: { ours: true, theirs: true } });
      failed++;
      continue;
    }
    const { dtype, shape, data } = mine.values;
    const expected = { shape: answer.values.shape, data: listOf(valuesOf(dtype, answer.values)) };
    expect({ seed, shape, data: listOf(data) }).toEqual({ seed, ...expected });
    equal++;
  }
  expect(equal).toBeGreaterThan(PAIRS / 3);
  expect(failed).toBeGreaterThan(PAIRS / 20);
});
