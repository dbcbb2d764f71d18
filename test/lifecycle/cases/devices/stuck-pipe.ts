/**
 * Writers to a pipe without a reader that are aborted, left or terminated, alone and beside other work; and a writer to
 * a pipe whose reader goes away. Arguments: the pipe, a file, the way.
 */
import { closeSync, constants, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

import { countRecords, RecordWriter } from '../../../../lib';
import { argument, say } from '../../../support/running/case';

const pipe = argument(0);
const file = argument(1);
/** More writers than threads: the pool has at least two. */
const WRITERS = 6;
/** Far larger than a pipe's buffer. */
const RECORD = Buffer.alloc(3 << 20, 'record');

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}

async function stuckWriter(): Promise<RecordWriter> {
  const writer = await RecordWriter.open(pipe);
  void writer.write(RECORD);
  return writer;
}

async function stuckWriters(): Promise<RecordWriter[]> {
  return Promise.all(Array.from({ length: WRITERS }, stuckWriter));
}

function listen(): number {
  return openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
}

async function main(): Promise<void> {
  switch (argument(2)) {
    case 'aborted': {
      listen();
      const writers = await stuckWriters();
      const closed = writers.map((writer) => writer.close().catch(codeOf));
      await Promise.all(writers.map((writer) => writer.abort()));
      say(await Promise.all(closed));
      return;
    }
    case 'nobody': {
      const signal = AbortSignal.timeout(50);
      const opened = Array.from({ length: WRITERS }, () => RecordWriter.open(pipe, { signal }));
      say((await Promise.allSettled(opened)).map(({ status }) => status));
      return;
    }
    case 'beside': {
      listen();
      const writers = await stuckWriters();
      say(await Promise.all([countRecords(file), countRecords(file)]));
      await Promise.all(writers.map((writer) => writer.abort()));
      return;
    }
    case 'exit': {
      listen();
      await stuckWriters();
      setTimeout(() => process.exit(5), 50);
      return;
    }
    case 'terminated': {
      listen();
      const workers = Array.from({ length: 3 }, () => new Worker(__filename, { argv: process.argv.slice(2) }));
      await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('message', resolve))));
      say(await Promise.all(workers.map((worker) => worker.terminate())));
      return;
    }
    case 'gone': {
      // From here on, the signal would end the process: Node ignores it only until somebody has listened to it.
      process.once('SIGPIPE', () => undefined).removeAllListeners('SIGPIPE');
      const reader = listen();
      const writer = await stuckWriter();
      await sleep(50);
      closeSync(reader);
      await writer.close().catch((error: unknown) => {
        const { code, syscall, file: named } = error as Record<string, unknown>;
        say([code, syscall, named === pipe]);
      });
      return;
    }
  }
}

async function work(): Promise<void> {
  await stuckWriters();
  parentPort?.postMessage('stuck');
}

void (isMainThread ? main() : work());
