// Runs one trial of tfrecord-stream from npm, in a process of its own, and prints one line of JSON.
//
//   node stream.mjs '{"work":"read","file":"...","modules":"...","seconds":0.5}'

import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import zlib from 'node:zlib';
import { peakKiB, timed } from './timed.mjs';

const trial = JSON.parse(process.argv[2]);
const require = createRequire(path.join(trial.modules, 'package.json'));
const { RecordReader, RecordWriter } = require('tfrecord-stream');

/** Opens a reader. tfrecord-stream cannot inflate, so Node's zlib does. */
async function open(file) {
  if (!file.endsWith('.gz')) return RecordReader.create(file);
  return RecordReader.createFromStream(fs.createReadStream(file).pipe(zlib.createGunzip()));
}

async function read() {
  const reader = await open(trial.file);
  let records = 0;
  while ((await reader.readRecord()) !== null) records += 1;
  return records;
}

async function load() {
  const reader = await open(trial.file);
  const records = [];
  for (;;) {
    const record = await reader.readRecord();
    if (record === null) return records;
    records.push(Buffer.from(record));
  }
}

async function write(records) {
  const writer = await RecordWriter.create(trial.target);
  for (const record of records) await writer.writeRecord(record);
  await writer.close();
  return records.length;
}

let report;
if (trial.work === 'write') {
  const records = await load();
  const remove = () => fs.rmSync(trial.target, { force: true });
  report = await timed(() => write(records), trial.seconds, remove);
  remove();
} else {
  report = await timed(read, trial.seconds);
}
console.log(JSON.stringify({ ...report, peakKiB: peakKiB() }));
