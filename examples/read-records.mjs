// Reads a gzipped TFRecord and prints the first records, parsed.
//
//   node examples/read-records.mjs [file] [how many]
import { fileURLToPath } from 'node:url';
import { decodeExample, readRecords } from 'tfrecord-native';

const file = process.argv[2] ?? fileURLToPath(new URL('data/weather.tfrecord.gz', import.meta.url));
const limit = Number(process.argv[3] ?? 3);

let count = 0;
// The compression (none, GZIP or ZLIB) is detected by content. Both checksums of every record are verified.
for await (const record of readRecords(file)) {
  if (count < limit) {
    console.log(`record ${count}, ${record.length} bytes`);
    for (const [name, feature] of Object.entries(decodeExample(record)).sort()) {
      console.log(`  ${name.padEnd(12)} ${show(feature)}`);
    }
  }
  count += 1;
}
console.log(`${count} records in all`);

function show(feature) {
  if (feature === undefined) return 'no value';
  const { kind, values } = feature;
  if (kind === 'bytes') return Array.from(values, (_, i) => JSON.stringify(values.text(i))).join(', ');
  if (kind === 'float') return Array.from(values, (value) => String(Number(value.toPrecision(7)))).join(', ');
  return values.join(', ');
}
