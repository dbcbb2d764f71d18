/** Terminates workers that decode, at any moment, while the main thread decodes on. */
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import { decodeExample, encodeExample, int64 } from '../../../lib';
import { say } from '../../support/case';

async function main(): Promise<void> {
  const record = encodeExample({ a: int64(Array.from({ length: 100_000 }, (_, i) => i)) });
  const shared = new Uint8Array(new SharedArrayBuffer(record.length));
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const codes = new Set<number>();
  for (let round = 0; round < 20; round++) {
    const worker = new Worker(join(__dirname, 'decode-worker.js'), { workerData: { record, shared, stop } });
    await once(worker, 'message');
    decodeExample(record);
    codes.add(await worker.terminate());
  }
  say({ codes: [...codes], values: decodeExample(record)['a']?.values.length });
}

void main();
