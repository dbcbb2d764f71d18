/** The commands of indexes as processes: memory, files over 4 GiB, interrupts, pipes that close, full disks, two at once. */
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import { bytes, encodeExample, encodeRecords, int64, openIndexed } from '../../../lib';
import { onLinux } from '../../support/on-linux';
import { Folder } from '../../support/records/record-files';
import { measuredCli } from '../../support/running/peak-memory';
import { cliResult, runCli, startCli } from '../../support/running/run-cli';

/** Megabytes of the large files. TFRECORD_FULL=1 takes 1 GB. */
const MEGABYTES = process.env['TFRECORD_FULL'] === '1' ? 1000 : 200;
const COUNT = 1000;

const folder = new Folder();
afterAll(() => folder.remove());
const cwd = folder.path;

/** Writes `part` so often that the file has `MEGABYTES` of content. Returns the number of its records. */
function writeParts(name: string, part: Uint8Array, content: number): number {
  const file = openSync(folder.at(name), 'w');
  const times = Math.ceil((MEGABYTES * 1e6) / content);
  for (let i = 0; i < times; i++) writeSync(file, part);
  closeSync(file);
  return times * COUNT;
}

let records = 0;
beforeAll(() => {
  const examples = Array.from({ length: COUNT }, (_, i) =>
    encodeExample({ name: bytes([`name ${i}`]), label: int64([i % 3]), data: bytes([Buffer.alloc(100, i)]) }),
  );
  const part = encodeRecords(examples);
  records = writeParts('big.tfrecord', part, part.length);
  writeParts('big.tfrecord.gz', gzipSync(part, { level: 1 }), part.length);
});

const NAMES = ['big.tfrecord', 'big.tfrecord.gz'];

describe.each(NAMES)('at most 100 MB over bare Node: %s', (name) => {
  const measured = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr, above } = await measuredCli([...args, name], { cwd });
    expect({ code, stderr: stderr.replace(/^tfrecord: note: .*\n/, '') }).toEqual({ code: 0, stderr: '' });
    expect(above).toBeLessThan(100);
    return stdout;
  };

  onLinux(
    'index, and what uses it',
    async () => {
      expect(await measured('sample', '-n', '3', '--seed', '1')).toContain('"features"');
      expect(await measured('index', '--key', 'label')).toContain('records');
      expect(await measured('count', '--by-index')).toBe(`${records}\n`);
      expect(await measured('head', '--skip', String(records - 2))).toMatch(/name 998.*\n.*name 999.*\n$/);
      expect((await measured('sample', '-n', '5')).split('\n')).toHaveLength(6);
      const { stdout } = await runCli(['get', name, '7', String(records - 1)], { cwd });
      expect(stdout).toMatch(/name 7".*\n.*name 999"/);
    },
    300_000,
  );
});

onLinux(
  'as many keys as an index may have take at most 100 MB over bare Node, made and used',
  async () => {
    const most = 10_000_000;
    const partFrom = (first: number): Uint8Array =>
      encodeRecords(Array.from({ length: COUNT }, (_, i) => encodeExample({ k: int64([first + i]) })));
    const part = partFrom(0);
    const file = openSync(folder.at('keys.tfrecord'), 'w');
    for (let i = 1; i < most / COUNT; i++) writeSync(file, part);
    writeSync(file, partFrom(COUNT));
    closeSync(file);
    for (const [args, printed] of [
      [['index', '--key', 'k', 'keys.tfrecord'], 'keys.tfrecord.tfindex: 10,000,000 records'],
      [['get', 'keys.tfrecord', String(most - 1)], `{"features":{"k":[${2 * COUNT - 1}]}}`],
      [['count', '--by-index', 'keys.tfrecord'], String(most)],
      [['get', 'keys.tfrecord', '--key', '1077'], '{"features":{"k":[1077]}}'],
    ] as const) {
      const { code, stdout, above } = await measuredCli(args, { cwd });
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(printed) as string });
      expect(above).toBeLessThan(100);
    }
    rmSync(folder.at('keys.tfrecord'));
  },
  300_000,
);

