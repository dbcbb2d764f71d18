// CSV and JSON Lines to TFRecords, and TFRecords to CSV and JSON Lines. The names of the files say which. `tfrecord convert`
// does the same from the shell; docs/conversion.md has the options.
//
//   node examples/convert.mjs rows.csv rows.tfrecord.gz
//   node examples/convert.mjs rows.tfrecord.gz rows.jsonl
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convert } from 'tfrecord-native/convert';

// A reader of the output that went away, as `head` does, is no error.
process.stdout.on('error', ({ code }) => process.exit(code === 'EPIPE' ? 0 : 1));
// Ctrl-C gives the output up: no half of it stays.
const stopping = new AbortController();
process.once('SIGINT', () => stopping.abort(new Error('interrupted')));
const [from, to, ...more] = process.argv.slice(2);
if (from !== undefined && (to === undefined || more.length > 0)) {
  console.error('usage: convert.mjs FROM TO');
  process.exitCode = 2;
} else if (to !== undefined) {
  // An empty field of CSV has no value, and a column has one kind: notes name what decided it.
  const { records, notes } = await convert(from, to, { signal: stopping.signal });
  console.log(`${records} records in ${to}`);
  for (const note of notes) console.log(`note: ${note}`);
} else {
  const folder = mkdtempSync(join(tmpdir(), 'tfrecord-example-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
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
}
