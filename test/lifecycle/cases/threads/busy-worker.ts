/** A worker that reads, parses and writes until it is terminated. It posts one message when all work is under way. */
import { endless } from '../../../support/running/case';
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import {
  countRecords,
  Dataset,
  encodeExample,
  int64,
  RecordReader,
  RecordWriter,
  readRecords,
  varLen,
} from '../../../../lib';
import { RecordIndex } from '../../../../lib/record';

const { plain, gzip, target } = workerData as { plain: string; gzip: string; target: string };
const FEW = 200;

async function readRecordByRecord(started: () => void): Promise<void> {
  for await (const _ of readRecords(endless(plain).slice(0, FEW))) started();
}

async function readBatches(started: () => void): Promise<void> {
  const reader = await RecordReader.open(endless(gzip).slice(0, FEW), { readAhead: 8 });
  for await (const _ of reader.batches()) started();
}

async function readMany(started: () => void): Promise<void> {
  started();
  await countRecords(endless(plain).slice(0, FEW), { batchBytes: 65_536, readAhead: 16 });
}

async function readChunks(started: () => void): Promise<void> {
  // Read once, and not with `fs/promises`: Node leaks a descriptor if a worker ends while it opens a file.
  const bytes = readFileSync(gzip);
  const chunks = (async function* () {
    for (;;) {
      await setImmediate();
      yield bytes;
    }
  })();
  for await (const _ of readRecords(chunks)) started();
}

async function write(started: () => void): Promise<void> {
  const writer = await RecordWriter.open(target, { compression: 'gzip' });
  const record = Buffer.alloc(10_000, 'abcdefghijk');
  for (;;) {
    await writer.write(record);
    started();
  }
}

async function parseBatches(started: () => void): Promise<void> {
  const record = encodeExample({ numbers: int64(Array.from({ length: 1000 }, (_, i) => i)) });
  const batches = Dataset.from(Array<Uint8Array>(99).fill(record))
    .repeat()
    .parse({ numbers: varLen('int64') })
    .batch(99);
  for await (const _ of batches) started();
}

async function jump(started: () => void): Promise<void> {
  for (;;) {
    const places = RecordIndex.scan(gzip);
    await places.done;
    started();
    await Promise.all([places.read(9000, 5000), places.read(19_000, 3)]);
    await places.close();
  }
}

const works = [readRecordByRecord, readBatches, readMany, readChunks, write, parseBatches, jump];
let waiting = works.length;
for (const work of works) {
  let first = true;
  void work(() => {
    if (first && --waiting === 0) parentPort?.postMessage('busy');
    first = false;
  });
}
