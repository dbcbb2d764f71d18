/**
 * Bundles the compiled modules of .cache/compiled into a few files of dist: a few files load faster than 400.
 *
 * Each of our modules is in exactly one bundle, so each class exists once. `core.js` has the shared rooms. The rest is in
 * the doors, the command, and bundles of code that few programs need. A bundle offers its modules to the others by name:
 * `require('./core.js').record`. Each module keeps a function of its own, so names, loading order and `require`s within
 * functions are those of the sources.
 *
 * Packages are not bundled, except those of the command, whose licences are written beside it.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

import { BUNDLE_OPTIONS } from './bundle-options.mjs';
import { DOORS } from './doors.mjs';
import { licences } from './licences.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const compiled = join(root, '.cache', 'compiled');
const dist = join(root, 'dist');

const rooms = DOORS.map(({ folder }) => folder).filter((folder) => folder !== '');

/** Bundles of rooms whose types others use: to TypeScript a file `schema.js` would hide the declarations in the folder `schema`. */
const FILES = { schema: 'schemas' };

const THREAD = 'dataset/worker/thread-main';
const underThread = await modulesUnder(THREAD);

/**
 * The bundles and their modules; a module goes into the first bundle that matches. A `late` bundle is loaded when one of
 * its modules is first used, so other bundles must not use these while they are loaded themselves.
 */
const BUNDLES = [
  { file: 'index', modules: /^index$/, door: 'index.js' },
  // Not `arrow`: to TypeScript a file `arrow.js` would hide the declarations in the folder `arrow`.
  { file: 'arrow-batches', modules: /^adapters\/arrow\b/ },
  { file: 'arrow-batches', modules: /^arrow\b/, late: true },
  // The rooms behind the other doors: a file of each, which the door, the command and other rooms share.
  ...rooms
    .filter((room) => room !== 'adapters/arrow' && room !== 'view')
    .map((room) => ({ file: FILES[room] ?? room.split('/').at(-1), modules: new RegExp(`^${room}\\b`) })),
  // Bundlers of programs that do without DuckDB must not come across it.
  { file: 'duckdb', modules: /^sql\b/, late: true },
  // With the server's packages. In the folder of the page, which it finds beside itself.
  { file: 'view/server', modules: /^view\b/, packages: true },
  // Alone, because it turns on the compile cache for what it loads.
  { file: 'cli/main', modules: /^cli\/main$/, door: 'cli/main.js' },
  { file: 'cli/command', modules: /^cli\b/, packages: true },
  { file: 'thread-main', modules: new RegExp(`^${THREAD}$`), door: `${THREAD}.js` },
  // Worker threads start fast, because they load the core only when they are sent an object of our classes.
  { file: 'thread-core', modules: { test: (module) => underThread.has(module) } },
  { file: 'workers', modules: /^dataset\/worker\//, late: true },
  // In the core, because parsing registers its spec there, even without a disk cache.
  { file: 'core', modules: /^dataset\/disk-cache\/stored-form$/ },
  { file: 'disk-cache', modules: /^dataset\/disk-cache\//, late: true },
  // Loaded with the first URL.
  { file: 'remote', modules: /^io\/remote\/(?!policy$)/, late: true },
  // Not `events` and `messages`, as for `arrow`.
  { file: 'event-logs', modules: /^events\b/, late: true },
  { file: 'message-types', modules: /^messages\b/, late: true },
  // Loaded with the first URL of a cloud.
  { file: 'clouds', modules: /^io\/clouds\b/, late: true },
  // Indexes in the forms of other programs.
  { file: 'foreign-indexes', modules: /^record\/index\/foreign\//, late: true },
  // For systems without an addon.
  { file: 'wasm-binding', modules: /^native\/wasm\b/, late: true },
  // Most commands and many programs read records and Examples alone.
  { file: 'datasets', modules: /^(?:dataset|decode)\b/, late: true },
  { file: 'core', modules: /^/ },
];

/** Files that are loaded by path, and the module that each one contains. */
const STANDING_FOR = {
  'our-classes': 'dataset/worker/our-classes',
  ...Object.fromEntries(rooms.map((room) => [`${room}/index`, room])),
};

/** The modules that each bundle offers to others. */
const shared = new Map(BUNDLES.map(({ file }) => [file, new Set()]));
// Benchmarks use the addon.
share('native');
for (const module of Object.values(STANDING_FOR)) share(module);

function bundleOf(module) {
  return BUNDLES.find(({ modules }) => modules.test(module));
}

function share(module) {
  shared.get(bundleOf(module).file).add(module);
}

/** Returns the name of the module in `file`: its path in the compiled tree, or the folder for an `index.js`. */
function moduleIn(file) {
  return relative(compiled, file)
    .split(sep)
    .join('/')
    .replace(/(?:(?<=.)\/index)?\.js$/, '');
}

/** Returns the file that `require(path)` in `folder` loads. */
function fileFor(folder, path) {
  const base = resolve(folder, path);
  return [base, `${base}.js`, join(base, 'index.js')].find((file) => /\.js(?:on)?$/.test(file) && existsSync(file));
}

/** A name that a module passes on, as TypeScript compiles it. */
const PASSED_ON =
  /^Object\.defineProperty\(exports, "(\w+)", \{ enumerable: true, get: function \(\) \{ return (\w+)\.(\w+); \} \}\);$/gm;

/**
 * Returns `code`, a module of `folder`, with plain properties for the names that it passes on. TypeScript makes getters,
 * for imports that run in circles. Ours do not, and V8 calls the getter each time that a function of a door is called:
 * writing a million records took a fifth longer. The names of late bundles keep their getters, which load these.
 */
function plainExports(code, folder) {
  const passed = new Set();
  const found = code.replace(PASSED_ON, (getter, name, from, original) => {
    const path = new RegExp(`^(?:const|var) ${from} = require\\("(\\.[^"]*)"\\);$`, 'm').exec(code)?.[1];
    const file = path && fileFor(folder, path);
    if (!file || bundleOf(moduleIn(file)).late) return getter;
    passed.add(name);
    return `exports.${name} = ${from}.${original};`;
  });
  // V8 treats a property that is set only once as constant.
  return found.replace(/^(?:exports\.\w+ = )+void 0;$/gm, (line) =>
    line.replace(/exports\.(\w+) = /g, (each, name) => (passed.has(name) ? '' : each)).replace(/^void 0;$/, ''),
  );
}

/** Returns an esbuild plugin for the bundle `file`, which leaves the modules of other bundles to them. */
function ownModules(file) {
  const way = (other) => {
    const path = relative(dirname(file), other).split(sep).join('/');
    return path.startsWith('.') ? path : `./${path}`;
  };
  return {
    name: 'own-modules',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.\.?(?:\/|$)/ }, ({ path, resolveDir, namespace }) => {
        if (namespace === 'other' || path.endsWith('/package.json')) return { path, external: true };
        if (!resolveDir.startsWith(compiled)) return undefined;
        // Generated files are copied unchanged, and loaded when messages are first used.
        if (path.endsWith('.generated')) {
          return { path: way(relative(compiled, resolve(resolveDir, `${path}.js`))), external: true };
        }
        const found = fileFor(resolveDir, path);
        if (found === undefined) return undefined;
        const module = moduleIn(found);
        const other = bundleOf(module);
        if (other.file === file) return undefined;
        share(module);
        return { path: module, namespace: 'other' };
      });
      // In a function of its own, because esbuild would rename a top-level class that refers to itself.
      onLoad({ filter: /\.js$/, namespace: 'file' }, ({ path }) => {
        if (!path.startsWith(compiled)) return undefined;
        const code = plainExports(readFileSync(path, 'utf8'), dirname(path));
        return { contents: code.startsWith('#!') ? code : `(() => {${code}\n})();` };
      });
      onLoad({ filter: /^/, namespace: 'other' }, ({ path: module }) => {
        const other = bundleOf(module);
        const exports = `require(${JSON.stringify(way(`${other.file}.js`))})[${JSON.stringify(module)}]`;
        return {
          contents: other.late
            ? `module.exports = new Proxy({}, { get: (_, name) => ${exports}[name] });`
            : `module.exports = ${exports};`,
          resolveDir: compiled,
        };
      });
    },
  };
}

