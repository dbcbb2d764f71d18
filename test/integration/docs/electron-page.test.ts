/** The programs in docs/electron.md are those of examples/electron-rows, which `npm run test:electron` runs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../support/running/compiled-sources';

const EXAMPLE = join(ROOT, 'examples', 'electron-rows');
const page = readFileSync(join(ROOT, 'docs', 'electron.md'), 'utf8');

test.each(['main.js', 'preload.js', 'page.js'])('docs/electron.md shows %s', (name) => {
  expect(page).toContain(`\`\`\`js\n// ${name}\n${readFileSync(join(EXAMPLE, name), 'utf8')}\`\`\``);
});

test('the page has what its script looks for, and a policy that forbids the rest', () => {
  const html = readFileSync(join(EXAMPLE, 'index.html'), 'utf8');
  for (const element of ['<thead>', '<tbody>', '<output>', '<button>']) expect(html).toContain(element);
  expect(html).toContain(`content="default-src 'none'; script-src 'self'; style-src 'self'"`);
});
