/** Throws an exception that nobody catches while readers have pending steps. */
import { argument, endless, say } from '../../support/case';
import { RecordReader } from '../../../lib';

const file = argument(0);

async function main(): Promise<void> {
  const readers = await Promise.all(Array.from({ length: 4 }, () => RecordReader.open(endless(file))));
  const lanes = readers.map((reader) => reader.batches());
  await Promise.all(lanes.map((lane) => lane.next()));
  for (const lane of lanes) for (let i = 0; i < 1_000; i++) void lane.next();
  say('reading');
  setImmediate(() => {
    throw new Error('nobody catches this');
  });
}

void main();
