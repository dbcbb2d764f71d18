// Measures how well shuffles mix records that are sorted by label: the number of distinct labels (of 10) in a batch of 64.
// There are 100,000 records in 100 files, and most shuffles hold 1,000 in memory. Nothing is timed, so the numbers are the
// same on every machine. Needs a build (`npm run build`).
//
//   npm run bench:labels

import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

const require = createRequire(import.meta.url);
const { Dataset, RecordWriter } = require('../dist/index.js');

const FILES = 100;
const RECORDS = 1000;
const LABELS = 10;
const SEEDS = 10;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tfrecord-labels-'));
try {
  for (let file = 0; file < FILES; file += 1) {
    const writer = await RecordWriter.open(path.join(folder, `sorted-${String(file).padStart(3, '0')}`));
    const label = Uint8Array.of(Math.floor((file * LABELS) / FILES));
    for (let i = 0; i < RECORDS; i += 1) await writer.write(label);
    await writer.close();
  }
  const pattern = path.join(folder, 'sorted-*');
  const interleaved = (seed) =>
    Dataset.files(pattern)
      .shuffle('full')
      .interleave((file) => Dataset.tfrecord(file), { cycleLength: 16 })
      .shuffle(1000)
      .seed(seed);
  const rows = [
    ['none', () => Dataset.tfrecord(pattern)],
    ['`shuffle(1000)`', (seed) => Dataset.tfrecord(pattern).shuffle(1000).seed(seed)],
    ["files `shuffle('full')`, `interleave` of 16, `shuffle(1000)`", interleaved],
    ...[100, 10].map((blockSize) => {
      const blocks = { blockSize, blocks: 1000 / blockSize };
      const name = `\`shuffle({ blockSize: ${blocks.blockSize}, blocks: ${blocks.blocks} })\``;
      return [name, (seed) => Dataset.tfrecord(pattern).shuffle(blocks).seed(seed)];
    }),
    ["`shuffle('full')`", (seed) => Dataset.tfrecord(pattern).shuffle('full').seed(seed)],
    [
      'a buffer of all',
      (seed) =>
        Dataset.tfrecord(pattern)
          .shuffle(FILES * RECORDS)
          .seed(seed),
    ],
  ];
  console.log('| shuffle | labels of 10 in a batch of 64 |\n| --- | ---: |');
  for (const [name, make] of rows) {
    let sum = 0;
    for (let seed = 0; seed < SEEDS; seed += 1) sum += await meanLabels(make(seed));
    console.log(`| ${name} | ${(sum / SEEDS).toFixed(2)} |`);
  }
} finally {
  fs.rmSync(folder, { recursive: true });
}

async function meanLabels(records) {
  let labels = 0;
  let batches = 0;
  for await (const batch of records.batch(64)) {
    labels += new Set(Array.from(batch, (record) => record[0])).size;
    batches += 1;
  }
  return labels / batches;
}
