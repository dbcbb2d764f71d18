// Reads taxi trips as TFX writes them: every record has every feature, and unknown ones are empty. Without an argument, it
// makes a file in this layout.
//
//   node examples/taxi.mjs [source]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Dataset, Example, fixedLen, varLen } from 'tfrecord-native';

// A reader of the output that went away, as `head` does, is no error.
process.stdout.on('error', ({ code }) => process.exit(code === 'EPIPE' ? 0 : 1));
const folder = mkdtempSync(join(tmpdir(), 'tfrecord-example-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const source = process.argv[2] ?? (await writeTrips(join(folder, 'trips.tfrecord.gz')));

const number = fixedLen([], 'float32');
const whole = fixedLen([], 'int64');
const spec = {
  fare: number,
  trip_miles: number,
  trip_seconds: whole,
  trip_start_hour: whole,
  payment_type: fixedLen([], 'bytes'),
  // Features that may be empty: any number of values, or one value with a default.
  company: varLen('bytes'),
  dropoff_latitude: fixedLen([], 'float32', { default: NaN }),
  dropoff_longitude: fixedLen([], 'float32', { default: NaN }),
};

const batches = Dataset.tfrecord(source).shuffle(1000, { seed: 1 }).parse(spec, { int64: 'number' }).batch(32);

const sizes = [];
const payments = new Map();
const hours = new Array(24).fill(0);
const total = { fare: 0, miles: 0, seconds: 0 };
let [withoutCompany, withoutDropoff] = [0, 0];
for await (const batch of batches) {
  const rows = batch.fare.length;
  sizes.push(rows);
  const [companies] = batch.company.rowSplits; // where the values of each row begin
  for (let row = 0; row < rows; row += 1) {
    total.fare += batch.fare[row];
    total.miles += batch.trip_miles[row];
    total.seconds += batch.trip_seconds[row];
    const hour = batch.trip_start_hour[row];
    if (!(hour in hours)) throw new Error(`a trip begins at ${hour} h`);
    hours[hour] += 1;
    if (companies[row] === companies[row + 1]) withoutCompany += 1;
    if (Number.isNaN(batch.dropoff_latitude[row])) withoutDropoff += 1;
    const payment = batch.payment_type.text(row);
    payments.set(payment, (payments.get(payment) ?? 0) + 1);
  }
}
const trips = sizes.reduce((sum, size) => sum + size, 0);
console.log(`${trips} trips in ${sizes.length} batches`);
if (trips === 0) process.exit();
console.log(`on average ${mean(total.fare)} dollars, ${mean(total.miles)} miles, ${mean(total.seconds / 60)} minutes`);
console.log(`${withoutCompany} without a company, ${withoutDropoff} without a place of arrival`);
for (const [payment, count] of [...payments].sort()) console.log(`paid by ${payment}: ${count}`);
console.log(`most begin at ${hours.indexOf(Math.max(...hours))} h`);

function mean(sum) {
  return (sum / trips).toFixed(2);
}

/** Makes 100 trips with the 17 features of TFX's taxi data. */
async function writeTrips(target) {
  await Dataset.range(100)
    .map((i, { rng }) => {
      const miles = Math.round(200 * rng.float()) / 10;
      return Example.encode({ features: { feature: trip(i, miles) } });
    })
    .seed(3)
    .writeTo(target);
  return target;
}

function trip(i, miles) {
  const int64 = (value) => ({ int64List: { value: [value] } });
  const float = (value) => ({ floatList: { value: [value] } });
  const bytes = (value) => ({ bytesList: { value: [Buffer.from(value)] } });
  const empty = {}; // a feature without a kind
  const known = i % 25 > 0;
  return {
    company: i % 3 === 0 ? empty : bytes('Blue Line'),
    payment_type: bytes(i % 5 < 3 ? 'Cash' : 'Credit Card'),
    fare: float(3.25 + 2 * miles),
    trip_miles: float(miles),
    trip_seconds: int64(Math.round(180 * miles)),
    trip_start_hour: int64((i * i) % 24),
    trip_start_day: int64(1 + (i % 7)),
    trip_start_month: int64(1 + (i % 12)),
    trip_start_timestamp: int64(1_400_000_000 + 3600 * i),
    pickup_latitude: float(41.9),
    pickup_longitude: float(-87.6),
    pickup_community_area: int64(8),
    pickup_census_tract: empty,
    dropoff_latitude: known ? float(41.8 + i / 1000) : empty,
    dropoff_longitude: known ? float(-87.7) : empty,
    dropoff_community_area: known ? int64(i % 77) : empty,
    dropoff_census_tract: empty,
  };
}
