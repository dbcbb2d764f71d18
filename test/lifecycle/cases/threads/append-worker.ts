/**
 * A worker that appends until it is terminated. Work `stuck`: it begins to open a writer, and never lets the event loop
 * turn again. Work `open`: the writer is open. Work `busy`: it opens and closes writers.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { RecordWriter, writeRecords } from '../../../../lib';

const { file, work } = workerData as { file: string; work: 'stuck' | 'open' | 'busy' };

async function run(): Promise<void> {
  if (work === 'busy') {
    parentPort?.postMessage(work);
    for (;;) await writeRecords(file, ['busy'], { append: true });
  }
  const opening = RecordWriter.open(file, { append: true });
  if (work === 'stuck') {
    parentPort?.postMessage(work);
    for (;;);
  }
  await (await opening).write('unfinished');
  parentPort?.postMessage(work);
  // The writer stays reachable, and the thread alive.
  setInterval(() => void opening, 1000);
}

void run();
