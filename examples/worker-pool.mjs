// A pool of worker threads: each takes the next shard, computes its share, and sends back a typed array without a copy.
// Reading and parsing are native and use all cores anyway: workers pay off where your own code takes the time.
//
//   node examples/worker-pool.mjs [shards...]
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { fixedLen, readExamples } from 'tfrecord-native';

if (isMainThread) {
  const given = process.argv.slice(2);
  const data = ['weather-00000-of-00002', 'weather-00001-of-00002'];
  const shards = given.length > 0 ? given : data.map((name) => fileURLToPath(new URL(`data/${name}`, import.meta.url)));
  const sums = new Map();
  const queue = [...shards];
  const workers = Array.from({ length: Math.min(availableParallelism(), shards.length) }, async () => {
    const worker = new Worker(new URL(import.meta.url));
    for (let shard = queue.shift(); shard !== undefined; shard = queue.shift()) {
      // A worker that fails ends with its error, and so does the pool.
      const result = new Promise((resolve, reject) => {
        worker.once('message', resolve).once('error', reject);
        worker.once('exit', (code) => reject(new Error(`a worker ended with ${code}`)));
      });
      worker.postMessage(shard);
      sums.set(shard, await result);
      worker.removeAllListeners();
    }
    await worker.terminate();
  });
  await Promise.all(workers);
  for (const shard of shards) {
    const values = sums.get(shard);
    // Spread into Math.max, more than about 100,000 values would overflow the stack.
    const highest = values.reduce((most, value) => Math.max(most, value), -Infinity);
    console.log(values.length === 0 ? '0 values' : `${values.length} values, the highest ${highest}`);
  }
} else {
  const spec = { elevation: fixedLen([], 'int64') };
  parentPort.on('message', async (shard) => {
    const parts = [];
    for await (const { elevation } of readExamples(shard, spec, { int64: 'number' }).batches(1024))
      parts.push(...elevation);
    const values = Float64Array.from(parts);
    parentPort.postMessage(values, [values.buffer]);
  });
}
