import { execFileSync, spawnSync } from 'node:child_process';

import { Folder } from '../../support/records/record-files';
import { runHere } from '../../support/running/run-here';

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

const script = async (shell: string): Promise<string> => (await runHere(['completion', shell])).stdout;
const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

interface Tree {
  readonly commands: readonly { readonly name: string; readonly options: readonly { readonly long?: string }[] }[];
}

describe('tfrecord completion json', () => {
  it('has every command with its options, and the texts of the help', async () => {
    const tree = JSON.parse(await script('json')) as Tree;
    const help = (await runHere(['help'])).stdout;
    expect(tree.commands.length).toBeGreaterThan(9);
    for (const { name, options } of tree.commands) {
      expect(help).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
      const own = (await runHere(['help', name])).stdout;
      for (const { long } of options) expect(own).toContain(long);
    }
    expect(JSON.stringify(tree)).toContain('Exit codes: 0');
  });
});

(has('bash') ? describe : describe.skip)('tfrecord completion bash', () => {
  /** Completes the last of `words`. */
  const complete = async (...words: string[]): Promise<string[]> => {
    const line = ['tfrecord', ...words].map((word) => `'${word}'`).join(' ');
    const program = `${await script('bash')}
COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _tfrecord; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const output = execFileSync('bash', ['--norc', '-u', '-c', program], { encoding: 'utf8' });
    return output.split('\n').filter((word) => word !== '');
  };

  it.each([
    [['he'], ['head', 'help']],
    [['ext'], ['extract']],
    [['--v'], ['--version']],
    [['head', '--comp'], ['--compression']],
    [['head', '--compression', 'g'], ['gzip']],
    [
      ['grep', 'x=1', 'file', '--on-error', ''],
      ['throw', 'skip', 'stop', 'salvage'],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish', 'json'],
    ],
    [['help', 'di'], ['diff']],
    // Names of files, which Bash itself completes.
    [['head', 'a'], []],
    [['extract', '-o', ''], []],
    [['head', '-n', ''], []],
  ])('%j: %j', async (words, expected) => {
    expect(await complete(...words)).toEqual(expected);
  });
});

describe.each([
  ['zsh', ['-n']],
  ['fish', ['--no-execute']],
])('tfrecord completion %s', (shell, args) => {
  (has(shell) ? it : it.skip)('has a script without errors of syntax', async () => {
    const file = folder.put(shell, await script(shell));
    const { status, stderr } = spawnSync(shell, [...args, file], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('names the commands and the options', async () => {
    const text = await script(shell);
    for (const word of ['extract', 'max-count', 'compression', 'auto none gzip zlib']) expect(text).toContain(word);
  });
});

(has('fish') ? describe : describe.skip)('fish', () => {
  it.each([
    ['tfrecord ext', 'extract'],
    ['tfrecord head --compression gz', 'gzip'],
    ['tfrecord diff --tol', '--tolerance'],
  ])('completes %j', async (line, word) => {
    const program = `${await script('fish')}\ncomplete -C '${line}'`;
    expect(execFileSync('fish', ['--no-config', '-c', program], { encoding: 'utf8' })).toMatch(
      new RegExp(`^${word}\\b`, 'm'),
    );
  });
});

describe('tfrecord alone', () => {
  it('shows the five most common uses, of commands that there are', async () => {
    const { code, stdout, stderr } = await runHere([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const { commands } = JSON.parse(await script('json')) as Tree;
    const names = commands.map(({ name }) => name);
    const used = [...stderr.matchAll(/^ {2}\$ tfrecord (\w+)/gm)].map(([, name]) => name);
    expect(used).toHaveLength(5);
    for (const name of used) expect(names).toContain(name);
    for (const line of stderr.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it.each(['bash2', ''])('refuses completion %j', async (shell) => {
    expect(await runHere(['completion', shell])).toMatchObject({ code: 2, stdout: '' });
  });
});
