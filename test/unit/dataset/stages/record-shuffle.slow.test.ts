/** Exact shuffles of many records: memory, and states of any number of workers. */
import { join } from 'node:path';

import { RecordWriter } from '../../../../lib';
import { Dataset } from '../../../../lib/dataset';
import type { DatasetState } from '../../../../lib/dataset/iterate/state';
import { onLinux } from '../../../support/on-linux';
import { randoms } from '../../../support/randoms';
import { upTo } from '../../../support/datasets/elements';
import { Folder, numberedRecords } from '../../../support/records/record-files';
import { compiledSources, ROOT } from '../../../support/running/compiled-sources';
import { barePeak } from '../../../support/running/peak-memory';
import { CASE_TIMEOUT, runCase } from '../../../support/running/run-case';

const folder = new Folder();
afterAll(() => folder.remove());

const number = (record: Uint8Array): number => Buffer.from(record).readUInt32LE(0);

/** The memory depends on when V8 collects, and so on other work on the machine: TFRECORD_FULL=1 measures `dist`. */
const MEASURES = process.env['TFRECORD_FULL'] === '1';

onLinux(
  'millions of records of several lengths come once each; with TFRECORD_FULL=1, index included, in less than 90 MB over bare Node',
  async () => {
    const count = MEASURES ? 10_000_000 : 2_000_000;
    const file = folder.at('many.tfrecord');
    const writer = await RecordWriter.open(file);
    const memory = new Uint8Array(40);
    for (let i = 0; i < count; i++) {
      memory[0] = i;
      memory[1] = i >> 8;
      memory[2] = i >> 16;
      await writer.write(memory.subarray(0, 3 + ((i * 7919) % 37)));
    }
    await writer.close();
    // The package as users load it: modules that are not bundled take some 30 MB more.
    const module = MEASURES ? join(ROOT, 'dist/index.js') : join(compiledSources(), 'lib/index.js');
    const { said } = await runCase('unit/dataset/cases/exact-shuffle', { args: [file, module], limitMs: 240_000 });
    const [found] = said as { peak: number; records: number; sum: number; state: number }[];
    const { peak, records, sum, state } = found!;
    expect({ records, sum }).toEqual({ records: count, sum: (count * (count - 1)) / 2 });
    if (MEASURES) expect(peak - barePeak()).toBeLessThan(90);
    expect(state).toBeLessThan(200);
  },
  300_000,
);

test(
  'after any of a thousand stops, 1, 2, 3 and 6 workers go on with the same order',
  async () => {
    const count = 9000;
    const records = numberedRecords(count, 12);
    const files = [
      folder.write('one.tfrecord', records.slice(0, 4000)),
      folder.write('two.tfrecord.gz', records.slice(4000, 7000)),
      folder.write('three.tfrecord', records.slice(7000)),
    ];
    const dataset = Dataset.tfrecord(files).shuffle('full', { seed: 42 });
    const order = (await dataset.toArray()).map(number);
    const random = randoms(30);
    for (let i = 0; i < 1000; i++) {
      const stop = Math.floor((random() * (count - 500)) / 6);
      const done = 6 * stop;
      const before = [1, 2, 3, 6][i % 4]!;
      const after = [1, 2, 3, 6][(i >> 2) % 4]!;
      const most = Math.min(12, count - done);
      // A worker's own state.
      const own = dataset.shard(before, i % before);
      const share = order.filter((_, position) => position % before === i % before);
      const steps = 1 + (stop % 40);
      expect(await taken(own, 5, await stateAfter(own, steps))).toEqual(share.slice(steps, steps + 5));
      // Any other number of workers.
      const shards = await Promise.all(
        upTo(after).map((worker) => taken(dataset.skip(done).shard(after, worker), Math.ceil(most / after))),
      );
      const found = upTo(most).map((position) => shards[position % after]![Math.floor(position / after)]);
      expect(found).toEqual(order.slice(done, done + most));
    }
  },
  CASE_TIMEOUT,
);

async function stateAfter(dataset: Dataset<Uint8Array, unknown>, elements: number): Promise<DatasetState> {
  const iterator = dataset.iterate({ epoch: 0 });
  for (let i = 0; i < elements; i++) await iterator.next();
  const state = JSON.parse(JSON.stringify(iterator.state())) as DatasetState;
  await iterator.return();
  return state;
}

async function taken(dataset: Dataset<Uint8Array, unknown>, most: number, state?: DatasetState): Promise<number[]> {
  const iterator = dataset.iterate(state === undefined ? { epoch: 0 } : { state });
  const found: number[] = [];
  for (let i = 0; i < most; i++) {
    const { done, value } = await iterator.next();
    if (done !== true) found.push(number(value));
  }
  await iterator.return();
  return found;
}
