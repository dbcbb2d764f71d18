/** 200 readers at once. Argument: a folder with 40 files `N.tfrecord` of 1,000 + N records that start with N. */
import { argument, say } from '../../support/running/case';
import { join } from 'node:path';
import { readRecords, RecordReader } from '../../../lib';

const folder = argument(0);

/** Returns the number of records, and how many of them were wrong. */
async function read(index: number): Promise<[number, number]> {
  const name = index % 40;
  const file = join(folder, `${name}.tfrecord${name % 2 === 0 ? '' : '.gz'}`);
  let count = 0;
  let wrong = 0;
  const check = (record: Uint8Array): void => {
    const view = Buffer.from(record.buffer, record.byteOffset, record.length);
    if (view.readUInt32LE(0) !== count++ || view.length !== 20 + name) wrong++;
  };
  if (index % 3 === 0) {
    for await (const record of readRecords(file)) check(record);
  } else {
    const reader = await RecordReader.open(file, { batchBytes: 4_096, readAhead: 1 + (index % 7) });
    for await (const batch of reader.batches()) for (const record of batch) check(record);
  }
  return [count - name, wrong];
}

void Promise.all(Array.from({ length: 200 }, (_, index) => read(index))).then((results) => {
  say(results.filter(([count, wrong]) => count !== 1_000 || wrong !== 0).length);
  say(results.length);
});
