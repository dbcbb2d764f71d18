/** `batch(n).parse(spec)`: records are parsed without making batches of raw records in between. */
import fc from 'fast-check';

import { encodeExample, fixedLen, int64, varLen } from '../../../../lib';
import { Dataset } from '../../../../lib/dataset';
import { UnmadeBatch } from '../../../../lib/dataset/engine/unmade-batch';
import { plainFeatures } from '../../../support/examples/plain-values';
import { Folder } from '../../../support/records/record-files';

const folder = new Folder();
afterAll(() => folder.remove());
afterEach(() => jest.restoreAllMocks());

const SPEC = { id: fixedLen([], 'int64'), tags: varLen('bytes') };
const example = (id: number, bytes: number): Uint8Array =>
  encodeExample({ id: int64(id), tags: Array.from({ length: id % 3 }, () => Buffer.alloc(bytes, id)) });
/** Lacks the feature `id`. */
const INVALID = encodeExample({ tags: [] });

interface Step {
  readonly batch: unknown;
  readonly origins: unknown;
  readonly state: unknown;
}

/** What an iterator gives, with the states between, and the error that ends it. */
async function outcome(dataset: Dataset<object>, state?: unknown): Promise<{ steps: Step[]; error: unknown }> {
  const steps: Step[] = [];
  const iterator = dataset.iterate(state === undefined ? { epoch: 0 } : { state: state as never });
  try {
    for await (const batch of iterator) {
      const after: unknown = JSON.parse(JSON.stringify(iterator.state()));
      steps.push({ batch: plainFeatures(batch), origins: iterator.origins, state: after });
    }
    return { steps, error: undefined };
  } catch (error) {
    const { code, message, origin } = error as Record<string, unknown>;
    return { steps, error: { code, message, origin } };
  }
}

const POLICIES = ['throw', 'skip', 'stop'] as const;
const records = fc.array(fc.tuple(fc.boolean(), fc.constantFrom(0, 10, 3000, 40_000)), { minLength: 1, maxLength: 60 });

test.each([false, true])('gives what made batches give, with and without invalid records (%s)', async (damaged) => {
  await fc.assert(
    fc.asyncProperty(
      records,
      fc.integer({ min: 1, max: 20 }),
      fc.constantFrom(...POLICIES),
      async (given, size, onError) => {
        const file = folder.write(
          'records.tfrecord',
          given.map(([valid, bytes], i) => (damaged && !valid ? INVALID : example(i, bytes))),
        );
        const batches = Dataset.tfrecord(file, { batchBytes: 65_536 }).batch(size);
        const fused = batches.parse(SPEC, { onError });
        const found = await outcome(fused);
        // A batch that is filtered is read, and so is made.
        const read = batches.filter(() => true).parse(SPEC, { onError });
        const expected = await outcome(read);
        expect(found.steps.map(({ batch, origins }) => ({ batch, origins }))).toEqual(
          expected.steps.map(({ batch, origins }) => ({ batch, origins })),
        );
        expect(found.error).toEqual(expected.error);
        for (const [i, { state }] of found.steps.entries()) {
          const rest = await outcome(fused, state);
          expect(rest).toEqual({ steps: found.steps.slice(i + 1), error: found.error });
        }
      },
    ),
    { numRuns: 25 },
  );
});

const file = folder.write(
  'many.tfrecord',
  Array.from({ length: 500 }, (_, i) => example(i, 700)),
);
const batches = Dataset.tfrecord(file, { batchBytes: 16_384 }).batch(33);

test.each(
  Object.entries({
    'at once': batches.parse(SPEC),
    'after take, skip, repeat and prefetch': batches.take(9).skip(2).repeat(2).prefetch(2).parse(SPEC),
    'after onError and seed': batches.onError('skip').seed(3).parse(SPEC),
  }),
)('no batch is made: %s', async (_, dataset) => {
  const at = jest.spyOn(UnmadeBatch.prototype, 'at');
  const { steps, error } = await outcome(dataset);
  expect(error).toBeUndefined();
  expect(steps.length).toBeGreaterThan(10);
  expect(at).not.toHaveBeenCalled();
});

test.each(
  Object.entries({
    filter: batches.filter((batch) => batch.length > 0),
    shuffle: batches.shuffle(4, { seed: 1 }),
    map: batches.map((batch) => batch),
    cache: batches.cache(),
    concatenate: batches.concatenate(batches),
  }),
)('stages that read batches get them: %s', async (_, dataset) => {
  const ids: bigint[] = [];
  for await (const { id } of dataset.parse(SPEC)) ids.push(...(id as BigInt64Array));
  expect(ids.length % 500).toBe(0);
  expect(new Set(ids).size).toBe(500);
});

test('raw batches are RecordBatches', async () => {
  for await (const batch of batches.take(2)) expect(batch.at(0)).toBeInstanceOf(Uint8Array);
});
