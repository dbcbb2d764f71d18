/** A server that loses the right to read the package after its imports, by `process.setuid` or otherwise. */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ROOT } from '../../support/running/compiled-sources';

/** A folder that others may not enter, with the built package and the packages that it needs. */
let home: string;
let installed: string;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'tfr-rights-'));
  installed = join(home, 'node_modules', 'tfrecord-native');
  mkdirSync(installed, { recursive: true });
  cpSync(join(ROOT, 'dist'), join(installed, 'dist'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(installed, 'package.json'));
  mkdirSync(join(installed, 'build'));
  cpSync(join(ROOT, 'build', 'Release'), join(installed, 'build', 'Release'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(installed, 'node_modules'));
});
afterAll(() => {
  chmodSync(home, 0o700);
  rmSync(home, { recursive: true });
});

/** Imports a door in a process of its own, drops the rights to the package, then calls it. Returns what is printed. */
function run(load: string, call: string): string {
  const program = `
    const home = ${JSON.stringify(home)};
    const drop = () => {
      if (process.getuid() !== 0) return require('node:fs').chmodSync(home, 0);
      process.setgid(65534);
      process.setuid(65534);
    };
    (async () => {
      ${load}
      drop();
      try { console.log(${call}); } catch (error) { console.log(String(error.message)); }
    })();`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], {
    cwd: home,
    encoding: 'utf8',
    env: { ...process.env, TFRECORD_NATIVE_BINDING: '', NODE_OPTIONS: '' },
  });
  chmodSync(home, 0o700);
  return stdout + stderr;
}

const CRC = "tf.crc32c(Buffer.from('123456789')).toString(16)";
const HAS_ADDON = "Object.keys(require.cache).some((file) => file.endsWith('tfrecord.node'))";

test('the main door has its addon', () => {
  expect(run("const tf = require('tfrecord-native');", CRC)).toBe('e3069283\n');
  expect(run("const tf = await import('tfrecord-native');", CRC)).toBe('e3069283\n');
});

const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { exports: Record<string, object> };
const doors = Object.entries(exports).filter(([, target]) => Object.hasOwn(target, 'require'));

test.each(doors.map(([name]) => `tfrecord-native${name.slice(1)}`))('%s has opened it', (name) => {
  expect(run(`require('${name}');`, HAS_ADDON)).toBe('true\n');
});

test('a worker thread that loads classes only does not', () => {
  expect(run(`require('${join(installed, 'dist', 'our-classes.js')}');`, HAS_ADDON)).toBe('false\n');
});

test('without an addon, neither the import nor its end says anything; the first call does', () => {
  rmSync(join(installed, 'build'), { recursive: true });
  expect(run("require('tfrecord-native');", "'imported'")).toBe('imported\n');
  const printed = run("const tf = require('tfrecord-native');", CRC);
  expect(printed).toContain(`${join(installed, 'build', 'Release', 'tfrecord.node')}: not there`);
});

test('a package that is looked at too late: the error names the path of the addon, and the cure', () => {
  // The core alone is no door.
  const load = `const { record } = require('${join(installed, 'dist', 'core.js')}');`;
  const printed = run(load, CRC.replace('tf', 'record'));
  expect(printed).toContain(`${join(installed, 'build', 'Release', 'tfrecord.node')}: EACCES: permission denied\n`);
  expect(printed).toContain('or import the package before that right is dropped');
  expect(printed).not.toContain('bundle');
});
