/** Memory that serves one batch after the other. */
import { markAsUntransferable } from 'node:worker_threads';

import { TransientMemory } from '../../lib/example/parse/transient-memory';
import { native } from '../../lib/native';

const PAGE = 4096;

/** A slab with a mark in it. */
function marked(memory: TransientMemory, bytes: number, mark: number): ArrayBuffer {
  const slab = memory.take(bytes)!;
  new Uint8Array(slab).fill(mark);
  return slab;
}

/** How many buffers go back to the system while `step` runs. */
function freedBy(step: () => void): number {
  const detach = jest.spyOn(native(), 'detach');
  step();
  const freed = detach.mock.calls.reduce((sum, [buffers]) => sum + buffers.length, 0);
  detach.mockRestore();
  return freed;
}

const first = (slab: ArrayBuffer | undefined): number | undefined => new Uint8Array(slab!)[0];

test('what was given back serves again, and arrays over it are empty', () => {
  const memory = new TransientMemory();
  const slab = marked(memory, 10_000, 7);
  const array = new Float32Array(slab, 0, 100);
  memory.giveBack([slab]);
  expect([slab.byteLength, array.length]).toEqual([0, 0]);
  const again = memory.take(10_000);
  expect(first(again)).toBe(7);
  expect(again!.byteLength).toBeGreaterThanOrEqual(10_000);
  expect(memory.take(10_000)).not.toBe(again);
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

test('memory that its owner has not let go does not end the step', () => {
  const memory = new TransientMemory();
  const slab = marked(memory, PAGE, 4);
  markAsUntransferable(slab);
  expect(() => memory.giveBack([slab])).not.toThrow();
});

test('other memory is detached', () => {
  const memory = new TransientMemory();
  const other = new ArrayBuffer(10);
  memory.giveBack([other]);
  expect(other.byteLength).toBe(0);
});

test('memory that somebody transferred, or that was given back before, is passed over', () => {
  const memory = new TransientMemory();
  const slab = memory.take(PAGE)!;
  const moved = structuredClone(slab, { transfer: [slab] });
  memory.giveBack([slab, slab]);
  expect(moved.byteLength).toBeGreaterThanOrEqual(PAGE);
});

test('large slabs are lent, and given back to the system', () => {
  const memory = new TransientMemory();
  expect(memory.take(0)).toBeUndefined();
  expect(memory.take(64 * 2 ** 20 + 1)).toBeUndefined();
  const slab = memory.take(9 * 2 ** 20)!;
  expect(freedBy(() => memory.giveBack([slab]))).toBe(1);
  expect(slab.byteLength).toBe(0);
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
  expect(slab.byteLength).toBe(0);
  expect(first(memory.take(PAGE))).toBe(5);
});

test('8 MiB lie ready at most, and nothing once it is released', () => {
  const memory = new TransientMemory();
  const slabs = Array.from({ length: 20 }, () => memory.take(2 ** 20)!);
  expect(freedBy(() => memory.giveBack(slabs))).toBe(13);
  expect(slabs.map(({ byteLength }) => byteLength)).toEqual(Array(20).fill(0));
  const last = memory.take(PAGE)!;
  expect(freedBy(() => memory.release())).toBe(7);
  expect(freedBy(() => memory.giveBack([last]))).toBe(1);
  expect(last.byteLength).toBe(0);
});
