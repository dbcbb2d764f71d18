/**
 * Opens readers and writers when the system cannot start another thread. Arguments: a file, a folder. Threads must have
 * stacks of one GiB.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import { crc32c, readRecords, readRecordsSync, RecordWriter, TFRecordError } from '../../../../lib';
import { fixedLen, readExamples } from '../../../../lib/example';
import { argument, say } from '../../../support/running/case';

const file = argument(0);
const spec = { age: fixedLen([], 'int64') };

async function told(name: string, step: () => unknown): Promise<void> {
  try {
    await step();
    say({ name, error: null });
  } catch (error) {
    const { code, file: at, syscall, message } = error as TFRecordError;
    say({ name, error: error instanceof TFRecordError, code, file: at, syscall, message });
  }
}

async function drained(records: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of records) count++;
  return count;
}

async function main(): Promise<void> {
  // Loads the addon and starts Node's own threads before the limit applies.
  crc32c(new Uint8Array(1));
  await Promise.all(Array.from({ length: 8 }, () => stat(file)));
  const pages = Number(readFileSync('/proc/self/statm', 'utf8').split(' ')[0]);
  // Leaves room for Node's allocations, but not for another stack of one GiB.
  execFileSync('prlimit', ['--pid', String(process.pid), `--as=${pages * 4096 + (1 << 29)}`]);
  await told('readRecords', () => drained(readRecords(file)));
  await told('a stream', () => drained(readRecords([readFileSync(file)])));
  await told('readRecordsSync', () => Array.from(readRecordsSync(file)));
  await told('readExamples', () => drained(readExamples(file, spec)));
  await told('RecordWriter', () => RecordWriter.open(join(argument(1), 'new')));
}

void main();
