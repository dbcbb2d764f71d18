/** Encodes Examples from columns: TensorFlow and this package parse them to the same values. */
import fc from 'fast-check';

import {
  BytesArray,
  DenseTensor,
  encodeExamples,
  fixedLen,
  parseExample,
  ragged,
  RaggedTensor,
  SparseTensor,
  varLen,
} from '../../../lib';
import { hex } from '../choices';
import { Peer } from '../peer';

const ROUNDS = 200;
const SPEC = {
  id: fixedLen([], 'int64'),
  box: fixedLen([2], 'float32'),
  name: fixedLen([], 'bytes'),
  tags: varLen('bytes'),
  scores: varLen('float32'),
  n: ragged({ dtype: 'int64', partitions: [{ by: 'rowSplits', key: 'p' }] }),
};
const KINDS = { id: 'int64', box: 'float', name: 'bytes', tags: 'bytes', scores: 'float', n: 'int64', p: 'int64' };
type Plain = Record<keyof typeof KINDS, (string | number)[][]>;

const int = fc.oneof(fc.bigInt({ min: -9n, max: 200n }), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }));
// Includes NaNs, infinities and subnormals.
const bits = fc.oneof(fc.nat(0x7f80_0000), fc.constantFrom(0x7fc0_0000, 0xff80_0000, 0x8000_0000, 1));
const bytes = fc.uint8Array({ maxLength: 9 });
const some = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(of, { maxLength: 5 });
const row = fc.record({
  id: int,
  box: fc.tuple(bits, bits),
  name: fc.oneof(bytes, fc.uint8Array({ minLength: 100, maxLength: 300 })),
  tags: some(bytes),
  scores: some(bits),
  n: some(some(int)),
});
type Row = typeof row extends fc.Arbitrary<infer R> ? R : never;

let peer: Peer;
beforeAll(() => {
  peer = new Peer('messages/peer.py');
});
afterAll(() => peer.close());

const splitsOf = (lists: readonly (readonly unknown[])[]): Int32Array => {
  const splits = new Int32Array(lists.length + 1);
  for (const [i, { length }] of lists.entries()) splits[i + 1] = splits[i]! + length;
  return splits;
};
const floats = (values: number[]): Float32Array<ArrayBuffer> => new Float32Array(Uint32Array.from(values).buffer);

/** Makes the columns of the rows by hand. */
function columnsOf(rows: readonly Row[]) {
  const sparse = <D extends 'bytes' | 'float32'>(dtype: D, lists: readonly (readonly unknown[])[], values: never) => {
    const longest = Math.max(0, ...lists.map(({ length }) => length));
    return new SparseTensor(dtype, { values, denseShape: [lists.length, longest], rowSplits: [splitsOf(lists)] });
  };
  const lists = rows.map(({ n }) => n);
  const numbers = BigInt64Array.from(lists.flat(2));
  return {
    id: BigInt64Array.from(rows, ({ id }) => id),
    box: new DenseTensor('float32', [rows.length, 2], floats(rows.flatMap(({ box }) => box))),
    name: BytesArray.from(rows.map(({ name }) => name)),
    tags: sparse(
      'bytes',
      rows.map(({ tags }) => tags),
      BytesArray.from(rows.flatMap(({ tags }) => tags)) as never,
    ),
    scores: sparse(
      'float32',
      rows.map(({ scores }) => scores),
      floats(rows.flatMap(({ scores }) => scores)) as never,
    ),
    n: new RaggedTensor(new DenseTensor('int64', [numbers.length], numbers), [splitsOf(lists), splitsOf(lists.flat())]),
  };
}

/** Returns the expected values in the form of TensorFlow's answer. */
function plainOf(rows: readonly Row[]): Plain {
  return {
    id: rows.map(({ id }) => [String(id)]),
    box: rows.map(({ box }) => [...box]),
    name: rows.map(({ name }) => [hex(name)]),
    tags: rows.map(({ tags }) => tags.map(hex)),
    scores: rows.map(({ scores }) => scores),
    n: rows.map(({ n }) => n.flat().map(String)),
    p: rows.map(({ n }) => [...splitsOf(n)].map(String)),
  };
}

test('TensorFlow parses what encodeExamples writes to the same values; so do we', async () => {
  const rounds = fc.sample(fc.array(row, { minLength: 1, maxLength: 30 }), { numRuns: ROUNDS, seed: 20_000 });
  for (const rows of rounds) {
    const columns = columnsOf(rows);
    const batch = encodeExamples(columns as never, SPEC);
    const records = [...batch].map((record) => Buffer.from(record).toString('hex'));
    const answer = await peer.exchange<Plain>({ op: 'parse', kinds: KINDS, records });
    expect(answer).toEqual(plainOf(rows));
    const again = encodeExamples(parseExample(batch, SPEC), SPEC);
    expect([...again].map((record) => Buffer.from(record).toString('hex'))).toEqual(records);
  }
});
