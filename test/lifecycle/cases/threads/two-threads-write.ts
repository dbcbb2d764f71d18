/** A worker tries to write a file while the main thread writes it in place, and again after that writer is closed. */
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { once } from 'node:events';

import { argument, say } from '../../../support/running/case';
import { RecordWriter } from '../../../../lib';

async function tried(target: string): Promise<string> {
  try {
    await (await RecordWriter.open(target, { atomic: false })).close();
    return 'opened';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'no code';
  }
}

async function inWorker(target: string): Promise<unknown> {
  const worker = new Worker(__filename, { workerData: target });
  const [[answer]] = (await Promise.all([once(worker, 'message'), once(worker, 'exit')])) as [[unknown], unknown];
  return answer;
}

async function main(): Promise<void> {
  if (!isMainThread) {
    parentPort?.postMessage(await tried(workerData as string));
    return;
  }
  const target = argument(0);
  const writer = await RecordWriter.open(target, { atomic: false });
  say(await inWorker(target));
  await writer.close();
  say(await inWorker(target));
}

void main();
