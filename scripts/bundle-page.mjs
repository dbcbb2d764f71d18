/**
 * Bundles dist/wasm/index.mjs, the door for pages: one file without Node's modules. lib/wasm/node has replacements for
 * those that the rooms use, and for the stores of clouds; lib/wasm/init.ts takes the place of the loader of addons.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

import { BUNDLE_OPTIONS } from './bundle-options.mjs';
import { licences } from './licences.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const page = join(root, 'lib', 'wasm');
const outfile = join(root, 'dist', 'wasm', 'index.mjs');

/** Files of lib/wasm/node, by the modules of Node that they replace. */
const NODE = {
  ...Object.fromEntries(['crypto', 'fs', 'fs/promises', 'net', 'os', 'path', 'url'].map((name) => [name, 'system'])),
  ...Object.fromEntries(['stream', 'timers/promises'].map((name) => [name, 'events'])),
  buffer: 'globals',
  worker_threads: 'globals',
  util: 'util',
  'util/types': 'util-types',
  zlib: 'zlib',
};

const replacements = {
  name: 'replacements',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path }) => ({
      path: join(page, 'node', `${NODE[path.slice('node:'.length)]}.ts`),
    }));
    onResolve({ filter: /^\.\/load$/ }, ({ resolveDir }) =>
      resolveDir === join(root, 'lib', 'native') ? { path: join(page, 'init.ts') } : undefined,
    );
    onResolve({ filter: /^\.\.?\/clouds$/ }, () => ({ path: join(page, 'node', 'clouds.ts') }));
    // protobufjs makes code of text for messages that have no class of ours; there are none.
    onLoad({ filter: /protobufjs\/(?:src\/util\/codegen|codegen\/index)\.js$/ }, () => ({
      contents: "module.exports = () => { throw new Error('no code is made of text in a page'); };",
    }));
  },
};

const { metafile } = await build({
  ...BUNDLE_OPTIONS,
  entryPoints: [join(page, 'index.ts')],
  absWorkingDir: root,
  outfile,
  platform: 'browser',
  target: 'es2022',
  format: 'esm',
  plugins: [replacements],
  inject: [join(page, 'node', 'globals.ts')],
  banner: { js: 'const tfrecordWasm = new URL("../../prebuilds/wasm32/tfrecord.wasm", import.meta.url);' },
});

// Pages may forbid code made of text.
const code = readFileSync(outfile, 'utf8');
const found = /\beval\(|\bnew Function\(|\bFunction\(|from ?["']node:|require\(["']/.exec(code);
if (found !== null) throw new Error(`${outfile} has ${found[0]} at ${found.index}`);
const folder = dirname(outfile);
writeFileSync(join(folder, 'LICENSES.txt'), licences(root, 'tfrecord-native/wasm (index.mjs)', metafile.inputs));
writeFileSync(join(folder, 'index.d.mts'), "export * from './index.js';\n");
