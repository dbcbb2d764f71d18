// Runs one trial of the command, each pass a process of its own from its start to its end, and prints one line of JSON.
//
//   node command.mjs '{"args":["convert","FILE","TARGET"],"file":"...","target":"...","records":1000000,"seconds":2}'
//
// FILE and TARGET in `args` stand for `file` and `target`, SPEC for a file with the spec of the name `spec` (specs.mjs).
// `records` is what the rates are about. Without `args`, the
// program is `node -e 0`. The first pass is not counted. Counted passes follow for about `seconds`: at least three.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { SPECS } from './specs.mjs';

const { specToJSON } = createRequire(import.meta.url)('../dist/index.js');
const { args, file, target, spec, records, seconds } = JSON.parse(process.argv[2]);
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const specFile = `${target}.spec.json`;
const named = (arg) => arg.replaceAll('FILE', file).replaceAll('TARGET', target).replaceAll('SPEC', specFile);
const program = args === undefined ? ['-e', '0'] : [here('../dist/cli/main.js'), ...args.map(named)];

/** Runs the program once. Returns its seconds, its processor time and its peak memory. */
function pass() {
  if (target !== undefined) fs.rmSync(target, { force: true });
  const start = process.hrtime.bigint();
  const stdio = ['ignore', 'ignore', 'pipe', 'pipe'];
  const done = spawnSync(process.execPath, ['--require', here('usage.cjs'), ...program], { stdio, encoding: 'utf8' });
  const taken = Number(process.hrtime.bigint() - start) / 1e9;
  if (done.status !== 0) throw new Error(`the command ended with ${done.status ?? done.signal}: ${done.stderr}`);
  return { taken, ...JSON.parse(done.output[3]) };
}

if (spec !== undefined) fs.writeFileSync(specFile, JSON.stringify(specToJSON(SPECS[spec])));
pass();
const passes = [];
let total = 0;
while (total < seconds || passes.length < 3) {
  passes.push(pass());
  total += passes.at(-1).taken;
}
for (const made of [target, spec && specFile]) if (made !== undefined) fs.rmSync(made, { force: true });
console.log(
  JSON.stringify({
    records,
    seconds: passes.map(({ taken }) => taken),
    processor: passes.map(({ processor }) => processor),
    peakKiB: Math.max(...passes.map(({ peakKiB }) => peakKiB)),
  }),
);
