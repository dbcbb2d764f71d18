/**
 * Terminates workers while four readers and a writer are busy in each. Arguments: the plain file, the gzip file, the
 * folder for output, the number of workers.
 */
import { argument, say } from '../../../support/running/case';
import { settles } from '../../../support/settles';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

import { descriptors, threads } from '../../../support/running/descriptors';
import { randoms } from '../../../support/randoms';

const [plain, gzip, folder, count] = [argument(0), argument(1), argument(2), Number(argument(3))] as const;
const random = randoms(1);

function residentMiB(): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'latin1'));
  return Number(line?.[1]) / 1024;
}

/** Terminates a busy worker, each at another moment. Resolves with its exit code. */
async function terminateOne(number: number): Promise<number> {
  const worker = new Worker(join(__dirname, 'busy-worker.js'), {
    workerData: { plain, gzip, target: join(folder, `${number}.tfrecord`) },
  });
  await new Promise<void>((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', () => resolve());
  });
  if (number % 4 !== 0) await sleep(random() * 12);
  return worker.terminate();
}

async function main(): Promise<void> {
  // The first workers do not count: the pool's and libuv's threads start once, and V8 keeps memory for workers.
  for (let i = 0; i < 4; i++) await terminateOne(-1 - i);
  const before = { descriptors: descriptors(), threads: threads(), mebibytes: residentMiB() };
  const codes = new Set<number>();
  for (let i = 0; i < count; i += 2) {
    for (const code of await Promise.all([terminateOne(i), terminateOne(i + 1)])) codes.add(code);
  }
  say({
    codes: [...codes],
    descriptorsBack: (await settles(() => descriptors() <= before.descriptors)) || descriptors() - before.descriptors,
    threadsBack: (await settles(() => threads() <= before.threads)) || threads() - before.threads,
  });
  say({ grownMiB: residentMiB() - before.mebibytes });
}

void main();
