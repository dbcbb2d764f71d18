/** The files that CONTRIBUTING.md names exist. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../support/running/compiled-sources';

const text = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
const paths = [...text.matchAll(/(?<=[`\s(])(?:lib|native|test|scripts|docs)\/[\w./-]*[\w]/g)].map(([path]) => path);

test.each([...new Set(paths)])('%s', (path) => {
  expect(existsSync(join(ROOT, path))).toBe(true);
});

test('it names places for codecs, sources, kinds, stages and commands', () => {
  expect(paths.length).toBeGreaterThan(30);
});
