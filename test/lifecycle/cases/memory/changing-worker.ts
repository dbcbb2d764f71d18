/**
 * Writes the bytes of `source`, and broken forms of them, in turn to `shared` from byte `from` on, until it is stopped.
 * `varints`: the bytes are varints that stay whole but change in number.
 */
import { parentPort, workerData } from 'node:worker_threads';

interface Work {
  readonly source: Uint8Array;
  readonly shared: Uint8Array;
  readonly from: number;
  readonly varints: boolean;
  readonly stop: Int32Array;
}

const { source, shared, from, varints, stop } = workerData as Work;
const whole = source.subarray(from);
const changing = shared.subarray(from);
for (let round = 0; Atomics.load(stop, 0) === 0; round++) {
  if (varints) {
    changing.fill(round % 2 === 0 ? 0x81 : 0x01, 0, changing.length - 1);
    if (round === 0) parentPort?.postMessage('writing');
    continue;
  }
  // Alternates bytes that end a varint with bytes that do not: the number of varints changes between counting and
  // reading.
  if (round % 4 === 0) changing.set(whole);
  else for (let i = round % 7; i < changing.length; i += 3) changing[i] = round % 2 === 0 ? 0x80 : changing[i]! & 0x7f;
  for (let i = 0; i < 20; i++) changing[(round * 131 + i * 17) % changing.length] = round;
  if (round === 0) parentPort?.postMessage('writing');
}
