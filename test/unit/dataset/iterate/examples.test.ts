/** `Dataset.examples`: TensorFlow's make_batched_features_dataset. */
import { Dataset, fixedLen, varLen, type ExamplesOptions } from '../../../../lib';
import { expectResumes } from '../../../support/datasets/dataset-laws';
import { numbered } from '../../../support/examples/example-files';
import { plainFeatures } from '../../../support/examples/plain-values';
import { Folder } from '../../../support/records/record-files';

const spec = { id: fixedLen([], 'int64'), w: fixedLen([], 'float32'), tags: varLen('bytes') };

const folder = new Folder();
for (let file = 0; file < 5; file++) {
  const count = 7 + file;
  const examples = Array.from({ length: count }, (_, i) => numbered(100 * file + i));
  folder.write(`train-${file}.tfrecord${file % 2 === 0 ? '' : '.gz'}`, examples);
}
const pattern = folder.at('train-*');
const COUNT = 7 + 8 + 9 + 10 + 11;
afterAll(() => folder.remove());

async function plain(dataset: Dataset<object>): Promise<unknown[]> {
  const batches: unknown[] = [];
  for await (const batch of dataset.iterate({ epoch: 0 })) batches.push(plainFeatures(batch));
  return batches;
}

async function ids(dataset: Dataset<{ id: BigInt64Array }>): Promise<number[]> {
  const all = await dataset.toArray();
  return all.flatMap(({ id }) => Array.from(id, Number));
}

test('is what its stages make', async () => {
  const composed = Dataset.files(pattern)
    .shuffle('full', { seed: 5 })
    .interleave((file) => Dataset.tfrecord(file), { cycleLength: 3 })
    .shuffle(10, { seed: 5 })
    .repeat(2)
    .parse(spec)
    .batch(8);
  const made = Dataset.examples(pattern, spec, { batch: 8, shuffle: 10, seed: 5, epochs: 2, cycleLength: 3 });
  await expect(plain(made)).resolves.toEqual(await plain(composed));
  expect(made.explain()).toBe(composed.explain());
});

test('shuffles through 10,000 and goes on for ever, unless it is told otherwise', async () => {
  const composed = Dataset.files(pattern)
    .shuffle('full')
    .interleave((file) => Dataset.tfrecord(file))
    .shuffle(10_000)
    .repeat()
    .parse(spec)
    .batch(4);
  const made = Dataset.examples(pattern, spec, { batch: 4 });
  expect(made.explain()).toBe(composed.explain());
  const some = await ids(made.take(COUNT));
  expect(some).toHaveLength(4 * COUNT);
  expect(new Set(some).size).toBe(COUNT);
});

test('without a shuffle, the files and what is in them come in their order', async () => {
  const made = Dataset.examples(pattern, spec, { batch: 7, shuffle: false, epochs: 1 });
  const all = await ids(made);
  expect(all).toHaveLength(COUNT);
  expect(all).toEqual([...all].sort((a, b) => a - b));
});

test('batches go across the ends of passes; the last may be left out', async () => {
  const lengths = async (dropRemainder: boolean): Promise<number[]> =>
    (await Dataset.examples(pattern, spec, { batch: 40, shuffle: 3, epochs: 2, dropRemainder }).toArray()).map(
      ({ id }) => id.length,
    );
  await expect(lengths(false)).resolves.toEqual([40, 40, 10]);
  await expect(lengths(true)).resolves.toEqual([40, 40]);
});

test('the label is taken out of the features', async () => {
  const options = { batch: 6, shuffle: false, epochs: 1 } as const;
  const whole = await Dataset.examples(pattern, spec, options).toArray();
  const pairs = await Dataset.examples(pattern, spec, { ...options, label: 'w' }).toArray();
  expect(pairs.map(([, w]) => w)).toEqual(whole.map(({ w }) => w));
  expect(pairs.map(([features]) => plainFeatures(features))).toEqual(
    whole.map(({ id, tags }) => plainFeatures({ id, tags })),
  );
});

test('int64 as numbers, a reader of its own, and what is at fault', async () => {
  folder.write('odd.tfrecord', [numbered(1), Buffer.from('no Example'), numbered(3)]);
  const reports: string[] = [];
  const made = Dataset.examples(folder.at('odd.tfrecord'), spec, {
    batch: 8,
    shuffle: false,
    epochs: 1,
    int64: 'number',
    reader: (file) => Dataset.tfrecord(file, { compression: 'none' }).take(3),
    onError: { action: 'skip', report: ({ code }) => reports.push(String(code)) },
  });
  expect((await made.toArray()).map(({ id }) => Array.from(id))).toEqual([[1, 3]]);
  expect(reports).toEqual(['TFR_EXAMPLE']);
});

test('as they come, where no order is asked for', async () => {
  const made = Dataset.examples(pattern, spec, { batch: 7, shuffle: false, epochs: 1, cycleLength: 3, ordered: false });
  expect(made.explain()).toContain('unordered');
  const inOrder = await ids(Dataset.examples(pattern, spec, { batch: 7, shuffle: false, epochs: 1 }));
  expect((await ids(made)).sort((a, b) => a - b)).toEqual(inOrder);
});

test('resumes anywhere', async () => {
  const made = Dataset.examples(pattern, spec, { batch: 9, shuffle: 12, epochs: 2, label: 'id', cycleLength: 2 });
  await expectResumes(made);
});

test.each<[object, string]>([
  [{}, 'ERR_INVALID_ARG_TYPE'],
  [{ batch: 0 }, 'ERR_OUT_OF_RANGE'],
  [{ batch: 1, shuffle: 0 }, 'ERR_OUT_OF_RANGE'],
  [{ batch: 1, shuffle: 'full' }, 'ERR_INVALID_ARG_TYPE'],
  [{ batch: 1, epochs: -1 }, 'ERR_OUT_OF_RANGE'],
  [{ batch: 1, label: 'toString' }, 'ERR_INVALID_ARG_VALUE'],
  [{ batch: 1, reader: 'tfrecord' }, 'ERR_INVALID_ARG_TYPE'],
  [{ batch: 1, ordered: 1 }, 'ERR_INVALID_ARG_TYPE'],
  [{ batch: 1, seed: 0.5 }, 'ERR_OUT_OF_RANGE'],
  [{ batch: 1, num_epochs: 1 }, 'ERR_INVALID_ARG_VALUE'],
])('%j is %s', (options, code) => {
  const make = (): unknown => Dataset.examples(pattern, spec, options as ExamplesOptions & { label: undefined });
  expect(make).toThrow(expect.objectContaining({ code }));
});
