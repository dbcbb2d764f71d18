/** Memory that serves again: slabs for native threads, and memory that users have seen. */
import { native } from '../../../../lib/native';
import { MemoryPool } from '../../../../lib/io';

const PAGE = 4096;
const MIB = 2 ** 20;
const FILE = 'some.tfrecord';

/** A pool in which memory of `sizes` waits, in this order. */
function poolWith(...sizes: readonly number[]): { pool: MemoryPool; slabs: Uint8Array<ArrayBuffer>[] } {
  const pool = new MemoryPool();
  const slabs = sizes.map((size) => pool.lease(size, FILE));
  for (const slab of slabs) pool.end(slab);
  return { pool, slabs };
}

describe('memory for native threads', () => {
  test('is the smallest that is large enough, and none of more than twice the size', () => {
    const { pool } = poolWith(300, 100, 200, 400);
    const taken = (size: number): number => pool.lease(size, FILE).length;
    expect([150, 150, 150, 50, 401, 400, 1].map(taken)).toEqual([200, 300, 150, 100, 401, 400, 1]);
  });

  test('waits up to 8 MiB, the youngest; what does not wait is freed at once', () => {
    const { pool, slabs } = poolWith(...Array<number>(9).fill(MIB));
    expect(slabs.map(({ length }) => length)).toEqual([0, ...Array<number>(8).fill(MIB)]);
    const large = pool.lease(8 * MIB + 1, FILE);
    pool.end(large);
    expect(large).toHaveLength(0);
    const late = pool.lease(MIB, FILE);
    expect(late.buffer).toBe(slabs[8]!.buffer);
    pool.close();
    expect(slabs.slice(0, 8).map(({ length }) => length)).toEqual(Array<number>(8).fill(0));
    pool.end(late);
    expect(late).toHaveLength(0);
  });

  test('takes the place of as many older slabs as it needs', () => {
    const { pool, slabs } = poolWith(3 * MIB, 3 * MIB, 2 * MIB, 4 * MIB);
    expect(slabs.map(({ length }) => length / MIB)).toEqual([0, 0, 2, 4]);
    expect(pool.lease(4 * MIB, FILE).buffer).toBe(slabs[3]!.buffer);
  });

  test('waits up to the size that the pool was made for', () => {
    const pool = new MemoryPool(20 * MIB);
    const slabs = [9 * MIB, 9 * MIB, 21 * MIB, 5 * MIB].map((size) => pool.lease(size, FILE));
    for (const slab of slabs) pool.end(slab);
    expect(slabs.map(({ length }) => length / MIB)).toEqual([0, 9, 0, 5]);
    expect(pool.lease(8 * MIB, FILE).buffer).toBe(slabs[1]!.buffer);
  });

  test('that cannot be had is ENOMEM', () => {
    expect(() => new MemoryPool().lease(2 ** 52, FILE)).toThrow(
      expect.objectContaining({ code: 'ENOMEM', file: FILE }),
    );
  });
});

