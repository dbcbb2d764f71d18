/**
 * Compiles the package and its tests to plain JavaScript in .cache/platforms/compiled, for a Node under which Jest's own
 * native modules do not load (see jest-globals.cjs). Prints the test files, compiled, that every platform runs: those of
 * records, Examples and writing.
 *
 *   node test/runtimes/platforms/compile-tests.mjs
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { transformSync } from '@swc/core';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const out = join(root, '.cache', 'platforms', 'compiled');
const FOLDERS = ['unit/record', 'unit/example'];
/** Tests that need Jest itself, and why. */
const LEFT_OUT = {
  'give-name': 'replaces a module',
  'record-type': 'counts warnings that come once a process, and Jest gives each file a process state of its own',
  stacks: 'looks for lines of TypeScript files',
};

rmSync(out, { recursive: true, force: true });
for (const folder of ['examples', 'docs', 'proto', 'test/golden']) {
  cpSync(join(root, folder), join(out, folder), { recursive: true });
}
for (const file of ['package.json', 'README.md']) cpSync(join(root, file), join(out, file));
for (const folder of ['lib', 'test']) {
  for (const name of readdirSync(join(root, folder), { recursive: true })) {
    if (!/\.(ts|js|cjs)$/.test(name) || name.endsWith('.d.ts') || name.startsWith('golden')) continue;
    const source = join(root, folder, name);
    const text = readFileSync(source, 'utf8');
    const target = join(out, folder, name.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, name.endsWith('.ts') ? compiled(source, text) : text);
  }
}
for (const folder of FOLDERS) {
  for (const name of readdirSync(join(out, 'test', folder), { recursive: true }).sort()) {
    if (!name.endsWith('.test.js') || name.endsWith('.slow.test.js') || basename(name, '.test.js') in LEFT_OUT)
      continue;
    console.log(`test/${folder}/${name.replaceAll('\\', '/')}`);
  }
}

function compiled(filename, text) {
  return transformSync(text, {
    filename,
    swcrc: false,
    sourceMaps: false,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs', ignoreDynamic: filename.endsWith('thread-main.ts') },
  }).code;
}
