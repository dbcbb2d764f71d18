// Reads a gzipped TFRecord and prints the first records, parsed.
//
//   node examples/read-records.mjs [file] [how many]
import { fileURLToPath } from 'node:url';
import { decodeExample, readRecords } from 'tfrecord-native';

const file = process.argv[2] ?? fileURLToPath(new URL('data/weather.tfrecord.gz', import.meta.url));
const limit = Number(process.argv[3] ?? 3);
if (Number.isNaN(limit)) {
  console.error('usage: read-records.mjs [FILE] [HOW-MANY]');
  process.exit(2);
}
// A reader of the output that went away, as `head` does, is no error.
process.stdout.on('error', ({ code }) => process.exit(code === 'EPIPE' ? 0 : 1));

let count = 0;
// The compression (none, GZIP or ZLIB) is detected by content. Both checksums of every record are verified.
for await (const record of readRecords(file)) {
  if (count < limit) {
    console.log(`record ${count}, ${record.length} bytes`);
    for (const [name, feature] of Object.entries(decodeExample(record)).sort()) {
      console.log(`  ${plain(name).padEnd(12)} ${plain(show(feature))}`);
    }
  }
  count += 1;
}
console.log(`${count} records in all`);

function show(feature) {
  if (feature === undefined) return 'no value';
  const { kind, values } = feature;
  if (kind === 'bytes') return Array.from(values, showBytes).join(', ');
  if (kind === 'float') return Array.from(values, (value) => String(Number(value.toPrecision(7)))).join(', ');
  return values.join(', ');
}

/** Text in quotes. Of a picture, or other bytes that are long, only the start and the length. */
function showBytes(value) {
  const text = JSON.stringify(Buffer.from(value.subarray(0, 100)).toString());
  return value.length > 100 ? `${text}... (${value.length} bytes)` : text;
}

/** Without characters that a terminal would obey. */
function plain(text) {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0).toString(16)}}`);
}
