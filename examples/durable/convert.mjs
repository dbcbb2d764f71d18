// A conversion that goes on where it was when its process dies: a DBOS workflow, in which each part is a step.
//
//   node examples/durable/convert.mjs 'data/train-*.gz' /shared/out/train.tfrecord.gz 64
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';

import { DBOS } from '@dbos-inc/dbos-sdk';
import { convert, mergeParts } from 'tfrecord-native/convert';
import { alone, databaseUrl } from './alone.mjs';

const [input, output, parts = '8', files = parts] = process.argv.slice(2);
const [count, shards] = [Number(parts), Number(files)];
if (output === undefined || !isCount(count) || !isCount(shards)) {
  console.error('usage: convert.mjs INPUT OUTPUT [PARTS [FILES]]');
  process.exit(2);
}
function isCount(number) {
  return Number.isInteger(number) && number >= 1 && number <= 10_000;
}

// Five tries, for what may pass: a full disk, a file system that is away. Damage and what is missing stay as they are.
const tries = {
  retriesAllowed: true,
  maxAttempts: 5,
  shouldRetry: ({ code = '' }) => !/^(TFR_|ERR_|ENOENT|EEXIST)/.test(code),
};

// A process may die after a step has done its work and before the database knows it, so each step may run twice:
// `resume` keeps the files that are there, and merging again does nothing.
async function part({ input, output, count, shards }, index) {
  const options = { shard: { index, count }, shards, resume: true };
  const { files, records, kept } = await convert(input, output, options);
  console.log(`part ${index} of ${count}: ${records} records, ${files.length} files, ${kept} of them were there`);
}
async function merge({ output }) {
  const { files, records } = await mergeParts(output);
  return { files: files.length, records };
}

const conversion = DBOS.registerWorkflow(
  async (job) => {
    for (let index = 0; index < job.count; index++) {
      await DBOS.runStep(() => part(job, index), { name: `part ${index}`, ...tries });
    }
    return DBOS.runStep(() => merge(job), { name: 'merge', ...tries });
  },
  { name: 'conversion' },
);

// DBOS resumes workflows of the same executor and version alone. By default the version is a hash of the code, so an
// edit would strand them. Change it by hand when the steps change.
DBOS.setConfig({
  name: 'tfrecord-conversion',
  systemDatabaseUrl: databaseUrl,
  executorID: 'conversion',
  applicationVersion: '1',
  logLevel: 'error',
});

// Another process may resume the job, in another folder.
const job = { input: resolve(input), output: resolve(output), count, shards };
const name = createHash('sha256').update(JSON.stringify(job)).digest('hex');
try {
  await alone('tfrecord-conversion');
  await DBOS.launch();
  // The last run of this job: done, to be resumed (which `launch` has begun), or failed, and then there is another.
  const [last] = await DBOS.listWorkflows({ workflow_id_prefix: name, sortDesc: true, limit: 1 });
  const handle = ['PENDING', 'ENQUEUED', 'SUCCESS'].includes(last?.status)
    ? DBOS.retrieveWorkflow(last.workflowID)
    : await DBOS.startWorkflow(conversion, { workflowID: `${name} ${new Date().toISOString()}` })(job);
  const { files, records } = await handle.getResult();
  console.log(`${records} records in ${files} files`);
} catch (error) {
  console.error(`convert.mjs: ${error.message}`);
  process.exitCode = 1;
}
// What else was resumed stays pending, for the next process.
process.exit();
