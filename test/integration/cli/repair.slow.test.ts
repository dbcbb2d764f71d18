/** `tfrecord repair` of a large file: its memory, and an interrupt. `TFRECORD_FULL=1` takes 1 GB. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

import { encodeRecords } from '../../../lib';
import { Folder } from '../../support/records/record-files';
import { measuredCli } from '../../support/running/peak-memory';
import { cliResult, startCli } from '../../support/running/run-cli';

const MEGABYTES = process.env['TFRECORD_FULL'] === '1' ? 1000 : 200;
/** Records, and bytes, of a part of the file, in which 100 bytes are zeros. */
const RECORDS = 1000;
const PART = 1_000_000;

const folder = new Folder();
afterAll(() => folder.remove());

beforeAll(() => {
  const part = Buffer.from(
    encodeRecords(Array.from({ length: RECORDS }, (_, i) => Buffer.alloc(PART / RECORDS - 16, i + 1))),
  );
  const file = openSync(folder.at('big.tfrecord'), 'w');
  for (let i = 0; i < MEGABYTES; i++) {
    const injured = Buffer.from(part);
    const at = (i * 7919) % (PART - 100);
    injured.fill(0, at, at + 100);
    writeSync(file, injured);
  }
  closeSync(file);
});

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux(
  'at most 100 MB over bare Node, and all records but the injured ones',
  async () => {
    const args = ['repair', '--json', 'big.tfrecord', 'out.tfrecord'];
    const { above, stdout, code } = await measuredCli(args, { cwd: folder.path });
    expect(code).toBe(1);
    const report = JSON.parse(stdout) as Record<'records' | 'bytes' | 'lostBytes' | 'inputBytes', number>;
    expect(report.bytes + 16 * report.records + report.lostBytes).toBe(report.inputBytes);
    expect(report.records).toBeGreaterThanOrEqual(MEGABYTES * (RECORDS - 2));
    expect(above).toBeLessThan(100);
  },
  600_000,
);

onLinux('an interrupt leaves no temporary file', async () => {
  const child = startCli(['repair', 'big.tfrecord', 'never.tfrecord'], { cwd: folder.path });
  const result = cliResult(child);
  while (!folder.names().some((name) => name.includes('never')) && child.exitCode === null) await wait(5);
  child.kill('SIGINT');
  expect((await result).code).toBe(130);
  expect(folder.names().filter((name) => name.includes('never'))).toEqual([]);
});
