/**
 * Checks prebuilds/wasm32/tfrecord.wasm: what it imports, what it exports, and its size.
 *
 *   node scripts/check-wasm.mjs
 */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const bytes = readFileSync(new URL('../prebuilds/wasm32/tfrecord.wasm', import.meta.url));
const module = new WebAssembly.Module(bytes);
const MAX_BYTES = 512 * 1024;
let failures = 0;

function check(description, offending) {
  console.log(offending.length === 0 ? `ok: ${description}` : `FAILED: ${description}: ${offending.join(' ')}`);
  failures += offending.length === 0 ? 0 : 1;
}

const imports = WebAssembly.Module.imports(module).map(({ module: from, name }) => `${from}.${name}`);
const exports = WebAssembly.Module.exports(module).map(({ name }) => name);
// lib/native/wasm/exports.ts and host.ts name them one by one: an instance of another module does not start.
check(
  'imports its memory and its host, and nothing of WASI',
  imports.filter((name) => name !== 'env.memory' && !name.startsWith('host.')),
);
check(
  'exports its own functions and no others',
  exports.filter((name) => name !== '_initialize' && !name.startsWith('tfr_')),
);
check(`has ${MAX_BYTES} bytes at most`, bytes.length > MAX_BYTES ? [String(bytes.length)] : []);
console.log(`${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} gzipped`);
process.exitCode = failures === 0 ? 0 : 1;
