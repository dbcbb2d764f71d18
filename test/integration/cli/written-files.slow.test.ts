/** Commands that write files: an interrupt leaves nothing behind, and a closed pipe is quiet. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

import { PEOPLE, PeopleFolder } from '../../support/records/people';
import { cliResult, runCli, startCli } from '../../support/running/run-cli';
import { tfrecord } from '../../support/records/tfrecord';

const folder = new PeopleFolder();
afterAll(() => {
  folder.remove();
});

describe.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s', (signal) => {
  it('leaves no file and no temporary', async () => {
    const child = startCli(['grep', 'age', '-', '-o', 'late.tfrecord'], { cwd: folder.path });
    const result = cliResult(child);
    child.stdin.on('error', () => undefined);
    child.stdin.write(tfrecord(PEOPLE));
    while (folder.temporary().length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    child.kill(signal);
    const code = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[signal];
    expect(await result).toEqual({ code, signal: null, stdout: '', stderr: '' });
    expect(existsSync(folder.at('late.tfrecord'))).toBe(false);
    expect(folder.temporary()).toEqual([]);
  });
});

it('an interrupt of extract leaves whole files only', async () => {
  const child = startCli(['extract', '-', '--feature', 'name', '-o', 'names'], { cwd: folder.path });
  const result = cliResult(child);
  child.stdin.on('error', () => undefined);
  child.stdin.write(Buffer.concat(Array.from({ length: 20_000 }, () => tfrecord([PEOPLE[0]!]))));
  while (!existsSync(folder.at('names/00000001.txt'))) await new Promise((resolve) => setTimeout(resolve, 10));
  child.kill('SIGINT');
  expect(await result).toEqual({ code: 130, signal: null, stdout: '', stderr: '' });
  const files = readdirSync(folder.at('names'));
  expect(files.filter((name) => !/^\d{8}\.txt$/.test(name))).toEqual([]);
  for (const name of files) expect(readFileSync(folder.at(`names/${name}`), 'utf8')).toBe('Ann');
});

it('records through standard output end quietly when nobody reads', async () => {
  const many = Buffer.concat(Array.from({ length: 50_000 }, () => tfrecord([PEOPLE[0]!])));
  folder.put('many.tfrecord', many);
  const child = startCli(['grep', 'age', 'many.tfrecord', '-o', '-'], { cwd: folder.path });
  const result = cliResult(child);
  child.stdout!.once('data', () => child.stdout!.destroy());
  expect(await result).toMatchObject({ code: 0, signal: null, stderr: '' });
  expect((await runCli(['grep', 'age=0', '-', '-c'], { input: many })).stdout).toBe('50000\n');
});

(existsSync('/dev/full') ? it : it.skip)('records that do not fit on the device are an error, told once', async () => {
  for (const output of ['-', '/dev/full']) {
    const { code, stderr } = await runCli(['grep', 'age', 'people.tfrecord', '-o', output], {
      cwd: folder.path,
      output: '/dev/full',
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^tfrecord: error: [^\n]*ENOSPC[^\n]*\n$/);
  }
});
