/**
 * Checks that prebuilds/ holds the addon of every platform that the package is published for, the WebAssembly build, and
 * the licences of what they hold.
 *
 *   node scripts/check-prebuilds.mjs
 */
import { existsSync } from 'node:fs';

const PLATFORMS = [
  ...['darwin-arm64', 'darwin-x64', 'win32-arm64', 'win32-x64'],
  ...['linux-arm64', 'linux-arm64-musl', 'linux-x64', 'linux-x64-musl'],
];
const files = [...PLATFORMS.map((platform) => `${platform}/tfrecord.node`), 'wasm32/tfrecord.wasm', 'LICENSES.txt'];

const missing = files.filter((file) => !existsSync(new URL(`../prebuilds/${file}`, import.meta.url)));
for (const file of missing) console.error(`check-prebuilds: no prebuilds/${file}`);
process.exitCode = missing.length === 0 ? 0 : 1;
