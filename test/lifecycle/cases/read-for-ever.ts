/** Reads until it is killed. */
import { argument, endless, say } from '../../support/case';
import { countRecords, RecordReader } from '../../../lib';

const file = argument(0);

async function main(): Promise<void> {
  const counts = [countRecords(endless(file)), countRecords(endless(file))];
  const reader = await RecordReader.open(endless(file));
  let records = 0;
  for await (const _ of reader) if (++records === 1_000) say('reading');
  await Promise.all(counts);
}

void main();
