/**
 * Reads records with `transient`, and looks for writes of other threads to memory that was shown. Arguments: a file, a
 * GZIP file. Needs --expose-gc.
 */
import { argument, say } from '../../../support/running/case';
import { RecordReader } from '../../../../lib';

const PASSES = 20;
const SPIN_MS = 2;

/** Returns true if `buffers` change while this thread does nothing. */
function changing(buffers: Iterable<ArrayBuffer>): boolean {
  const before = Array.from(buffers, (buffer) => [buffer, buffer.slice(0)] as const);
  const until = performance.now() + SPIN_MS;
  while (performance.now() < until);
  return before.some(([buffer, copy]) => Buffer.compare(Buffer.from(buffer), Buffer.from(copy)) !== 0);
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Looks at each slab in the step that shows it, after a sleep, and in later steps. */
async function look(file: string): Promise<void> {
  const source = Array<string>(PASSES).fill(file);
  const reader = await RecordReader.open(source, { transient: true, readAhead: 8, batchBytes: 65_536 });
  const seen = new Set<ArrayBuffer>();
  let [changed, batches] = [0, 0];
  for await (const batch of reader.batches()) {
    const { buffer } = batch.at(0)!;
    seen.add(buffer);
    if (changing(seen)) changed++;
    if (batches++ % 8 > 0) continue;
    const copy = buffer.slice(0);
    await sleep(2);
    if (Buffer.compare(Buffer.from(buffer), Buffer.from(copy)) !== 0) changed++;
  }
  say({ changed, some: batches > PASSES, buffers: seen.size });
}

/** Closes readers while a batch is shown and threads fill further slabs; transfers some of the batches away. */
async function closeWhileShown(file: string): Promise<void> {
  let changed = 0;
  for (let round = 0; round < 30; round++) {
    const reader = await RecordReader.open([file, file], { transient: true, readAhead: 4, batchBytes: 65_536 });
    let batches = 0;
    for await (const batch of reader.batches()) {
      const { buffer } = batch.at(0)!;
      const copy = buffer.slice(0);
      if (batches++ < round % 5) {
        if (round % 2 === 0) structuredClone(buffer, { transfer: [buffer] });
        continue;
      }
      const closing = reader.close();
      if (changing([buffer])) changed++;
      await closing;
      globalThis.gc?.();
      await sleep(1);
      if (Buffer.compare(Buffer.from(buffer), Buffer.from(copy)) !== 0) changed++;
    }
  }
  say({ changedAfterClose: changed });
}

/** Measures the peak of memory in arrays. */
async function measure(file: string): Promise<void> {
  globalThis.gc?.();
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  const reader = await RecordReader.open(Array<string>(5 * PASSES).fill(file), { transient: true });
  for await (const _ of reader.batches()) {
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  say({ most });
}

async function main(): Promise<void> {
  await look(argument(0));
  await look(argument(1));
  await closeWhileShown(argument(0));
  await measure(argument(0));
}

void main();
