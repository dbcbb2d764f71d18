/**
 * The package as its users get it: packed with a prebuilt addon inside, installed with scripts off into an empty
 * folder, loaded under every runtime from CommonJS, ESM and a worker; without the prebuilt file, and built from source.
 *
 *   node test/runtimes/run.mjs
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { asarArchives } from './asar.mjs';
import { bundlers } from './bundlers.mjs';
import { Checks } from './checks.mjs';
import { brokenLinks, snippets } from './documents.mjs';
import { electronBuilder } from './electron-builder.mjs';
import { optionalPackages, packageManagers } from './package-managers.mjs';
import { addonsLacking } from './prebuilds.mjs';
import { runtimes } from './runtimes.mjs';
import { testRunners } from './test-runners.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const example = join(root, 'examples', 'data', 'weather.tfrecord.gz');
const work = mkdtempSync(join(tmpdir(), 'tfrecord-package-'));
const installed = join(work, 'node_modules', 'tfrecord-native');
const checks = new Checks();
const { check } = checks;

/** The files of dist: bundles, files that stand for modules in them, and generated code. */
const DIST = [
  'adapters/arrow/index',
  'adapters/azure/index',
  'adapters/duckdb/index',
  'adapters/gcs/index',
  'adapters/http/index',
  'adapters/s3/index',
  'adapters/tfjs/index',
  'arrow-batches',
  'azure',
  'cli/command',
  'cli/main',
  'clouds',
  'convert',
  'convert/index',
  'core',
  'datasets',
  'disk-cache',
  'duckdb',
  'event-logs',
  'example/message/descriptor.generated',
  'example/message/messages.generated',
  'foreign-indexes',
  'gcs',
  'http',
  'index',
  'message-types',
  'messages/serving/descriptor.generated',
  'messages/serving/messages.generated',
  'our-classes',
  'remote',
  's3',
  'schema/index',
  'schema/message/descriptor.generated',
  'schema/message/messages.generated',
  'schema/parts/descriptor.generated',
  'schema/parts/messages.generated',
  'schemas',
  'tfjs',
  'thread-core',
  'thread-main',
  'view/index',
  'view/server',
  'wasm-binding',
  'workers',
];
/** All packages that are installed with ours: only those of the library, because the command's are bundled. */
const INSTALLED = [
  ...['bindings', 'csv-stringify', 'file-uri-to-path', 'image-size', 'long', 'lossless-json', 'node-addon-api'],
  'protobufjs',
  'saxes',
  'tfrecord-native',
  'xmlchars',
];

/** Returns the contents of the file, read with Node's zlib and without our code. */
function truth(file) {
  const stream = gunzipSync(readFileSync(file));
  const hash = createHash('sha256');
  let records = 0;
  for (let at = 0; at < stream.length; records += 1) {
    const length = Number(stream.readBigUInt64LE(at));
    hash.update(stream.subarray(at + 12, at + 12 + length));
    at += 16 + length;
  }
  return { records, sha256: hash.digest('hex') };
}

function run(node, script, ...args) {
  // A bare environment, without variables of npm or of this repository.
  const { status, stdout, stderr } = spawnSync(node, [script, ...args], {
    cwd: work,
    encoding: 'utf8',
    timeout: 60_000,
    env: { PATH: process.env.PATH },
  });
  return { status, stdout, stderr };
}

function reads(node, script) {
  const { status, stdout, stderr } = run(node, join(work, script), example);
  assert.equal(status, 0, stderr || stdout);
  assert.deepEqual(JSON.parse(stdout), truth(example));
}

/** Checks how often V8 collects its whole heap, except on versions that do so 17 to 50 times a GB with any heap. */
function collections(name, node, file) {
  const args = ['--expose-gc', '--trace-gc', join(work, 'heap.cjs'), file, '2e9'];
  const out = execFileSync(node, args, {
    cwd: work,
    encoding: 'utf8',
    timeout: 60_000,
    env: { PATH: process.env.PATH },
  });
  const count = out.slice(out.indexOf('\nreading\n')).match(/Mark-Compact/g)?.length ?? 0;
  console.log(`${name}: heap ${/^heap (\d+)$/m.exec(out)[1]}, ${count} full collections of 2 GB`);
  if (/^v2[02]\./.test(name)) assert.ok(count / 2 <= 5, `${count} full collections of 2 GB`);
}

const npm = (args, cwd) => execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
const tool = (name, file) => join(root, 'node_modules', name, file);

