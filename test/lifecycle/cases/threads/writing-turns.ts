/**
 * Writes records without end. They are always ready, and native threads keep up, so a timer fires only if the package
 * lets the event loop turn. Ends when a timer aborts it. Arguments: the folder, the way of writing.
 */
import { join } from 'node:path';

import { argument, say } from '../../../support/running/case';
import { Dataset, RecordWriter, writeRecords } from '../../../../lib';

const folder = argument(0);
const signal = AbortSignal.timeout(20);
const record = Buffer.alloc(100, 'record');
/** The target: a failing case writes until it is killed, and must not fill the disk. */
const target = '/dev/null';

function* endless(): Generator<Buffer> {
  for (;;) yield record;
}

async function* endlessSoon(): AsyncGenerator<Buffer> {
  for (;;) yield record;
}

async function write(bytes = record): Promise<never> {
  const writer = await RecordWriter.open(target, { signal });
  for (;;) await writer.write(bytes);
}

async function flushing(): Promise<never> {
  const writer = await RecordWriter.open(target, { signal });
  for (;;) {
    await writer.write(record);
    await writer.flush();
  }
}

async function opening(): Promise<never> {
  for (let i = 0; ; i++) {
    const writer = await RecordWriter.open(join(folder, `${i % 10}`), { signal, atomic: false });
    await writer.close();
  }
}

/** Writes with a fifth of a millisecond of other work between records. */
async function slowly(): Promise<never> {
  const writer = await RecordWriter.open(target, { signal });
  for (;;) {
    const until = performance.now() + 0.2;
    while (performance.now() < until);
    await writer.write('small');
  }
}

const ways: Record<string, () => Promise<unknown>> = {
  'await write': () => write(),
  'await write of long records': () => write(Buffer.alloc(3_000_000)),
  'ten writers': () => Promise.all(Array.from({ length: 10 }, () => write())),
  writeRecords: () => writeRecords(target, endless(), { signal }),
  'writeRecords of an async iterable': () => writeRecords(target, endlessSoon(), { signal }),
  writeTo: () => Dataset.from(endless).writeTo(target, { signal }),
  'writeTo many': () => Dataset.from(endless).writeTo(join(folder, '{shard}'), { signal, shards: 300, threads: 1 }),
  'flush and flush': flushing,
  'open and close': opening,
  'await write, slowly': slowly,
};

async function main(): Promise<void> {
  // The calls must reject with the signal's reason.
  const error = await ways[argument(1)]?.().catch((reason: unknown) => reason);
  say((error as Error).name);
}

void main();
