/** A job's memory does not grow with its input: 512 MiB of pictures, in formats of columns and back. */
import { randomFillSync } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { countRecords, encodeExample, int64, RecordWriter } from '../../../lib';
import { Folder } from '../../support/records/record-files';
import { runCli } from '../../support/running/run-cli';

const PICTURES = 512;
const PICTURE_BYTES = 1024 * 1024;
/** Peak of a process, in KiB: Node and the libraries take 100 to 150 MiB of it. */
const MAX_KIB = 448 * 1024;

const folder = new Folder();
const at = (name: string): string => join(folder.path, name);
beforeAll(async () => {
  mkdirSync(folder.path, { recursive: true });
  const writer = await RecordWriter.open(at('pictures.tfrecord'));
  for (let i = 0; i < PICTURES; i++) {
    const picture = randomFillSync(new Uint8Array(PICTURE_BYTES));
    await writer.write(encodeExample({ 'image/encoded': picture, label: int64([i]) }));
  }
  await writer.close();
});
afterAll(() => {
  folder.remove();
});

/** Converts in a process of its own. Resolves with its peak, in KiB. */
async function peakOf(...names: string[]): Promise<number> {
  const peak = at('peak');
  const measured = folder.put(
    'measured.cjs',
    `process.on('exit', () => {
       require('node:fs').writeFileSync(${JSON.stringify(peak)}, /VmHWM:\\s+(\\d+)/.exec(require('node:fs').readFileSync('/proc/self/status', 'latin1'))[1]);
     });`,
  );
  const { code, stderr } = await runCli(['convert', ...names], { nodeArguments: ['--require', measured] });
  expect([code, stderr]).toEqual([0, expect.stringContaining(`note: ${PICTURES} records`)]);
  return Number(readFileSync(peak, 'utf8'));
}

test.each(['parquet', 'arrow', 'arrows'])(
  '%s, and back',
  async (extension) => {
    const there = at(`there.${extension}`);
    expect(await peakOf(at('pictures.tfrecord'), there)).toBeLessThan(MAX_KIB);
    expect(await peakOf(there, at('back.tfrecord'), '--force')).toBeLessThan(MAX_KIB);
    expect(await countRecords(at('back.tfrecord'))).toBe(PICTURES);
  },
  300_000,
);
