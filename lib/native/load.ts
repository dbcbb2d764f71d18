/**
 * Finds and loads the addon, once: when a door of the package is imported, or else at the first call. A server that calls
 * `process.setuid` may lose the right to read the package's folder after the import.
 *
 * If `TFRECORD_NATIVE_BINDING` names a file, only that file is tried (for sanitizer builds and tests). Otherwise a
 * build from source in `build/Release` comes first, then the prebuilt file in `prebuilds/<platform>-<arch>[-musl]`. The
 * last resort is the WebAssembly build, with a warning.
 */
import { closeSync, existsSync, openSync, readFileSync, statSync } from 'node:fs';
import { dirname, basename, join, resolve } from 'node:path';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

import bindings from 'bindings';

import { firstLine, thrownText, isObject, codeOf } from '../base';
import type { RecordBinding } from './binding';
import type { MaybeCsvBinding } from './binding-csv';
import type { MaybeDuckdbBinding } from './binding-duckdb';
import type { ExampleBinding } from './binding-examples';
import type { IndexBinding } from './binding-index';
import type { LineBinding } from './binding-lines';
import type { MaybeRowBinding } from './binding-rows';

/** All functions that the addon exports. */
export interface Binding
  extends RecordBinding, ExampleBinding, IndexBinding, LineBinding, MaybeRowBinding, MaybeCsvBinding, MaybeDuckdbBinding {}

const NAME = 'tfrecord-native';
const ADDON = 'tfrecord.node';
const WASM = 'tfrecord.wasm';
const WARNING = 'TFRECORD_WASM';
const BUNDLED =
  `${NAME} runs within a bundle, where its addon cannot be found. Mark "${NAME}" and its sub-paths ` +
  `("${NAME}/convert") as external in your bundler, and keep the package in node_modules beside the bundle: docs/bundlers.md shows how. (Or let TFRECORD_NATIVE_BINDING name the addon's file.)`;

/** The result of looking for the addon: the functions, or the message of the error that each call throws. */
type Opened =
  | {
      readonly binding: Binding;
      /** The message of the warning that the first call gives. */
      readonly warning?: string;
    }
  | { readonly failure: string };

let opened: Opened | undefined;
let loaded: Binding | undefined;

/** Finds and loads the addon. Never throws or warns: the first call of a function does. */
export function openAddon(): void {
  opened ??= open();
}

/**
 * Returns the addon's functions.
 * @throws Error that lists every attempt, if none could be loaded
 */
export function native(): Binding {
  return (loaded ??= firstCall());
}

function firstCall(): Binding {
  const result = (opened ??= open());
  if ('failure' in result) throw new Error(result.failure);
  if (result.warning !== undefined) warnOfWasm(result.warning);
  return result.binding;
}

/** A file that could not be loaded. */
interface Failure {
  readonly file: string;
  readonly reason: string;
  /** True if the file, or a folder above it, is there but not for this user. */
  readonly isDenied: boolean;
}

function open(): Opened {
  try {
    return load();
  } catch (error) {
    return { failure: thrownText(error) };
  }
}

function load(): Opened {
  const failures: Failure[] = [];
  for (const place of candidates()) {
    const file = place();
    try {
      if (file.endsWith('.wasm')) {
        const binding = loadWasm(file);
        return namedFile() === undefined ? { binding, warning: wasmWarning(failures) } : { binding };
      }
      const binding = bindings({
        bindings: basename(file),
        module_root: dirname(file),
        try: [['module_root', 'bindings']],
      }) as Binding;
      // Loads ISA-L from beside the addon, for the same reason.
      binding.codecs();
      return { binding };
    } catch (error) {
      failures.push({ file, ...reasonOf(error, file) });
    }
  }
  throw new Error(
    `The native addon of ${NAME} could not be loaded on ${triple()} (Node ${process.version}). Tried:\n` +
      `${listOf(failures)}\n${advice(failures)}`,
  );
}

/** Compiles the WebAssembly build in `file`, with the files of this system. */
function loadWasm(file: string): Binding {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- few programs need it
  const { wasmBinding } = require('./wasm') as typeof import('./wasm');
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { NODE_FILES } = require('./wasm/node-files') as typeof import('./wasm/node-files');
  return wasmBinding(new WebAssembly.Module(readFileSync(file)), { files: NODE_FILES });
}

function wasmWarning(failures: readonly Failure[]): string {
  return (
    `No native addon of ${NAME} could be loaded on ${triple()}, so WebAssembly takes its place: reading is several ` +
    `times slower, and has one thread. docs/wasm.md says what else differs. Tried:\n${listOf(failures)}\n${advice(failures)}`
  );
}

