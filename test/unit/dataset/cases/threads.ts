/** Leaves pipelines early, many times: the numbers of threads and descriptors stay the same as after the first. */
import { argument, say } from '../../../support/running/case';
import { settles } from '../../../support/settles';
import { descriptors, threads } from '../../../support/running/descriptors';
import { Dataset } from '../../../../lib';

const folder = argument(0);

async function leaveEarly(): Promise<void> {
  const dataset = Dataset.files(`${folder}/plain-*`)
    .shuffle('full')
    .interleave((file) => Dataset.tfrecord(file, { batchBytes: 4096 }), { cycleLength: 3 })
    .shuffle(100)
    .prefetch(50)
    .batch(8);
  let count = 0;
  for await (const _ of dataset) if (++count === 5) break;
  const abort = new AbortController();
  const pending = dataset.iterate({ signal: abort.signal }).next();
  abort.abort();
  await pending.catch(() => undefined);
}

async function main(): Promise<void> {
  for (let i = 0; i < 5; i++) await leaveEarly();
  const before = { threads: threads(), descriptors: descriptors() };
  for (let i = 0; i < 40; i++) await leaveEarly();
  say({
    threads: await settles(() => threads() <= before.threads),
    descriptors: await settles(() => descriptors() <= before.descriptors),
  });
}

void main();
