/** An app in a folder of its own: Electron's runtime, whose `resources/app` is the app with its packages. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../support/running/compiled-sources';
import { reachableFolder } from '../../support/unprivileged';

/** The packages that this one needs, without node-addon-api, which only builds use. */
const DEPENDENCIES = [
  'bindings',
  'csv-stringify',
  'file-uri-to-path',
  'image-size',
  'long',
  'lossless-json',
  'protobufjs',
  'saxes',
  'xmlchars',
];
const DUCKDB = ['@duckdb/node-api', '@duckdb/node-bindings', '@duckdb/node-bindings-linux-x64'];

/** `unpacked`: an archive, with the addon beside it as docs/electron.md says. `packed`: all in the archive. */
export type Asar = 'unpacked' | 'packed';

export interface InstallOptions {
  /** Default: the app is a folder, without an archive. */
  readonly asar?: Asar;
  /** True: DuckDB is installed, too. Default: false. */
  readonly duckdb?: boolean;
}

export class InstalledApp {
  /** Every user may read it. */
  readonly folder = reachableFolder('tfrecord-electron-');
  readonly executable = join(this.folder, 'electron', 'app');

  /** `source`: the folder of the app, with its package.json. */
  constructor(source: string, { asar, duckdb = false }: InstallOptions = {}) {
    chmodSync(this.folder, 0o755);
    linkTree(process.env['TFRECORD_ELECTRON']!, join(this.folder, 'electron'));
    // A program of another name makes the app a packaged one.
    renameSync(join(this.folder, 'electron', 'electron'), this.executable);
    const resources = join(this.folder, 'electron', 'resources');
    const app = join(resources, 'app');
    cpSync(source, app, { recursive: true });
    installPackages(join(app, 'node_modules'), duckdb);
    if (asar === undefined) return;
    execFileSync(process.execPath, [join(__dirname, 'pack.mjs'), app, join(resources, 'app.asar'), asar]);
    rmSync(app, { recursive: true });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Installs the package as it was built, with what it needs, in the folder `modules`. */
function installPackages(modules: string, duckdb: boolean): void {
  const ours = join(modules, 'tfrecord-native');
  const addon = join(ours, 'prebuilds', 'linux-x64');
  mkdirSync(addon, { recursive: true });
  for (const name of ['package.json', 'dist']) linkTree(join(ROOT, name), join(ours, name));
  linkTree(join(ROOT, 'build', 'Release', 'tfrecord.node'), join(addon, 'tfrecord.node'));
  const isal = join(ROOT, 'prebuilds', 'linux-x64', 'libisal.so.2');
  if (existsSync(isal)) linkTree(isal, join(addon, 'libisal.so.2'));
  for (const name of [...DEPENDENCIES, ...(duckdb ? DUCKDB : [])]) {
    mkdirSync(join(modules, name, '..'), { recursive: true });
    linkTree(join(ROOT, 'node_modules', name), join(modules, name));
  }
}

/** Copies a file or a folder by links, where the file system has them: the runtime has 250 MB. */
function linkTree(from: string, to: string): void {
  if (spawnSync('cp', ['-al', from, to]).status === 0) return;
  rmSync(to, { recursive: true, force: true });
  execFileSync('cp', ['-a', from, to]);
}
