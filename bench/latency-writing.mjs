// Measures how long the event loop is delayed while 2 M records are written, in one of three ways.
//
//   node latency-writing.mjs '{"work":"write","target":"..."}'
//
// A probe is due every 2 ms, whether the loop turns or not, so a long delay counts once for every probe that it delays.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import { peakKiB } from './timed.mjs';

const { RecordWriter, encodeExample, float, int64, writeRecords } = createRequire(import.meta.url)('../dist/index.js');
const { work, target } = JSON.parse(process.argv[2]);

const COUNT = 2_000_000;
const WRITERS = 10;
const STEP_MS = 2;
// Encoding is slow enough for native threads to keep up, so no write waits for them.
const record = (i) => encodeExample({ id: int64(i), score: float([0.5, 1]), tags: ['a', 'b'] });
const options = { atomic: false };

async function write(path, count) {
  const writer = await RecordWriter.open(path, options);
  for (let i = 0; i < count; i += 1) await writer.write(record(i));
  await writer.close();
}

function* records() {
  for (let i = 0; i < COUNT; i += 1) yield record(i);
}

const names = Array.from({ length: WRITERS }, (_, i) => `${target}-${i}`);
const ways = {
  write: () => write(target, COUNT),
  writeRecords: () => writeRecords(target, records(), options),
  writers: () => Promise.all(names.map((name) => write(name, COUNT / WRITERS))),
};

const delays = [];
let due = performance.now() + STEP_MS;
function probe() {
  const now = performance.now();
  for (; due <= now; due += STEP_MS) delays.push(now - due);
}
const timer = setInterval(probe, 1);
const start = performance.now();
await ways[work]();
const seconds = (performance.now() - start) / 1000;
probe();
clearInterval(timer);
for (const name of [target, ...names]) fs.rmSync(name, { force: true });
delays.sort((a, b) => a - b);
const at = (share) => delays[Math.min(delays.length - 1, Math.floor(delays.length * share))];
console.log(
  JSON.stringify({
    count: delays.length,
    recordsPerSecond: Math.round(COUNT / seconds),
    median: at(0.5),
    p99: at(0.99),
    worst: delays.at(-1),
    peakKiB: peakKiB(),
  }),
);
