// The fastest way to read: batches of records. A batch has 128 to 384 KiB; its records are views, made when you get them.
//
//   node examples/read-batches.mjs [file, glob, or name@N for the shards of a set]
import { fileURLToPath } from 'node:url';
import { RecordReader } from 'tfrecord-native';

const source = process.argv[2] ?? fileURLToPath(new URL('data/weather@2', import.meta.url));

const reader = await RecordReader.open(source, { readAhead: 4 });
let longest = 0;
for await (const batch of reader.batches()) {
  for (let i = 0; i < batch.length; i += 1) longest = Math.max(longest, batch.at(i).length);
}
const { records, bytes } = reader.stats;
console.log(`${records} records, ${bytes} bytes, the longest of ${longest} bytes`);
