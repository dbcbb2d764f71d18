/**
 * Measures the memory in arrays after ten readers or writers were closed and young objects collected. Arguments: a file
 * of records, a folder, what to use. Needs --expose-gc.
 */
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { argument, say } from '../../../support/running/case';
import { fixedLen, readExamples, RecordWriter, writeRecords } from '../../../../lib';

const [file, folder, what] = [argument(0), argument(1), argument(2)];
const spec = { id: fixedLen([], 'int64') };
const minor = globalThis.gc as unknown as (options: { type: 'minor' }) => void;

const USES: Readonly<Record<string, () => Promise<unknown>>> = {
  readExamples: async () => {
    const rows = readExamples(file, spec);
    await rows.batches(1000).next();
    await rows.close();
  },
  RecordWriter: async () => {
    const writer = await RecordWriter.open(join(folder, 'out'), { atomic: false });
    await writer.write('record');
    await writer.close();
  },
  'aborted RecordWriter': async () => {
    const writer = await RecordWriter.open(join(folder, 'out'), { atomic: false });
    await writer.write('record');
    await writer.abort();
  },
  writeRecords: () => writeRecords(join(folder, 'out'), ['record'], { atomic: false }),
};

async function main(): Promise<void> {
  const use = USES[what]!;
  await use();
  globalThis.gc?.();
  const before = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < 10; i++) await use();
  const held = process.memoryUsage().arrayBuffers - before;
  for (let i = 0; i < 3; i++) {
    await setImmediate();
    minor({ type: 'minor' });
  }
  say({ held, left: process.memoryUsage().arrayBuffers - before });
}

void main();