describe('memory that users see', () => {
  /** Shown memory that is filled with `mark`. */
  function marked(pool: MemoryPool, bytes: number, mark: number): Uint8Array<ArrayBuffer> {
    return pool.leaseToShow(bytes, FILE).fill(mark);
  }

  test('serves again, and arrays over it stay', () => {
    const pool = new MemoryPool();
    const memory = marked(pool, 10_000, 7);
    const array = new Uint8Array(memory.buffer, 0, 100);
    pool.end(memory);
    expect(array).toEqual(new Uint8Array(100).fill(7));
    expect(pool.leaseToShow(10_000, FILE).buffer).toBe(memory.buffer);
    expect(pool.leaseToShow(10_000, FILE).buffer).not.toBe(memory.buffer);
    expect(array).toHaveLength(100);
  });

  test('never goes to a native thread', () => {
    const pool = new MemoryPool();
    const shown = pool.leaseToShow(PAGE, FILE);
    const unseen = pool.lease(PAGE, FILE);
    pool.end(shown);
    pool.end(unseen);
    expect(pool.lease(PAGE, FILE).buffer).toBe(unseen.buffer);
    expect(pool.lease(PAGE, FILE).buffer).not.toBe(shown.buffer);
    expect(pool.leaseToShow(PAGE, FILE).buffer).toBe(shown.buffer);
  });

  test('is the smallest that is large enough, and none that is far too large', () => {
    const pool = new MemoryPool();
    const leased = [20, 8, 400].map((pages, i) => marked(pool, pages * PAGE, i + 1));
    for (const each of leased) pool.end(each);
    expect(pool.leaseToShow(15 * PAGE, FILE)[0]).toBe(1);
    expect(pool.leaseToShow(60 * PAGE, FILE).length).toBeLessThan(100 * PAGE);
    expect(pool.leaseToShow(300 * PAGE, FILE)[0]).toBe(3);
    expect(pool.leaseToShow(5 * PAGE, FILE)[0]).toBe(2);
  });

  test('serves batches that become larger, and smaller, again and again', () => {
    const pool = new MemoryPool();
    for (const size of [2, 2.3, 2.6, 1, 0.1, 3].map((mib) => Math.round(mib * MIB))) {
      let held = Array.from({ length: 2 }, () => marked(pool, size, 1));
      let served = 0;
      for (let batch = 0; batch < 20; batch++) {
        const next = pool.leaseToShow(size, FILE);
        if (next[0] === 77) served++;
        held.forEach((memory) => memory.fill(77));
        held.splice(0, 1).forEach((memory) => pool.end(memory));
        held = [...held, next];
      }
      expect(served).toBeGreaterThan(15);
      held.forEach((memory) => pool.end(memory));
    }
  });

  test('waits up to 8 MiB, or alone; none once the pool is closed; it is never detached', () => {
    const pool = new MemoryPool();
    const leased = Array.from({ length: 20 }, () => pool.leaseToShow(MIB, FILE));
    for (const memory of leased) pool.end(memory);
    const again = Array.from({ length: 20 }, () => pool.leaseToShow(MIB, FILE));
    const buffers = leased.map(({ buffer }) => buffer);
    const served = again.filter(({ buffer }) => buffers.includes(buffer));
    expect(served).toHaveLength(8);
    const large = [9, 9].map((mib) => pool.leaseToShow(mib * MIB, FILE));
    for (const memory of large) pool.end(memory);
    expect(pool.leaseToShow(9 * MIB, FILE).buffer).toBe(large[1]!.buffer);
    expect(pool.leaseToShow(9 * MIB, FILE).buffer).not.toBe(large[0]!.buffer);
    for (const memory of served) pool.end(memory);
    pool.close();
    expect(buffers).not.toContain(pool.leaseToShow(MIB, FILE).buffer);
    expect([...leased, ...large].every(({ length }) => length >= MIB)).toBe(true);
  });

  test('passes when somebody transferred it, before or after its lease ended', () => {
    const pool = new MemoryPool();
    const [before, after] = [pool.leaseToShow(PAGE, FILE), pool.leaseToShow(PAGE, FILE)];
    structuredClone(0, { transfer: [before.buffer] });
    pool.end(before);
    pool.end(after);
    structuredClone(0, { transfer: [after.buffer] });
    expect(pool.leaseToShow(PAGE, FILE).length).toBeGreaterThanOrEqual(PAGE);
  });
});

test('memory that is not leased is left alone: of others, and of a lease that has ended', () => {
  const pool = new MemoryPool();
  const other = new Uint8Array(PAGE);
  const slab = pool.lease(PAGE, FILE);
  const shown = pool.leaseToShow(PAGE, FILE);
  for (const memory of [other, slab, slab, shown, shown]) pool.end(memory);
  const leases = [0, 1].flatMap(() => [pool.lease(PAGE, FILE), pool.leaseToShow(PAGE, FILE)]);
  expect(new Set(leases.map(({ buffer }) => buffer)).size).toBe(4);
  expect(leases.map(({ buffer }) => buffer)).not.toContain(other.buffer);
  pool.close();
  expect(other).toHaveLength(PAGE);
});

test('to detach what is gone, or shared, does nothing', () => {
  const gone = new ArrayBuffer(8);
  structuredClone(gone, { transfer: [gone] });
  const shared = new SharedArrayBuffer(8);
  const last = new ArrayBuffer(8);
  native().detach([gone, shared as unknown as ArrayBuffer, last]);
  expect([gone.byteLength, shared.byteLength, last.byteLength]).toEqual([0, 8, 0]);
});
