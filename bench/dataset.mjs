// One trial of a pipeline, in a process of its own; prints one JSON line. See ours.mjs.
//
//   node dataset.mjs '{"work":"tutorial","file":".../examples.tfrecord","seconds":0.5}'

import { createRequire } from 'node:module';
import path from 'node:path';
import { heavy } from './mapped.mjs';
import { SPECS } from './specs.mjs';
import { peakKiB, timed } from './timed.mjs';

const require = createRequire(import.meta.url);
const { native } = require('../dist/core.js').native;
const { Dataset } = require('../dist/index.js');

const EPOCHS = 3;
const NUMBERS = 2_000_000;
const numbers = (length = NUMBERS) => Array.from({ length }, (_, i) => i);
/** Of numbers that a heavy function is called for. */
const HEAVY = 40_000;
const heavyModule = new URL('./mapped.mjs', import.meta.url);
const trivialModule = new URL('./mapped-trivial.mjs', import.meta.url);

const WORKS = {
  tutorial: ({ file, transient = false }) => {
    const train = Dataset.files(path.join(path.dirname(file), 'shards', 'examples-*'))
      .shuffle('full')
      .interleave((shard) => Dataset.tfrecord(shard), { cycleLength: 8 })
      .shuffle(10_000)
      .parse(SPECS.examples)
      .batch(1024)
      .repeat(EPOCHS);
    return async () => {
      let records = 0;
      for await (const batch of train.iterate({ transient })) records += batch.label.length;
      return records;
    };
  },
  shuffled: ({ file }) => {
    const shuffled = Dataset.tfrecord(file).shuffle(10_000).batch(1024);
    return async () => {
      let records = 0;
      for await (const batch of shuffled) records += batch.length;
      return records;
    };
  },
  chunks: () => overChunks(Dataset.from(numbers())),
  mapped: () => overChunks(Dataset.from(numbers()).map((x) => x + 1)),
  'heavy-map': () => overChunks(Dataset.from(numbers(HEAVY)).map(heavy)),
  'heavy-workers': () => overChunks(Dataset.from(numbers(HEAVY)).mapWorker(heavyModule)),
  'trivial-workers': () => overChunks(Dataset.from(numbers()).mapWorker(trivialModule)),
  'records-workers': ({ file }) => overChunks(Dataset.tfrecord(file).mapWorker(trivialModule)),
  awaited: () => {
    const dataset = Dataset.from(numbers());
    return async () => {
      let count = 0;
      for await (const x of dataset) count += x >= 0 ? 1 : 0;
      return count;
    };
  },
};

function overChunks(dataset) {
  return async () => {
    let count = 0;
    for await (const chunk of dataset.chunks()) count += chunk.length;
    return count;
  };
}

const trial = JSON.parse(process.argv[2]);
const report = await timed(WORKS[trial.work](trial), trial.seconds);
console.log(JSON.stringify({ ...report, ...native().info(), codecs: native().codecs(), peakKiB: peakKiB() }));
