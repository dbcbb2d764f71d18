/**
 * Only workers load the addon, and each ends while native threads may still run its code: the addon must stay in memory.
 * Prints `alive`.
 *
 *   node test/runtimes/platforms/unload.mjs FILE
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

import './needs-addon.mjs';

const self = fileURLToPath(import.meta.url);
const WORKERS = 30;

if (isMainThread) {
  const file = process.argv[2];
  for (let i = 0; i < WORKERS; i++) {
    const worker = new Worker(self, { workerData: { file, leaves: i % 2 === 1 } });
    await new Promise((resolve, reject) => {
      worker.on('message', resolve).on('error', reject);
    });
    await sleep(i);
    await worker.terminate();
  }
  // Threads that still run meet the place where the code was.
  await sleep(500);
  console.log('alive');
} else {
  const root = join(dirname(self), '..', '..', '..');
  const { readRecords } = createRequire(import.meta.url)(join(root, 'dist', 'index.js'));
  let seen = 0;
  const read = async () => {
    for await (const _ of readRecords(workerData.file)) {
      if (++seen !== 100) continue;
      parentPort.postMessage('reading');
      if (workerData.leaves) setTimeout(() => process.exit(0), 5);
    }
  };
  for (let i = 0; i < 4; i++) void read();
}
