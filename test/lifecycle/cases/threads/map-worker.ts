/** Datasets with `mapWorker` that end in different ways. Arguments: what to do, the folder of the modules. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

import { Dataset, type DatasetIterator } from '../../../../lib';
import { WorkerThread } from '../../../../lib/dataset/worker/worker-thread';
import { argument, say } from '../../../support/running/case';
import { settles } from '../../../support/settles';
import { descriptors, threads } from '../../../support/running/descriptors';

const folder = isMainThread ? argument(1) : String(workerData);
const behaviours = join(folder, 'behaviours.cjs');

/** Returns an endless dataset with two workers, whose elements are these deeds in turn. */
function deeds(...list: readonly string[]): Dataset<unknown> {
  return Dataset.from(list).repeat().mapWorker(behaviours, { workers: 2 });
}

const ends: readonly ((iterator: DatasetIterator<unknown>, abort: () => void) => Promise<unknown>)[] = [
  (iterator) => iterator.return(),
  (iterator) => iterator[Symbol.asyncDispose](),
  (iterator) => iterator.throw(new Error('mine')).catch(() => undefined),
  (iterator) => Promise.all([iterator.next(), iterator.next(), iterator.return()]),
  async (iterator) => {
    for await (const _ of iterator) break;
  },
  async (iterator, abort) => {
    const step = iterator.next();
    abort();
    await step.catch(() => undefined);
    await iterator.return();
  },
];

/** Resolves with true when threads and descriptors are back to their numbers from `before`. */
async function nothingLeft(before: { readonly threads: number; readonly descriptors: number }): Promise<boolean> {
  return settles(() => threads() <= before.threads && descriptors() <= before.descriptors);
}

const count = (): { threads: number; descriptors: number } => ({ threads: threads(), descriptors: descriptors() });

/** Tries each way to end: with idle workers, after some elements, and while functions never return. */
async function stops(): Promise<void> {
  await deeds('ok').take(3).toArray();
  const before = count();
  const left: boolean[] = [];
  for (const end of ends) {
    for (const [list, first] of [
      [['ok'], 0],
      [['ok'], 30],
      [['ok', 'ok', 'never'], 2],
      [['ok', 'ok', 'loop'], 2],
    ] as const) {
      const stopping = new AbortController();
      const iterator = deeds(...list).iterate({ signal: stopping.signal });
      for (let i = 0; i < first; i++) await iterator.next();
      const busy = list.length > 1;
      // This end would wait for an element that never comes.
      if (busy && end === ends[4]) await iterator.return();
      else await end(iterator, () => stopping.abort());
      left.push(!(await nothingLeft(before)));
    }
  }
  say({ stops: left.length, left: left.filter(Boolean).length });
}

/** The process ends by itself, with workers that were never ended. */
async function left(): Promise<void> {
  const iterator = deeds('ok').iterate();
  for (let i = 0; i < 50; i++) await iterator.next();
  say({ threads: threads() > 2, given: iterator.stats().length });
  Object.assign(globalThis, { iterator });
}

async function forgotten(): Promise<void> {
  let warned = 0;
  process.on('warning', () => warned++);
  const before = count();
  const begin = async (list: readonly string[]): Promise<void> => {
    const iterator = deeds(...list).iterate();
    for (let i = 0; i < 2; i++) await iterator.next();
  };
  await begin(['ok']);
  await begin(['ok', 'ok', 'loop']);
  say({ started: threads() > before.threads });
  const back = await settles(() => {
    globalThis.gc?.();
    return threads() <= before.threads;
  });
  say({ back, warned });
}

async function exit(): Promise<void> {
  const iterator = deeds('ok', 'ok', 'loop').iterate();
  await iterator.next();
  void iterator.next();
  await sleep(50);
  process.exit(7);
}

/** A step that ends lets go of a worker that is being ended. */
async function letGo(): Promise<void> {
  const thread = new WorkerThread({ module: behaviours, data: undefined, parallel: 1, worker: 0 }, () => undefined);
  thread.hold(true);
  const ended = thread.end();
  thread.hold(false);
  await ended;
  say({ ended: true });
}

async function exhaust(): Promise<void> {
  const worked = Dataset.range(1).mapWorker(join(folder, 'exhaust.cjs'), { workers: 1 });
  const error = (await worked.toArray().catch((thrown: unknown) => thrown)) as {
    code: string;
    cause: { code: string };
  };
  say({ code: error.code, cause: error.cause.code });
}

/** A thread that reads a dataset with workers is ended from outside. */
async function terminated(): Promise<void> {
  await deeds('ok').take(1).toArray();
  const before = count();
  for (let round = 0; round < 3; round++) {
    const worker = new Worker(__filename, { argv: process.argv.slice(2), workerData: folder });
    await new Promise((resolve) => worker.once('message', resolve));
    await worker.terminate();
  }
  say({ nothingLeft: await nothingLeft(before) });
}

async function inThread(): Promise<void> {
  const iterator = deeds('ok', 'ok', 'loop').iterate();
  await iterator.next();
  void iterator.next();
  parentPort?.postMessage('busy');
}

const scenarios: Readonly<Record<string, () => Promise<void>>> = {
  stops,
  left,
  forgotten,
  letGo,
  exit,
  exhaust,
  terminated,
};
void (isMainThread ? scenarios[argument(0)] : inThread)?.();
