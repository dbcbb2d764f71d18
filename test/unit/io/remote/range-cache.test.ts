/** The ranges of one object: which of them are requested, and whose memory is used again. */
import { setImmediate as turn } from 'node:timers/promises';

import { ObjectReader } from '../../../../lib/io/remote/object-reader';
import { currentPolicy, type RemotePolicy } from '../../../../lib/io/remote/policy';
import { RangeCache } from '../../../../lib/io/remote/range-cache';
import { randoms } from '../../../support/randoms';
import { HeldStore, objectBytes, type HeldAnswer } from '../../../support/remote/held-store';

const KIB = 1024;
const MIB = 1024 * KIB;

function open(
  size: number,
  onAnswer?: (answer: HeldAnswer) => void,
  options: Partial<RemotePolicy> = {},
): { readonly store: HeldStore; readonly cache: RangeCache } {
  const store = new HeldStore(size, onAnswer);
  const reader = new ObjectReader(store, 'held://object', { ...currentPolicy(), ...options });
  return { store, cache: new RangeCache(reader, new Uint8Array(0)) };
}

const sendAll = (answer: HeldAnswer): void => answer.send();

/** Resolves when everything has happened that needs no more bytes. */
async function settled(): Promise<void> {
  for (let i = 0; i < 3; i++) await turn();
}

/** Lends, and resolves with a copy. */
function lent(cache: RangeCache, at: number, length: number, signal?: AbortSignal): Promise<Buffer> {
  return cache.lend(at, length, (bytes) => Buffer.from(bytes), signal);
}

describe('memory', () => {
  it.each([
    ['without read-ahead', undefined, 2],
    ['with read-ahead', new AbortController().signal, 12],
  ])('of lent bytes is used again: %s', async (_name, signal, most) => {
    const { cache } = open(32 * MIB, sendAll, { readAheadBytes: 2 * MIB });
    const buffers = new Set<ArrayBufferLike>();
    for (let at = 0; at < 32 * MIB; at += 64 * KIB) {
      const found = await cache.lend(
        at,
        64 * KIB,
        (bytes) => {
          buffers.add(bytes.buffer);
          return Buffer.compare(bytes, objectBytes(at, at + bytes.length));
        },
        signal,
      );
      expect(found).toBe(0);
    }
    expect(buffers.size).toBeLessThanOrEqual(most);
  });

  it('of bytes that were read is theirs, also if others of the range were lent', async () => {
    const { cache } = open(4 * MIB, sendAll);
    const kept: Uint8Array[] = [];
    for (let at = 0; at < 4 * MIB; at += 256 * KIB) {
      const whole = lent(cache, at, 256 * KIB);
      kept.push(await cache.read(at, 128 * KIB));
      expect(await whole).toHaveLength(256 * KIB);
      expect(await lent(cache, at + 128 * KIB, 128 * KIB)).toHaveLength(128 * KIB);
    }
    kept.forEach((bytes, i) => {
      const at = i * 256 * KIB;
      expect(Buffer.compare(bytes, objectBytes(at, at + 128 * KIB))).toBe(0);
    });
  });

  it.each([
    ['the last reader ends', false],
    ['another reader jumps', true],
  ])('of a range that is given up is used again once nothing fills it any more: %s', async (_name, stays) => {
    const { store, cache } = open(MIB);
    const closing = new AbortController();
    const memoryAt = (at: number, length: number, signal?: AbortSignal): Promise<ArrayBufferLike> =>
      cache.lend(
        at,
        length,
        (bytes) => {
          expect(Buffer.compare(bytes, objectBytes(at, at + length))).toBe(0);
          return bytes.buffer;
        },
        signal,
      );
    const reading = lent(cache, 0, 64 * KIB, closing.signal);
    const first = memoryAt(0, 1000, stays ? new AbortController().signal : closing.signal);
    await settled();
    store.answers[0]!.send(1000);
    const memory = await first;

    store.answers[0]!.send(1000);
    closing.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
    expect(store.answers[0]!.signal.aborted).toBe(!stays);
    const atOnce = memoryAt(128 * KIB, 64 * KIB);
    expect(store.answers[0]!.signal.aborted).toBe(true);
    await settled();
    const later = memoryAt(256 * KIB, 64 * KIB);
    await settled();
    store.answers.forEach(sendAll);
    const used = [(await atOnce) === memory, (await later) === memory];
    expect(used).toContain(true);
    // The range is given up as the other one begins.
    if (stays) expect(used[0]).toBe(false);
  });
});

