/** Sets of files appear whole or not at all, and take little memory, however their process ends. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

import { countRecords, ShardedWriter } from '../../lib';
import { CASE_TIMEOUT, ended, endedWell, runCase } from '../support/running/run-case';
import { Folder } from '../support/records/record-files';

jest.setTimeout(2 * CASE_TIMEOUT);

const CASE = 'lifecycle/cases/sharded/write-many';
/** Memory of the package before anything is written, in MB. */
const LOADED = 15;

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

/** The temporary folder of a set called a.tfrecord. */
const LEFT = expect.stringMatching(/^a\.tfrecord\.\d+-[\da-f]{16}\.tmp$/) as string;

test.each(['SIGKILL', 'SIGINT'] as const)(
  '%s leaves no final names; the next writer removes the rest',
  async (signal) => {
    const { path, names } = folder.place();
    const args = [`${path}/a.tfrecord`, '{"partitionBy":"label"}', '30', '50', 'killed'];
    const result = await runCase(CASE, { args, signal });
    expect(result).toMatchObject({ signal, said: ['written'], timedOut: false });
    expect(names()).toEqual([LEFT]);
    const writer = await ShardedWriter.open(`${path}/a.tfrecord`, { shards: 1 });
    await writer.abort();
    expect(names()).toEqual([]);
  },
);

test('a writer that is open when its process ends is named in a warning', async () => {
  const { path } = folder.place();
  const args = [`${path}/a.tfrecord`, '{"shards":3}', '1', '5', 'forgotten'];
  const stderr = expect.stringMatching(/TFR_WRITER_LEFT.*a\.tfrecord \(none of its files appears\)/) as string;
  expect(await runCase(CASE, { args })).toEqual({ ...ended(0, 'written'), stderr });
});

test.each(['{"shards":4}', '{"partitionBy":"label"}', '{"maxShardBytes":3000000}'])(
  'a file that may not grow gives the error, and nothing appears: %s',
  async (options) => {
    const { path, names } = folder.place();
    const args = [`${path}/a.tfrecord`, options, '20', '4', 'closed'];
    const { said } = await runCase(CASE, { args, shell: 'ulimit -f 1000' });
    expect(said.at(-2)).toMatchObject({ code: 'EFBIG', file: expect.stringContaining(path) as string });
    expect(names()).toEqual([]);
  },
);

const mayMount = process.platform === 'linux' && process.getuid?.() === 0;
(mayMount ? test : test.skip)('a full disk gives ENOSPC, and nothing stays on it', async () => {
  const { path, names } = folder.place();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    return; // Containers may forbid it.
  }
  try {
    const args = [`${path}/new/a.tfrecord`, '{"partitionBy":"label"}', '20', '40', 'closed'];
    const { said } = await runCase(CASE, { args });
    expect(said.at(-2)).toMatchObject({ code: 'ENOSPC' });
    expect(names()).toEqual([]);
  } finally {
    execFileSync('umount', [path]);
  }
});

test.each(['{"shards":10}', '{"shards":300}', '{"partitionBy":"label"}', '{"maxShardBytes":100000000}'])(
  'a gigabyte takes at most 100 MB over bare Node: %s',
  async (options) => {
    const { path } = folder.place();
    const { said } = await runCase(CASE, { args: [`${path}/a.tfrecord`, options, '1000', '200', 'closed'] });
    const { megabytes } = said[1] as { megabytes: number };
    expect(LOADED + megabytes).toBeLessThan(100);
    execFileSync('rm', ['-r', path]);
  },
);

test('5,000 partitions, of which 1,000 files are open at a time, even where fewer may be', async () => {
  const { path, names } = folder.place();
  const args = [`${path}/a.tfrecord.gz`, '{"partitionBy":"label"}', '25', '5000', 'closed'];
  const result = await runCase(CASE, { args, shell: 'ulimit -n 300' });
  expect(result).toMatchObject({ ...endedWell('written', { files: 5000 }), stderr: '' });
  expect(names().filter((name) => name.startsWith('label='))).toHaveLength(5000);
  expect(readdirSync(`${path}/label=17`)).toEqual(['a.tfrecord.gz']);
  expect(await countRecords(`${path}/label=*/a.tfrecord.gz`)).toBe(25_000);
});
