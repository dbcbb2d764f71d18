import { encodeExample, fixedLen, int64 } from '../../../../lib';
import { Dataset } from '../../../../lib/dataset';
import { expectResumes } from '../../../support/datasets/dataset-laws';
import { Folder } from '../../../support/records/record-files';

const folder = new Folder();
afterAll(() => folder.remove());

const records = Array.from({ length: 40 }, (_, i) => encodeExample(i === 33 ? {} : { a: int64(i) }));
const parsed = Dataset.tfrecord(folder.write('lazy.tfrecord', records)).parse({ a: fixedLen([], 'int64') });

test.each([
  ['enumerate', parsed.enumerate()],
  ['map', parsed.map(({ a }) => a)],
  ['map with promises', parsed.map(async ({ a }) => Promise.resolve(a), { parallel: 4 })],
  ['filter', parsed.filter(() => true)],
  ['flatMap', parsed.flatMap((row) => [row])],
  ['shuffle', parsed.shuffle(1)],
])('%s: a record that does not fit its spec is that error, behind all rows before it', async (_, dataset) => {
  for (const size of [1, 7, 256]) {
    let given = 0;
    const reading = (async () => {
      for await (const chunk of (dataset as Dataset<unknown, unknown>).chunks({ size })) given += chunk.length;
    })();
    await expect(reading).rejects.toMatchObject({ code: 'TFR_FEATURE', feature: 'a', record: 33 });
    expect(given).toBe(33);
  }
});

test.each<[string, Dataset<unknown, unknown>]>([
  ['batch', parsed.batch(7)],
  ['a batch of several slabs', parsed.shuffle(1).batch(7)],
  ['batch and map', parsed.batch(4).map(async (rows) => Promise.resolve(rows), { parallel: 4 })],
  ['window', parsed.window(7)],
  ['windows that overlap', parsed.window(5, { shift: 2, stride: 2 })],
  ['rebatch', parsed.batch(7).rebatch(4)],
  ['unbatch', parsed.batch(7).unbatch()],
  ['paddedBatch', parsed.map(({ a }) => [Number(a)]).paddedBatch(7)],
])('%s: whoever goes on behind what came before it meets the same error', async (_, dataset) => {
  await expectResumes(dataset);
});
