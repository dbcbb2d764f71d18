/** The package in servers that webpack, Rollup, Vite, ncc and Next.js bundle, with the settings of docs/bundlers.md. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { pages } from './pages.mjs';
import { NO_REGISTRY, registryAnswers } from './registry.mjs';

/** Versions that run on the oldest supported Node. */
const BUNDLERS = [
  ...['webpack@5.112.2', 'webpack-cli@7.3.1', 'rollup@4.68.7', 'vite@8.3.8', '@vercel/ncc@0.45.0'],
  ...['@rollup/plugin-node-resolve@16.0.3', '@rollup/plugin-commonjs@29.0.3'],
];
const NEXT = ['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1'];
const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
const env = { PATH: process.env.PATH, HOME: process.env.HOME, CI: '1', NEXT_TELEMETRY_DISABLED: '1' };

const SERVER = `
import { countRecords, encodeRecords } from 'tfrecord-native';
import { convert } from 'tfrecord-native/convert';
if (typeof convert === 'function') console.log(await countRecords(encodeRecords(['a', 'b'], { compression: 'gzip' })));
`;

/** The settings in docs/bundlers.md, by the names of their files. */
const settings = Object.fromEntries(
  [
    ...readFileSync(fileURLToPath(new URL('../../docs/bundlers.md', import.meta.url)), 'utf8').matchAll(
      /^```js\n\/\/ (\S+)\n([\s\S]*?)^```$/gm,
    ),
  ].map(([, name, code]) => [name, code]),
);

function install(folder, packages) {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "name": "bundled", "private": true, "type": "module" }\n');
  execFileSync('npm', ['install', ...quiet, ...packages], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

function run(folder, script, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 300_000,
    env,
  });
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  return stdout;
}

/** Bundles by `bin`, and runs `out`. */
const bundled = (folder, out, bin, ...args) => {
  run(folder, join(folder, 'node_modules', bin), ...args);
  assert.equal(run(folder, join(folder, out)), '2\n');
};

/** Runs the projects, with the package in `tarball`. `checks` runs and counts checks. */
export async function bundlers(tarball, checks) {
  const { check, skip } = checks;
  if (!registryAnswers()) {
    skip('webpack, Rollup, Vite, ncc and Next.js', NO_REGISTRY);
    return;
  }
  // Next.js takes a folder above with a lockfile for the root of the project.
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'tfrecord-bundlers-')));
  const folder = join(work, 'bundlers');
  install(folder, [tarball, ...BUNDLERS]);
  writeFileSync(join(folder, 'server.mjs'), SERVER);
  for (const name of ['webpack.config.mjs', 'rollup.config.mjs', 'vite.config.mjs']) {
    writeFileSync(join(folder, name), settings[name]);
  }
  check('webpack', () => bundled(folder, 'dist/webpack.mjs', 'webpack-cli/bin/cli.js'));
  check('Rollup', () => bundled(folder, 'dist/rollup.mjs', 'rollup/dist/bin/rollup', '-c'));
  check('Vite', () => bundled(folder, 'dist/vite.mjs', 'vite/bin/vite.js', 'build'));
  check('ncc', () => {
    const options = ['server.mjs', '--external', 'tfrecord-native', '--out', 'dist/ncc'];
    bundled(folder, 'dist/ncc/index.mjs', '@vercel/ncc/dist/ncc/cli.js', 'build', ...options);
  });
  await pages(folder, checks);
  await next(work, tarball, check);
  rmSync(work, { recursive: true });
}

async function next(work, tarball, check) {
  const folder = join(work, 'next');
  install(folder, [tarball, ...NEXT]);
  const files = {
    'next.config.mjs': settings['next.config.mjs'],
    'app/layout.js': 'export default ({ children }) => <html><body>{children}</body></html>;\n',
    'app/page.js': 'export default () => <p>records</p>;\n',
    'app/records/route.js': `import { countRecords, encodeRecords } from 'tfrecord-native';
export const dynamic = 'force-dynamic';
export const GET = async () => Response.json({ records: await countRecords(encodeRecords(['a', 'b'])) });
`,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  let built = false;
  check('Next.js builds', () => {
    run(folder, join(folder, 'node_modules/next/dist/bin/next'), 'build');
    built = true;
  });
  if (!built) return;
  // Far from node_modules of the project: what Next.js has not traced is not there.
  const standalone = join(work, 'standalone');
  cpSync(join(folder, '.next/standalone'), standalone, { recursive: true });
  const port = await freePort();
  const server = spawn(process.execPath, [join(standalone, 'server.js')], {
    cwd: standalone,
    env: { ...env, PORT: String(port), HOSTNAME: '127.0.0.1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (text) => (printed += text));
  let answer = 'nothing';
  for (let i = 0; i < 100 && answer === 'nothing'; i++) {
    await wait(100);
    answer = await fetch(`http://127.0.0.1:${port}/records`).then(
      (response) => response.text(),
      () => 'nothing',
    );
  }
  server.kill();
  check('Next.js, standalone', () => assert.equal(answer, '{"records":2}', printed));
  check('Next.js traces the addon', () => {
    const traced = join(standalone, 'node_modules/tfrecord-native/prebuilds');
    assert.ok(existsSync(traced), 'no prebuilds');
  });
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