/** Returns our modules that are loaded with `module`. */
async function modulesUnder(module) {
  const { metafile } = await build({
    entryPoints: [join(compiled, `${module}.js`)],
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    packages: 'external',
    metafile: true,
    write: false,
  });
  return new Set(Object.keys(metafile.inputs).map((file) => moduleIn(join(root, file))));
}

/** Returns code that offers the modules `names`, each loaded when it is first used. */
function table(names) {
  const getters = [...names].sort().map((module) => {
    const name = JSON.stringify(module);
    return `  get ${name}() { return require(${JSON.stringify(`./${module}`)}); },\n`;
  });
  return `'use strict';\nmodule.exports = {\n${getters.join('')}};\n`;
}

async function bundle({ file, door, packages = false }, write) {
  const entry =
    door === undefined
      ? { stdin: { contents: table(shared.get(file)), resolveDir: compiled } }
      : { entryPoints: [join(compiled, door)] };
  return build({
    ...BUNDLE_OPTIONS,
    ...entry,
    absWorkingDir: root,
    outfile: join(dist, `${file}.js`),
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    packages: packages ? 'bundle' : 'external',
    plugins: [ownModules(file)],
    write,
  });
}

// One entry per bundle, which may have several rules.
const files = [...new Map(BUNDLES.map((each) => [each.file, each])).values()];
const sharedCount = () => [...shared.values()].reduce((count, modules) => count + modules.size, 0);
// Repeated, because a bundle that offers one more module may need more modules of others.
for (let before = 0; before < sharedCount();) {
  before = sharedCount();
  for (const each of files) await bundle(each, false);
}
for (const each of files) {
  const { metafile } = await bundle(each, true);
  if (each.packages)
    writeFileSync(
      join(dist, dirname(each.file), 'LICENSES.txt'),
      licences(root, `The command \`tfrecord\` (${basename(each.file)}.js)`, metafile.inputs),
    );
}
for (const [file, module] of Object.entries(STANDING_FOR)) {
  const bundled = relative(dirname(file), `${bundleOf(module).file}.js`)
    .split(sep)
    .join('/');
  const way = bundled.startsWith('.') ? bundled : `./${bundled}`;
  // As the main door does. Worker threads that load classes only should not wait for the addon.
  const core = relative(dirname(file), 'core.js').split(sep).join('/');
  const opens = rooms.includes(module) ? `require('${core}').native.openAddon();\n` : '';
  const code = `'use strict';\n${opens}module.exports = require('${way}')['${module}'];\n`;
  writeFileSync(join(dist, `${file}.js`), code);
}
