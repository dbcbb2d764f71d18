/** Drops dataset iterators: when they are collected, their files are closed. Needs --expose-gc. */
import { setTimeout as sleep } from 'node:timers/promises';

import { argument, say } from '../../../support/running/case';
import { settles } from '../../../support/settles';
import { descriptorsIn } from '../../../support/running/descriptors';
import { Dataset } from '../../../../lib';

const folder = argument(0);
const COUNT = 20;

function endless(): Dataset<Uint8Array> {
  return Dataset.tfrecord(`${folder}/plain-*`, { batchBytes: 4096 }).repeat().shuffle(5);
}

async function leave(): Promise<void> {
  for (let i = 0; i < COUNT; i++) {
    await endless().iterate().next();
    await endless().batch(3).chunks().next();
  }
}

async function main(): Promise<void> {
  let warnings = 0;
  process.on('warning', ({ name }) => {
    if (name === 'TFRecordWarning') warnings++;
  });
  await leave();
  const opened = descriptorsIn(folder);
  const closed = await settles(() => {
    globalThis.gc?.();
    return descriptorsIn(folder) === 0;
  });
  say({ opened: opened > 0, closed, warned: await settles(() => warnings === 1) });
  // One in use stays, although nobody else holds it.
  let count = 0;
  for await (const _ of endless().take(3000)) if (++count % 500 === 0) globalThis.gc?.();
  say(count);
  // So does a step that waits.
  const slow = Dataset.from(async function* () {
    for (let turn = 0; turn < 10; turn++) {
      await sleep(10);
      globalThis.gc?.();
    }
    yield 1;
  });
  say((await slow.iterate().next()).value === 1);
}

void main();
