/** Calls `process.exit(7)` while four readers have pending steps. Argument 1: the kind of source. */
import { argument, endless, say } from '../../support/case';
import { readFileSync } from 'node:fs';
import { RecordReader, type RecordSource } from '../../../lib';

const file = argument(0);

function source(): RecordSource {
  if (argument(1) === 'files') return endless(file);
  const bytes = readFileSync(file);
  return (function* () {
    for (;;) yield bytes;
  })();
}

async function main(): Promise<void> {
  const readers = await Promise.all([source(), source(), source(), source()].map((from) => RecordReader.open(from)));
  const lanes = readers.map((reader, i) => (i % 2 === 0 ? reader.batches() : reader[Symbol.asyncIterator]()));
  for (const lane of lanes) if ((await lane.next()).done === true) throw new Error('the end came first');
  for (const lane of lanes) for (let i = 0; i < 5_000; i++) void lane.next();
  say('reading');
  process.exit(7);
}

void main();
