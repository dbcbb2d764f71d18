/**
 * Checks the number of bytes that a shuffle buffer keeps alive. Arguments: the file, the size of the buffer, the limit
 * in bytes. Needs --expose-gc.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { Dataset } from '../../../../lib';
import { argument, say } from '../../../support/running/case';

const size = Number(argument(1));
const limit = Number(argument(2));
/** Number of tries: a thread, which may be slow, frees the memory of buffers after the collection. */
const PATIENCE = 20;

async function held(): Promise<number> {
  let least = Infinity;
  for (let i = 0; i < PATIENCE && least >= limit; i++) {
    globalThis.gc?.();
    await sleep(20);
    least = Math.min(least, process.memoryUsage().arrayBuffers);
  }
  return least;
}

async function main(): Promise<void> {
  const iterator = Dataset.tfrecord(argument(0)).repeat().shuffle(size, { seed: 1 }).iterate();
  let most = 0;
  for (let i = 1; i <= 25 * size; i++) {
    await iterator.next();
    if (i < 10 * size || i % (2 * size) !== 0) continue;
    most = Math.max(most, await held());
  }
  say(most);
  await iterator.return();
}

void main();
