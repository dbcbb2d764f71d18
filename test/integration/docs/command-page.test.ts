/** The examples of the command print what the pages say. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { putCommandData } from '../../support/records/command-data';
import { Folder } from '../../support/records/record-files';
import { ROOT } from '../../support/running/compiled-sources';
import { runHere } from '../../support/running/run-here';

const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

/** Splits a line into words, as a shell does. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|\S+/g)].map(([word, single, double]) => single ?? double ?? word);
}

/** What two machines print alike: runs take different times, and codecs compress to different sizes. */
function comparable(line: string, output: string): string {
  const timeless = output.replace(/it took [\d.]+ s$/gm, 'it took 0.0 s');
  return line.includes('.gz') ? timeless.replace(/[\d,]+ bytes/g, '0 bytes') : timeless;
}

describe.each(['README.md', 'docs/command.md', 'docs/sql.md'])('%s', (page) => {
  const folder = new Folder();
  beforeAll(() => {
    putCommandData(folder);
  });
  afterAll(() => {
    folder.remove();
  });

  const examples = [...textOf(page).matchAll(/^```console\n(.*?)^```/gms)].flatMap(([, block]) =>
    [...block!.matchAll(/^\$ tfrecord (.*)\n((?!\$)[^]*?)(?=^\$|$(?![^]))/gm)].map(
      ([, line, output]) => [line!, output!] as const,
    ),
  );

  test('every example is found', () => {
    expect(examples).toHaveLength([...textOf(page).matchAll(/^\$ /gm)].length);
  });

  // In order, because some read what others wrote.
  test.each(examples)('tfrecord %s', async (line, output) => {
    const { stdout, stderr } = await runHere(wordsOf(line), { cwd: folder.path });
    expect(comparable(line, stdout + stderr)).toBe(comparable(line, output));
  });
});

test('every command is on the page', async () => {
  const { commands } = JSON.parse((await runHere(['completion', 'json'])).stdout) as { commands: { name: string }[] };
  for (const { name } of commands) expect(textOf('docs/command.md')).toMatch(new RegExp(`\\b${name}\\b`));
});
