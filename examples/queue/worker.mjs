// Takes jobs from the queue and does them. Start as many as you like, on as many machines as see the same files.
//
//   node examples/queue/worker.mjs
import { UnrecoverableError, Worker } from 'bullmq';
import { convert, mergeParts } from 'tfrecord-native/convert';
import { connection, QUEUE } from './queue.mjs';

const stopping = new AbortController();

async function work({ name, data }) {
  if (name === 'merge') {
    const { files, records } = await mergeParts(data.output);
    return { files: files.length, records };
  }
  if (name !== 'part') throw new UnrecoverableError(`there is no job called ${name}`);
  const { input, output, index, count } = data;
  // A job that was begun by a worker that died goes on behind the files that it had finished.
  const { files, records, kept } = await convert(input, output, {
    shard: { index, count },
    resume: true,
    signal: stopping.signal,
  });
  console.log(`part ${index} of ${count}: ${records} records, ${files.length} files, ${kept} of them were there`);
  return { files: files.length, records };
}

const worker = new Worker(QUEUE, work, {
  connection,
  concurrency: 1,
  // A worker that is gone for so long loses its job to another one.
  lockDuration: Number(process.env.LOCK_MS ?? 30_000),
  stalledInterval: Number(process.env.LOCK_MS ?? 30_000),
  maxStalledCount: 3,
});
worker.on('failed', (job, error) => console.error(`${job?.name} ${job?.data?.index ?? ''}: ${error.message}`));
worker.on('error', (error) => console.error(error.message));

// Kubernetes and Slurm send SIGTERM before they end a worker: its job then fails, and another worker tries it.
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    stopping.abort(new Error(`the worker got ${signal}`));
    worker.close();
  });
}
