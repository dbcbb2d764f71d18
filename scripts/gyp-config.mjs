/**
 * Prints settings for `binding.gyp`, one value per line: the sources and optional libraries of CMakeLists.txt.
 *
 *   node scripts/gyp-config.mjs sources | defines | libraries
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';

const root = new URL('../', import.meta.url);

function filesBelow(folder) {
  return readdirSync(new URL(folder, root), { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return filesBelow(`${folder}${entry.name}/`);
    return entry.name.endsWith('.cc') ? [folder + entry.name] : [];
  });
}

function hasHeader(name) {
  try {
    execFileSync(process.env.CXX ?? 'c++', ['-E', '-x', 'c++', '-'], {
      input: `#include <${name}>\n`,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    return true;
  } catch {
    return false;
  }
}

function hasLibrary(name) {
  const path = execFileSync(process.env.CXX ?? 'c++', [`-print-file-name=${name}`], { encoding: 'utf8' }).trim();
  return path !== name && existsSync(path);
}

const windows = process.platform === 'win32';
const libdeflate = !windows && hasHeader('libdeflate.h') && hasLibrary('libdeflate.a');
const isal = !windows && hasHeader('isa-l/igzip_lib.h');

const answers = {
  sources: () =>
    ['core', 'duckdb', 'addon']
      .flatMap((folder) => filesBelow(`native/${folder}/`))
      .filter((file) => !file.startsWith('native/duckdb/extension/'))
      .sort(),
  defines: () => [...(libdeflate ? ['TFR_HAVE_LIBDEFLATE=1'] : []), ...(isal ? ['TFR_HAVE_ISAL=1'] : [])],
  libraries: () => {
    if (windows) return ['zlibstatic.lib'];
    // Not -lz: at run time, Node's own zlib would be found first.
    const archive = (name) => (process.platform === 'linux' ? `-l:lib${name}.a` : `-l${name}`);
    return [archive('z'), ...(libdeflate ? [archive('deflate')] : []), '-ldl', '-lpthread'];
  },
};

const answer = answers[process.argv[2]];
if (answer === undefined) throw new Error(`usage: gyp-config.mjs ${Object.keys(answers).join(' | ')}`);
for (const value of answer()) console.log(value);
