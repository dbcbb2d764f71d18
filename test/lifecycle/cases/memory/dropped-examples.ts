/** Drops readers of Examples: when they are collected, their files are closed. Needs --expose-gc. */
import { argument, endless, say } from '../../../support/running/case';
import { settles } from '../../../support/settles';
import { fixedLen, readExamples } from '../../../../lib';
import { descriptorsIn } from '../../../support/running/descriptors';

const folder = argument(0);
const file = argument(1);
const SPEC = { id: fixedLen([], 'int64') };

async function leave(): Promise<void> {
  for (let i = 0; i < 10; i++) {
    await readExamples(endless(file), SPEC).batches(100).next();
    await readExamples(endless(file), SPEC)[Symbol.asyncIterator]().next();
  }
}

async function main(): Promise<void> {
  let warnings = 0;
  process.on('warning', ({ name }) => (warnings += name === 'TFRecordWarning' ? 1 : 0));
  await leave();
  const closed = await settles(() => {
    globalThis.gc?.();
    return descriptorsIn(folder) === 0;
  });
  say({ closed, warned: await settles(() => warnings === 1) });
  // An iterator in use keeps its reader alive, even if nothing else does.
  const rows = readExamples(endless(file).slice(0, 10), SPEC)[Symbol.asyncIterator]();
  let count = 0;
  while ((await rows.next()).done !== true) if (++count % 1_000 === 0) globalThis.gc?.();
  say({ count });
  // So does a pending step, and rows that outlive their reader.
  const kept = await readExamples(file, SPEC)[Symbol.asyncIterator]().next();
  globalThis.gc?.();
  say({ kept: Number((kept.value as { id: bigint }).id) });
}

void main();
