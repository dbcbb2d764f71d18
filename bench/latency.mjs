// Measures how long fs.stat takes while four readers are busy. Readers must not use libuv's threads.
//
//   node latency.mjs '{"file":"...","seconds":2}'

import fs from 'node:fs';
import { createRequire } from 'node:module';
import { peakKiB } from './timed.mjs';

const { RecordReader } = createRequire(import.meta.url)('../dist/index.js');
const { file, seconds } = JSON.parse(process.argv[2]);

let busy = true;
let passes = 0;

async function read() {
  while (busy) {
    const reader = await RecordReader.open(file);
    for await (const batch of reader.batches()) if (!busy || batch.length === 0) break;
    passes += 1;
  }
}

const readers = [read(), read(), read(), read()];
const times = [];
const end = Date.now() + seconds * 1000;
while (Date.now() < end) {
  const start = process.hrtime.bigint();
  await fs.promises.stat(file);
  times.push(Number(process.hrtime.bigint() - start) / 1e6);
  await new Promise((resolve) => setTimeout(resolve, 2));
}
busy = false;
await Promise.all(readers);
times.sort((a, b) => a - b);
const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
console.log(
  JSON.stringify({
    count: times.length,
    passes,
    median: at(0.5),
    p99: at(0.99),
    worst: times.at(-1),
    peakKiB: peakKiB(),
  }),
);