/** Says once in the process, but for workers that started before, that there is no addon. */
function warnOfWasm(message: string): void {
  if (getEnvironmentData(WARNING) === true) return;
  setEnvironmentData(WARNING, true);
  process.emitWarning(message, { type: 'TFRecordWarning', code: WARNING });
}

function listOf(failures: readonly Failure[]): string {
  return failures.map(({ file, reason }) => `  ${file}: ${reason}`).join('\n');
}

function advice(failures: readonly Failure[]): string {
  if (failures.some(({ isDenied: denied }) => denied)) {
    return 'Give the user of this process the right to read the file and to enter its folders, or import the package before that right is dropped.';
  }
  if (namedFile() !== undefined) return 'TFRECORD_NATIVE_BINDING names this file: correct it, or unset it.';
  const root = packageRoot();
  // Nothing can be built in an archive, and the system can load no file of it.
  return /\.asar[\\/]/.test(root)
    ? `The package lies in an asar archive: pack its folder "prebuilds/${triple()}" with the app, and leave it ` +
        'unpacked by "asarUnpack", as docs/electron.md shows.'
    : `To build it from source, run "npx --yes cmake-js@8 build" in ${root} ` +
        '(needs CMake, a C++17 compiler and static zlib).';
}

/**
 * Returns the package's folder. It is searched for, because bundles and sources lie at different depths in it.
 * @throws Error if this code lies in another package: somebody has bundled it, and the addon is elsewhere
 */
function packageRoot(): string {
  // ECMAScript modules, into which bundlers put this code, have no `__dirname`.
  if (typeof __dirname !== 'string') throw new Error(BUNDLED);
  let folder = __dirname;
  for (;;) {
    const found = lookFor(join(folder, 'package.json'));
    if (found === 'there') break;
    // No file of the package can be read: the folder is where it lies in the package.
    if (found === 'denied') return __dirname.replace(/[\\/](?:dist|lib[\\/]native)$/, '');
    if (folder === dirname(folder)) throw new Error(BUNDLED);
    folder = dirname(folder);
  }
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (!isObject(manifest) || manifest['name'] !== NAME) throw new Error(BUNDLED);
  return folder;
}

function lookFor(file: string): 'there' | 'missing' | 'denied' {
  // First, because Electron has it for archives in every version.
  if (existsSync(file)) return 'there';
  try {
    statSync(file);
    return 'there';
  } catch (error) {
    return isDenied(error) ? 'denied' : 'missing';
  }
}

function isDenied(error: unknown): boolean {
  return codeOf(error) === 'EACCES';
}

/** The file that TFRECORD_NATIVE_BINDING names, if it names one. */
function namedFile(): string | undefined {
  const named = process.env['TFRECORD_NATIVE_BINDING'];
  return named === undefined || named === '' ? undefined : resolve(named);
}

/** Returns functions, not paths: naming the prebuilt file means detecting the C library, which costs milliseconds. */
function candidates(): (() => string)[] {
  const named = namedFile();
  if (named !== undefined) return [() => named];
  const root = packageRoot();
  const prebuilds = join(root, 'prebuilds');
  return [
    () => join(root, 'build', 'Release', ADDON),
    () => join(prebuilds, triple(), ADDON),
    () => join(prebuilds, 'wasm32', WASM),
  ];
}

/** `linux-x64`, `linux-x64-musl`, `darwin-arm64` … */
function triple(): string {
  return `${process.platform}-${process.arch}${process.platform === 'linux' && isMusl() ? '-musl' : ''}`;
}

function isMusl(): boolean {
  const { report } = process as { report?: NodeJS.ProcessReport & { excludeNetwork?: boolean } };
  if (report === undefined) return false;
  const before = report.excludeNetwork;
  report.excludeNetwork = true; // Otherwise the report looks up host names, for seconds.
  const { header } = report.getReport() as { header?: { glibcVersionRuntime?: string } };
  if (before !== undefined) report.excludeNetwork = before;
  return header?.glibcVersionRuntime === undefined;
}

function reasonOf(error: unknown, file: string): Omit<Failure, 'file'> {
  if (isUnreadable(file)) return { reason: 'EACCES: permission denied', isDenied: true };
  const reason = !existsSync(file)
    ? 'not there'
    : // Node would run any other file as JavaScript.
      !/\.(?:node|wasm)$/.test(file)
      ? 'its name must end in .node or .wasm'
      : firstLine(thrownText(error));
  return { reason, isDenied: false };
}

/** True if the file, or a folder above it, is there but not for this user. */
function isUnreadable(file: string): boolean {
  try {
    // Not `access`, which asks for the real user: `seteuid` changes the effective one.
    closeSync(openSync(file, 'r'));
    return false;
  } catch (error) {
    return isDenied(error);
  }
}
