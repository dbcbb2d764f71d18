// Runs one trial of parsing by a spec, in a process of its own, and prints one line of JSON. See ours.mjs.
//
//   node parse.mjs '{"work":"columns","size":1024,"file":"...","seconds":0.5}'

import { createRequire } from 'node:module';
import { SPECS } from './specs.mjs';
import { peakKiB, timed } from './timed.mjs';

const require = createRequire(import.meta.url);
const { native } = require('../dist/core.js').native;
const {
  encodeExamples,
  Example,
  exampleParser,
  fixedLen,
  fixedLenSequence,
  parseExample,
  parseSequenceExample,
  parseSingleExample,
  readExamples,
  readRecords,
  readSequenceExamples,
  RecordReader,
  rowsOf,
  varLen,
} = require('../dist/index.js');

const SEQUENCE = {
  context: { id: fixedLen([], 'int64'), lang: fixedLen([], 'bytes') },
  sequence: { tokens: fixedLenSequence([], 'int64'), weights: varLen('float32') },
};
const { history: _history, scores: _scores, ...SINGLE } = SPECS.examples;
const { session: _session, ...SEVEN } = SINGLE;

/** For each spec, the feature whose column gives the number of rows of a batch. */
const COUNTED = {
  examples: 'label',
  texts: 'label',
  vectors: 'tokens',
  images: 'label',
  wide: 'int_000',
  skewed: 'id',
  skewedRagged: 'id',
  lists: 'values',
  listsVar: 'values',
};
const rowsIn = (column) => column.shape?.[0] ?? column.denseShape?.[0] ?? column.length;

const WORKS = {
  async columns({ file, size, spec = 'examples', transient = false, bytes }) {
    let records = 0;
    for await (const batch of readExamples(file, SPECS[spec], { transient, bytes }).batches(size)) {
      records += rowsIn(batch[COUNTED[spec]]);
    }
    return records;
  },
  async rows({ file, spec = 'examples', transient = false }) {
    let records = 0;
    const rows = readExamples(file, SPECS[spec], { transient });
    if (spec === 'examples') {
      for await (const row of rows) if (row.price >= 0 && row.item_id >= 0n) records += 1;
    } else {
      for await (const row of rows) if (row.label >= 0n) records += 1;
    }
    return records;
  },
  /** Reads the two texts of each row. */
  async strings({ file, bytes }) {
    let records = 0;
    for await (const row of readExamples(file, SPECS.texts, { bytes })) {
      if (row.country.length + row.title.length > 0) records += 1;
    }
    return records;
  },
  async sync({ file }) {
    let records = 0;
    for await (const batch of (await RecordReader.open(file)).batches()) {
      records += parseExample(batch, SPECS.examples).label.length;
    }
    return records;
  },
  async sequences({ file, size, transient = false }) {
    let records = 0;
    for await (const { context } of readSequenceExamples(file, SEQUENCE, { transient }).batches(size)) {
      records += context.id.length;
    }
    return records;
  },
  async sequencesSync({ file }) {
    let records = 0;
    for await (const batch of (await RecordReader.open(file)).batches()) {
      records += parseSequenceExample(batch, SEQUENCE).context.id.length;
    }
    return records;
  },
  async protobufjs({ file }) {
    let records = 0;
    for await (const record of readRecords(file)) records += Example.decode(record).features === undefined ? 0 : 1;
    return records;
  },
};

/** Parses records in memory, one by one. Each has a buffer of its own. */
async function single({ file, options, parser = false, spec: name = 'single' }) {
  const records = [];
  for await (const record of readRecords(file)) {
    if (records.push(record.slice()) === 20_000) break;
  }
  const spec = name === 'seven' ? SEVEN : SINGLE;
  const one = options?.int64 === 'number' ? 1 : 1n;
  const checked = (ones) => {
    if (ones === 0) throw new Error('no labels');
    return records.length;
  };
  if (parser) {
    const { parse } = exampleParser(spec, options);
    return async () => {
      let ones = 0;
      for (const record of records) ones += parse(record).label === one ? 1 : 0;
      return checked(ones);
    };
  }
  return async () => {
    let ones = 0;
    for (const record of records) ones += parseSingleExample(record, spec, options).label === one ? 1 : 0;
    return checked(ones);
  };
}

/** Makes plain objects of rows of ten features of one value each. */
async function objects() {
  const spec = SPECS.singles;
  const columns = {};
  for (const [name, { dtype }] of Object.entries(spec)) {
    const values = Array.from({ length: 20_480 }, (_, i) => i * 7);
    if (dtype === 'int64') columns[name] = BigInt64Array.from(values, BigInt);
    else if (dtype === 'float32') columns[name] = Float32Array.from(values, (value) => value / 100);
    else columns[name] = values.map((value) => `text ${value}`);
  }
  const rows = [...rowsOf(parseExample(encodeExamples(columns, spec), spec), spec)];
  return async () => rows.reduce((count, row) => count + (row.toObject().int_0 >= 0 ? 1 : 0), 0);
}

const IN_MEMORY = { single, objects };

const trial = JSON.parse(process.argv[2]);
if (trial.isal === false) native().codecs({ isal: false, libdeflate: true });
const work = (await IN_MEMORY[trial.work]?.(trial)) ?? (() => WORKS[trial.work](trial));
const report = await timed(work, trial.seconds);
console.log(JSON.stringify({ ...report, ...native().info(), codecs: native().codecs(), peakKiB: peakKiB() }));
