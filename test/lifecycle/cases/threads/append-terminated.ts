/**
 * Terminates workers that append to a file, each at another moment. After each, the file is free, and no descriptor is
 * open on it. Arguments: the file, the number of workers.
 */
import { argument, say } from '../../../support/running/case';
import { settles } from '../../../support/settles';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

import { countRecords, encodeRecords, writeRecords } from '../../../../lib';
import { descriptorsIn, isOpen } from '../../../support/running/descriptors';
import { randoms } from '../../../support/randoms';

const [file, count] = [argument(0), Number(argument(1))] as const;
const random = randoms(1);

/** Resolves with the code of the next writer's error or `free`, and the number of descriptors that are left. */
async function terminateOne(work: 'stuck' | 'open' | 'busy'): Promise<string> {
  writeFileSync(file, encodeRecords(['first']));
  const worker = new Worker(join(__dirname, 'append-worker.js'), { workerData: { file, work } });
  await new Promise<void>((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', () => resolve());
  });
  if (work === 'stuck') await settles(() => isOpen(file));
  if (work === 'busy') await sleep(random() * 12);
  await worker.terminate();
  const left = descriptorsIn(file);
  const code = await writeRecords(file, ['last'], { append: true }).then(
    () => 'free',
    (error: unknown) => String((error as { code: unknown }).code),
  );
  const whole = (await countRecords(file)) >= 2;
  return `${code}, ${left} left${whole ? '' : ', records lost'}`;
}

async function main(): Promise<void> {
  for (const work of ['stuck', 'open', 'busy'] as const) {
    const outcomes = new Set<string>();
    for (let i = 0; i < (work === 'busy' ? count : 5); i++) outcomes.add(await terminateOne(work));
    say({ [work]: [...outcomes] });
  }
}

void main();
