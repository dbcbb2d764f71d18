/** The addons that `scripts/platforms` built, and those that a package has. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The files of each platform that is built on Debian: the addon, and ISA-L beside it. */
const BUILT_HERE = {
  'linux-x64': ['tfrecord.node', 'libisal.so.2'],
  'linux-arm64': ['tfrecord.node', 'libisal.so.2'],
  'linux-x64-musl': ['tfrecord.node', 'libisal.so.2'],
  'linux-arm64-musl': ['tfrecord.node', 'libisal.so.2'],
  'win32-x64': ['tfrecord.node', 'isa-l.dll'],
  wasm32: ['tfrecord.wasm'],
};

/**
 * Returns the files that the package lacks; `packed` is the list of its files by `npm pack`. Prints the sizes of those that
 * it has, and the platforms that were not built on this machine.
 */
export function addonsLacking(root, packed) {
  const sizes = new Map(packed.map(({ path, size }) => [path, size]));
  const lacking = [];
  const absent = [];
  for (const [platform, names] of Object.entries(BUILT_HERE)) {
    // The package is made with the addon of this system alone, or after `npm run build:prebuilds` with all.
    const folder = `prebuilds/${platform}`;
    if (!existsSync(join(root, folder))) {
      absent.push(platform);
      continue;
    }
    const paths = names.map((name) => `${folder}/${name}`);
    // Without build:prebuilds, ISA-L is the system's.
    const needed = existsSync(join(root, paths.at(-1))) ? paths : paths.slice(0, 1);
    lacking.push(...needed.filter((path) => !sizes.has(path)));
    console.log(`    ${needed.map((path) => `${path} ${sizes.get(path)} bytes`).join(', ')}`);
  }
  if (absent.length > 0) console.log(`    not built on this machine: ${absent.join(', ')}`);
  if (![...sizes.keys()].some((path) => path.endsWith('/tfrecord.node'))) lacking.push('any addon');
  return lacking;
}
