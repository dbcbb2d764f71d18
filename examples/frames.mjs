// Records that are no Examples, as in the Waymo Open Dataset: each is a message of your own.
import { countRecords, readRecords } from 'tfrecord-native';

const file = process.argv[2] ?? new URL('data/weather.tfrecord', import.meta.url);
console.log(`${await countRecords(file)} frames`);
for await (const bytes of readRecords(file)) {
  // Here protobufjs would decode it: Frame.decode(bytes).
  console.log(`the first has ${bytes.length} bytes`);
  break;
}
