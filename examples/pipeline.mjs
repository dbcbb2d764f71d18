// Runs an input pipeline over four shards: shuffled, batched, stopped in mid-epoch, and resumed from a few hundred bytes of
// JSON.
//
//   node examples/pipeline.mjs [folder]
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Dataset, exampleEncoder, fixedLen } from 'tfrecord-native';

const folder = process.argv[2] ?? mkdtempSync(join(tmpdir(), 'tfrecord-example-'));
if (process.argv[2] === undefined) process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

// A dataset can also be written: its elements become records, in turn in four files.
const spec = { id: fixedLen([], 'int64'), features: fixedLen([4], 'float32') };
const encode = exampleEncoder(spec);
const { records, files } = await Dataset.range(4000)
  .map((id) => encode({ id, features: [id, id / 2, id / 4, id / 8] }))
  .writeTo(join(folder, 'train.tfrecord.gz'), { shards: 4 });
console.log(`wrote ${records} records to ${files.length} files`);

const train = Dataset.files(files)
  .shuffle('full') // the files
  .interleave((file) => Dataset.tfrecord(file), { cycleLength: 4 })
  .shuffle(1000) // the records, through a buffer
  .parse(spec)
  .batch(100)
  .seed(42);

// Takes ten batches, then stops.
const seen = [];
const iterator = train.iterate({ epoch: 0 });
while (seen.length < 10) seen.push((await iterator.next()).value.id);
const state = JSON.stringify(iterator.state());
await iterator.return();
console.log(
  `stopped after ${seen.length} batches; the state has ${state.length < 1000 ? 'less than 1,000' : 'more'} bytes`,
);

// Perhaps in another process: continues with the very next batch.
for await (const { id, features } of train.iterate({ state: JSON.parse(state) })) {
  assert.deepEqual(features.shape, [100, 4]);
  seen.push(id);
}

// Each record came exactly once, in the order of an epoch without a break.
const ids = seen.flatMap((batch) => [...batch]);
assert.equal(new Set(ids).size, 4000);
const whole = [];
for await (const { id } of train.iterate({ epoch: 0 })) whole.push(...id);
assert.deepEqual(ids, whole);
console.log(`${seen.length} batches in all: each record once, in the order of an epoch without a break`);

// The next epoch has another order.
for await (const { id } of train.iterate({ epoch: 1 })) {
  assert.notDeepEqual([...id], whole.slice(0, 100));
  break;
}
