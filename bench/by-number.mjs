// Runs one trial of an index, in a process of its own, and prints one line of JSON: see ours.mjs.
//
//   node by-number.mjs '{"work":"random","file":"...","seconds":0.5}'

import { createRequire } from 'node:module';
import { peakKiB, timed } from './timed.mjs';

const require = createRequire(import.meta.url);
const { countRecords, RecordIndex } = require('../dist/index.js');

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

const WORKS = {
  scan: () => scan,
  count:
    () =>
    async ({ file }) =>
      countRecords(file),
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
const work = await WORKS[given.work](given);
console.log(JSON.stringify({ ...(await timed(() => work(given), given.seconds)), peakKiB: peakKiB() }));
