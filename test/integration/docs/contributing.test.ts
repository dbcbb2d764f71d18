/** The pages for developers name files that exist, and say how to add each kind of thing. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

import { ROOT } from '../../support/running/compiled-sources';

const PAGES = ['CONTRIBUTING.md', 'docs/internals.md'];
const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

const files = ['lib', 'native', 'test', 'scripts'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => basename(file)),
);
const names = new Set(files);

describe.each(PAGES)('%s', (page) => {
  const text = textOf(page);
  const paths = [...text.matchAll(/(?<=[`\s(])(?:lib|native|test|scripts|docs)\/[\w./-]*[\w]/g)].map(([path]) => path);
  const inCode = [...text.matchAll(/`([\w-]+\.(?:ts|mjs|h|cc))`/g)].map(([, name]) => name!);

  test('names paths that exist', () => {
    expect([...new Set(paths)].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(paths.length).toBeGreaterThan(20);
  });

  test('names files that exist', () => {
    expect([...new Set(inCode)].filter((name) => !names.has(name))).toEqual([]);
  });
});

test.each(['A kind of feature', 'A stage', 'A codec', 'A conversion format', 'A source', 'A command'])(
  'CONTRIBUTING.md says how to add: %s',
  (title) => {
    expect(textOf('CONTRIBUTING.md')).toContain(`**${title}`);
  },
);

test('docs/internals.md has at most 3,500 words', () => {
  expect(textOf('docs/internals.md').split(/\s+/).length).toBeLessThanOrEqual(3500);
});