describe('reads of the same bytes', () => {
  it('do not take them from a read that still waits', async () => {
    const { store, cache } = open(1000);
    const whole = lent(cache, 0, 100);
    const firsts = [lent(cache, 0, 50), lent(cache, 0, 50)];
    const last = lent(cache, 50, 50);
    await settled();
    store.answers[0]!.send(50);
    for (const first of firsts) expect(await first).toEqual(objectBytes(0, 50));
    const other = lent(cache, 200, 100);
    await settled();
    store.answers.forEach(sendAll);
    expect(await Promise.all([whole, last, other])).toEqual([
      objectBytes(0, 100),
      objectBytes(50, 100),
      objectBytes(200, 300),
    ]);
    expect(store.answers).toHaveLength(2);
  });

  it('go on when one of them is aborted', async () => {
    const { store, cache } = open(1000);
    const closing = new AbortController();
    const aborted = lent(cache, 0, 100, closing.signal);
    const other = lent(cache, 50, 50);
    await settled();
    store.answers[0]!.send(10);
    await settled();
    closing.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    store.answers[0]!.send();
    expect(await other).toEqual(objectBytes(50, 100));
  });

  it('get what arrived before a failure; a later read requests the rest again', async () => {
    const { store, cache } = open(4 * MIB);
    // The range is too large for its memory to be kept. The second read fails before the third goes on.
    const reads = [lent(cache, 0, 3 * MIB), lent(cache, MIB, MIB), lent(cache, 0, 2 * MIB)];
    await settled();
    store.answers[0]!.send(MIB);
    await settled();
    store.answers[0]!.fail();
    const [first, second, third] = await Promise.allSettled(reads);
    for (const read of [first!, third!]) {
      expect(read.status === 'fulfilled' && Buffer.compare(read.value, objectBytes(0, MIB))).toBe(0);
    }
    expect(second).toMatchObject({ status: 'rejected', reason: { code: 'TFR_REMOTE' } });

    const failing = lent(cache, MIB, MIB);
    await settled();
    store.answers[1]!.fail();
    await expect(failing).rejects.toMatchObject({ code: 'TFR_REMOTE' });
    const again = lent(cache, MIB, MIB);
    await settled();
    store.answers[2]!.send();
    expect(Buffer.compare(await again, objectBytes(MIB, 2 * MIB))).toBe(0);
  });
});

describe('read-ahead', () => {
  const { signal } = new AbortController();

  it('stays small for a reader that never waits after its first reads', async () => {
    const { store, cache } = open(16 * MIB, sendAll);
    let ahead = 0;
    for (let at = 0; at < 12 * MIB; at += 64 * KIB) {
      await lent(cache, at, 64 * KIB, signal);
      await settled();
      ahead = Math.max(ahead, store.ranges.at(-1)![1] - at);
    }
    expect(ahead).toBeLessThanOrEqual(768 * KIB);
  });

  it('grows up to readAheadBytes for a reader that waits', async () => {
    const { store, cache } = open(16 * MIB, (answer) => setImmediate(sendAll, answer), { readAheadBytes: 4 * MIB });
    let ahead = 0;
    for (let at = 0; at < 12 * MIB; at += 256 * KIB) {
      await lent(cache, at, 256 * KIB, signal);
      ahead = Math.max(ahead, store.ranges.at(-1)![1] - at);
    }
    expect(ahead).toBeGreaterThanOrEqual(4 * MIB);
    expect(ahead).toBeLessThanOrEqual(5 * MIB);
  });

  it('requests no bytes that another read under way has had', async () => {
    const { store, cache } = open(4 * MIB, sendAll);
    await lent(cache, 0, 512 * KIB, signal);
    // Only the first of its two ranges is returned.
    const before = lent(cache, 512 * KIB, 512 * KIB, signal);
    expect(await lent(cache, MIB, 256 * KIB, signal)).toHaveLength(256 * KIB);
    expect(await before).toHaveLength(256 * KIB);
    await lent(cache, 768 * KIB, 256 * KIB, signal);
    await settled();
    store.ranges.slice(1).forEach(([start], i) => expect(start).toBeGreaterThanOrEqual(store.ranges[i]![1]));
  });
});

it.each(Array.from({ length: 12 }, (_, i) => i))(
  'all reads get their bytes, whatever happens at once: seed %d',
  async (seed) => {
    const random = randoms(seed);
    const below = (limit: number): number => Math.floor(random() * limit);
    const SIZE = 3 * MIB;
    const send = async (answer: HeldAnswer): Promise<void> => {
      const part = 1 + below(200 * KIB);
      for (let sent = 0; sent < answer.end - answer.start; sent += part) {
        for (let i = below(3); i > 0; i--) await turn();
        if (below(40) === 0) answer.fail();
        answer.send(part);
      }
    };
    const { cache } = open(SIZE, (answer) => void send(answer), { readAheadBytes: MIB, concurrency: 4 });
    const kept: { readonly at: number; readonly bytes: Uint8Array }[] = [];

    const read = async (at: number, length: number, signal: AbortSignal | undefined): Promise<number> => {
      if (below(3) === 0) {
        const bytes = await cache.read(at, length, signal);
        kept.push({ at, bytes });
        return bytes.length;
      }
      const use = (bytes: Uint8Array): number => {
        expect(Buffer.compare(bytes, objectBytes(at, at + bytes.length))).toBe(0);
        return bytes.length;
      };
      return cache.lend(at, length, use, signal);
    };
    const reader = async (): Promise<void> => {
      for (let round = 0; round < 12; round++) {
        const closing = new AbortController();
        const signal = below(4) > 0 ? closing.signal : undefined;
        let at = below(2) * below(SIZE);
        for (let steps = below(20); steps > 0 && at < SIZE && !closing.signal.aborted; steps--) {
          if (below(30) === 0) setImmediate(() => closing.abort());
          try {
            at += await read(at, 1 + below(150 * KIB), signal);
          } catch (error) {
            // The end of one reader is none of the others.
            if (signal?.aborted !== true) expect(error).toMatchObject({ code: 'TFR_REMOTE' });
            else expect(error).toBe(signal.reason);
          }
        }
        closing.abort();
      }
    };
    await Promise.all([reader(), reader(), reader()]);
    for (const { at, bytes } of kept) expect(Buffer.compare(bytes, objectBytes(at, at + bytes.length))).toBe(0);
  },
);
