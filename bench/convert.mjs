// Runs one trial of a conversion, in a process of its own, and prints one line of JSON.
//
//   node convert.mjs '{"work":"convert","file":"...","target":"out.parquet","seconds":0.5}'
//
// `work` is convert (`options` of convert()), from-jsonl (the file's records as JSON Lines, to TFRecords), arrow, infer, statistics, sql (`query`), copy (a plain copy of the file) or
// deflate (the file through zlib alone, at level 6, on two threads). The first pass is not timed. Timed passes follow for
// about `seconds`: at least three.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { SPECS } from './specs.mjs';
import { peakKiB, timed } from './timed.mjs';

const require = createRequire(import.meta.url);
const { native } = require('../dist/core.js').native;
const load = (door) => require(`../dist/${door}/index.js`);

async function convert({ file, target, options = {}, spec }) {
  const { convert } = load('convert');
  const { records } = await convert(file, target, { force: true, spec: spec && SPECS[spec], ...options });
  return records;
}

let lines;

/** Converts the JSON Lines of the records of `file`, which the first pass writes, to `target`. */
async function fromJsonl({ file, target }) {
  if (lines === undefined) {
    lines = path.join(path.dirname(target), `lines-of-${process.pid}.jsonl`);
    process.on('exit', () => fs.rmSync(lines, { force: true }));
    await convert({ file, target: lines });
  }
  return convert({ file: lines, target });
}

async function arrow({ file, spec }) {
  const { arrowBatches } = load('adapters/arrow');
  let records = 0;
  for await (const batch of arrowBatches(file, SPECS[spec])) records += batch.numRows;
  return records;
}

async function infer({ file }) {
  const { inferSchema } = load('schema');
  return (await inferSchema(file)).records;
}

async function statistics({ file }) {
  const { statistics } = load('schema');
  // Five times the file: what is done once, such as sorting samples, shall not count more than in a large set.
  return Number((await statistics(Array(5).fill(file))).message.datasets[0].numExamples);
}

async function sql({ file, query, spec }) {
  const { DuckDBInstance } = require('@duckdb/node-api');
  const { registerTFRecord } = load('adapters/duckdb');
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  await registerTFRecord(connection, spec === undefined ? {} : { spec: SPECS[spec] });
  const reader = await connection.runAndReadAll(query.replace('FILE', `read_tfrecord('${file}')`));
  const rows = Number(reader.getRows()[0][0]);
  connection.closeSync();
  instance.closeSync();
  return rows;
}

let counted;

/** Counts the records of `file` once, in the first pass, which is not timed. */
async function count(file) {
  return (counted ??= await require('../dist/index.js').countRecords(file));
}

async function copy({ file, target }) {
  const records = await count(file);
  await fs.promises.copyFile(file, target);
  return records;
}

const deflateRaw = promisify(zlib.deflateRaw);

let content;

/** Compresses the content of `file`, which the first pass reads. */
async function deflate({ file }) {
  const records = await count(file);
  content ??= fs.readFileSync(file);
  const [size, chunks] = [2 ** 20, []];
  for (let at = 0; at < content.length; at += size) chunks.push(content.subarray(at, at + size));
  const thread = async () => {
    for (let chunk = chunks.pop(); chunk !== undefined; chunk = chunks.pop()) await deflateRaw(chunk, { level: 6 });
  };
  await Promise.all([thread(), thread()]);
  return records;
}

const WORKS = { convert, 'from-jsonl': fromJsonl, arrow, infer, statistics, sql, copy, deflate };

const job = JSON.parse(process.argv[2]);
const folder = job.target && path.dirname(job.target);
/** Removes what the last pass has written. */
function prepare() {
  if (folder === undefined) return;
  const stem = path.basename(job.target).replace(/\..*$/, '');
  for (const name of fs.readdirSync(folder)) if (name.startsWith(stem)) fs.rmSync(path.join(folder, name));
}
const { records, seconds } = await timed(() => WORKS[job.work](job), job.seconds, prepare);
let fileBytes;
if (job.target !== undefined && fs.existsSync(job.target)) fileBytes = fs.statSync(job.target).size;
prepare();
console.log(
  JSON.stringify({ records, seconds, fileBytes, ...native().info(), codecs: native().codecs(), peakKiB: peakKiB() }),
);
