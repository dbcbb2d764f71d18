/**
 * Shuffles all records of a file. Arguments: the file, the module that exports `Dataset`. Prints the memory that the
 * process has used at most, in MiB; the number of records, the sum of their numbers, the longest state.
 */
import { readFileSync } from 'node:fs';

import { argument, say } from '../../../support/running/case';

function peak(): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'latin1'))![1]) / 1024;
}

void (async () => {
  const { Dataset }: typeof import('../../../../lib') = await import(argument(1));
  const iterator = Dataset.tfrecord(argument(0)).shuffle('full', { seed: 42 }).chunks();
  let records = 0;
  let sum = 0;
  let state = 0;
  for await (const chunk of iterator) {
    records += chunk.length;
    for (const record of chunk) sum += record[0]! + 256 * (record[1]! + 256 * record[2]!);
    state = Math.max(state, JSON.stringify(iterator.state()).length);
  }
  say({ peak: peak(), records, sum, state });
})();
