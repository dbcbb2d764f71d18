/** The start of the command: a run loads one command, and keeps compiled code where Node.js can. */
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { encodeExample, int64 } from '../../../lib';
import { COMMAND_GROUPS } from '../../../lib/cli/command-table';
import { buildProgram } from '../../../lib/cli/program';
import { Folder } from '../../support/records/record-files';
import { tfrecord } from '../../support/records/tfrecord';
import { runCli } from '../../support/running/run-cli';

const folder = new Folder();
afterAll(() => folder.remove());
const FILE = folder.put('a.tfrecord', tfrecord([Buffer.from('one')]));
const EXAMPLES = folder.write('examples.tfrecord', [encodeExample({ a: int64(1) })]);

function program(only?: string): ReturnType<typeof buildProgram> {
  const begin = (): never => {
    throw new Error('a command began');
  };
  return buildProgram(begin, { write: () => undefined, writeError: () => undefined }, only);
}

/** Runs the command in a process that first runs `code`. Returns what the process printed. */
async function started(
  code: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const before = folder.put('before.cjs', Buffer.from(code));
  const { stdout, stderr } = await runCli(words, {
    nodeArguments: ['--require', before],
    env: { XDG_CACHE_HOME: '', ...env },
  });
  return stdout + stderr;
}

const names = Object.values(COMMAND_GROUPS).flatMap((commands) => Object.keys(commands));

describe('a run of one command', () => {
  it.each(names)('has the help of %s that the whole program has', (name) => {
    const [alone, ...others] = program(name).commands;
    expect(others).toEqual([]);
    expect(alone!.name()).toBe(name);
    const inWhole = program().commands.find((command) => command.name() === name);
    expect(alone!.helpInformation()).toBe(inWhole!.helpInformation());
  });

  it.each(['help', 'completion', '--help', '--version', 'hepl', '__proto__', 'constructor', undefined])(
    'has all commands for %s',
    (word) => {
      expect(program(word).commands.map((command) => command.name())).toEqual([...names, 'help', 'completion']);
    },
  );

  it.each([
    [false, ['sql', "SELECT 1, 'a', NULL::DOUBLE, sum(range) FROM range(3)"]],
    [true, ['sql', 'SELECT [1]']],
    [false, ['convert', EXAMPLES, folder.at('out.parquet')]],
    [false, ['convert', EXAMPLES, folder.at('out.tfrecord'), '--where', 'a = 1']],
  ])('loads the bindings of DuckDB; its package, too: %s (%#)', async (whole, words) => {
    const loaded = await started(
      `process.on('exit', () => console.log(Object.keys(require.cache).join('\\n')));`,
      words,
    );
    expect(loaded).toMatch(/duckdb\.node$/m);
    expect(/node-api.lib.DuckDBConnection\.js$/m.test(loaded)).toBe(whole);
  });

  it('loads neither datasets nor Examples to count records', async () => {
    const loaded = await started(`process.on('exit', () => console.log(Object.keys(require.cache).join('\\n')));`, [
      'count',
      FILE,
    ]);
    expect(loaded).toMatch(/record.index\.js$/m);
    expect(loaded).not.toMatch(/example.index\.js$/m);
    expect(loaded).not.toMatch(/dataset.index\.js$/m);
  });
});

describe('the compile cache', () => {
  const PRINTS = `require('node:module').enableCompileCache = (folder) => console.log('cache in ' + folder);`;

  it.each([
    ['linux', ['caches'], 'caches/tfrecord-native'],
    ['linux', [], 'home/.cache/tfrecord-native'],
    ['darwin', ['caches'], 'home/Library/Caches/tfrecord-native'],
    ['win32', [], 'local/tfrecord-native'],
  ])('is among the caches of the user on %s, %p', async (platform, caches, expected) => {
    mkdirSync(folder.at('home/Library'), { recursive: true });
    const printed = await started(
      `Object.defineProperty(process, 'platform', { value: '${platform}' }); ${PRINTS}
       require('node:module').prototype.require = ((real) => function (name) {
         return name === './process' ? {} : real.call(this, name);
       })(require('node:module').prototype.require);`,
      ['count', FILE],
      {
        HOME: folder.at('home'),
        LOCALAPPDATA: folder.at('local'),
        ...(caches.length > 0 ? { XDG_CACHE_HOME: folder.at(caches[0]!) } : {}),
      },
    );
    expect(printed).toBe(`cache in ${folder.at(expected)}\n`);
    expect(statSync(folder.at(expected)).mode & 0o777).toBe(0o700);
  });

  it('is the one that NODE_COMPILE_CACHE names', async () => {
    const env = { HOME: folder.path, NODE_COMPILE_CACHE: folder.path };
    expect(await started(PRINTS, ['count', FILE], env)).toBe('1\n');
  });

  it.each([
    ['others can write to', 'process.geteuid = process.geteuid', 0o770],
    ['belongs to another user', 'process.geteuid = () => 12345', 0o700],
  ])('is left out where the folder %s', async (_case, code, mode) => {
    const home = folder.at(`home-${mode}`);
    mkdirSync(join(home, '.cache/tfrecord-native'), { recursive: true });
    chmodSync(join(home, '.cache/tfrecord-native'), mode);
    expect(await started(`${PRINTS} ${code};`, ['count', FILE], { HOME: home })).toBe('1\n');
  });

  it('is left out for a user without a home', async () => {
    const code = `${PRINTS} require('node:os').homedir = () => { throw new Error('ENOENT'); };`;
    expect(await started(code, ['count', FILE])).toBe('1\n');
  });

  it.each(['/proc/nowhere', '/dev/null', FILE])('is left out where %s is the home', async (home) => {
    expect(await started(PRINTS, ['count', FILE], { HOME: home })).toBe('1\n');
  });
});
