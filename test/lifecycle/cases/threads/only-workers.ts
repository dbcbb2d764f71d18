/** Only workers load the addon. They end, and then the main thread ends, which has never loaded it. */
import { argument, say } from '../../../support/running/case';
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

async function main(): Promise<void> {
  const counts: unknown[] = [];
  for (let round = 0; round < 3; round++) {
    const workers = [0, 1].map(() => new Worker(join(__dirname, 'count-worker.js'), { workerData: argument(0) }));
    for (const worker of workers) worker.on('message', (records) => counts.push(records));
    await Promise.all(workers.map((worker) => once(worker, 'exit')));
  }
  say(counts);
  if (argument(1) === 'while one runs') {
    const worker = new Worker(join(__dirname, 'busy-worker.js'), {
      workerData: { plain: argument(0), gzip: argument(0), target: `${argument(0)}.out` },
    });
    await once(worker, 'message');
    process.exit(7);
  }
}

void main();
