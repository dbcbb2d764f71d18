/** `cache(folder)` over several files, in several processes, with resumes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Dataset } from '../../../../lib';
import { RangeStage } from '../../../../lib/dataset/sources/range';
import { DiskCacheStage } from '../../../../lib/dataset/stages/cache';
import { expectChunkInvariant, expectResumes } from '../../../support/datasets/dataset-laws';
import { Folder, numberedRecords } from '../../../support/records/record-files';
import { CASE_TIMEOUT, endedWell, runCase, type Ended } from '../../../support/running/run-case';

jest.setTimeout(CASE_TIMEOUT);

const folder = new Folder();
afterAll(() => folder.remove());
const quiet = (): void => void jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
afterEach(() => jest.restoreAllMocks());

const records = folder.write('records.tfrecord', numberedRecords(700, 40));

test('resumes anywhere, with what is kept, without, and while it is made', async () => {
  quiet();
  const path = folder.fresh();
  const make = (where?: string): Dataset<unknown, unknown> =>
    Dataset.tfrecord(records).take(20).shuffle(5).cache(where).repeat(2).seed(4);
  await expectResumes(make(path));
  await expectResumes(make(path), { others: [make(), make(path), make(folder.fresh())] });
  await expectChunkInvariant(make(path));
});

test('goes into several files, and is read from the middle of each', async () => {
  const path = folder.fresh();
  const make = (): Dataset<number> => new Dataset(new DiskCacheStage(new RangeStage(0, 3000, 1), path, 4096));
  await make().toArray();
  const { shards } = JSON.parse(readFileSync(join(path, 'cache.json'), 'utf8')) as { shards: { index: number[][] }[] };
  expect(shards.length).toBeGreaterThan(2);
  expect(shards[1]?.index.length).toBeGreaterThan(1);
  await expect(make().toArray()).resolves.toEqual(Array.from({ length: 3000 }, (_, i) => i));
  await expectResumes(make(), { most: 3000, positions: [0, 3, 100, 255, 256, 257, 1023, 1024, 2999, 3000] });
  await expectChunkInvariant(make(), { most: 3000 });
});

test('processes side by side: one is kept, all give all', async () => {
  const path = folder.fresh();
  const source = folder.write('beside.tfrecord', numberedRecords(3000, 100));
  const args = [source, path];
  const run = (): Promise<Ended> => runCase('unit/dataset/cases/disk-cache', { args });
  const [one, other] = await Promise.all([run(), run()]);
  for (const { said, code } of [one, other]) {
    expect({ said, code }).toMatchObject({ said: [{ records: 3000 }, { unhandled: 0 }], code: 0 });
  }
  expect(folder.temporary()).toEqual([]);
  await expect(run()).resolves.toEqual(endedWell({ records: 3000, read: 0 }));
});
