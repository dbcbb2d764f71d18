// Runs one trial of a pipeline, in a process of its own, and prints one line of JSON. See ours.mjs.
//
//   node dataset.mjs '{"work":"tutorial","file":".../examples.tfrecord","seconds":0.5}'

import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import readline from 'node:readline';
import zlib from 'node:zlib';
import { heavy } from './mapped.mjs';
import { SPECS } from './specs.mjs';
import { peakKiB, timed } from './timed.mjs';

const require = createRequire(import.meta.url);
const { native } = require('../dist/core.js').native;
const { Dataset, readExamples, readRecords, RecordReader } = require('../dist/index.js');

const EPOCHS = 3;
/** Size of a record of `fixed.bin`; see setup.mjs. */
const FIXED_BYTES = 64;
const NUMBERS = 2_000_000;
const numbers = (length = NUMBERS) => Array.from({ length }, (_, i) => i);
/** Number of elements that a heavy function is called for. */
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
  exact: ({ file }) => {
    const shuffled = Dataset.tfrecord(file).shuffle('full').batch(1024);
    return () => overElements(shuffled);
  },
  blocks: ({ file }) => {
    const shuffled = Dataset.tfrecord(file).shuffle({ blockSize: 1000, blocks: 10 }).batch(1024);
    return () => overElements(shuffled);
  },
  shuffled: ({ file }) => {
    const shuffled = Dataset.tfrecord(file).shuffle(10_000).batch(1024);
    return () => overElements(shuffled);
  },
  text: ({ file }) => overLines(() => Dataset.text(file)),
  'text-chunks': ({ file }) => {
    const lines = Dataset.text(file);
    return async () => {
      let bytes = 0;
      let count = 0;
      for await (const chunk of lines.chunks()) {
        for (const line of chunk) bytes += line.length;
        count += chunk.length;
      }
      if (bytes === 0) throw new Error('no text');
      return count;
    };
  },
  readline: ({ file }) =>
    overLines(() => {
      const stored = fs.createReadStream(file);
      const input = file.endsWith('.gz') ? stored.pipe(zlib.createGunzip()) : stored;
      return readline.createInterface({ input, crlfDelay: Infinity });
    }),
  csv: ({ file }) => {
    const columns = { id: 0n, price: 0, name: { dtype: 'text' }, note: { dtype: 'text', default: '' }, count: 0n };
    const rows = Dataset.csv(file, { columns });
    return async () => {
      let count = 0;
      for await (const row of rows) if (row.price >= 0) count += 1;
      return count;
    };
  },
  fixed: ({ file }) => {
    const records = Dataset.fixedLength(file, FIXED_BYTES).batch(1024);
    return () => overElements(records);
  },
  'small-shards': overShards('small', overBatches),
  'small-shards-alone': overShards('small', async (shards) => {
    let records = 0;
    for (const shard of shards) records += await overBatches(shard);
    return records;
  }),
  'small-shards-each': overShards('small', async (shards) => {
    let records = 0;
    for await (const record of readRecords(shards)) if (record.length > 0) records += 1;
    return records;
  }),
  'small-shards-parsed': overShards('small', async (shards) => {
    let records = 0;
    for await (const columns of readExamples(shards, SPECS.examples).batches(1024)) records += columns.label.length;
    return records;
  }),
  'large-shard': overShards('large', ([shard]) => overElements(Dataset.tfrecord(shard).batch(1024))),
  'large-interleaved': overShards('large', (shards) =>
    overElements(
      Dataset.from(shards)
        .interleave((shard) => Dataset.tfrecord(shard), { cycleLength: 8 })
        .batch(1024),
    ),
  ),
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

/** A work that calls `read` with the paths of the GZIP files `name`-* beside the trial's file; see tf/make_data.py. */
function overShards(name, read) {
  return ({ file }) => {
    const folder = path.join(path.dirname(file), 'gzip-shards');
    const names = fs.readdirSync(folder).filter((entry) => entry.startsWith(`${name}-`));
    const shards = names.sort().map((entry) => path.join(folder, entry));
    return () => read(shards);
  };
}

async function overBatches(files) {
  return overElements((await RecordReader.open(files)).batches());
}

/** Resolves with the number of records in batches of them. */
async function overElements(batches) {
  let records = 0;
  for await (const batch of batches) records += batch.length;
  return records;
}

function overLines(open) {
  return async () => {
    let bytes = 0;
    let count = 0;
    for await (const line of open()) {
      bytes += line.length;
      count += 1;
    }
    if (bytes === 0) throw new Error('no text');
    return count;
  };
}

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
