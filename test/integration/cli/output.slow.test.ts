/**
 * The command's output: a full device is an error, a reader that goes away is not, and file names are safe for
 * terminals.
 */
import { copyFileSync, existsSync } from 'node:fs';

import { PeopleFolder } from '../../support/records/people';
import { cliResult, runCli, startCli } from '../../support/running/run-cli';

const folder = new PeopleFolder();
afterAll(() => {
  folder.remove();
});

const COMMANDS = [
  ['help'],
  ['help', 'head'],
  ['--version'],
  ['--help'],
  ['head', '--help'],
  ['head', 'people.tfrecord'],
  ['cat', 'people.tfrecord', 'people.tfrecord'],
  ['count', 'people.tfrecord', 'people.tfrecord'],
  ['count', '--json', 'people.tfrecord'],
  ['verify', 'people.tfrecord', 'flipped.tfrecord'],
  ['verify', '--json', 'people.tfrecord'],
  ['info', 'people.tfrecord', 'people.tfrecord'],
  ['info', '--json', 'people.tfrecord'],
  ['tail', 'people.tfrecord'],
  ['sample', 'people.tfrecord'],
  ['grep', 'age>1', 'people.tfrecord'],
  ['grep', '-c', 'age>1', 'people.tfrecord'],
  ['diff', 'people.tfrecord', 'people.tfrecord.gz'],
  ['extract', 'people.tfrecord', '--feature', 'name', '-o', 'extracted', '--force'],
  ['completion', 'bash'],
];

(existsSync('/dev/full') ? describe : describe.skip)('a full device', () => {
  it.each(COMMANDS.map((args) => [args]))('is told once: %j', async (args) => {
    const { code, stderr } = await runCli(args, { cwd: folder.path, output: '/dev/full' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^tfrecord: error: cannot write the output: ENOSPC[^\n]*\n$/);
  });
});

describe('a pipe that nobody reads', () => {
  it.each(COMMANDS.map((args) => [args]))('is a quiet end: %j', async (args) => {
    const child = startCli(args, { cwd: folder.path });
    child.stdin.end();
    child.stdout?.destroy();
    const { code, stderr } = await cliResult(child);
    expect({ args, stderr }).toEqual({ args, stderr: '' });
    // The exit code still reports the damage that was found.
    expect([0, args.includes('flipped.tfrecord') ? 1 : 0]).toContain(code);
  });
});

describe('control characters', () => {
  const name = 'a\x1b[31mred\x9bx\nb\u202e.tfrecord';
  const told = 'a\\u001b[31mred\\u009bx\\u000ab\\u202e.tfrecord';
  const obeyed = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/;

  it.each([
    ['count', name, 'people.tfrecord'],
    ['info', name],
    ['info', '--json', name],
    ['verify', name],
    ['verify', '--json', name],
    ['count', '--json', name],
    ['head', '-n', '1', '--origin', name],
    ['tail', '-n', '1', '--origin', name],
    ['grep', '-c', 'age', name, 'people.tfrecord'],
    ['extract', 'people.tfrecord', '--feature', 'name', '-o', `${name}.d`],
    ['info', name, 'people.tfrecord'],
  ])('of file names are escaped: %s %s', async (...args) => {
    copyFileSync(folder.at('people.tfrecord'), folder.at(name));
    const { code, stdout } = await folder.run(...args);
    expect(code).toBe(0);
    expect(stdout).not.toMatch(obeyed);
    if (stdout.startsWith('{')) expect(JSON.stringify(JSON.parse(stdout))).toContain(JSON.stringify(name).slice(1, -1));
    else expect(stdout).toContain(told);
  });

  it.each([
    ['count', `no-${name}`],
    ['verify', `no-${name}`],
    ['info', `no-${name}`],
    ['head', `no-${name}`],
    [name],
    ['count', `--${name}`],
    ['head', '-n', name, 'people.tfrecord'],
    ['head', '--spec', name, 'people.tfrecord'],
  ])('of errors are escaped: %s %s', async (...args) => {
    const { code, stdout, stderr } = await folder.run(...args);
    expect(code).not.toBe(0);
    expect(stdout + stderr).not.toMatch(obeyed);
    expect(stdout + stderr).toContain('\\u001b[31mred');
  });
});
