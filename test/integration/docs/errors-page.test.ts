/** docs/errors.md has a section for each code, and the output of its examples is up to date. */
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../support/running/compiled-sources';
import { Folder } from '../../support/records/record-files';
import { runSnippets, type SnippetResult } from '../../support/running/run-snippets';

const page = readFileSync(join(ROOT, 'docs', 'errors.md'), 'utf8');
const sections = page.split(/^## /m).slice(1);
const examples = sections.flatMap((section) => {
  const found = /^```js\n(.*?)^```\n\n```text\n(.*?)^```/ms.exec(section);
  return found === null ? [] : [[section.split('\n', 1)[0]!, found[1]!, found[2]!] as const];
});

const folder = new Folder();
afterAll(() => folder.remove());

let results: readonly SnippetResult[];

beforeAll(() => {
  writeFileSync(folder.at('package.json'), '{ "private": true }\n');
  mkdirSync(folder.at('node_modules'));
  symlinkSync(ROOT, folder.at(join('node_modules', 'tfrecord-native')), 'junction');
  for (const name of ['weather.tfrecord', 'weather.tfrecord.gz']) {
    copyFileSync(join(ROOT, 'examples', 'data', name), folder.at(name));
  }
  results = runSnippets(
    folder,
    examples.map(([, code]) => code),
  );
});

test('a section for each code, in the order of the table', () => {
  const codes = [...readFileSync(join(ROOT, 'lib', 'base', 'errors.ts'), 'utf8').matchAll(/^ {2}\| '(TFR_\w+)'/gm)].map(
    ([, code]) => code,
  );
  const titled = sections.map((section) => section.split('\n', 1)[0]!).filter((name) => name.startsWith('TFR_'));
  const listed = [...page.matchAll(/^\| \[`(TFR_\w+)`\]\(#(\w+)\)/gm)].map(([, code]) => code);
  expect([...titled].sort()).toEqual([...codes].sort());
  expect(listed).toEqual(titled);
  expect(examples.map(([name]) => name)).toEqual(expect.arrayContaining(titled));
});

test.each(examples.map(([name, , shown], i) => [name, shown, i] as const))('%s', (_, shown, i) => {
  const { stdout, stderr, failure } = results[i]!;
  expect(stderr).toBe('');
  expect(stdout + (failure === undefined ? '' : `${failure.message}\n`)).toBe(shown);
});
