/**
 * Four readers whose records are always ready. The event loop must still turn: timers fire, and a `stat` returns,
 * before any reader is at its end. Arguments: the file, the way of reading.
 */
import { argument, endless, say } from '../../../support/running/case';
import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { readRecords, RecordReader } from '../../../../lib';

const file = argument(0);
const REPEATS = 300;
let ticks = 0;
let stats = 0;

/** True when the event loop has turned often enough: the readers may stop. */
const alive = (): boolean => ticks >= 5 && stats >= 5;

const lanes: Record<string, () => Promise<boolean>> = {
  async records() {
    for await (const _ of readRecords(endless(file).slice(0, REPEATS))) if (alive()) return true;
    return false;
  },
  async batches() {
    const reader = await RecordReader.open(endless(file).slice(0, REPEATS));
    for await (const batch of reader.batches()) {
      for (const _ of batch) if (alive()) return true;
    }
    return false;
  },
  async chunks() {
    const bytes = readFileSync(file);
    const ready = (function* () {
      for (let i = 0; i < REPEATS; i++) yield bytes;
    })();
    for await (const _ of readRecords(ready)) if (alive()) return true;
    return false;
  },
};

/** Work that never waits for native threads, so that only the package lets the loop turn. One runs at a time. */
const withoutWaiting: Record<string, () => Promise<boolean>> = {
  async 'one large slab'() {
    let first = true;
    for await (const _ of readRecords(file, { batchBytes: 256 * 1024 * 1024 })) {
      if (first) ticks = 0;
      first = false;
      if (ticks > 0) return true;
    }
    return false;
  },
  async 'empty chunks'() {
    const empty = new Uint8Array(0);
    let ticked = false;
    const ready = (function* () {
      for (let i = 0; i < 3_000_000 && !ticked; i++) {
        if (i === 0) ticks = 0;
        ticked = ticks > 0;
        yield empty;
      }
    })();
    for await (const _ of readRecords(ready)) throw new Error('a record out of nothing');
    return ticked;
  },
};

async function main(): Promise<void> {
  const timer = setInterval(() => ticks++, 1);
  const stating = (async () => {
    while (!alive()) {
      await stat(file);
      stats++;
    }
  })();
  const alone = withoutWaiting[argument(1)];
  const lane = alone ?? lanes[argument(1)];
  if (lane === undefined) throw new Error('no such lane');
  const aliveBeforeTheEnd = await Promise.all(alone ? [lane()] : [lane(), lane(), lane(), lane()]);
  say(aliveBeforeTheEnd);
  clearInterval(timer);
  // Otherwise a failing case would never end.
  ticks = stats = 5;
  await stating;
}

void main();
