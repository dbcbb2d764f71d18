/**
 * A slow consumer of long records. Arguments: a file of them, the budget. Prints, for several pipelines, the peak of
 * live memory outside the heap, in MiB. Needs --expose-gc.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { Dataset } from '../../../../lib';
import { argument, say } from '../../../support/running/case';

/** What has not changed for so long does not run ahead. */
const STEADY_MS = 30;
/** Elements that are used of each. */
const MOST = 3;

const file = argument(0);
const files = Dataset.from(Array<string>(12).fill(file));
const records = Dataset.tfrecord(Array<string>(6).fill(file));
const copy = async (record: Uint8Array): Promise<Uint8Array> => {
  const copied = record.slice();
  await sleep(10);
  return copied;
};

const pipelines: Readonly<Record<string, Dataset<Uint8Array, unknown>>> = {
  interleave: files.interleave((one) => Dataset.tfrecord(one), { cycleLength: 2, prefetch: 10 }),
  prefetch: records.prefetch(1000),
  parallel: records.map(copy, { parallel: 16 }).prefetch(16),
  sync: records.prefetch(3).map((record) => record.slice()),
  source: Dataset.tfrecord(Array<string>(6).fill(file), { readAhead: 16, batchBytes: 16 * 1024 * 1024 }),
};

function alive(): number {
  globalThis.gc?.();
  return process.memoryUsage().arrayBuffers / 2 ** 20;
}

/** The most that is alive while the first are used, when all that wants to run ahead has done it. */
async function peakOf(pipeline: Dataset<Uint8Array, unknown>, bytes: number): Promise<number> {
  const before = alive();
  let peak = 0;
  let count = 0;
  for await (const _ of pipeline.iterate({ bytes })) {
    for (let now = alive(), last = -1; Math.round(now) !== Math.round(last); now = alive()) {
      last = now;
      peak = Math.max(peak, now - before);
      await sleep(STEADY_MS);
    }
    if (++count === MOST) break;
  }
  return Math.round(peak);
}

async function main(): Promise<void> {
  const peaks: Record<string, number> = {};
  for (const [name, pipeline] of Object.entries(pipelines)) peaks[name] = await peakOf(pipeline, Number(argument(1)));
  say(peaks);
}

void main();
