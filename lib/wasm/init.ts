/**
 * Loads tfrecord.wasm. In the bundle of this door, this file takes the place of lib/native/load.ts, so all rooms call
 * the module through it.
 */
import type { Binding } from '../native';
import { wasmBinding } from '../native/wasm';

export type { Binding } from '../native';

/** The source of tfrecord.wasm: an address to fetch, its bytes, or the compiled module. */
export type WasmSource = string | URL | Response | BufferSource | WebAssembly.Module;

/** The address of tfrecord.wasm in the package, from dist/wasm/index.mjs. Set by scripts/bundle-page.mjs. */
declare const tfrecordWasm: URL;

let started: Promise<void> | undefined;
let loaded: Binding | undefined;

/**
 * Returns the functions of the module.
 * @throws Error before `init`
 */
export function native(): Binding {
  if (loaded !== undefined) return loaded;
  throw new Error('tfrecord-native/wasm is not ready: call "await init()" before anything else (docs/wasm.md).');
}

/** A page has no addon. */
export function openAddon(): void {
  // Only the doors for Node call it.
}

/**
 * Loads the WebAssembly module. Await it before any other call; later calls return the same promise, unless the first
 * failed.
 *
 * @param source an address, a `Response`, the bytes or the compiled module of `tfrecord.wasm`. Default: the file of the
 *   package, which bundlers that know `new URL('...', import.meta.url)` copy by themselves
 * @throws Error if it cannot be fetched; WebAssembly.CompileError if it is something else
 * @example
 * ```ts
 * import { init, readRecords } from 'tfrecord-native/wasm';
 *
 * await init();
 * for await (const record of readRecords(new Blob([]))) console.log(record.length);
 * ```
 */
export function init(source?: WasmSource): Promise<void> {
  started ??= load(source ?? tfrecordWasm).catch((error: unknown) => {
    started = undefined;
    throw error;
  });
  return started;
}

async function load(source: WasmSource): Promise<void> {
  const compiled = source instanceof WebAssembly.Module;
  loaded = wasmBinding(compiled ? source : await compile(source));
}

async function compile(source: string | URL | Response | BufferSource): Promise<WebAssembly.Module> {
  if (ArrayBuffer.isView(source) || source instanceof ArrayBuffer) return WebAssembly.compile(source);
  if (source instanceof Response) return compileResponse(source);
  const address = String(source);
  const file = fileOf(address);
  return file === undefined ? compileResponse(await fetch(address)) : WebAssembly.compile(file);
}

/** Not `compileStreaming`, which requires the type application/wasm: many servers do not send it. */
async function compileResponse(response: Response): Promise<WebAssembly.Module> {
  if (response.ok) return WebAssembly.compile(await response.arrayBuffer());
  throw new Error(
    `tfrecord.wasm could not be fetched from ${response.url}: ${response.status} ${response.statusText}. Serve ` +
      'node_modules/tfrecord-native/prebuilds/wasm32/tfrecord.wasm, and give its address to init().',
  );
}

interface Files {
  readFileSync(file: URL): Uint8Array<ArrayBuffer>;
}

/** Returns the bytes of a `file:` address in Node, whose `fetch` refuses it; undefined for other addresses. */
function fileOf(address: string): Uint8Array<ArrayBuffer> | undefined {
  if (!address.startsWith('file:')) return undefined;
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  const files = process?.getBuiltinModule?.('node:fs') as Files | undefined;
  try {
    return files?.readFileSync(new URL(address));
  } catch (cause) {
    throw new Error(`${address} cannot be read. In a clone, npm run build:prebuilds wasm32 makes it.`, { cause });
  }
}
