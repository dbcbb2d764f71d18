/**
 * A thousand readings that end at random moments, in random ways. Arguments: plain file, gzip file, number of readings.
 */
import { argument, say } from '../../support/running/case';
import { settles } from '../../support/settles';
import { readFileSync } from 'node:fs';
import { readRecords, RecordReader, type RecordSource } from '../../../lib';

import { descriptors, threads } from '../../support/running/descriptors';
import { randoms } from '../../support/randoms';

const [plain, gzip, rounds] = [argument(0), argument(1), Number(argument(2))] as const;
const bytes = readFileSync(gzip);
const random = randoms(11);
const upTo = (limit: number): number => Math.floor(random() * limit);

const sources: (() => RecordSource)[] = [
  () => plain,
  () => gzip,
  () => [gzip, plain, gzip],
  () => bytes,
  () => new Blob([bytes]),
  () => chunks(),
];

async function* chunks(): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 5_000) yield Promise.resolve(bytes.subarray(at, at + 5_000));
}

const ends: ((source: RecordSource, after: number) => Promise<unknown>)[] = [
  async (source, after) => {
    for await (const _ of readRecords(source, { batchBytes: 65_536 })) if (after-- === 0) break;
  },
  async (source, after) => {
    const reader = await RecordReader.open(source, { batchBytes: 65_536, readAhead: 8 });
    after = after >> 9;
    for await (const _ of reader.batches()) if (after-- === 0) break;
  },
  async (source, after) => {
    const controller = new AbortController();
    const { signal } = controller;
    for (let i = after & 7; i > 0; i--) await Promise.resolve();
    const reading = (async () => {
      for await (const _ of readRecords(source, { signal })) if (after-- === 0) controller.abort('enough');
    })();
    await reading.catch((reason: unknown) => {
      if (reason !== 'enough') throw reason;
    });
  },
  async (source, after) => {
    const reader = await RecordReader.open(source, { batchBytes: 65_536 });
    const lane = reader.batches();
    const steps = Array.from({ length: 1 + (after & 15) }, () => lane.next());
    for (let i = after & 3; i > 0; i--) await new Promise((resolve) => setImmediate(resolve));
    await reader.close();
    await Promise.all(steps);
  },
];

async function round(): Promise<void> {
  const source = sources[upTo(sources.length)] as () => RecordSource;
  const end = ends[upTo(ends.length)]!;
  await end(source(), upTo(20_000));
}

async function main(): Promise<void> {
  // Starts all threads: libuv's four and the pool's.
  for (let i = 0; i < 40; i++) await Promise.all([round(), round(), round(), round(), round(), round()]);
  const before = { descriptors: descriptors(), threads: threads() };
  for (let done = 0; done < rounds; done += 4) await Promise.all([round(), round(), round(), round()]);
  say({
    descriptorsBack: (await settles(() => descriptors() <= before.descriptors)) || descriptors() - before.descriptors,
    threadsBack: (await settles(() => threads() <= before.threads)) || threads() - before.threads,
  });
}

void main();
