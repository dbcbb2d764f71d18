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

test('holds 4 MiB, and nothing once it was cleared', () => {
  const pool = new SlabPool();
  for (let i = 0; i < 5; i++) pool.give(slab(MIB));
  for (let i = 0; i < 4; i++) expect(pool.take(MIB)).toHaveLength(MIB);
  expect(pool.take(MIB)).toBeUndefined();
  pool.clear();
  pool.give(slab(1));
  expect(pool.take(1)).toBeUndefined();
});
