/**
 * examples/electron, packed by electron-builder with its own configuration for three systems: the app has its scripts and the
 * packages that they load, and no other file of the folder. A stand-in takes the place of Electron, which would be downloaded.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { keptPackages, NO_REGISTRY, registryAnswers } from './registry.mjs';

const example = fileURLToPath(new URL('../../examples/electron/', import.meta.url));
const page = readFileSync(new URL('../../docs/electron.md', import.meta.url), 'utf8');
const BUILDER = 'electron-builder@26.17.0';
const VERSION = '25.0.0';

/** Files that lie in the folder of a project and belong in no package. */
const PRIVATE = [
  ...['.env', '.env.local', 'server.pem', 'id_rsa', 'secrets.json', 'notes.md', 'train.tfrecord'],
  ...['data/eval.tfrecord.gz', 'keys/signing.p12', 'drafts/draft.js', '.git/config'],
];
/** The folder of resources that electron-builder makes for each system, in `out`. */
const RESOURCES = {
  linux: 'linux-unpacked/resources',
  win: 'win-unpacked/resources',
  mac: 'mac/TFRecord Viewer.app/Contents/Resources',
};
/** Names of systems in our folders of addons. */
const PLATFORMS = { linux: 'linux', win: 'win32', mac: 'darwin' };
/** The folder of an addon. Licences and the WebAssembly module, which serves where there is no addon, lie beside these. */
const ADDON = /^node_modules\/tfrecord-native\/prebuilds\/(\w+-[\w-]+)\//;

/** Packs the app with the package of `installed`, in a folder below `work`. `checks` runs and counts checks. */
export function electronBuilder(work, installed, { check, skip }) {
  if (!registryAnswers()) {
    skip('electron-builder', NO_REGISTRY);
    return;
  }
  const folder = join(work, 'electron-builder');
  const app = join(folder, 'app');
  const electron = standIn(join(folder, 'electron'));
  copyApp(app, installed);
  const modules = keptPackages('electron-builder', [BUILDER]);
  const asar = createRequire(join(modules, 'app-builder-lib', 'package.json'))('@electron/asar');

  /** Returns the files that are packed for `system`, in the archive or beside it. */
  const packed = (system, ...options) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        join(modules, 'electron-builder', 'cli.js'),
        ...[`--${system}`, 'dir', '--x64', '--publish=never', ...options],
        ...[`-c.electronDist=${electron}`, `-c.electronVersion=${VERSION}`],
        // The stand-in is no program, so nothing can be written into it, and it is not signed.
        ...['-c.win.signAndEditExecutable=false', '-c.disableAsarIntegrity=true', '-c.mac.identity=null'],
      ],
      { cwd: app, encoding: 'utf8', timeout: 300_000, env: { PATH: process.env.PATH, HOME: folder } },
    );
    assert.equal(status, 0, stdout + stderr);
    const archive = join(app, 'out', RESOURCES[system], 'app.asar');
    const files = asar.listPackage(archive).filter((name) => !('files' in asar.statFile(archive, name.slice(1))));
    rmSync(join(app, 'out'), { recursive: true });
    asar.uncacheAll();
    return files.map((name) => name.slice(1));
  };

  const ours = 'node_modules/tfrecord-native/';
  for (const [system, platform] of Object.entries(PLATFORMS)) {
    check(`electron-builder packs the example for ${system}: its scripts, and no private file`, () => {
      const files = packed(system);
      const scripts = readdirSync(example).filter((name) => name.endsWith('.js'));
      assert.deepEqual(
        files.filter((name) => !name.startsWith('node_modules/')).sort(),
        [...scripts, 'package.json'].sort(),
      );
      for (const needed of ['dist/view/index.js', 'dist/core.js', 'package.json']) {
        assert.ok(files.includes(ours + needed), needed);
      }
      const useless = new RegExp(`^${ours}(docs|examples|native|CMakeLists\\.txt|dist/wasm/)|\\.map$`);
      assert.deepEqual(
        files.filter((name) => useless.test(name)),
        [],
      );
      const addons = addonsOf(files);
      assert.ok(
        addons.length > 0 && addons.every((name) => name.startsWith(`${platform}-`)),
        `addons: ${addons.join(' ')}`,
      );
    });
  }
  const configure = (files) => {
    const config = { files, npmRebuild: false, productName: 'TFRecord Viewer', directories: { output: 'out' } };
    writeFileSync(join(app, 'electron-builder.yml'), JSON.stringify(config));
  };
  check('electron-builder packs what docs/electron.md names: scripts, and the addon of one platform', () => {
    configure(JSON.parse(/"files": (\[.*\])/.exec(page)[1]));
    const files = packed('win');
    const others = files.filter((name) => !name.endsWith('.js') && !name.startsWith('node_modules/'));
    assert.deepEqual(others, ['package.json']);
    assert.deepEqual(addonsOf(files), ['win32-x64']);
  });
  check('electron-builder packs private files where a list only leaves files out, as docs/electron.md says', () => {
    configure(['!**/*.map']);
    const files = packed('linux');
    assert.ok(files.includes('server.pem') && files.includes('data/eval.tfrecord.gz'), String(files));
  });
  rmSync(folder, { recursive: true });
}

/** Returns the names of the folders of addons among `files`. */
function addonsOf(files) {
  return [...new Set(files.flatMap((name) => ADDON.exec(name)?.[1] ?? []))];
}

/** Copies the example, installed packages and private files to `app`. */
function copyApp(app, installed) {
  cpSync(example, app, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'));
  // DuckDB is optional, and large; an option names Electron.
  delete manifest.dependencies['@duckdb/node-api'];
  delete manifest.devDependencies;
  writeFileSync(join(app, 'package.json'), JSON.stringify(manifest));
  const filter = (path) => !/[\\/]node_modules[\\/](\.|@types|undici-types)/.test(path);
  cpSync(dirname(installed), join(app, 'node_modules'), { recursive: true, filter });
  const prebuilds = join(app, 'node_modules', 'tfrecord-native', 'prebuilds');
  const addons = ['linux-x64', 'linux-arm64-musl', 'win32-x64', 'darwin-arm64'].map((name) =>
    join(prebuilds, name, 'other.node'),
  );
  for (const path of [...PRIVATE.map((name) => join(app, name)), ...addons]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'private');
  }
}

/** Makes a folder that has what electron-builder expects of Electron's. */
function standIn(folder) {
  const contents = 'Electron.app/Contents';
  const helper = `${contents}/Frameworks/Electron Helper.app/Contents`;
  const plist =
    '<?xml version="1.0"?><plist version="1.0"><dict><key>CFBundleExecutable</key><string>Electron</string></dict></plist>';
  const files = {
    version: VERSION,
    'resources/default_app.asar': '',
    electron: '',
    'electron.exe': '',
    [`${contents}/MacOS/Electron`]: '',
    [`${contents}/Resources/electron.icns`]: '',
    [`${contents}/Info.plist`]: plist,
    [`${helper}/MacOS/Electron Helper`]: '',
    [`${helper}/Info.plist`]: plist,
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}
