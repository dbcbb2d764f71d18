/** Decodes records in shared memory while a worker writes to it, and prints the outcome. */
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import { bytes, decodeExample, encodeExample, float, int64, type TFRecordError } from '../../../lib';
import { say } from '../../support/case';

const ROUNDS = 5_000;

async function main(): Promise<void> {
  const record = encodeExample({
    numbers: int64(Array.from({ length: 300 }, (_, i) => i * 99)),
    floats: float(new Float32Array(2000).fill(0.5)),
    texts: bytes(Array.from({ length: 20 }, (_, i) => 'x'.repeat(i * 9))),
  });
  const shared = new Uint8Array(new SharedArrayBuffer(record.length));
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(join(__dirname, 'decode-worker.js'), { workerData: { record, shared, stop } });
  const ended = once(worker, 'exit');
  await once(worker, 'message');
  let decoded = 0;
  let refused = 0;
  const others: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    try {
      decodeExample(shared);
      decoded++;
    } catch (error) {
      if ((error as TFRecordError).code === 'TFR_EXAMPLE') refused++;
      else others.push(String(error));
    }
  }
  Atomics.store(stop, 0, 1);
  await ended;
  say({ rounds: decoded + refused, someRefused: refused > 0, others });
}

void main();
