/** An output that appears while a command runs is not replaced. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

import { PEOPLE, PeopleFolder } from '../../support/records/people';
import { tfrecord } from '../../support/records/tfrecord';
import { cliResult, startCli } from '../../support/running/run-cli';

const folder = new PeopleFolder();
afterAll(() => {
  folder.remove();
});

it.each([
  [['convert', '-', 'out.tfrecord'], 2, "tfrecord: error: EEXIST: 'out.tfrecord' exists. --force replaces it.\n"],
  [['grep', 'age', '-', '-o', 'found.tfrecord'], 2, 'tfrecord: error: found.tfrecord exists: --force replaces it\n'],
])('%j', async (args, code, stderr) => {
  const output = args.at(-1)!;
  const child = startCli(args, { cwd: folder.path });
  const result = cliResult(child);
  child.stdin.write(tfrecord(PEOPLE));
  while (folder.temporary().length === 0 && child.exitCode === null) await wait(10);
  expect(existsSync(folder.at(output))).toBe(false);
  writeFileSync(folder.at(output), 'of another program');
  child.stdin.end();
  expect(await result).toEqual({ code, signal: null, stdout: '', stderr });
  expect(readFileSync(folder.at(output), 'utf8')).toBe('of another program');
  expect(folder.temporary()).toEqual([]);
});

it('--force replaces it, without a warning', async () => {
  const child = startCli(['grep', 'age', '-', '-o', 'forced.tfrecord', '--force'], { cwd: folder.path });
  const result = cliResult(child);
  child.stdin.write(tfrecord(PEOPLE));
  while (folder.temporary().length === 0 && child.exitCode === null) await wait(10);
  writeFileSync(folder.at('forced.tfrecord'), 'of another program');
  child.stdin.end();
  const { code, stderr } = await result;
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^tfrecord: note: wrote \d records to forced.tfrecord\n$/)]);
});
