import { native } from '../../lib/native';
import { SlabPool } from '../../lib/record';

const MIB = 2 ** 20;
const slab = (size: number): Uint8Array<ArrayBuffer> => new Uint8Array(size);

test('gives the smallest that is large enough, and none of more than twice the size', () => {
  const pool = new SlabPool();
  for (const size of [300, 100, 200, 400]) pool.give(slab(size));
  const taken = (size: number): number | undefined => pool.take(size)?.length;
  expect(taken(150)).toBe(200);
  expect(taken(150)).toBe(300);
  expect(taken(150)).toBeUndefined();
  expect(taken(50)).toBe(100);
  expect(taken(401)).toBeUndefined();
  expect(taken(400)).toBe(400);
  expect(taken(1)).toBeUndefined();
});

test('holds 8 MiB, the youngest, and nothing once it was cleared: what it does not hold is freed', () => {
  const pool = new SlabPool();
  const slabs = Array.from({ length: 9 }, () => slab(MIB));
  for (const each of slabs) pool.give(each);
  expect(slabs.map(({ length }) => length)).toEqual([0, ...Array<number>(8).fill(MIB)]);
  const large = slab(8 * MIB + 1);
  pool.give(large);
  expect(large).toHaveLength(0);
  for (let i = 0; i < 7; i++) expect(pool.take(MIB)).toHaveLength(MIB);
  pool.clear();
  const late = slab(1);
  pool.give(late);
  expect(pool.take(1)).toBeUndefined();
  expect(late).toHaveLength(0);
  expect(slabs.filter(({ length }) => length === 0)).toHaveLength(2);
});

test('a slab takes the place of as many older ones as it needs', () => {
  const pool = new SlabPool();
  const slabs = [3, 3, 2].map((size) => slab(size * MIB));
  for (const each of slabs) pool.give(each);
  pool.give(slab(4 * MIB));
  expect(slabs.map(({ length }) => length / MIB)).toEqual([0, 0, 2]);
  expect(pool.take(4 * MIB)).toHaveLength(4 * MIB);
});

test('to detach what is gone, or shared, does nothing', () => {
  const gone = new ArrayBuffer(8);
  structuredClone(gone, { transfer: [gone] });
  const shared = new SharedArrayBuffer(8);
  const last = new ArrayBuffer(8);
  native().detach([gone, shared as unknown as ArrayBuffer, last]);
  expect([gone.byteLength, shared.byteLength, last.byteLength]).toEqual([0, 8, 0]);
});
