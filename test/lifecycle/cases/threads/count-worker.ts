/** Counts the records of `workerData` twice, and leaves a third reader open. */
import { parentPort, workerData } from 'node:worker_threads';
import { countRecords, RecordReader } from '../../../../lib';

async function main(): Promise<void> {
  const file = workerData as string;
  const [first, second] = await Promise.all([countRecords(file), countRecords(file)]);
  Object.assign(globalThis, { open: await RecordReader.open([file, file, file]) });
  parentPort?.postMessage([first, second]);
}

void main();
