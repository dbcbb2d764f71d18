// Reads a damaged file. By default, the first fault throws after all whole records before it were delivered. `onError` can
// decide otherwise; it gets an error that says what was lost, and where.
//
//   node examples/damaged-file.mjs
import { readFileSync } from 'node:fs';
import { TFRecordError, readRecords } from 'tfrecord-native';

const bytes = readFileSync(new URL('data/weather.tfrecord', import.meta.url));
bytes[bytes.length - 10] ^= 1; // one flipped bit in the last record
const damaged = Buffer.concat([bytes, Buffer.from([1, 2, 3])]); // and three stray bytes after it

let whole = 0;
try {
  for await (const _record of readRecords(damaged)) whole += 1;
} catch (error) {
  if (!(error instanceof TFRecordError)) throw error;
  console.log(`${whole} whole records, then ${error.code} in record ${error.record}`);
}

const lost = [];
whole = 0;
const onError = (error) => {
  if (!error.code.startsWith('TFR_')) return 'throw'; // a file that is missing or cannot be read
  lost.push(`${error.code} in record ${error.record}, byte ${error.offset}`);
  return error.code === 'TFR_CORRUPT_DATA' ? 'skip' : 'stop';
};
for await (const _record of readRecords(damaged, { onError })) whole += 1;
console.log(`${whole} whole records; ${lost.join('; ')}`);
