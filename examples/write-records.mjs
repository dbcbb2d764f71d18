// Writes a GZIP file that TensorFlow can read, and reads it back. The file gets its name only when it is complete.
//
//   node examples/write-records.mjs [target]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RecordWriter, countRecords } from 'tfrecord-native';

const folder = mkdtempSync(join(tmpdir(), 'tfrecord-example-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const target = process.argv[2] ?? join(folder, 'numbers.tfrecord.gz');

// Ctrl-C gives the output up: no half of it stays.
const stopping = new AbortController();
process.once('SIGINT', () => stopping.abort(new Error('interrupted')));

const writer = await RecordWriter.open(target, { compression: 'gzip', level: 6, signal: stopping.signal });
for (let i = 0; i < 100_000; i += 1) {
  // write() returns a promise only if the disk is behind or a timer is due. Await it to keep memory flat.
  const full = writer.write(`number ${i}`);
  if (full) await full;
}
const report = await writer.close();

console.log(`wrote ${report.records} records; the file is ${report.fileBytes < report.bytes ? 'smaller' : 'larger'}`);
console.log(`read back ${await countRecords(target)} records`);
