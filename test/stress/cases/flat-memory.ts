/**
 * Reads a number of bytes in batches. Arguments: the file (or `-` to load the library and read nothing), the number of
 * bytes, the way of reading. Prints the peak of resident memory.
 */
import { argument, say } from '../../support/running/case';
import { readFileSync, statSync } from 'node:fs';

/** Most bytes of an Example and its frame, without its value. */
const EXAMPLE_BYTES = 60;

/** Returns the high-water mark of resident memory, in KiB. */
function peak(): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'latin1'))?.[1]);
}

/** Reads Examples of one feature. Returns the number of bytes of their values. */
async function parse(source: string[], size: number): Promise<number> {
  const { fixedLen, readExamples } = await import('../../../lib/index.js');
  let sum = 0;
  for await (const { data } of readExamples(source, { data: fixedLen([], 'bytes') }).batches(size)) {
    sum += data.data.length + EXAMPLE_BYTES * data.length;
  }
  return sum;
}

async function read(file: string, bytes: number, lane: string): Promise<number> {
  const { RecordReader } = await import('../../../lib/index.js');
  const passes = Math.ceil(bytes / statSync(file.replace(/\.gz$/, '')).size);
  const source = Array<string>(passes).fill(file);
  if (lane.startsWith('parse')) return parse(source, Number(lane.slice('parse-'.length)));
  const reader = await RecordReader.open(source);
  let sum = 0;
  if (lane === 'batches') {
    for await (const batch of reader.batches()) sum += batch.byteLength + 16 * batch.length;
  } else {
    for await (const record of reader) sum += record.length + 16;
  }
  return sum;
}

async function main(): Promise<void> {
  const file = argument(0);
  const bytes = Number(argument(1));
  await import('../../../lib/index.js');
  const sum = file === '-' ? 0 : await read(file, bytes, argument(2));
  say({ enough: sum >= bytes, peakKiB: peak() });
}

void main();
