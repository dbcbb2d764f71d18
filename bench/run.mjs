// Runs the benchmark: this package, TensorFlow 2.21, tfrecord-stream and C++ floors, interleaved, each trial in a process
// of its own. Needs a build (`npm run build`).
//
//   npm run bench -- [--only small,write] [--rounds 5] [--seconds 0.5] [--write] [--list]
//
//   --only     groups, by the start of their names (bench/groups.mjs)
//   --rounds   trials of each contender (5)
//   --seconds  duration of the timed passes of each trial (0.5; 2 where V8 needs longer to compile)
//   --write    also puts the ratios into docs/performance.md; with --only, those of the named groups

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { GROUPS } from './groups.mjs';
import { rates, ratios, summary, writePage, writeRows } from './report.mjs';
import {
  commandFiles,
  damagedFiles,
  data,
  floors,
  lineFiles,
  ownFiles,
  ROOT,
  shards,
  streamModules,
  tensorflow,
} from './setup.mjs';
import { emptyNodeKiB, trial } from './trials.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string' },
    write: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});
const load = () =>
  os
    .loadavg()
    .map((value) => value.toFixed(1))
    .join(' ');

const wanted = values.only?.split(',');
const groups = GROUPS.filter(({ id }) => wanted === undefined || wanted.some((start) => id.startsWith(start)));
if (values.list) {
  for (const { id, title } of groups) console.log(`${id.padEnd(12)} ${title}`);
} else {
  await main();
}

/**
 * Runs the rounds of one group. Each round runs every contender once, so that a slow minute affects all of them. A
 * contender that fails is left out, and the command ends with code 1.
 */
async function measure(group, setting, rounds) {
  const results = group.contenders.map(({ name, kind }) => ({ name, kind, reports: [] }));
  const failed = new Set();
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, contender] of group.contenders.entries()) {
      if (failed.has(index)) continue;
      try {
        const report = await trial(contender, group, setting);
        if (report !== undefined) results[index].reports.push(report);
      } catch (error) {
        failed.add(index);
        results[index].reports = [];
        console.error(
          `bench: ${group.id}: ${contender.name} failed: ${error.stderr?.trim().split('\n').at(-1) || error.message}`,
        );
        process.exitCode = 1;
      }
    }
  }
  const found = results.filter(({ reports }) => reports.length > 0);
  return found.map((result) => ({ ...result, stats: summary(result.reports) }));
}

/** Reads the group's file into the page cache. */
function warm(folder, group) {
  if (group.file !== undefined) fs.readFileSync(path.join(folder, group.file));
}

async function main() {
  if (groups.length === 0) throw new Error(`--only ${values.only}: no such group`);
  const python = tensorflow();
  const folder = data(python);
  await ownFiles(folder);
  damagedFiles(folder);
  await shards(folder);
  await commandFiles(folder);
  const rounds = Number(values.rounds);
  const setting = { python, folder, modules: streamModules(), floorFolder: floors() };
  const facts = JSON.parse(fs.readFileSync(path.join(folder, 'data.json'), 'utf8'));
  Object.assign(facts.sets, lineFiles(folder));
  const before = load();
  const outcomes = [];
  for (const group of groups) {
    console.error(`bench: ${group.title}`);
    warm(folder, group);
    const seconds = Number(values.seconds ?? group.seconds ?? 0.5);
    outcomes.push({ group, results: await measure(group, { ...setting, seconds }, group.rounds ?? rounds) });
  }
  const table = ratios(outcomes, {
    rounds,
    seconds: values.seconds ?? '0.5 to 2',
    date: new Date().toISOString().slice(0, 10),
    load: `${before}; ${load()}`,
  });
  console.log(`${table}\n\n${rates(outcomes, { emptyKiB: emptyNodeKiB(), facts })}`);
  const page = path.join(ROOT, 'docs', 'performance.md');
  if (values.write) (wanted === undefined ? writePage : writeRows)(page, table);
}
