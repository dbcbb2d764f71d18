/** Readers are open, and the process has nothing else to do: it must end by itself. Argument 1: how they were left. */
import { readFileSync } from 'node:fs';

import { argument, endless, say } from '../../../support/running/case';
import { readRecords, RecordReader } from '../../../../lib';

const file = argument(0);

const ways: Record<string, () => Promise<void>> = {
  async 'stopped mid-way'() {
    const reader = await RecordReader.open(endless(file));
    const records = reader[Symbol.asyncIterator]();
    for (let i = 0; i < 50_000; i++) await records.next();
    say((await records.next()).done);
  },
  async 'never read'() {
    const reader = await RecordReader.open(endless(file), { readAhead: 8 });
    say(reader.stats.records);
  },
  async 'iterator abandoned'() {
    const step = await readRecords(endless(file)).next();
    say(step.done);
  },
  async 'waits for a chunk'() {
    const records = readRecords(
      (async function* () {
        yield readFileSync(file);
        await new Promise(() => undefined);
      })(),
    );
    const step = await records.next();
    Object.assign(globalThis, {
      pending: (async () => {
        for await (const _ of records);
      })(),
    });
    say(step.done);
  },
  async 'kept by a global'() {
    const readers = await Promise.all(Array.from({ length: 8 }, () => RecordReader.open(endless(file))));
    for (const reader of readers) await reader.batches().next();
    Object.assign(globalThis, { readers });
    say(readers.length);
  },
};

void (ways[argument(1)] as () => Promise<void>)();
