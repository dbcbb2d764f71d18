import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { PeopleFolder } from '../../support/records/people';
import { runCli } from '../../support/running/run-cli';
import { runHere } from '../../support/running/run-here';

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
    const { code, stdout, stderr } = await runHere(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).not.toBe('');
  });

  it('are refused by the process with the same code and text', async () => {
    for (const args of [[], ['head', '--nonsense', 'a']]) expect(await runCli(args)).toMatchObject(await runHere(args));
  });

  it('may ask for help and for the version', async () => {
    const { version } = JSON.parse(readFileSync(join(__dirname, '../../../package.json'), 'utf8'));
    expect(await runCli(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n` });
    const help = await runHere(['--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    for (const command of ['head', 'cat', 'count', 'verify', 'info', 'Examples:'])
      expect(help.stdout).toContain(command);
    expect((await runHere(['verify', '--help'])).code).toBe(0);
    expect(await runHere(['help'])).toEqual(help);
    for (const command of ['head', 'verify'])
      expect(await runHere(['help', command])).toEqual(await runHere([command, '--help']));
    expect((await runHere(['help', 'nonsense'])).stderr).toMatch(/^tfrecord: error: unknown command 'nonsense'/);
  });

  it.each([[['hed', 'a']], [['help', 'hed']]])(
    'that are misspelled are answered with what was meant: %j',
    async (args) => {
      const { code, stderr } = await runHere(args);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^tfrecord: error: unknown command 'hed'\n\(Did you mean head\?\)/);
    },
  );

  it('that are files are answered with where files stand', async () => {
    const { code, stderr } = await runHere(['data/a.tfrecord']);
    expect(code).toBe(2);
    expect(stderr).toContain('tfrecord head data/a.tfrecord');
  });

  it('are explained', async () => {
    expect((await runHere(['help'])).stdout).toMatch(/0, also if\s--on-error accepts damage/);
    expect((await runHere(['help', 'cat'])).stdout).toMatch(/"text"/);
    expect((await runHere(['help', 'cat'])).stdout).not.toMatch(/--full|"more"/);
    expect((await runHere(['help', 'head'])).stdout).toMatch(/--full[^]*"more"/);
  });

  it('bound the size of records', async () => {
    const { code, stderr } = await folder.here('count', '--max-record-bytes', '10', 'people.tfrecord');
    expect(code).toBe(1);
    expect(stderr).toMatch(/TFR_RECORD_TOO_LARGE.*--max-record-bytes/);
  });

  it('may name a compression that the content does not have', async () => {
    const { code, stderr } = await folder.here(
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
