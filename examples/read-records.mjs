// Reads a gzipped TFRecord and prints the first records, parsed.
//
//   node examples/read-records.mjs [file] [how many]
import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';
import { readRecords } from 'tfrecord-native';

const file = process.argv[2] ?? fileURLToPath(new URL('data/weather.tfrecord.gz', import.meta.url));
const limit = Number(process.argv[3] ?? 3);

const proto = protobuf.loadSync(fileURLToPath(new URL('../proto/example.proto', import.meta.url)));
const Example = proto.lookupType('tensorflow.Example');

let count = 0;
// Plain, GZIP or ZLIB: found by content. Both checksums of every record are verified.
for await (const record of readRecords(file)) {
  if (count < limit) {
    console.log(`record ${count}, ${record.length} bytes`);
    for (const [name, feature] of Object.entries(Example.decode(record).features.feature).sort()) {
      console.log(`  ${name.padEnd(12)} ${show(feature)}`);
    }
  }
  count += 1;
}
console.log(`${count} records in all`);

function show({ bytesList, floatList, int64List }) {
  if (bytesList) return bytesList.value.map((bytes) => JSON.stringify(Buffer.from(bytes).toString())).join(', ');
  if (floatList) return floatList.value.map((value) => String(Number(value.toPrecision(7)))).join(', ');
  if (int64List) return int64List.value.map(String).join(', ');
  return 'no value';
}
