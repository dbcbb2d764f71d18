/**
 * Finds and loads the addon, once.
 *
 * Tried in this order: the file that `TFRECORD_NATIVE_BINDING` names (nothing else then: sanitizer builds, tests), a
 * build from source in `build/Release`, the prebuilt file for this platform in `prebuilds/<platform>-<arch>[-musl]`.
 */
import { existsSync } from 'node:fs';
import { dirname, basename, join, resolve } from 'node:path';

import bindings from 'bindings';

import type { RecordBinding } from './binding';
import type { ExampleBinding } from './binding-examples';

/** All that the addon exports. */
export interface Binding extends RecordBinding, ExampleBinding {}

const ADDON = 'tfrecord.node';
const PACKAGE_ROOT = packageRoot();

let loaded: Binding | undefined;

/**
 * The addon's functions. The first call loads it; it throws one error that lists every attempt when that fails.
 */
export function native(): Binding {
  return (loaded ??= load());
}

function load(): Binding {
  const failures: string[] = [];
  for (const place of candidates()) {
    const file = place();
    try {
      return bindings({
        bindings: basename(file),
        module_root: dirname(file),
        try: [['module_root', 'bindings']],
      }) as Binding;
    } catch (error) {
      failures.push(`  ${file}: ${reason(error)}`);
    }
  }
  throw new Error(
    `The native addon of tfrecord-native could not be loaded on ${triple()} (Node ${process.version}). Tried:\n` +
      `${failures.join('\n')}\n` +
      `To build it from source, run "npx --yes cmake-js@8 build" in ${PACKAGE_ROOT} ` +
      '(needs CMake, a C++17 compiler and static zlib).',
  );
}

/** The folder of the package: bundles lie less deep in it than sources. */
function packageRoot(): string {
  let folder = __dirname;
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
}

/** Thunks, because naming the prebuilt file means asking for the C library, which costs milliseconds. */
function candidates(): (() => string)[] {
  const named = process.env['TFRECORD_NATIVE_BINDING'];
  if (named !== undefined && named !== '') return [() => resolve(named)];
  return [() => join(PACKAGE_ROOT, 'build', 'Release', ADDON), () => join(PACKAGE_ROOT, 'prebuilds', triple(), ADDON)];
}

/** `linux-x64`, `linux-x64-musl`, `darwin-arm64` … */
function triple(): string {
  return `${process.platform}-${process.arch}${process.platform === 'linux' && isMusl() ? '-musl' : ''}`;
}

function isMusl(): boolean {
  const { report } = process as { report?: NodeJS.ProcessReport & { excludeNetwork?: boolean } };
  if (report === undefined) return false;
  const before = report.excludeNetwork;
  report.excludeNetwork = true; // else the report looks up host names, for seconds
  const { header } = report.getReport() as { header?: { glibcVersionRuntime?: string } };
  if (before !== undefined) report.excludeNetwork = before;
  return header?.glibcVersionRuntime === undefined;
}

function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /could not locate the bindings/i.test(message) ? 'not there' : (message.split('\n')[0] ?? message);
}
