/** The commands convert and merge: outputs, exit codes, and nothing left behind. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';

import { Folder, numberedRecords } from '../../support/records/record-files';
import { picture } from '../../support/records/pictures';
import { wholeRecords } from '../../support/records/tfrecord';
import { runCli } from '../../support/running/run-cli';

const folder = new Folder();
afterAll(() => folder.remove());
const records = numberedRecords(100, 20);
folder.write('in-0', records.slice(0, 40));
folder.write('in-1.gz', records.slice(40));
const run = (...args: string[]): ReturnType<typeof runCli> => runCli(args, { cwd: folder.path });

test('shards, refusal, resume', async () => {
  expect(await run('convert', 'in-0', 'in-1.gz', 'out', '--shards', '2')).toMatchObject({ code: 0, stdout: '' });
  const files = ['out-00000-of-00002', 'out-00001-of-00002'];
  expect(files.flatMap((name) => wholeRecords(readFileSync(folder.at(name))))).toEqual(records);
  expect(await run('convert', 'in-0', 'in-1.gz', 'out', '--shards', '2')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--force') as string,
  });
  const again = await run('convert', 'in-0', 'in-1.gz', 'out', '--shards', '2', '--resume', '--json');
  expect([again.code, (JSON.parse(again.stdout) as { upToDate: boolean }).upToDate]).toEqual([0, true]);
});

test('parts and their merging', async () => {
  for (const part of ['0/2', '1/2']) expect((await run('convert', 'in-?*', 'all', '--shard', part)).code).toBe(0);
  expect((await run('merge', 'all')).code).toBe(0);
  expect(wholeRecords(readFileSync(folder.at('all-00001-of-00002')))).toEqual(records.slice(40));
  expect((await run('merge', 'none')).code).toBe(1);
});

test('CSV, from a file, and between standard input and output', async () => {
  folder.put('table.csv', 'id,name\n1,"a\nb"\n2,\n');
  expect(await run('convert', 'table.csv', 'table.tfrecord')).toMatchObject({ code: 0, stdout: '' });
  expect(await run('convert', 'table.tfrecord', '-', '--to', 'tsv')).toMatchObject({
    code: 0,
    stdout: 'id\tname\n1\t"a\nb"\n2\t\n',
  });
  const input = 'a,b\n1,x\n';
  const args = ['convert', '-', '-', '--from', 'csv', '--to', 'jsonl'];
  expect(await runCli(args, { cwd: folder.path, input })).toMatchObject({ code: 0, stdout: '{"a":[1],"b":["x"]}\n' });
  expect(await runCli(args, { cwd: folder.path, input: `${input}2\n` })).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/Line 3 of -: it has 1 fields/) as string,
  });
  const back = [...args.slice(0, 3), '--to', 'csv'];
  const records = readFileSync(folder.at('table.tfrecord'));
  expect(await runCli(back, { cwd: folder.path, input: records })).toMatchObject({
    code: 0,
    stdout: 'id,name\n1,"a\nb"\n2,\n',
  });
});

test('a folder of pictures, with labels', async () => {
  for (const name of ['b', 'a']) {
    mkdirSync(folder.at(`photos/${name}`), { recursive: true });
    folder.put(`photos/${name}/1.png`, picture('png', 3, 2));
  }
  folder.put('labels.csv', 'file,label\nb/1.png,y\na/1.png,z\n');
  const flags = ['--labels', 'labels.csv', '--classes', 'z,y', '--to', 'jsonl', '--features', 'image/class/label'];
  expect(await run('convert', 'photos/', '-', ...flags)).toMatchObject({
    code: 0,
    stdout: '{"image/class/label":[0]}\n{"image/class/label":[1]}\n',
  });
  folder.put('photos/a/2.txt', 'text');
  expect(await run('convert', 'photos', 'p.tfrecord')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('photos/a/2.txt is not a picture') as string,
  });
  expect(await run('convert', 'in-0', 'p.tfrecord', '--labels', 'labels.csv')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--labels') as string,
  });
});

test.each([
  [2, ['convert', 'in-0']],
  [2, ['convert', 'in-0', 'x', '--shards', '0']],
  [2, ['convert', 'in-0', 'x.json']],
  [1, ['convert', 'in-0', 'x.parquet']],
  [1, ['convert', 'missing', 'x']],
  [1, ['convert', 'in-0', 'x.jsonl']],
])('exit code %i: %j', async (code, args) => {
  expect(await run(...args)).toMatchObject({ code, stdout: '' });
  expect(readdirSync(folder.path).filter((name) => name.startsWith('x') || name.endsWith('.tmp'))).toEqual([]);
});
