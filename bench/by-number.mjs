// Runs one trial of an index, in a process of its own, and prints one line of JSON: see ours.mjs. With `served`, a server
// on loopback has the file.
//
//   node by-number.mjs '{"work":"random","file":"...","seconds":0.5}'

import { createRequire } from 'node:module';
import { served } from './served.mjs';
import { peakKiB, timed } from './timed.mjs';

const require = createRequire(import.meta.url);
const { countRecords, RecordIndex, RecordReader } = require('../dist/index.js');
const { native } = require('../dist/core.js').native;

const BATCH = 1024;
const RANDOM = 10_240;
const SINGLE = 500;

/** Numbers from 0 to before `count` in an order that jumps, the same each time. */
function numbers(length, count) {
  let state = 12345;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  });
}

async function scan({ file }) {
  const index = RecordIndex.scan(file);
  await index.done;
  await index.close();
  return index.records;
}

async function countOf(batches) {
  let records = 0;
  for await (const batch of batches) records += batch.length;
  return records;
}

const WORKS = {
  scan: () => scan,
  count:
    () =>
    async ({ file }) =>
      countRecords(file),
  batches:
    () =>
    async ({ file }) =>
      countOf((await RecordReader.open(file)).batches()),
  /** Bytes alone: a fetch that nobody frames. */
  async fetch({ file }) {
    const records = await countRecords(file);
    return async () => {
      let bytes = 0;
      for await (const chunk of (await fetch(file)).body) bytes += chunk.length;
      if (bytes === 0) throw new Error('no bytes');
      return records;
    };
  },
  async slice({ file }) {
    const index = RecordIndex.scan(file);
    await index.done;
    return () => countOf(index.slice());
  },
  async random({ file }) {
    const index = RecordIndex.scan(file);
    await index.done;
    const wanted = numbers(RANDOM, index.records);
    return async () => {
      let records = 0;
      for (let at = 0; at < RANDOM; at += BATCH)
        records += (await index.readBatch(wanted.slice(at, at + BATCH))).length;
      return records;
    };
  },
  async at({ file }) {
    const index = RecordIndex.scan(file);
    await index.done;
    const wanted = numbers(SINGLE, index.records);
    return async () => {
      let records = 0;
      for (const number of wanted) if ((await index.at(number)) !== undefined) records += 1;
      return records;
    };
  },
};

const given = JSON.parse(process.argv[2]);
const server = given.served ? await served(given.file) : undefined;
const trial = { ...given, file: server?.url ?? given.file };
const work = await WORKS[given.work](trial);
const report = await timed(() => work(trial), given.seconds);
server?.stop();
console.log(JSON.stringify({ ...report, ...native().info(), codecs: native().codecs(), peakKiB: peakKiB() }));
