/**
 * Transfers the memory of batches away while native threads fill the next ones, and has it collected. Argument: the
 * file. Needs --expose-gc.
 */
import { argument, say } from '../../../support/running/case';
import { MessageChannel } from 'node:worker_threads';
import { RecordReader } from '../../../../lib';

const PASSES = 40;

async function main(): Promise<void> {
  const source = Array<string>(PASSES).fill(argument(0));
  const { port1, port2 } = new MessageChannel();
  let received = 0;
  port2.on('message', (buffer: ArrayBuffer) => (received += buffer.byteLength > 0 ? 1 : 0));

  const reader = await RecordReader.open(source, { readAhead: 4, batchBytes: 65_536 });
  let batches = 0;
  let wrong = 0;
  let posted = 0;
  for await (const batch of reader.batches()) {
    const first = batch.at(0) as Uint8Array;
    if (Buffer.from(first).readUInt32LE(0) !== batch.origin(0)?.record) wrong++;
    const buffer = first.buffer as ArrayBuffer;
    if (batches % 3 === 0) structuredClone(buffer, { transfer: [buffer] });
    if (batches % 3 === 1) {
      port1.postMessage(buffer, [buffer]);
      posted++;
    }
    if (batches++ % 16 === 0) globalThis.gc?.();
  }
  say({ records: reader.stats.records, wrong, batches: batches > PASSES });

  // Transferred in the middle of the slab: an error of ours, and the reader can still be closed.
  const midway = await RecordReader.open(source, { batchBytes: 65_536 });
  const outcome = await (async () => {
    let records = 0;
    for await (const record of midway) {
      if (++records === 10) structuredClone(record.buffer, { transfer: [record.buffer] });
    }
    return records;
  })().catch((error: unknown) => (error as Error).constructor.name);
  await midway.close();
  globalThis.gc?.();
  say({ outcome });

  while (received < posted) await new Promise((resolve) => setImmediate(resolve));
  port1.close();
  say({ allReceived: received === posted });
}

void main();
