/**
 * Reads batches by an index. Arguments: what to do, the indexed file. `terminated` terminates workers that read, at any
 * moment, while the main thread reads, too; `exit` ends the process meanwhile.
 */
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

import { openIndexed, type RecordIndex } from '../../../../lib';
import { argument, say } from '../../../support/running/case';

/** Reads many batches at the same time, again and again. */
async function readOn(index: RecordIndex): Promise<never> {
  const numbers = Float64Array.from({ length: 5000 }, (_, i) => (i * 7919) % index.records);
  for (;;) await Promise.all(Array.from({ length: 4 }, () => index.readBatch(numbers)));
}

async function inWorker(): Promise<void> {
  const index = await openIndexed(String(workerData));
  parentPort?.postMessage('reading');
  await readOn(index);
}

async function terminated(file: string): Promise<void> {
  const index = await openIndexed(file, { save: true });
  const codes = new Set<number>();
  for (let round = 0; round < 20; round++) {
    const worker = new Worker(__filename, { workerData: file });
    await once(worker, 'message');
    await wait(round);
    const [code] = await Promise.all([worker.terminate(), index.readBatch([5, 1, 5])]);
    codes.add(code);
  }
  const lengths = Array.from(await index.readBatch([5, 1, 5]), ({ length }) => length);
  say({ codes: [...codes], lengths });
}

async function exit(file: string): Promise<void> {
  const index = await openIndexed(file);
  void readOn(index);
  await wait(20);
  say({ reading: true });
  process.exit(7);
}

if (!isMainThread) void inWorker();
else void { terminated, exit }[argument(0) as 'terminated' | 'exit'](argument(1));
