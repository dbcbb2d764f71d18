/**
 * Decodes beside a worker. Argument: `changing` decodes records in shared memory while the worker writes to it;
 * `terminated` terminates workers that decode, at any moment, while the main thread decodes on.
 */
import { once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

import { bytes, decodeExample, encodeExample, float, int64, type TFRecordError } from '../../../../lib';
import { argument, say } from '../../../support/running/case';

const ROUNDS = 5_000;

interface Work {
  readonly record: Uint8Array;
  readonly shared: Uint8Array;
  readonly stop: Int32Array;
}

function workOn(record: Uint8Array): Work {
  const shared = new Uint8Array(new SharedArrayBuffer(record.length));
  return { record, shared, stop: new Int32Array(new SharedArrayBuffer(4)) };
}

async function changing(): Promise<void> {
  const record = encodeExample({
    numbers: int64(Array.from({ length: 300 }, (_, i) => i * 99)),
    floats: float(new Float32Array(2000).fill(0.5)),
    texts: bytes(Array.from({ length: 20 }, (_, i) => 'x'.repeat(i * 9))),
  });
  const work = workOn(record);
  const worker = new Worker(__filename, { workerData: work });
  const ended = once(worker, 'exit');
  await once(worker, 'message');
  let decoded = 0;
  let refused = 0;
  const others: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    try {
      decodeExample(work.shared);
      decoded++;
    } catch (error) {
      if ((error as TFRecordError).code === 'TFR_EXAMPLE') refused++;
      else others.push(String(error));
    }
  }
  Atomics.store(work.stop, 0, 1);
  await ended;
  say({ rounds: decoded + refused, someRefused: refused > 0, others });
}

async function terminated(): Promise<void> {
  const record = encodeExample({ a: int64(Array.from({ length: 100_000 }, (_, i) => i)) });
  const work = workOn(record);
  const codes = new Set<number>();
  for (let round = 0; round < 20; round++) {
    const worker = new Worker(__filename, { workerData: work });
    await once(worker, 'message');
    decodeExample(record);
    codes.add(await worker.terminate());
  }
  say({ codes: [...codes], values: decodeExample(record)['a']?.values.length });
}

/** Decodes records of its own, and writes a whole and a broken one to `shared` in turn, until it is stopped. */
function inWorker({ record, shared, stop }: Work): void {
  const expected = decodeExample(record);
  for (let round = 0; Atomics.load(stop, 0) === 0; round++) {
    shared.set(record);
    for (let i = 0; i < 50; i++) shared[(round * 131 + i * 17) % shared.length] = round;
    if (round === 0) parentPort?.postMessage('writing');
    if (round % 100 !== 0) continue;
    if (!isDeepStrictEqual(decodeExample(record), expected)) throw new Error('other values');
  }
}

if (!isMainThread) inWorker(workerData as Work);
else if (argument(0) === 'changing') void changing();
else void terminated();
