// CSV and JSON Lines to TFRecords, and TFRecords to CSV and JSON Lines. The names of the files say which.
//
//   node examples/convert.mjs rows.csv rows.tfrecord.gz
//   node examples/convert.mjs rows.tfrecord.gz rows.jsonl
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { encodeExample, exampleToObject, readRecords, writeRecords } from 'tfrecord-native';

async function* rowsOf(file) {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  let names;
  for await (const line of lines) {
    if (file.endsWith('.jsonl')) yield JSON.parse(line);
    // For quoted fields see Dataset.csv.
    else if (names === undefined) names = line.split(',');
    else yield Object.fromEntries(line.split(',').map((field, i) => [names[i], isNaN(field) ? field : Number(field)]));
  }
}

async function* recordsOf(file) {
  for await (const row of rowsOf(file)) yield encodeExample(row, { numbers: 'infer' });
}

async function* linesOf(file, csv) {
  let names;
  for await (const record of readRecords(file)) {
    const row = exampleToObject(record);
    if (csv && names === undefined) yield `${(names = Object.keys(row)).join(',')}\n`;
    yield csv ? `${names.map((name) => row[name].join(' ')).join(',')}\n` : `${JSON.stringify(row)}\n`;
  }
}

async function convert(from, to) {
  if (/\.(csv|jsonl)$/.test(from)) await writeRecords(to, recordsOf(from));
  else await pipeline(linesOf(from, to.endsWith('.csv')), createWriteStream(to));
}

const [from, to] = process.argv.slice(2);
if (to !== undefined) await convert(from, to);
else {
  const folder = await mkdtemp(join(tmpdir(), 'tfrecord-example-'));
  const at = (name) => join(folder, name);
  await writeFile(at('a.csv'), 'city,people,height\nBern,134591,540.5\nGenf,203856,375.1\n');
  for (const [a, b] of [
    ['a.csv', 'b.tfrecord.gz'],
    ['b.tfrecord.gz', 'c.jsonl'],
    ['c.jsonl', 'd.tfrecord'],
    ['d.tfrecord', 'e.csv'],
  ]) {
    await convert(at(a), at(b));
  }
  console.log((await readFile(at('c.jsonl'), 'utf8')) + (await readFile(at('e.csv'), 'utf8')));
  await rm(folder, { recursive: true });
}
