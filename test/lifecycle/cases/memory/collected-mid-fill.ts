/** Readers are collected while native threads fill their slabs. Argument: the file. Needs --expose-gc. */
import { argument, endless, say } from '../../../support/running/case';
import { countRecords, RecordReader } from '../../../../lib';

const file = argument(0);
const ROUNDS = 150;

async function leaveOne(): Promise<void> {
  await RecordReader.open(endless(file), { readAhead: 32 });
}

async function main(): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    await leaveOne();
    globalThis.gc?.();
  }
  say({ count: await countRecords(file) });
}

void main();
