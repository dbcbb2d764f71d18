/**
 * Measures the peak of memory in arrays while Examples are read with `transient`. Arguments: the file, what to read.
 * Needs --expose-gc.
 */
import { readFileSync } from 'node:fs';

import { argument, say } from '../../../support/running/case';
import { fixedLen, readExamples, varLen, type RecordSource } from '../../../../lib';

const file = argument(0);
const PASSES = 20;
const CHUNK = 65_536;
const spec = { id: fixedLen([], 'int64'), text: fixedLen([], 'bytes'), numbers: varLen('int64') };

async function* chunks(): AsyncGenerator<Uint8Array> {
  const bytes = readFileSync(file);
  for (let pass = 0; pass < PASSES; pass++) {
    for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
  }
}

async function main(): Promise<void> {
  globalThis.gc?.();
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  let steps = 0;
  const look = (): void => {
    if (steps++ % 20 === 0) most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  };
  const read = (source: RecordSource): ReturnType<typeof readExamples<typeof spec>> =>
    readExamples(source, spec, { transient: true });
  const files = Array<string>(PASSES).fill(file);
  switch (argument(1)) {
    case 'batches':
      for await (const _ of read(files).batches(64)) look();
      break;
    case 'batches of one':
      for await (const _ of read(files).batches(1)) look();
      break;
    case 'rows':
      for await (const _ of read(files)) look();
      break;
    default:
      // Chunks are views of one buffer, so only parsing makes garbage.
      for await (const _ of read(chunks()).batches(64)) look();
  }
  say({ steps, most });
}

void main();
