/**
 * Reads `bytes` worth of batches. Arguments: the file (or `-`: nothing is loaded or read), the bytes, the lane. Says
 * the peak of resident memory.
 */
import { argument, say } from '../../support/case';
import { readFileSync, statSync } from 'node:fs';

/** High-water mark of resident memory, in KiB. */
function peak(): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'latin1'))?.[1]);
}

async function read(file: string, bytes: number, lane: string): Promise<number> {
  const { RecordReader } = await import('../../../lib/index.js');
  const passes = Math.ceil(bytes / statSync(file.replace(/\.gz$/, '')).size);
  const reader = await RecordReader.open(Array<string>(passes).fill(file));
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
  const sum = file === '-' ? 0 : await read(file, bytes, argument(2));
  say({ enough: sum >= bytes, peakKiB: peak() });
}

void main();
