// CSV and JSON Lines to TFRecords, and TFRecords to CSV and JSON Lines. The names of the files say which. `tfrecord convert`
// does the same from the shell; docs/conversion.md has the options.
//
//   node examples/convert.mjs rows.csv rows.tfrecord.gz
//   node examples/convert.mjs rows.tfrecord.gz rows.jsonl
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convert } from 'tfrecord-native/convert';

const [from, to] = process.argv.slice(2);
if (to !== undefined) {
  // An empty field of CSV has no value, and a column has one kind: notes name what decided it.
  const { records, notes } = await convert(from, to);
  console.log(`${records} records in ${to}`);
  for (const note of notes) console.log(`note: ${note}`);
} else {
  const folder = await mkdtemp(join(tmpdir(), 'tfrecord-example-'));
  const at = (name) => join(folder, name);
  await writeFile(at('a.csv'), 'city,people,height\nBern,134591,540.5\nGenf,203856,\n"Biel, Bienne",56896,434\n');
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
