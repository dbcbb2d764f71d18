/** Ends while a long record is being compressed. Arguments: the folder for output, the compression, the way. */
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

import { RecordWriter, type WriteOptions } from '../../../../lib';
import { argument, say } from '../../../support/running/case';
import { randoms } from '../../../support/randoms';

const folder = argument(0);
const compression = argument(1) as NonNullable<WriteOptions['compression']>;
/** Level 9 takes half a minute for it. */
const RECORD_BYTES = 256 << 20;
const PATTERN_BYTES = 1 << 20;

/** Returns text that is slow to compress: with many short matches and few long ones. */
function longRecord(): Buffer {
  const random = randoms(1);
  const pattern = Buffer.allocUnsafe(PATTERN_BYTES);
  for (let i = 0; i < PATTERN_BYTES; i++) pattern[i] = 97 + Math.floor(random() * random() * 20);
  return Buffer.alloc(RECORD_BYTES, pattern);
}

async function busyWriter(): Promise<RecordWriter> {
  const writer = await RecordWriter.open(`${folder}/long`, { compression, level: 9 });
  void writer.write(longRecord());
  await sleep(100);
  return writer;
}

async function main(): Promise<void> {
  switch (argument(2)) {
    case 'aborted': {
      await (await busyWriter()).abort();
      say(readdirSync(folder));
      return;
    }
    case 'terminated': {
      const worker = new Worker(__filename, { argv: process.argv.slice(2) });
      await new Promise((resolve) => worker.once('message', resolve));
      say(await worker.terminate());
      return;
    }
    case 'exit': {
      await busyWriter();
      process.exit(5);
    }
  }
}

async function work(): Promise<void> {
  await busyWriter();
  parentPort?.postMessage('busy');
}

void (isMainThread ? main() : work());
