/**
 * Builds the page of `tfrecord view` into dist/view/page: lib/view/page and the packages in it, whose licences are written
 * beside it. All addresses are relative, since the server has a token in front of them.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

import { licences } from './licences.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const out = join(root, 'dist', 'view', 'page');

await build({
  root: join(root, 'lib', 'view', 'page'),
  configFile: false,
  base: './',
  logLevel: 'warn',
  cacheDir: join(root, '.cache', 'vite'),
  build: {
    outDir: out,
    emptyOutDir: true,
    // The policy of the page allows no address with data in it, and no script between its lines.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
    reportCompressedSize: false,
  },
});

const packages = ['@tanstack/virtual-core', 'preact', 'uplot'].map((name) => `node_modules/${name}/package.json`);
const inputs = Object.fromEntries(packages.map((name) => [name, {}]));
writeFileSync(join(out, 'LICENSES.txt'), licences(root, 'The page', inputs));
