/** The manual page that the package brings: it is written by `npm run build:ts`. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { runHere } from '../../support/running/run-here';

const root = join(__dirname, '../../..');
const { man, files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  man: [string];
  files: string[];
};
const page = join(root, man[0]);
const groff = spawnSync('groff', ['--version']).status === 0;

test('the page is in the package', () => {
  expect(files).toContain(man[0].split('/')[1]);
  expect(existsSync(page)).toBe(true);
});

(groff ? test : test.skip)('groff finds nothing wrong, and shows every command and option', async () => {
  const { status, stdout, stderr } = spawnSync('groff', ['-man', '-Tutf8', '-P-cbou', '-rLL=200n', '-ww', page], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const { commands } = JSON.parse((await runHere(['completion', 'json'])).stdout) as {
    commands: { name: string; usage: string; notes: string; options: { long?: string; description: string }[] }[];
  };
  for (const { usage, notes, options } of commands) {
    expect(stdout).toContain(usage);
    for (const { long, description } of options) {
      if (long !== undefined) expect(stdout).toContain(long);
      expect(stdout.replace(/\s+/g, ' ')).toContain(description.replace(/\s+/g, ' '));
    }
    for (const line of notes.split('\n')) expect(stdout).toContain(line.trim());
  }
});
