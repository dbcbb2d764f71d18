/**
 * Reads, writes, replaces and ends workers, and prints what it found. Every platform must print the same lines.
 *
 *   node test/runtimes/platforms/smoke.mjs
 */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

import './needs-addon.mjs';

const self = fileURLToPath(import.meta.url);
const root = join(dirname(self), '..', '..', '..');
const { countRecords, decodeExample, inferSchema, readExamples, readRecords, readRecordsSync, RecordWriter } = {
  ...createRequire(import.meta.url)(join(root, 'dist', 'index.js')),
  ...createRequire(import.meta.url)(join(root, 'dist', 'schema', 'index.js')),
};
const weather = join(root, 'examples', 'data', 'weather.tfrecord.gz');

/** Number and hash of the records of a file. */
async function sum(file) {
  const hash = createHash('sha256');
  let count = 0;
  for await (const record of readRecords(file)) {
    hash.update(record);
    count++;
  }
  return `${count} ${hash.digest('hex').slice(0, 16)}`;
}

/** The outcome of reading a file, with its error's code and message, free of what differs between systems. */
async function outcome(file) {
  return sum(file).catch(
    ({ code, message }) => `${code} ${message.replaceAll('\\', '/').replaceAll(root.replaceAll('\\', '/'), '')}`,
  );
}

if (!isMainThread) {
  parentPort.postMessage(await sum(weather));
} else {
  await main();
}

async function main() {
  for (const folder of ['examples/data', 'test/golden/contents', 'test/golden/large', 'test/golden/options']) {
    for (const name of readdirSync(join(root, folder)).sort()) {
      const file = join(root, folder, name);
      if (!/tfrecord|weather-/.test(name) || statSync(file).isDirectory()) continue;
      console.log(`${folder}/${name}`, await outcome(file));
    }
  }
  console.log('synchronous', [...readRecordsSync(weather)].length, 'counted', await countRecords(weather));
  console.log(
    'features',
    Object.keys(decodeExample([...readRecordsSync(weather)][0]))
      .sort()
      .join(),
  );
  const { spec, records } = await inferSchema(weather);
  let rows = 0;
  for await (const row of readExamples(weather, spec)) rows += Object.keys(row).length === 11 ? 1 : 0;
  console.log('inferred', records, Object.keys(spec).length, 'rows', rows);

  const folder = mkdtempSync(join(tmpdir(), 'tfrecord-smoke-'));
  try {
    await written(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
  await workers();
  console.log('done');
}

async function written(folder) {
  // Over 400 characters, with names that are not ASCII.
  const deep = join(folder, ...Array.from({ length: 8 }, (_, i) => `Ordner-${i}-äöü-日本語-${'x'.repeat(40)}`));
  mkdirSync(deep, { recursive: true });
  for (const [place, at] of Object.entries({ short: folder, long: deep })) {
    for (const options of [
      { compression: 'none' },
      { compression: 'gzip', level: 1 },
      { compression: 'gzip', level: 6 },
      { compression: 'zlib', level: 6 },
    ]) {
      const file = join(at, `ä-${options.compression}-${options.level}.tfrecord`);
      const writer = await RecordWriter.open(file, options);
      for (let i = 0; i < 20_000; i++) await writer.write(`number ${i} `.repeat(1 + (i % 7)));
      const report = await writer.close();
      console.log(place, JSON.stringify(options), report.records, await sum(file), file.length > 400 ? '' : 'short');
    }
  }
  const again = join(folder, 'again.tfrecord');
  for (const text of ['x', 'xx']) {
    const writer = await RecordWriter.open(again);
    await writer.write(text);
    await writer.close();
  }
  console.log(
    'replaced',
    await sum(again),
    'left over',
    readdirSync(folder).filter((name) => name.endsWith('.tmp')).length,
  );
  console.log('missing', await sum(join(folder, 'nothing')).catch(({ code }) => code));
  console.log('a folder', await sum(folder).catch((error) => error.constructor.name));
}

async function workers() {
  const answers = await Promise.all(
    Array.from(
      { length: 4 },
      () =>
        new Promise((resolve, reject) => {
          new Worker(self).on('message', resolve).on('error', reject);
        }),
    ),
  );
  console.log('workers', new Set(answers).size, answers[0]);
  // Ended in mid-read.
  for (let i = 0; i < 6; i++) {
    const worker = new Worker(self);
    await new Promise((resolve) => setTimeout(resolve, 60 * i));
    await worker.terminate();
  }
}
