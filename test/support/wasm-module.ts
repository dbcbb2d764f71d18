/** The WebAssembly build, if `npm run build:prebuilds wasm32` has made it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const wasmFile = join(__dirname, '..', '..', 'prebuilds', 'wasm32', 'tfrecord.wasm');

/** CI must have it: its tests fail there instead of being skipped. */
const there = existsSync(wasmFile) || process.env['TFR_REQUIRE_TOOLS'] !== undefined;

/** Compiles the module. */
export function wasmModule(): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(wasmFile));
}

/** `describe`, or where there is no build, `describe.skip`; and what the name of the tests then says. */
export const [describeWasm, lackOfWasm] = there
  ? [describe, '']
  : [describe.skip, ' (skipped: npm run build:prebuilds wasm32)'];
