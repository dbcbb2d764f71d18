/** Drops readers and iterators: when they are collected, their files are closed. Needs --expose-gc. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { argument, endless, say } from '../../../support/running/case';
import { settles } from '../../../support/settles';
import { readRecords, RecordReader } from '../../../../lib';

import { descriptorsIn } from '../../../support/running/descriptors';

const folder = argument(0);
const file = argument(1);

async function leave(): Promise<void> {
  for (let i = 0; i < 20; i++) {
    const reader = await RecordReader.open(endless(file), { batchBytes: 65_536 });
    await reader.batches().next();
    await readRecords(endless(file), { batchBytes: 65_536 }).next();
  }
}

async function main(): Promise<void> {
  const warnings: string[] = [];
  process.on('warning', ({ name, message }) => {
    if (name === 'TFRecordWarning') warnings.push(message);
  });
  await leave();
  // The collector may already have run.
  const opened = descriptorsIn(folder);
  const closed = await settles(() => {
    globalThis.gc?.();
    return descriptorsIn(folder) === 0;
  });
  say({ opened: opened > 0, closed, warned: await settles(() => warnings.length > 0) });
  // One warning, however many readers there are, and however often the collector runs.
  await leave();
  await settles(() => {
    globalThis.gc?.();
    return descriptorsIn(folder) === 0;
  });
  say({ warnings: warnings.length, told: /^A RecordReader was dropped .* without close\(\)/.test(warnings[0] ?? '') });
  // An iterator in use keeps its reader alive, even if nothing else does.
  const records = readRecords(endless(file).slice(0, 20), { batchBytes: 65_536 });
  let count = 0;
  for await (const _ of records) if (++count % 1_000 === 0) globalThis.gc?.();
  say({ count });
  // So does a pending step, even if nobody holds the iterator.
  say((await readRecords(slow()).next()).done);
  say((await (await RecordReader.open(slow())).batches().next()).done);
}

async function* slow(): AsyncGenerator<Uint8Array> {
  for (let turn = 0; turn < 10; turn++) {
    await sleep(10);
    globalThis.gc?.();
  }
  yield readFileSync(file);
}

void main();
