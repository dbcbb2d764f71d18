/**
 * Builds `tfrecord.duckdb_extension` (Release), which any DuckDB from 1.2.0 on loads: the library of
 * native/duckdb/extension, and a footer by which DuckDB knows what it loads. Prints the path.
 *
 *   node scripts/duckdb-extension.mjs [--out FILE] [--library FILE] [--platform NAME] [--name NAME]
 *
 * Default: the library is built in build-duckdb, for this platform, and the file lies in there. `--library` names a library
 * that was built elsewhere; `--platform` is DuckDB's name of the platform, as `PRAGMA platform` returns it. `--name places`
 * builds the extension of the tests.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('../', import.meta.url));
const build = `${root}build-duckdb`;

const { values } = parseArgs({
  options: {
    name: { type: 'string', default: 'tfrecord' },
    out: { type: 'string' },
    library: { type: 'string' },
    platform: { type: 'string' },
  },
});
const library =
  values.library === undefined
    ? inTurn(() => readFileSync(buildLibrary(`${values.name}_duckdb`)))
    : readFileSync(values.library);
const out = values.out ?? `${build}/${values.name}.duckdb_extension`;
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
mkdirSync(dirname(out), { recursive: true });
// Renamed into place: a process that has loaded the file keeps the old one.
const fresh = `${out}.${process.pid}`;
writeFileSync(fresh, Buffer.concat([library, footer(values.platform ?? platformHere(), `v${version}`)]));
renameSync(fresh, out);
console.log(out);

/** Calls `run` while no other process does so. */
function inTurn(run) {
  mkdirSync(build, { recursive: true });
  const lock = `${build}/lock`;
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      Atomics.wait(sleeper, 0, 0, 100);
      if (!isHeld(lock)) rmSync(lock, { force: true });
    }
  }
  try {
    return run();
  } finally {
    rmSync(lock);
  }
}

/** False if the process that made the lock has ended without removing it. */
function isHeld(lock) {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0);
    return true;
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

function buildLibrary(target) {
  const run = (...args) => execFileSync('cmake', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  run('-S', '.', '-B', build, '-DTFR_BUILD_DUCKDB_EXTENSION=ON', '-DCMAKE_BUILD_TYPE=Release');
  run('--build', build, '--config', 'Release', '--parallel', '2', '--target', target);
  const file = process.platform === 'win32' ? `Release/${target}.dll` : `${target}.so`;
  return `${build}/native/duckdb/extension/${file}`;
}

/** DuckDB's name of this platform. */
function platformHere() {
  const system = { linux: 'linux', darwin: 'osx', win32: 'windows' }[process.platform];
  const processor = { x64: 'amd64', arm64: 'arm64' }[process.arch];
  if (system === undefined || processor === undefined) throw new Error('Name the platform by --platform');
  process.report.excludeNetwork = true; // Otherwise the report looks up host names, for seconds.
  const musl = process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime;
  return `${system}_${processor}${musl ? '_musl' : ''}`;
}

/**
 * The last 534 bytes of an extension: the head of a custom section of WebAssembly, eight fields of 32 bytes, the last one
 * first, and room for a signature of 256 bytes. The extension is not signed.
 */
function footer(platform, extensionVersion) {
  const fields = ['', '', '', 'C_STRUCT', extensionVersion, 'v1.2.0', platform, '4'];
  const section = Buffer.from('duckdb_signature');
  // The size of the section, the name, and the size of the content, as LEB128.
  const head = Buffer.concat([Buffer.from([0, 0x93, 0x04, section.length]), section, Buffer.from([0x80, 0x04])]);
  const field = (text) => Buffer.concat([Buffer.from(text)], 32);
  return Buffer.concat([head, ...fields.map(field), Buffer.alloc(256)]);
}
