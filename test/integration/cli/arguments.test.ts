import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { PeopleFolder } from '../../support/records/people';
import { runCli } from '../../support/running/run-cli';

const folder = new PeopleFolder();
afterAll(() => {
  folder.remove();
});

describe('arguments', () => {
  it.each([
    [[]],
    [['nonsense']],
    [['head']],
    [['head', '--nonsense', 'a']],
    [['head', '-n', 'x', 'a']],
    [['head', '-n', '-1', 'a']],
    [['cat', '--compression', 'bzip2', 'a']],
    [['cat', '--max-record-bytes', '9G', 'a']],
    [['verify', '--on-error', 'skip', 'a']],
    [['count', '']],
    [['head', 'a', '']],
    [['count', '-', '-']],
    [['help', 'nonsense']],
  ])('are refused with code 2: %j', async (args) => {
    const { code, stdout, stderr } = await runCli(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).not.toBe('');
  });

  it('may ask for help and for the version', async () => {
    const { version } = JSON.parse(readFileSync(join(__dirname, '../../../package.json'), 'utf8'));
    expect(await runCli(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n` });
    const help = await runCli(['--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    for (const command of ['head', 'cat', 'count', 'verify', 'info', 'Examples:'])
      expect(help.stdout).toContain(command);
    expect((await runCli(['verify', '--help'])).code).toBe(0);
    expect(await runCli(['help'])).toEqual(help);
    for (const command of ['head', 'verify'])
      expect(await runCli(['help', command])).toEqual(await runCli([command, '--help']));
    expect((await runCli(['help', 'nonsense'])).stderr).toMatch(/^tfrecord: error: unknown command 'nonsense'/);
  });

  it.each([[['hed', 'a']], [['help', 'hed']]])(
    'that are misspelled are answered with what was meant: %j',
    async (args) => {
      const { code, stderr } = await runCli(args);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^tfrecord: error: unknown command 'hed'\n\(Did you mean head\?\)/);
    },
  );

  it('that are files are answered with where files stand', async () => {
    const { code, stderr } = await runCli(['data/a.tfrecord']);
    expect(code).toBe(2);
    expect(stderr).toContain('tfrecord head data/a.tfrecord');
  });

  it('are explained', async () => {
    expect((await runCli(['help'])).stdout).toMatch(/0, also if\s--on-error accepts damage/);
    expect((await runCli(['help', 'cat'])).stdout).toMatch(/"text"/);
    expect((await runCli(['help', 'cat'])).stdout).not.toMatch(/--full|"more"/);
    expect((await runCli(['help', 'head'])).stdout).toMatch(/--full[^]*"more"/);
  });

  it('bound the size of records', async () => {
    const { code, stderr } = await folder.run('count', '--max-record-bytes', '10', 'people.tfrecord');
    expect(code).toBe(1);
    expect(stderr).toMatch(/TFR_RECORD_TOO_LARGE.*--max-record-bytes/);
  });

  it('may name a compression that the content does not have', async () => {
    const { code, stderr } = await folder.run(
      'count',
      '--compression',
      'gzip',
      '--on-error',
      'skip',
      'people.tfrecord',
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(/TFR_COMPRESSION.*--compression auto/);
  });
});
