/**
 * Compiles the package and the cases to plain JavaScript, for child processes and workers. It always compiles the current
 * sources: `dist` may be older.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export const ROOT = join(__dirname, '..', '..', '..');
/** The folders that children may load. */
const FOLDERS = [
  ...['lib', 'test/support', 'test/lifecycle/cases', 'test/stress/cases'],
  ...['test/unit/convert/cases', 'test/unit/dataset/cases', 'test/unit/record/index/cases'],
];
const CACHE = join(ROOT, '.cache', 'test-sources');
const KEEP_MS = 3_600_000;

/** Returns the environment of children: this one's, with the addon that this process loads, and `more`. */
export function childEnvironment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const addon = process.env['TFRECORD_NATIVE_BINDING'] ?? join(ROOT, 'build', 'Release', 'tfrecord.node');
  return { ...process.env, TFRECORD_NATIVE_BINDING: addon, NODE_OPTIONS: '', ...more };
}

let current: string | undefined;

/** Returns the root of the compiled tree, which has the layout of the repository. The same sources are compiled once. */
export function compiledSources(): string {
  return (current ??= compileSources());
}

function compileSources(): string {
  const files = FOLDERS.flatMap((folder) => sourcesIn(join(ROOT, folder)));
  const texts = files.map((file) => readFileSync(file, 'utf8'));
  const hash = createHash('sha256');
  files.forEach((file, i) => hash.update(`${relative(ROOT, file)}\0${texts[i]!}\0`));
  const tree = join(CACHE, hash.digest('hex').slice(0, 16));
  if (existsSync(tree)) return tree;

  // Compiled under a unique name, then renamed, because test files run in parallel.
  const building = `${tree}.${process.pid}`;
  files.forEach((file, i) => {
    const target = join(building, relative(ROOT, file).replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, file.endsWith('.ts') ? compile(file, texts[i]!) : texts[i]!);
  });
  try {
    renameSync(building, tree);
  } catch (error) {
    rmSync(building, { recursive: true });
    if (!existsSync(tree)) throw error;
  }
  dropOld();
  return tree;
}

function sourcesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|js|cjs|json)$/.test(name) && !/\.(d|test)\.ts$/.test(name))
    .sort()
    .map((name) => join(folder, name));
}

function compile(file: string, text: string): string {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- does not load on every platform
  const { transformSync } = require('@swc/core') as typeof import('@swc/core');
  return transformSync(text, {
    filename: file,
    swcrc: false,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    // In cases, `import` becomes `require`. Worker threads must import users' modules as they are.
    module: { type: 'commonjs', ignoreDynamic: file.endsWith('thread-main.ts') },
    sourceMaps: 'inline',
  }).code;
}

function dropOld(): void {
  for (const name of readdirSync(CACHE)) {
    const tree = join(CACHE, name);
    const age = Date.now() - (statSync(tree, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > KEEP_MS) rmSync(tree, { recursive: true, force: true });
  }
}
