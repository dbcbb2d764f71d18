/**
 * Bundles the compiled modules of .cache/compiled into a few files of dist: one file loads faster than 400.
 *
 * Every module of ours is in exactly one bundle, so every class exists once. `core.js` has the shared rooms; doors, the
 * command and the chunks of code that few programs need have the rest. A bundle gives the others its modules by name:
 * `require('./core.js').record`. Modules keep a function of their own each, so names, order of loading and `require`s
 * inside of functions are those of the sources.
 *
 * Packages stay outside, except those of the command: their licences go beside it.
 */
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../', import.meta.url));
const compiled = join(root, '.cache', 'compiled');
const dist = join(root, 'dist');

const THREAD = 'dataset/worker/thread-main';
const underThread = await modulesUnder(THREAD);

/**
 * Each bundle with the modules that it has; the first that matches counts. A `late` one is loaded when something of it
 * is first used: no other bundle may use its modules while it is loaded itself.
 */
const BUNDLES = [
  { file: 'index', modules: /^index$/, door: 'index.js' },
  { file: 'adapters/tfjs/index', modules: /^adapters\/tfjs\b/, door: 'adapters/tfjs/index.js' },
  { file: 'cli/main', modules: /^cli\b/, door: 'cli/main.js', packages: true },
  { file: 'thread-main', modules: new RegExp(`^${THREAD}$`), door: `${THREAD}.js` },
  // Threads start fast: they do without the core until they are sent an object of our classes.
  { file: 'base', modules: { test: (module) => underThread.has(module) } },
  { file: 'workers', modules: /^dataset\/worker\//, late: true },
  // Parsing notes its spec there, whether or not a disk cache asks for it.
  { file: 'core', modules: /^dataset\/disk-cache\/kept-form$/ },
  { file: 'disk-cache', modules: /^dataset\/disk-cache\//, late: true },
  { file: 'core', modules: /^/ },
];

/** Files that are loaded by their path, with the module that each stands for. */
const STANDING_FOR = { 'our-classes': 'dataset/worker/our-classes' };

/** Modules that bundles give to others, by bundle. */
const shared = new Map(BUNDLES.map(({ file }) => [file, new Set()]));
// Benchmarks ask for the addon.
share('native');
for (const module of Object.values(STANDING_FOR)) share(module);

function bundleOf(module) {
  return BUNDLES.find(({ modules }) => modules.test(module));
}

function share(module) {
  shared.get(bundleOf(module).file).add(module);
}

/** The name of the module in `file`: its path below the compiled tree, a folder for its `index.js`. */
function moduleIn(file) {
  return relative(compiled, file)
    .split(sep)
    .join('/')
    .replace(/(?:(?<=.)\/index)?\.js$/, '');
}

/** The file that `require(path)` in `folder` loads. */
function fileFor(folder, path) {
  const base = resolve(folder, path);
  return [base, `${base}.js`, join(base, 'index.js')].find((file) => /\.js(?:on)?$/.test(file) && existsSync(file));
}

/** Leaves modules of other bundles than `file` to these. */
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
        // Copied as they are, and loaded when messages are first used.
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
      // At the top level, esbuild would give another name to a class that names itself.
      onLoad({ filter: /\.js$/, namespace: 'file' }, ({ path }) => {
        if (!path.startsWith(compiled)) return undefined;
        const code = readFileSync(path, 'utf8');
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

/** The modules of ours that `module` loads when it is loaded. */
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

/** Code that gives the modules of `names`, each loaded when it is first asked for. */
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
    ...entry,
    absWorkingDir: root,
    outfile: join(dist, `${file}.js`),
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    packages: packages ? 'bundle' : 'external',
    plugins: [ownModules(file)],
    legalComments: 'none',
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    logLevel: 'warning',
    write,
  });
}

/** The licences of the packages of which `inputs` are files. */
function licences(inputs) {
  const folders = new Set(
    Object.keys(inputs)
      .map((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0])
      .filter((folder) => folder !== undefined),
  );
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = createRequire(import.meta.url)(join(root, folder, 'package.json'));
    const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e(?:[.-]|$)/i.test(entry));
    if (file === undefined) throw new Error(`${name} is bundled, and has no file with its licence`);
    return `${name} ${version} (${license})\n\n${readFileSync(join(root, folder, file), 'utf8').trim()}\n`;
  });
  const line = `\n${'-'.repeat(80)}\n\n`;
  return `The command \`tfrecord\` (main.js) contains these packages.\n${line}${texts.join(line)}`;
}

// A bundle may have several rules.
const files = [...new Map(BUNDLES.map((each) => [each.file, each])).values()];
const sharedCount = () => [...shared.values()].reduce((count, modules) => count + modules.size, 0);
// A bundle that is asked for one module more may ask others for more.
for (let before = 0; before < sharedCount();) {
  before = sharedCount();
  for (const each of files) await bundle(each, false);
}
for (const each of files) {
  const { metafile } = await bundle(each, true);
  if (each.packages) writeFileSync(join(dist, dirname(each.file), 'LICENSES.txt'), licences(metafile.inputs));
}
for (const [file, module] of Object.entries(STANDING_FOR)) {
  const code = `'use strict';\nmodule.exports = require('./${bundleOf(module).file}.js')['${module}'];\n`;
  writeFileSync(join(dist, `${file}.js`), code);
}
