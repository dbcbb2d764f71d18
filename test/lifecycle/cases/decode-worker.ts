/** Decodes records of its own, and writes a whole and a broken one to `shared` in turn, until it is stopped. */
import { isDeepStrictEqual } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';

import { decodeExample } from '../../../lib';

interface Work {
  readonly record: Uint8Array;
  readonly shared: Uint8Array;
  readonly stop: Int32Array;
}

const { record, shared, stop } = workerData as Work;
const expected = decodeExample(record);
for (let round = 0; Atomics.load(stop, 0) === 0; round++) {
  shared.set(record);
  for (let i = 0; i < 50; i++) shared[(round * 131 + i * 17) % shared.length] = round;
  if (round === 0) parentPort?.postMessage('writing');
  if (round % 100 !== 0) continue;
  if (!isDeepStrictEqual(decodeExample(record), expected)) throw new Error('other values');
}
