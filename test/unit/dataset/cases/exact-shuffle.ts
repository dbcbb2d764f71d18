/**
 * Shuffles all records of a file. Argument: the file. Prints the memory that the process has used at most, in MiB, before
 * the shuffle, and above that; the number of records, the sum of their numbers, the longest state.
 */
import { readFileSync } from 'node:fs';

import { Dataset } from '../../../../lib';
import { argument, say } from '../../../support/running/case';

function peak(): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'latin1'))![1]) / 1024;
}

const before = peak();
const iterator = Dataset.tfrecord(argument(0)).shuffle('full', { seed: 42 }).chunks();
let records = 0;
let sum = 0;
let state = 0;
void (async () => {
  for await (const chunk of iterator) {
    records += chunk.length;
    for (const record of chunk) sum += record[0]! + 256 * (record[1]! + 256 * record[2]!);
    state = Math.max(state, JSON.stringify(iterator.state()).length);
  }
  say({ before, above: peak() - before, records, sum, state });
})();
