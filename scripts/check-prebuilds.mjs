/**
 * Checks that prebuilds/ holds the addon of every platform that the package is published for, the WebAssembly build, and
 * the licences of what they hold, and that extensions/ holds DuckDB's loadable extension of the platforms of a release.
 *
 *   node scripts/check-prebuilds.mjs
 */
import { existsSync } from 'node:fs';

const PLATFORMS = [
  ...['darwin-arm64', 'darwin-x64', 'win32-arm64', 'win32-x64'],
  ...['linux-arm64', 'linux-arm64-musl', 'linux-x64', 'linux-x64-musl'],
];
const files = [...PLATFORMS.map((platform) => `${platform}/tfrecord.node`), 'wasm32/tfrecord.wasm', 'LICENSES.txt'];

/** DuckDB's names of the platforms. */
const EXTENSIONS = ['linux_amd64', 'linux_arm64', 'osx_amd64', 'osx_arm64', 'windows_amd64'];
const needed = [
  ...files.map((file) => `prebuilds/${file}`),
  ...EXTENSIONS.map((platform) => `extensions/${platform}/tfrecord.duckdb_extension`),
];

const missing = needed.filter((file) => !existsSync(new URL(`../${file}`, import.meta.url)));
for (const file of missing) console.error(`check-prebuilds: no ${file}`);
process.exitCode = missing.length === 0 ? 0 : 1;