try {
  // prepack builds dist and prebuilds anew, whatever is there. Its output comes before the JSON.
  const printed = npm(['pack', '--json', '--pack-destination', work], root);
  const [packed] = JSON.parse(printed.slice(printed.search(/^\[$/m)));
  const tarball = join(work, packed.filename);
  const files = packed.files.map((file) => file.path);
  console.log(`${packed.filename}: ${files.length} files, ${packed.size} bytes`);

  check('the tarball holds what is used and nothing else', () => {
    for (const needed of [
      'dist/index.mjs',
      'dist/index.d.ts',
      'dist/index.d.mts',
      'dist/cli/LICENSES.txt',
      'dist/tfrecord.1',
      'dist/view/page/index.html',
    ])
      assert.ok(files.includes(needed), `${needed} is missing`);
    assert.deepEqual(
      // The files of the page have hashes in their names.
      files.filter((file) => /^dist\/(?!view\/page\/).*\.js$/.test(file)),
      DIST.map((name) => `dist/${name}.js`),
    );
    for (const needed of ['CMakeLists.txt', 'README.md', 'LICENSE', 'native/addon/addon.cc'])
      assert.ok(files.includes(needed), `${needed} is missing`);
    const strange =
      /binding\.gyp|^(test|bench|scripts|lib|build)|^native\/(test|fuzz|bench)|\.ts\.map$|^dist\/cli\/.*\.d\.ts$|^docs\/api/;
    assert.deepEqual(
      files.filter((file) => strange.test(file)),
      [],
    );
  });

  check('every addon that was built is in the tarball, with ISA-L where it can be', () => {
    assert.deepEqual(addonsLacking(root, packed.files), []);
  });

  check('DuckDB loads the extension that was built for this system, which is not in the tarball', () => {
    assert.deepEqual(
      files.filter((file) => file.endsWith('.duckdb_extension')),
      [],
    );
    // `npm run build:prebuilds` makes the folder.
    if (!existsSync(join(root, 'extensions'))) return;
    const script = join(root, 'test', 'runtimes', 'platforms', 'extension.mjs');
    assert.match(execFileSync(process.execPath, [script], { encoding: 'utf8' }), /^\w+ \[\["420","220059","8"\]\]\n$/);
  });

  check('no script runs at installation', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    for (const name of ['preinstall', 'install', 'postinstall', 'prepare']) assert.ok(!(name in scripts), name);
  });

  check('publint', () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [tool('publint', 'src/cli.js'), 'run', '--strict', tarball],
      { cwd: root, encoding: 'utf8' },
    );
    assert.equal(status, 0, stdout + stderr);
  });

  check('are the types wrong?', () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        tool('@arethetypeswrong/cli', 'dist/index.js'),
        '--no-emoji',
        '--profile',
        'node16',
        // The door for pages is an ECMAScript module alone.
        '--ignore-rules=cjs-resolves-to-esm',
        tarball,
      ],
      { cwd: root, encoding: 'utf8' },
    );
    assert.equal(status, 0, stdout + stderr);
  });

  writeFileSync(join(work, 'package.json'), '{ "private": true }\n');
  npm(['install', '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund', tarball], work);
  check('no package is installed that only the command needs', () => {
    const names = readdirSync(join(work, 'node_modules')).filter((name) => !name.startsWith('.'));
    assert.deepEqual(names.sort(), INSTALLED);
  });
  cpSync(new URL('cases/', import.meta.url), work, { recursive: true });
  const command = join(work, 'node_modules', '.bin', 'tfrecord');

  check('man tfrecord, after npm install -g', () => {
    const prefix = join(work, 'global');
    npm([
      'install',
      '-g',
      '--prefix',
      prefix,
      '--omit=optional',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      tarball,
    ]);
    assert.ok(readFileSync(join(prefix, 'share/man/man1/tfrecord.1'), 'utf8').includes('.TH'));
    rmSync(prefix, { recursive: true });
  });

  check('every link of the documents leads somewhere', () => {
    assert.deepEqual(brokenLinks(installed), []);
  });

  check('the examples run from the package', () => {
    for (const name of ['read-records', 'read-batches', 'damaged-file', 'observations', 'captions', 'cifar', 'taxi']) {
      const { status, stdout, stderr } = run(process.execPath, join(installed, 'examples', `${name}.mjs`));
      assert.equal(status, 0, stderr);
      assert.match(stdout, /record|image 0|read back|images in|trips in/);
    }
  });

  const tfjs = (script, ...args) => {
    const { status, stdout, stderr } = run(process.execPath, join(work, script), example, ...args);
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout);
  };
  check('tfrecord-native/tfjs without its peers: records are read, and its calls say what to install', () => {
    for (const script of ['tfjs.cjs', 'tfjs.mjs']) {
      const { records, ...calls } = tfjs(script, 'without-tfjs');
      assert.equal(records, truth(example).records);
      for (const { code, message } of Object.values(calls)) {
        assert.equal(code, 'ERR_MODULE_NOT_FOUND');
        assert.match(message, /npm install @tensorflow\/tfjs-core@/);
      }
    }
  });
  check('tfrecord-native/tfjs with them', () => {
    symlinkSync(join(root, 'node_modules', '@tensorflow'), join(work, 'node_modules', '@tensorflow'), 'junction');
    const expected = { toTensors: [[1, 2]], toTfjsDataset: [[0, 1], [2]], records: truth(example).records };
    for (const script of ['tfjs.cjs', 'tfjs.mjs']) assert.deepEqual(tfjs(script), expected, script);
    rmSync(join(work, 'node_modules', '@tensorflow'));
  });

  for (const name of ['@types/node', 'undici-types']) {
    cpSync(join(root, 'node_modules', name), join(work, 'node_modules', name), { recursive: true });
  }
  const written = snippets(installed).map((code, index) => {
    writeFileSync(join(work, `snippet-${index}.mts`), code);
    return `snippet-${index}.mts`;
  });
  for (const [name, ...settings] of [
    ['typescript-5.7', '--target', 'es2022', '--module', 'node16'],
    ['typescript'],
    ['typescript-7'],
  ]) {
    check(`${name}: the code of the documents compiles`, () => {
      assert.ok(written.length >= 8);
      const args = [tool(name, 'bin/tsc'), '--strict', '--noEmit', ...settings, ...written];
      const { status, stdout } = spawnSync(process.execPath, args, { cwd: work, encoding: 'utf8' });
      assert.equal(status, 0, stdout);
    });
  }

  packageManagers(work, tarball, example, truth(example), checks);
  optionalPackages(work, tarball, example, truth(example), checks);
  await asarArchives(work, installed, example, truth(example), checks);
  electronBuilder(work, installed, checks);
  testRunners(work, tarball, checks);
  await bundlers(tarball, checks);

  const images = join(work, 'images.tfrecord');
  const { encodeRecords } = createRequire(join(work, 'package.json'))('tfrecord-native');
  writeFileSync(images, encodeRecords(Array.from({ length: 60 }, () => new Uint8Array(100_000))));
  for (const [name, node] of runtimes(root)) {
    for (const script of ['read.cjs', 'read.mjs', 'worker.cjs']) check(`${name}: ${script}`, () => reads(node, script));
    check(`${name}: tfrecord count`, () => {
      const { status, stdout, stderr } = run(node, command, 'count', example);
      assert.equal(status, 0, stderr);
      assert.match(stdout, new RegExp(`\\b${truth(example).records}\\b`));
    });
    check(`${name}: full collections while 2 GB of images are read`, () => collections(name, node, images));
  }

  const prebuilds = join(installed, 'prebuilds');
  rmSync(prebuilds, { recursive: true });
  let advice;
  check('without the prebuilt addon: one error that says how to build', () => {
    for (const script of ['read.cjs', 'read.mjs', 'worker.cjs']) {
      const { status, stderr } = run(process.execPath, join(work, script), example);
      assert.notEqual(status, 0, script);
      const commands = [...stderr.matchAll(/run "(npx [^"]+)" in (.+) \(needs/g)];
      assert.equal(commands.length, 1, `${script}: ${stderr}`);
      [, ...advice] = commands[0];
    }
  });

  check('that command builds it', () => {
    assert.ok(advice, 'no command is known');
    const [line, cwd] = advice;
    assert.equal(cwd, realpathSync(installed));
    const { status, stdout, stderr } = spawnSync(line, { cwd, encoding: 'utf8', shell: true });
    assert.equal(status, 0, stdout + stderr);
    assert.ok(readdirSync(join(installed, 'build', 'Release')).includes('tfrecord.node'));
    reads(process.execPath, 'read.cjs');
  });
} finally {
  rmSync(work, { recursive: true, force: true });
}
checks.end('test:package');
