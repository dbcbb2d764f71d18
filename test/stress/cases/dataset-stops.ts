/**
 * Iterations of pipelines over files that end early, in different ways and at different moments. Arguments: a pattern
 * of files, the number of iterations.
 */
import { getEventListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';

import { Dataset, type DatasetIterator } from '../../../lib';
import { argument, say } from '../../support/running/case';
import { settles } from '../../support/settles';
import { descriptors, threads } from '../../support/running/descriptors';

const pattern = argument(0);
const rounds = Number(argument(1));

const files = Dataset.files(pattern);
const interleaved = files.shuffle('full').interleave((file) => Dataset.tfrecord(file), { cycleLength: 4 });
const pipelines: readonly Dataset<unknown, unknown>[] = [
  Dataset.tfrecord(pattern),
  interleaved.shuffle(100).batch(7),
  interleaved.map(async (record) => (await turn(), record.length), { parallel: 4 }).prefetch(10),
  files.flatMap((file) => Dataset.tfrecord(file).take(50)).repeat(),
  Dataset.tfrecord(pattern).filter((record) => record.length > 1e9),
];

/** Ways to end an iteration that has given some elements, or none. */
const ends: readonly ((iterator: DatasetIterator<unknown>, abort: () => void) => Promise<unknown>)[] = [
  (iterator) => iterator.return(),
  async (iterator) => {
    const pending = iterator.next();
    await iterator.return();
    await pending;
  },
  async (iterator, abort) => {
    const pending = iterator.next().catch(() => undefined);
    abort();
    await pending;
    await iterator.return();
  },
  async (iterator) => {
    for await (const _ of iterator) break;
  },
  (iterator) => iterator.throw(new Error('in the body')).catch(() => undefined),
  (iterator) => Promise.all([iterator.return(), iterator.return(), iterator[Symbol.asyncDispose]()]),
];

async function stopEarly(round: number, controller: AbortController): Promise<void> {
  const dataset = pipelines[round % pipelines.length]!;
  const own = new AbortController();
  const signal = round % 2 === 0 ? own.signal : controller.signal;
  const iterator = dataset.iterate({ signal });
  // The last pipeline drops all elements: it is stopped while it searches.
  const first = (round * 7919) % 41;
  if (round % pipelines.length < 4) for (let i = 0; i < first; i++) await iterator.next();
  else if (first % 3 !== 0) void iterator.next().catch(() => undefined);
  if (round % 5 === 0) await turn();
  const end = ends[(round * 31) % ends.length]!;
  // This end would wait for an element.
  await (round % pipelines.length === 4 && end === ends[3] ? iterator.return() : end(iterator, () => own.abort()));
}

/** Returns the number of live bytes, of objects and of slabs. */
function held(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

async function main(): Promise<void> {
  process.on('warning', () => undefined);
  const shared = new AbortController();
  for (let round = 0; round < 30; round++) await stopEarly(round, shared);
  const before = { descriptors: descriptors(), threads: threads() };
  const memory = held();
  for (let round = 0; round < rounds; round++) await stopEarly(round, shared);
  say({
    descriptorsBack: await settles(() => descriptors() <= before.descriptors),
    threadsBack: await settles(() => threads() <= before.threads),
    listeners: getEventListeners(shared.signal, 'abort').length,
    memoryBack: (await settles(() => held() < memory + 4 * 2 ** 20)) || held() - memory,
  });
}

void main();
