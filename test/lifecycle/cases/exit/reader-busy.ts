/** The process ends while readers have pending steps. Argument 1: how it ends. */
import { readFileSync } from 'node:fs';

import { countRecords, RecordReader, type RecordSource } from '../../../../lib';
import { argument, endless, say } from '../../../support/running/case';

const file = argument(0);

function chunks(): RecordSource {
  const bytes = readFileSync(file);
  return (function* () {
    for (;;) yield bytes;
  })();
}

/** Asks four readers for more steps than are done when the process ends. */
async function readMuch(source: () => RecordSource): Promise<void> {
  const readers = await Promise.all(Array.from({ length: 4 }, () => RecordReader.open(source())));
  const lanes = readers.map((reader, i) => (i % 2 === 0 ? reader.batches() : reader[Symbol.asyncIterator]()));
  for (const lane of lanes) if ((await lane.next()).done === true) throw new Error('the end came first');
  for (const lane of lanes) for (let i = 0; i < 5_000; i++) void lane.next();
  say('reading');
}

const ways: Record<string, () => Promise<void>> = {
  async 'process.exit, files'() {
    await readMuch(() => endless(file));
    process.exit(7);
  },
  async 'process.exit, chunks'() {
    await readMuch(chunks);
    process.exit(7);
  },
  async throw() {
    await readMuch(() => endless(file));
    setImmediate(() => {
      throw new Error('nobody catches this');
    });
  },
  async killed() {
    const counts = [countRecords(endless(file)), countRecords(endless(file))];
    const reader = await RecordReader.open(endless(file));
    let records = 0;
    for await (const _ of reader) if (++records === 1_000) say('reading');
    await Promise.all(counts);
  },
};

void (ways[argument(1)] as () => Promise<void>)();
