// Runs one trial of encoding, in a process of its own, and prints one line of JSON. See ours.mjs.
//
//   node encode.mjs '{"work":"columns","reuse":true,"example":"examples","size":1024,"file":"...","seconds":0.5}'

import { createRequire } from 'node:module';
import { SPECS } from './specs.mjs';
import { peakKiB, timed } from './timed.mjs';

const require = createRequire(import.meta.url);
const { native } = require('../dist/core.js').native;
const { encodeExamples, exampleEncoder, parseExample, readRecords, rowsOf } = require('../dist/index.js');
const { tensorflow } = require('../dist/example/message/messages.generated.js');

const RECORDS = { examples: 20_480, vectors: 2_048 };

const trial = JSON.parse(process.argv[2]);
const spec = SPECS[trial.example];
const records = [];
for await (const record of readRecords(trial.file)) if (records.push(record) === RECORDS[trial.example]) break;

/** Each returns the function to time. */
const WORKS = {
  columns({ size, reuse = false }) {
    const batches = [];
    for (let i = 0; i < records.length; i += size) batches.push(parseExample(records.slice(i, i + size), spec));
    let encoded;
    return () => {
      let rows = 0;
      for (const batch of batches) {
        encoded = encodeExamples(batch, spec, { reuse: reuse ? encoded : undefined });
        rows += encoded.length;
      }
      return rows;
    };
  },
  rows() {
    const encode = exampleEncoder(spec);
    const names = Object.keys(spec);
    const rows = Array.from(rowsOf(parseExample(records, spec), spec), (row) =>
      Object.fromEntries(names.map((name) => [name, row[name]])),
    );
    return () => rows.reduce((count, row) => count + (encode(row).length > 0 ? 1 : 0), 0);
  },
  protobufjs() {
    const messages = records.map((record) => tensorflow.Example.decode(record));
    return () =>
      messages.reduce((count, message) => {
        return count + (tensorflow.Example.encode(message).finish().length > 0 ? 1 : 0);
      }, 0);
  },
};

const report = await timed(WORKS[trial.work](trial), trial.seconds);
console.log(JSON.stringify({ ...report, ...native().info(), codecs: native().codecs(), peakKiB: peakKiB() }));
