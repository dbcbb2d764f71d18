// Cuts a conversion into parts, one job each, and waits until the workers have converted and merged them.
//
//   node examples/queue/enqueue.mjs 'data/train-*.gz' /shared/out/train.tfrecord.gz 64
import { FlowProducer, QueueEvents } from 'bullmq';
import { connection, QUEUE, tries } from './queue.mjs';

const [input, output, parts = '8'] = process.argv.slice(2);
const count = Number(parts);
if (output === undefined || !Number.isInteger(count) || count < 1 || count > 10_000) {
  console.error('usage: enqueue.mjs INPUT OUTPUT [PARTS]');
  process.exit(2);
}

const events = new QueueEvents(QUEUE, { connection });
const flow = new FlowProducer({ connection });
// The merge is a job like the parts, which begins when all of them are done. If a part fails for good, so does it.
const merge = await flow.add({
  name: 'merge',
  queueName: QUEUE,
  data: { output },
  opts: tries,
  children: Array.from({ length: count }, (_, index) => ({
    name: 'part',
    queueName: QUEUE,
    data: { input, output, index, count },
    opts: { ...tries, failParentOnFailure: true },
  })),
});
try {
  const { files, records } = await merge.job.waitUntilFinished(events);
  console.log(`${records} records in ${files} files`);
} catch (error) {
  console.error(`enqueue.mjs: ${error.message}`);
  process.exitCode = 1;
} finally {
  await Promise.all([events.close(), flow.close()]);
}