onLinux(
  'a file over 4 GiB, and content over 4 GiB in GZIP',
  async () => {
    // Zeros, which take no room on the disk.
    const length = 2 ** 28;
    const head = encodeRecords([Buffer.alloc(length)]);
    const last = encodeRecords(['last one']);
    const times = 17;
    const file = openSync(folder.at('holes.tfrecord'), 'w');
    for (let i = 0; i < times; i++) {
      writeSync(file, head, 0, 12, i * head.length);
      writeSync(file, head, head.length - 4, 4, (i + 1) * head.length - 4);
    }
    writeSync(file, last, 0, last.length, times * head.length);
    closeSync(file);
    const member = gzipSync(head, { level: 1 });
    const members = openSync(folder.at('holes.tfrecord.gz'), 'w');
    for (let i = 0; i < times; i++) writeSync(members, member);
    writeSync(members, gzipSync(last));
    closeSync(members);
    for (const name of ['holes.tfrecord', 'holes.tfrecord.gz']) {
      expect(await runCli(['index', name], { cwd })).toMatchObject({ code: 0, stderr: '' });
      const { stdout } = await runCli(['get', '--origin', name, '17'], { cwd });
      expect(JSON.parse(stdout)).toMatchObject({
        origin: { file: name, record: times, offset: times * head.length },
        text: 'last one',
      });
    }
  },
  300_000,
);

/** True while process `pid` has the file open. */
function reads(pid: number, name: string): boolean {
  return readdirSync(`/proc/${pid}/fd`).some((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`) === folder.at(name);
    } catch {
      return false;
    }
  });
}

describe.each(['SIGINT', 'SIGTERM'] as const)('%s', (signal) => {
  onLinux(
    'leaves no file behind',
    async () => {
      const before = folder.names();
      const writing: readonly (readonly string[])[] = [
        ['index', '-o', 'never.tfindex', 'big.tfrecord.gz'],
        ['index', '-o', 'never.tfindex', '--key', 'name', 'big.tfrecord'],
        ['convert', '--partition-by', 'label', 'big.tfrecord', 'never/part'],
      ];
      for (const args of writing) {
        const child = startCli(args, { cwd });
        const result = cliResult(child);
        while (!reads(child.pid!, args.at(-1) === 'never/part' ? 'big.tfrecord' : args.at(-1)!)) await wait(2);
        child.kill(signal);
        expect((await result).code).toBe(signal === 'SIGINT' ? 130 : 143);
        expect(folder.names()).toEqual(before);
      }
    },
    120_000,
  );
});

test('commands whose output closes early, or is full, end with their code', async () => {
  await runCli(['index', 'big.tfrecord'], { cwd });
  const numbers = Array.from({ length: 2000 }, (_, i) => String(i * 7));
  for (const args of [
    ['get', 'big.tfrecord', ...numbers],
    ['head', '--skip', '100', '-n', '100000', 'big.tfrecord'],
    ['sample', '-n', '100000', 'big.tfrecord'],
  ]) {
    const child = startCli(args, { cwd });
    const result = cliResult(child);
    child.stdout!.once('data', () => child.stdout!.destroy());
    expect(await result).toMatchObject({ code: 0, stderr: '' });
  }
  if (existsSync('/dev/full')) {
    const { code, stderr } = await cliResult(startCli(['get', 'big.tfrecord', '1'], { cwd, output: '/dev/full' }));
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('ENOSPC') as string });
  }
}, 120_000);

test('two processes that write one side-car, which is a link, leave a whole one, and the link', async () => {
  const content = readFileSync(folder.at('big.tfrecord')).subarray(0, 20_000_000);
  folder.put('two.tfrecord', content);
  folder.put('target.tfindex', '');
  symlinkSync('target.tfindex', folder.at('two.tfrecord.tfindex'));
  const runs = await Promise.all(Array.from({ length: 3 }, () => runCli(['index', 'two.tfrecord'], { cwd })));
  // The file ends within a record.
  for (const { code } of runs) expect(code).toBe(1);
  const index = await openIndexed(folder.at('two.tfrecord'), { onStale: 'throw', onError: 'stop' });
  expect(index.records).toBeGreaterThan(100_000);
  await index.close();
  expect(readFileSync(folder.at('target.tfindex'))).toEqual(readFileSync(folder.at('two.tfrecord.tfindex')));
  expect(folder.names().filter((name) => name.includes('target') || name.includes('two'))).toHaveLength(3);
}, 60_000);

test('a file that is being written has the index of what is whole, which is not used later', async () => {
  const all = readFileSync(folder.at('big.tfrecord')).subarray(0, 2_000_000);
  folder.put('growing.tfrecord', all.subarray(0, 1_000_001));
  const first = await runCli(['index', '--json', 'growing.tfrecord'], { cwd });
  expect(first.code).toBe(1);
  expect(JSON.parse(first.stdout)).toMatchObject({ isCut: true });
  folder.put('growing.tfrecord', all);
  const { stdout, stderr } = await runCli(['get', 'growing.tfrecord', '7'], { cwd });
  expect(stdout).toContain('name 7"');
  expect(stderr).toContain('growing.tfrecord.tfindex cannot be used');
});
