/** Memory that is used for one batch after another. */
import { TransientMemory } from '../../lib/example/columns/transient-memory';

const PAGE = 4096;

/** A slab with a mark in it. */
function marked(memory: TransientMemory, bytes: number, mark: number): ArrayBuffer {
  const slab = memory.take(bytes)!;
  new Uint8Array(slab).fill(mark);
  return slab;
}

const first = (slab: ArrayBuffer | undefined): number | undefined => new Uint8Array(slab!)[0];

test('what was given back serves again, and arrays over it stay', () => {
  const memory = new TransientMemory();
  const slab = marked(memory, 10_000, 7);
  const array = new Uint8Array(slab, 0, 100);
  memory.giveBack([slab]);
  expect(array).toEqual(new Uint8Array(100).fill(7));
  expect(memory.take(10_000)).toBe(slab);
  expect(memory.take(10_000)).not.toBe(slab);
  expect(array).toHaveLength(100);
});

test('the smallest that is large enough, and none that is far too large', () => {
  const memory = new TransientMemory();
  const slabs = [20, 8, 400].map((pages, i) => marked(memory, pages * PAGE, i + 1));
  memory.giveBack(slabs);
  expect(first(memory.take(15 * PAGE))).toBe(1);
  expect(memory.take(60 * PAGE)!.byteLength).toBeLessThan(100 * PAGE);
  expect(first(memory.take(300 * PAGE))).toBe(3);
  expect(first(memory.take(5 * PAGE))).toBe(2);
});

test('batches that become larger, and smaller, are served again and again', () => {
  const memory = new TransientMemory();
  for (const size of [2, 2.3, 2.6, 1, 0.1, 3].map((mib) => mib * 2 ** 20)) {
    let held = Array.from({ length: 2 }, () => marked(memory, size, 1));
    let served = 0;
    for (let batch = 0; batch < 20; batch++) {
      const next = memory.take(size)!;
      if (first(next) === 77) served++;
      held.forEach((slab) => new Uint8Array(slab).fill(77));
      memory.giveBack(held.splice(0, 1));
      held = [...held, next];
    }
    expect(served).toBeGreaterThan(15);
    memory.giveBack(held);
  }
});

test('memory that is not its own, or not lent, is left alone', () => {
  const memory = new TransientMemory();
  const other = new ArrayBuffer(PAGE);
  const slab = memory.take(PAGE)!;
  memory.giveBack([other, slab, slab]);
  expect(other.byteLength).toBe(PAGE);
  expect(memory.take(PAGE)).toBe(slab);
  expect(memory.take(PAGE)).not.toBe(slab);
});

test('memory that somebody transferred, before or after it was given back, is passed over', () => {
  const memory = new TransientMemory();
  const [slab, later] = [memory.take(PAGE)!, memory.take(PAGE)!];
  structuredClone(slab, { transfer: [slab] });
  memory.giveBack([slab, later]);
  structuredClone(later, { transfer: [later] });
  expect(memory.take(PAGE)!.byteLength).toBeGreaterThanOrEqual(PAGE);
});

test('large slabs are lent, and one of them waits', () => {
  const memory = new TransientMemory();
  expect(memory.take(0)).toBeUndefined();
  expect(memory.take(64 * 2 ** 20 + 1)).toBeUndefined();
  const slabs = [1, 9, 9].map((mib) => memory.take(mib * 2 ** 20)!);
  memory.giveBack(slabs);
  expect(memory.take(2 ** 20)).not.toBe(slabs[0]);
  expect(memory.take(9 * 2 ** 20)).toBe(slabs[2]);
  expect(memory.take(9 * 2 ** 20)).not.toBe(slabs[1]);
});

test('batches that it holds, and no others', () => {
  const memory = new TransientMemory();
  const [slab, other] = [marked(memory, PAGE, 5), new ArrayBuffer(8)];
  const [batch, stranger] = [{ slab }, { other }];
  memory.hold(batch, [slab]);
  for (const value of [stranger, undefined, null, 7, 'batch', slab]) memory.giveBackBatch(value);
  expect([slab.byteLength > 0, other.byteLength]).toEqual([true, 8]);
  memory.giveBackBatch(batch);
  memory.giveBackBatch(batch);
  expect(memory.take(PAGE)).toBe(slab);
  expect(memory.take(PAGE)).not.toBe(slab);
});

test('8 MiB lie ready at most, and nothing once it is released', () => {
  const memory = new TransientMemory();
  const slabs = Array.from({ length: 20 }, () => memory.take(2 ** 20)!);
  memory.giveBack(slabs);
  const again = Array.from({ length: 20 }, () => memory.take(2 ** 20)!);
  const served = again.filter((slab) => slabs.includes(slab));
  expect(served.length).toBe(7);
  memory.giveBack(served);
  memory.release();
  expect(served).not.toContain(memory.take(2 ** 20));
  memory.giveBack([again.find((slab) => !slabs.includes(slab))!]);
  expect(again).not.toContain(memory.take(2 ** 20));
  expect(slabs.every(({ byteLength }) => byteLength > 2 ** 20)).toBe(true);
});
