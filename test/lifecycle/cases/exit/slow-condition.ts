/** A signal aborts a conversion while DuckDB computes one call of its condition. Argument 1: where that call is. */
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

import { encodeExample, int64, writeRecords } from '../../../../lib';
import { convert } from '../../../../lib/convert';
import { argument, say } from '../../../support/running/case';

const folder = argument(0);
const way = argument(1);

/** DuckDB would need hours for a distance of `HOURS`, and a second for one of `SECOND`. */
const HOURS = 2_000_000;
const SECOND = 40_000;
const distance = (length: number | string): string =>
  `levenshtein(repeat('a', ${length}::INT), repeat('b', ${length}::INT)) > 0`;

/** Aborts a conversion when its thread has computed for a while. Returns why it ended. */
async function aborted(where: string, length: number): Promise<unknown> {
  const input = `${folder}/in.tfrecord`;
  await writeRecords(input, [encodeExample({ n: int64(length) })]);
  const control = new AbortController();
  const job = convert(input, `${folder}/out.tfrecord`, { where, signal: control.signal }).then(
    () => 'no error',
    (reason: unknown) => reason,
  );
  const { user } = process.cpuUsage();
  // More than all that comes before the condition.
  while (process.cpuUsage().user - user < 1_500_000) await wait(20);
  control.abort('the reason');
  return job;
}

const ways: Record<string, () => Promise<void>> = {
  async rows() {
    say(await aborted(distance('n'), HOURS));
  },
  async constant() {
    say(await aborted(`${distance(HOURS)} AND n > 0`, HOURS));
  },
  async 'process.exit'() {
    say(await aborted(distance('n'), SECOND));
    process.exit(7);
  },
  async worker() {
    if (!isMainThread) {
      parentPort!.postMessage(await aborted(distance('n'), SECOND));
      // The thread stays until it is terminated.
      setInterval(() => undefined, 1000);
      return;
    }
    const worker = new Worker(__filename, { argv: process.argv.slice(2) });
    say(await once(worker, 'message'));
    say(await worker.terminate());
  },
};

void ways[way]!();
