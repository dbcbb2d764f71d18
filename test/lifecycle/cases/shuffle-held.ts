/** Bytes that a shuffle buffer keeps from the collector. Arguments: file, size of the buffer. Needs --expose-gc. */
import { setTimeout as sleep } from 'node:timers/promises';

import { Dataset } from '../../../lib';
import { argument, say } from '../../support/case';

const size = Number(argument(1));

async function main(): Promise<void> {
  const iterator = Dataset.tfrecord(argument(0)).repeat().shuffle(size, { seed: 1 }).iterate();
  let most = 0;
  for (let i = 1; i <= 25 * size; i++) {
    await iterator.next();
    if (i < 10 * size || i % (2 * size) !== 0) continue;
    globalThis.gc?.();
    // Memory of buffers is freed behind the collection.
    await sleep(20);
    most = Math.max(most, process.memoryUsage().arrayBuffers);
  }
  say(most);
  await iterator.return();
}

void main();
