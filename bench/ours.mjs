// Runs one trial of this package, in a process of its own, and prints one line of JSON.
//
//   node ours.mjs '{"work":"batches","file":"...","seconds":0.5}'
//
// The first pass is not timed. Timed passes follow for about `seconds`: at least three.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SPECS } from './specs.mjs';
import { peakKiB, timed } from './timed.mjs';

const require = createRequire(import.meta.url);
const {
  createRecordEncoder,
  encodeExamples,
  readExamples,
  readRecords,
  readRecordsSync,
  RecordEncoderStream,
  RecordReader,
  RecordWriter,
  ShardedWriter,
} = require('../dist/index.js');

/** Reads batches without making views: offsets and lengths are in JavaScript. */
async function batches({ file, options }) {
  const reader = await RecordReader.open(file, options);
  let records = 0;
  for await (const batch of reader.batches()) records += batch.length;
  return records;
}

/** Reads batches, and makes a view of every record. */
async function views({ file }) {
  const reader = await RecordReader.open(file);
  let records = 0;
  let bytes = 0;
  for await (const batch of reader.batches()) {
    for (const record of batch) {
      records += 1;
      bytes += record.length;
    }
  }
  if (bytes === 0) throw new Error('no bytes');
  return records;
}

async function one({ file, options }) {
  let records = 0;
  for await (const record of readRecords(file, options)) if (record.length > 0) records += 1;
  return records;
}

async function sync({ file }) {
  let records = 0;
  for (const record of readRecordsSync(file)) if (record.length > 0) records += 1;
  return records;
}

/** The file itself, or with `streamed` a Node stream that writes it. */
const sink = ({ target, streamed }) => (streamed ? fs.createWriteStream(target) : target);

async function write(trial, records) {
  const writer = await RecordWriter.open(sink(trial), trial.options);
  for (const record of records) {
    const wait = writer.write(record);
    if (wait !== undefined) await wait;
  }
  await writer.close();
  return records.length;
}

/** Writes batches of encoded Examples: whole, or `each` record by itself. */
async function writeBatches({ each, ...trial }, batches) {
  const writer = await RecordWriter.open(sink(trial), trial.options);
  let records = 0;
  for (const batch of batches) {
    records += batch.length;
    if (each) {
      for (const record of batch) {
        const wait = writer.write(record);
        if (wait !== undefined) await wait;
      }
    } else {
      const wait = writer.writeBatch(batch);
      if (wait !== undefined) await wait;
    }
  }
  await writer.close();
  return records;
}

/** Writes records, or batches of them, to several files in the folder `target`. */
async function writeShards({ target, options }, items) {
  const writer = await ShardedWriter.open(`${target}/a.tfrecord`, options);
  for (const item of items) {
    const wait = item instanceof Uint8Array ? writer.write(item) : writer.writeBatch(item);
    if (wait !== undefined) await wait;
  }
  const { records } = await writer.close();
  return records;
}

/** Writes records, or batches of them, through a stream that encodes: Node's, or that of the web. */
async function writeStream({ target, options, web }, items) {
  const file = fs.createWriteStream(target);
  if (web) {
    const bytes = ReadableStream.from(items).pipeThrough(new RecordEncoderStream(options));
    await pipeline(Readable.fromWeb(bytes), file);
  } else {
    await pipeline(Readable.from(items), createRecordEncoder(options), file);
  }
  return items[0] instanceof Uint8Array ? items.length : items.reduce((sum, { length }) => sum + length, 0);
}

/** Writes many times more than may be held in memory. */
async function writeMuch({ target, options, count, bytes }) {
  const record = Buffer.alloc(bytes, 'observation ');
  const writer = await RecordWriter.open(target, options);
  for (let i = 0; i < count; i += 1) {
    record.writeUInt32LE(i, 0);
    const wait = writer.write(record);
    if (wait !== undefined) await wait;
  }
  await writer.close();
  return count;
}

/** Returns views into the reader's slabs: 200,000 separate buffers would keep the garbage collector busy. */
async function load({ file }) {
  const records = [];
  for await (const record of readRecords(file)) records.push(record);
  return records;
}

/** Returns the Examples of `file`, encoded in batches of `size`. */
async function encode({ file, size }) {
  const batches = [];
  for await (const columns of readExamples(file, SPECS.examples).batches(size)) {
    batches.push(encodeExamples(columns, SPECS.examples));
  }
  return batches;
}

async function main(trial) {
  const { native } = require('../dist/core.js').native;
  if (trial.isal === false) native().codecs({ isal: false, libdeflate: true });
  const codecs = native().codecs();
  const report = {};
  let work;
  let prepare = () => {};
  const [writing, input] =
    {
      write: [write, load],
      writeBatches: [writeBatches, encode],
      writeStream: [writeStream, trial.size === undefined ? load : encode],
      writeMuch: [writeMuch],
      writeShards: [writeShards, trial.size === undefined ? load : encode],
    }[trial.work] ?? [];
  if (writing !== undefined) {
    const records = await input?.(trial);
    prepare = () => fs.rmSync(trial.target, { force: true, recursive: true });
    work = () => writing(trial, records);
  } else {
    const read = { batches, views, one, sync }[trial.work];
    work = () => read(trial);
  }
  Object.assign(report, await timed(work, trial.seconds, prepare));
  if (trial.target !== undefined) {
    const files = fs.statSync(trial.target).isDirectory()
      ? fs
          .readdirSync(trial.target)
          .filter((name) => name.endsWith('.tfrecord'))
          .map((name) => `${trial.target}/${name}`)
      : [trial.target];
    report.fileBytes = files.reduce((sum, file) => sum + fs.statSync(file).size, 0);
    prepare();
  }
  console.log(JSON.stringify({ ...report, ...native().info(), codecs, peakKiB: peakKiB() }));
}

await main(JSON.parse(process.argv[2]));
