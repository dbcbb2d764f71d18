// Writes 10,000 observations of four features by a spec, and reads them back by the same spec, as rows and as columns.
//
//   node examples/observations.mjs [target]
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exampleEncoder, fixedLen, readExamples, writeRecords } from 'tfrecord-native';

const folder = mkdtempSync(join(tmpdir(), 'tfrecord-example-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const target = process.argv[2] ?? join(folder, 'observations.tfrecord.gz');

const spec = {
  rained: fixedLen([], 'int64'), // true is 1
  station: fixedLen([], 'int64'),
  sky: fixedLen([], 'bytes'), // text is written as UTF-8
  temperature: fixedLen([], 'float32'),
};
const encode = exampleEncoder(spec);
const report = await writeRecords(target, observations().map(encode));
console.log(`wrote ${report.records} observations`);

// As rows. An int64 is a bigint by default.
const expected = observations();
let same = 0;
for await (const { rained, station, sky, temperature } of readExamples(target, spec)) {
  const observation = expected[same];
  assert.equal(rained === 1n, observation.rained);
  assert.equal(Number(station), observation.station);
  assert.equal(Buffer.from(sky).toString(), observation.sky);
  assert.equal(temperature, Math.fround(observation.temperature));
  same += 1;
}
console.log(`read back ${same}, all the same`);

// As columns: one typed array per feature, with 1,024 values each.
let [batches, rainy, sum] = [0, 0, 0];
for await (const { rained, temperature } of readExamples(target, spec, { int64: 'number' }).batches(1024)) {
  batches += 1;
  for (const value of rained) rainy += value;
  for (const value of temperature) sum += value;
}
console.log(`${batches} batches: ${rainy} of them rainy, ${(sum / same).toFixed(2)} degrees on average`);

/** Makes the same 10,000 observations in every run. */
function observations() {
  let state = 1;
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  return Array.from({ length: 10_000 }, () => ({
    rained: random() < 0.25,
    station: Math.floor(random() * 5),
    sky: ['clear', 'cloudy', 'overcast', 'fog', 'föhn'][Math.floor(random() * 5)],
    temperature: 8 + 20 * (random() - random()),
  }));
}
