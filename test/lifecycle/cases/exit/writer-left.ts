/** Leaves writers neither closed nor aborted. Argument 1: how the process, or its worker thread, ends. */
import { argument, say } from '../../../support/running/case';
import { isMainThread, Worker } from 'node:worker_threads';

import { RecordWriter } from '../../../../lib';

const folder = argument(0);
const end = argument(1);

async function main(): Promise<void> {
  if (end === 'worker' && isMainThread) {
    new Worker(__filename, { argv: [folder, end] });
    return;
  }
  // As in a page of Electron that has Node.
  if (end === 'page') Object.assign(process, { type: 'renderer' });
  const names = ['plain.tfrecord', 'packed.tfrecord.gz', 'packed.tfrecord.zlib'];
  const writers = await Promise.all(names.map((name) => RecordWriter.open(`${folder}/${name}`)));
  const record = Buffer.alloc(64 * 1024, 'record');
  for (const writer of writers) await writer.write(record);
  if (end === 'naturally, flushed') await Promise.all(writers.map((writer) => writer.flush()));
  if (end !== 'naturally, flushed')
    for (const writer of writers) for (let i = 0; i < 200; i++) void writer.write(record);
  Object.assign(globalThis, { writers });
  say('written');
  if (end === 'killed') setInterval(() => undefined, 1_000);
  if (end === 'process.exit') process.exit(7);
  if (end === 'closed') for (const writer of writers) await writer.close();
  if (end === 'aborted') for (const writer of writers) await writer.abort();
  if (end === 'disposed') for (const writer of writers) await writer[Symbol.asyncDispose]();
  if (end === 'closed at beforeExit') process.once('beforeExit', () => writers.map((writer) => void writer.close()));
  if (end === 'throw') {
    setImmediate(() => {
      throw new Error('nobody catches this');
    });
  }
}

void main();
