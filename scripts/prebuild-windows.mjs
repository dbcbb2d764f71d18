/**
 * Builds the addon on Windows itself with MinGW or Clang of MSYS2, as scripts/platforms does from Linux:
 * `prebuilds/win32-<arch>/tfrecord.node`. CMake, Ninja, a compiler, zlib and libdeflate of one MSYS2 environment must be in
 * PATH.
 *
 *   node scripts/prebuild-windows.mjs
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const build = join(root, 'build', 'windows');
const modules = join(root, 'node_modules');
const machine = { x64: 'i386:x86-64', arm64: 'arm64' }[process.arch];
const run = (command, ...args) => execFileSync(command, args, { cwd: root, stdio: 'inherit' });

mkdirSync(build, { recursive: true });
// The import library of node.exe, delay-loaded: scripts/platforms/delay_load_hook.cc finds the host.
const definitions = join(modules, 'node-api-headers', 'def');
const own = readFileSync(join(definitions, 'js_native_api.def'), 'utf8').replace(/^(NAME|EXPORTS).*\n/gm, '');
writeFileSync(join(build, 'node.def'), `${readFileSync(join(definitions, 'node_api.def'), 'utf8')}\n${own}`);
const library = join(build, 'libnode_delay.a');
// GNU's dlltool writes a library that delays; for LLVM's, which writes plain ones, the linker does it.
const delays = spawnSync('dlltool', ['--help'], { encoding: 'utf8' }).stdout.includes('--output-delaylib');
const output = delays ? ['-y', library] : ['-D', 'node.exe', '-l', library];
run('dlltool', '-m', machine, '-d', join(build, 'node.def'), ...output);

const slashed = (path) => path.replaceAll('\\', '/');
run(
  'cmake',
  ...['-G', 'Ninja', '-S', root, '-B', build, '-DCMAKE_BUILD_TYPE=Release', '-DCMAKE_JS_VERSION=8'],
  `-DCMAKE_JS_INC=${slashed(join(modules, 'node-api-headers', 'include'))};${slashed(join(modules, 'node-addon-api'))}`,
  `-DCMAKE_JS_SRC=${slashed(join(root, 'scripts', 'platforms', 'delay_load_hook.cc'))}`,
  `-DCMAKE_JS_LIB=${slashed(library)};delayimp`,
  `-DCMAKE_SHARED_LINKER_FLAGS=-static -s -Wl,--exclude-all-symbols -Wl,--gc-sections${delays ? '' : ' -Wl,-delayload=node.exe'}`,
);
run('cmake', '--build', build, '--target', 'tfrecord');
const folder = join(root, 'prebuilds', `win32-${process.arch}`);
mkdirSync(folder, { recursive: true });
copyFileSync(join(build, 'tfrecord.node'), join(folder, 'tfrecord.node'));
