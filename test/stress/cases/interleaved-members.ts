/** Measures the memory of an interleave that has many of our gzip files open, beyond the memory without them. */
import { join } from 'node:path';

import { argument, say } from '../../support/running/case';
import { Dataset, RecordWriter } from '../../../lib';

const FILES = 120;
const MIB = 1024 * 1024;
const folder = argument(0);

async function main(): Promise<void> {
  const names: string[] = [];
  const record = Buffer.alloc(100_000, 'a record of some words, ');
  for (let file = 0; file < FILES; file++) {
    const name = join(folder, `${file}.tfrecord.gz`);
    const writer = await RecordWriter.open(name, { threads: 1 });
    // Two members of 1 MiB each.
    for (let i = 0; i < 22; i++) await writer.write(record);
    await writer.close();
    names.push(name);
  }
  const before = process.memoryUsage().rss;
  const dataset = Dataset.from(names).interleave((name) => Dataset.tfrecord(name), { cycleLength: FILES });
  let [seen, most] = [0, 0];
  for await (const _ of dataset.iterate({ bytes: MIB })) {
    if (++seen % 100 === 0) most = Math.max(most, process.memoryUsage().rss - before);
  }
  say({ seen, mib: Math.round(most / MIB) });
}

void main();
