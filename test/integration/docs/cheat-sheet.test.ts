/** Each line of the cheat sheet's commands runs; `snippets.slow.test.ts` runs its code. `llms.txt` names what there is. */
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import * as library from '../../../lib';
import { putCommandData } from '../../support/records/command-data';
import { Folder } from '../../support/records/record-files';
import { ROOT } from '../../support/running/compiled-sources';
import { runHere } from '../../support/running/run-here';

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

const textOf = (page: string): string => readFileSync(join(ROOT, 'docs', page), 'utf8');

/** The commands of the page: words, the file that takes the output, and the exit code that the comment names. */
const commands = [...textOf('cheat-sheet.md').matchAll(/^tfrecord .*$/gm)].map(([line]) => {
  const [command, comment = ''] = line.split(' #');
  const [call, output] = command!.split(' > ');
  const words = [...call!.matchAll(/'([^']*)'|"([^"]*)"|\S+/g)].map(
    ([word, single, double]) => single ?? double ?? word,
  );
  return {
    line,
    words: words.slice(1),
    output: output?.trim(),
    code: Number(/exit code (\d)/.exec(comment)?.[1] ?? 0),
  };
});

describe('the cheat sheet', () => {
  beforeAll(() => {
    putCommandData(folder);
    copyFileSync(folder.at('weather.tfrecord.gz'), folder.at('train.tfrecord.gz'));
  });

  test('has a command for most of what the command can do', async () => {
    const all = JSON.parse((await runHere(['completion', 'json'])).stdout) as { commands: { name: string }[] };
    const used = new Set(commands.map(({ words }) => words[0]));
    expect(all.commands.filter(({ name }) => used.has(name)).length).toBeGreaterThan(all.commands.length / 2);
  });

  // In order, because some read what others wrote.
  test.each(commands)('$line', async ({ words, output, code }) => {
    const result = await runHere(words, { cwd: folder.path });
    expect([result.code, result.stderr]).toEqual([
      code,
      code === 0 ? expect.not.stringMatching(/error:/) : expect.anything(),
    ]);
    if (output !== undefined) writeFileSync(folder.at(output), result.stdout);
  });
});

describe('llms.txt', () => {
  const text = textOf('llms.txt');

  test('links every page of the documentation, and nothing else', () => {
    const linked = [...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, path]) => path!);
    for (const path of linked) expect(existsSync(join(ROOT, 'docs', path))).toBe(true);
    const pages = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
    expect(linked.filter((path) => pages.includes(path)).sort()).toEqual(pages.sort());
  });

  test('names functions, classes and commands that exist', async () => {
    const all = JSON.parse((await runHere(['completion', 'json'])).stdout) as { commands: { name: string }[] };
    const names = [...text.matchAll(/`(\w+)\(/g)].map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) expect(Object.keys(library)).toContain(name);
    const called = [...text.matchAll(/`tfrecord (\w+)/g)].map(([, name]) => name!);
    expect(called.length).toBeGreaterThan(8);
    for (const name of called) expect(all.commands.map((each) => each.name)).toContain(name);
  });
});
