/** The examples of docs/command.md and docs/sql.md print what the pages say. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { putCommandData } from '../support/records/command-data';
import { Folder } from '../support/records/record-files';
import { ROOT } from '../support/running/compiled-sources';
import { runHere } from '../support/running/run-here';

const folder = new Folder();
beforeAll(() => {
  putCommandData(folder);
});
afterAll(() => {
  folder.remove();
});

const page = readFileSync(join(ROOT, 'docs', 'command.md'), 'utf8');
const sqlPage = readFileSync(join(ROOT, 'docs', 'sql.md'), 'utf8');
const examples = [...`${page}\n${sqlPage}`.matchAll(/^```console\n(.*?)^```/gms)].flatMap(([, block]) =>
  [...block!.matchAll(/^\$ tfrecord (.*)\n((?!\$)[^]*?)(?=^\$|$(?![^]))/gm)].map(
    ([, line, output]) => [line!, output!] as const,
  ),
);

/** Splits a line into words, as a shell does. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|\S+/g)].map(([word, single, double]) => single ?? double ?? word);
}

test('every example is found', () => {
  expect(examples).toHaveLength([...`${page}\n${sqlPage}`.matchAll(/^\$ /gm)].length);
});

// In order, because some read what others wrote.
test.each(examples)('tfrecord %s', async (line, output) => {
  const { stdout, stderr } = await runHere(wordsOf(line), { cwd: folder.path });
  expect(stdout + stderr).toBe(output);
});

test('every command is on the page', async () => {
  const { commands } = JSON.parse((await runHere(['completion', 'json'])).stdout) as { commands: { name: string }[] };
  for (const { name } of commands) expect(page).toMatch(new RegExp(`\\b${name}\\b`));
});
