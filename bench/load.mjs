// Measures how long loading the package takes, compared with `node -e 0`: medians of 15 interleaved rounds.
//
//   node bench/load.mjs [rounds]

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Longest time to load the package, over `node -e 0`, in milliseconds. */
const LIMIT = 60;
const READ = "for (const _ of require('tfrecord-native').readRecordsSync('examples/data/weather.tfrecord'));";
const PROGRAMS = {
  'node -e 0': ['-e', '0'],
  require: ['-e', "require('tfrecord-native')"],
  import: ['-e', "import('tfrecord-native')"],
  'require tfjs': ['-e', "require('tfrecord-native/tfjs')"],
  'require and read': ['-e', READ],
  'tfrecord --help': ['dist/cli/main.js', '--help'],
};

const cwd = fileURLToPath(new URL('../', import.meta.url));
const rounds = Number(process.argv[2] ?? 15);
const times = new Map(Object.keys(PROGRAMS).map((name) => [name, []]));
for (let round = 0; round < rounds; round++) {
  for (const [name, args] of Object.entries(PROGRAMS)) {
    const start = process.hrtime.bigint();
    execFileSync(process.execPath, args, { cwd, stdio: 'ignore' });
    times.get(name).push(Number(process.hrtime.bigint() - start) / 1e6);
  }
}
const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
const nothing = median(times.get('node -e 0'));
for (const [name, list] of times) {
  const over = median(list) - nothing;
  console.log(`${name.padEnd(18)} ${median(list).toFixed(0).padStart(4)} ms  +${over.toFixed(0)} ms`);
  if (['require', 'import'].includes(name) && over > LIMIT) {
    console.error(`${name} takes more than ${LIMIT} ms over node -e 0`);
    process.exitCode = 1;
  }
}
