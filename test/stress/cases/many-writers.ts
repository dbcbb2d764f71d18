/** 50 writers at once; then their files are read. Argument: a folder for the files. */
import { argument, say } from '../../support/running/case';
import { join } from 'node:path';
import { readRecords, RecordWriter } from '../../../lib';

const folder = argument(0);
const SUFFIXES = ['', '.gz', '.zlib'];
const target = (index: number): string => join(folder, `${index}.tfrecord${SUFFIXES[index % 3]!}`);
/** Number of records of a writer: from none to more than a slab holds. */
const count = (index: number): number => index * 60;

async function write(index: number): Promise<number> {
  const level = index % 3 === 0 ? undefined : index % 10;
  const writer = await RecordWriter.open(target(index), { atomic: index % 2 === 0, level });
  // One array for all records, because its bytes are copied at the call.
  const record = Buffer.alloc(500 + index, index);
  for (let number = 0; number < count(index); number++) {
    record.writeUInt32LE(number, 0);
    const pressure = writer.write(record);
    if (pressure !== undefined) await pressure;
    if (number % 1_000 === 999) await writer.flush();
  }
  return (await writer.close()).records;
}

async function wrong(index: number): Promise<number> {
  const expected = Buffer.alloc(500 + index, index);
  let number = 0;
  let differ = 0;
  for await (const record of readRecords(target(index))) {
    expected.writeUInt32LE(number++, 0);
    if (!expected.equals(record)) differ++;
  }
  return differ + Math.abs(number - count(index));
}

async function main(): Promise<void> {
  const indices = Array.from({ length: 50 }, (_, index) => index);
  const written = await Promise.all(indices.map(write));
  say(written.filter((records, index) => records !== count(index)).length);
  say((await Promise.all(indices.map(wrong))).filter((errors) => errors !== 0).length);
}

void main();
