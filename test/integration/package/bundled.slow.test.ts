/** The package in bundles of esbuild: what works, and what the errors advise. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { build, type BuildOptions } from 'esbuild';

const root = resolve(__dirname, '../../..');
let work: string;

beforeAll(() => {
  // As it is installed, without links: bundlers follow them.
  work = realpathSync(mkdtempSync(join(tmpdir(), 'tfr-bundled-')));
  const installed = join(work, 'node_modules', 'tfrecord-native');
  mkdirSync(installed, { recursive: true });
  for (const each of ['dist', 'package.json', 'build/Release/tfrecord.node']) {
    cpSync(join(root, each), join(installed, each), { recursive: true });
  }
  for (const name of [
    'bindings',
    'file-uri-to-path',
    'protobufjs',
    'long',
    'lossless-json',
    'image-size',
    '@protobufjs',
  ]) {
    symlinkSync(join(root, 'node_modules', name), join(work, 'node_modules', name));
  }
  const body = `
    const file = encodeRecords([encodeExample({ a: 'x' })], { compression: 'gzip' });
    for (const record of readRecordsSync(file)) console.log(JSON.stringify(exampleToObject(record)));`;
  const names = '{ encodeExample, encodeRecords, exampleToObject, readRecordsSync }';
  writeFileSync(join(work, 'server.mjs'), `import ${names} from 'tfrecord-native';\n${body}`);
  writeFileSync(join(work, 'server.cjs'), `const ${names} = require('tfrecord-native');\n${body}`);
  writeFileSync(join(work, 'package.json'), '{ "name": "server", "private": true }');
});
afterAll(() => {
  rmSync(work, { recursive: true });
});

/** Bundles `entry` to `out`, a path in the folder of the project, and runs it. */
async function run(entry: string, out: string, options: BuildOptions, env: NodeJS.ProcessEnv = {}) {
  const { warnings } = await build({
    entryPoints: [join(work, entry)],
    outfile: join(work, out),
    absWorkingDir: work,
    bundle: true,
    platform: 'node',
    logLevel: 'silent',
    ...options,
  });
  expect(warnings.map(({ text }) => text)).toEqual([]);
  const { stdout, stderr } = spawnSync(process.execPath, [join(work, out)], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...env },
  });
  return { stdout, stderr };
}

const GOOD = { stdout: '{"a":["x"]}\n', stderr: '' };
const EXTERNAL = { external: ['tfrecord-native'] };

test.each<[string, string, string, BuildOptions]>([
  ['ECMAScript modules, external', 'server.mjs', 'out-1.mjs', { format: 'esm', ...EXTERNAL }],
  ['CommonJS, external', 'server.cjs', 'out-2.cjs', { format: 'cjs', ...EXTERNAL }],
  ['all packages external', 'server.mjs', 'out-3.cjs', { format: 'cjs', packages: 'external' }],
  [
    'ECMAScript modules that are bundled: they find the package in node_modules',
    'server.mjs',
    'out-4.mjs',
    { format: 'esm' },
  ],
  ['ECMAScript modules to CommonJS: so do they', 'server.mjs', 'out-5.cjs', { format: 'cjs' }],
  ['minified', 'server.mjs', 'deep/er/out-6.mjs', { format: 'esm', minify: true }],
])('%s', async (_, entry, out, options) => {
  expect(await run(entry, out, options)).toEqual(GOOD);
});

describe('the error names the cure', () => {
  const far = (): string => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tfr-far-')));
    writeFileSync(join(folder, 'package.json'), '{ "name": "deployed" }');
    return folder;
  };
  const advice = [
    'runs within a bundle',
    'Mark "tfrecord-native" and its sub-paths ("tfrecord-native/convert") as external in your bundler',
    'keep the package in node_modules beside the bundle',
    'docs/bundlers.md',
  ];

  test('CommonJS that is bundled', async () => {
    const { stdout, stderr } = await run('server.cjs', 'out-7.cjs', { format: 'cjs' });
    expect(stdout).toBe('');
    for (const part of advice) expect(stderr).toContain(part);
    expect(stderr).not.toContain('build it from source');
  });

  test('a bundle without node_modules', async () => {
    await run('server.mjs', 'out-8.mjs', { format: 'esm' });
    const folder = far();
    try {
      cpSync(join(work, 'out-8.mjs'), join(folder, 'out.mjs'));
      const { stderr } = spawnSync(process.execPath, [join(folder, 'out.mjs')], { encoding: 'utf8' });
      for (const part of advice) expect(stderr).toContain(part);
      expect(stderr).toContain("code: 'ERR_MODULE_NOT_FOUND'");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('TFRECORD_NATIVE_BINDING names the addon of a bundle', async () => {
    const env = { TFRECORD_NATIVE_BINDING: join(root, 'build', 'Release', 'tfrecord.node') };
    expect(await run('server.cjs', 'out-9.cjs', { format: 'cjs' }, env)).toEqual(GOOD);
  });
});

test('both entries of the installed package are one', () => {
  const code = `
    import { createRequire } from 'node:module';
    import { TFRecordError } from 'tfrecord-native';
    console.log(createRequire(import.meta.url)('tfrecord-native').TFRecordError === TFRecordError);`;
  writeFileSync(join(work, 'one.mjs'), code);
  expect(execFileSync(process.execPath, [join(work, 'one.mjs')], { encoding: 'utf8' })).toBe('true\n');
});
