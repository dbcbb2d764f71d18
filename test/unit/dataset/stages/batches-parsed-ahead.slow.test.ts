/** Batches that are large enough to be parsed on native threads. */
import { statSync, truncateSync } from 'node:fs';

import {
  encodeExample,
  encodeSequenceExample,
  fixedLen,
  fixedLenSequence,
  int64,
  parseExample,
  varLen,
  type TFRecordError,
} from '../../../../lib';
import { Dataset } from '../../../../lib/dataset';
import { native } from '../../../../lib/native';
import { expectResumes } from '../../../support/datasets/dataset-laws';
import { Folder } from '../../../support/records/record-files';

const folder = new Folder();
afterAll(() => folder.remove());

const start = jest.spyOn(native(), 'parserStart');
beforeEach(() => start.mockClear());

const LENGTH = 60;
const SPEC = { id: fixedLen([], 'int64'), numbers: varLen('int64') };
const example = (id: number): Uint8Array =>
  encodeExample({ id: int64(id), numbers: int64(Array.from({ length: 150 }, (_, i) => 1e9 + id * 7 + i)) });
const records = Array.from({ length: 250 }, (_, id) => example(id));
const damaged = records.map((record, i) =>
  i === 150 ? encodeExample({ numbers: int64(Array(150).fill(1e9)) }) : record,
);
const file = folder.write('whole.tfrecord', records);
const damagedFile = folder.write('damaged.tfrecord', damaged);
const batches = Dataset.tfrecord(file).parse(SPEC).batch(LENGTH);

test('hold what parseExample gives, neighbours and gathered ones', async () => {
  const expected = [0, 60, 120, 180, 240].map((at) => parseExample(records.slice(at, at + LENGTH), SPEC));
  expect(await batches.toArray()).toEqual(expected);
  // The last is small, and parsed where it lies.
  expect(start).toHaveBeenCalledTimes(4);
  const shuffled = Dataset.tfrecord(file).shuffle(100, { seed: 1 });
  const ids = (await shuffled.parse(SPEC).toArray()).map(({ id }) => Number(id));
  const gathered = await shuffled.parse(SPEC).batch(LENGTH).toArray();
  expect(gathered[1]).toEqual(
    parseExample(
      ids.slice(60, 120).map((id) => records[id]!),
      SPEC,
    ),
  );
  expect(start).toHaveBeenCalledTimes(8);
});

test('records that somebody has seen, or may see, are copied at the call', async () => {
  const source = Dataset.tfrecord(file);
  const lent = async (dataset: typeof source): Promise<unknown> => {
    start.mockClear();
    await dataset.parse(SPEC).batch(LENGTH).count();
    return [...new Set(start.mock.calls.map((call) => call[4]))];
  };
  expect(await lent(source)).toEqual([true]);
  expect(await lent(source.shuffle(100, { seed: 1 }))).toEqual([true]);
  expect(await lent(source.filter(() => true))).toEqual([false]);
  expect(await lent(source.cache())).toEqual([false]);
});

test('resume at every position', async () => {
  const shuffled = Dataset.tfrecord(file).shuffle(100, { seed: 1 }).parse(SPEC).batch(LENGTH).repeat(2);
  for (const dataset of [batches, shuffled]) await expectResumes(dataset.map(({ id }) => Array.from(id, Number)));
});

test('end before a record that does not fit, whose error comes behind them', async () => {
  const { lengths, error } = await lengthsAndError(damagedFile);
  expect(lengths).toEqual([60, 60, 30]);
  expect(error).toMatchObject({ code: 'TFR_FEATURE', feature: 'id', record: 150, file: damagedFile });
  // The parser that met it serves the next.
  expect((await batches.toArray()).length).toBe(5);
});

test('of SequenceExamples, too', async () => {
  const sequences = Array.from({ length: LENGTH }, (_, i) =>
    encodeSequenceExample({
      context: { id: int64(i) },
      featureLists: { steps: Array.from({ length: 99 }, (_, step) => int64(step * 1000 + i)) },
    }),
  );
  const dataset = Dataset.tfrecord(folder.write('sequences.tfrecord', sequences))
    .parseSequence({ context: { id: fixedLen([], 'int64') }, sequence: { steps: fixedLenSequence([], 'int64') } })
    .batch(LENGTH);
  const [{ context, sequence }] = (await dataset.toArray()) as [Awaited<ReturnType<typeof dataset.toArray>>[0]];
  expect(start).toHaveBeenCalledTimes(1);
  expect([context.id[7], sequence.steps.shape]).toEqual([7n, [LENGTH, 99]]);
  expect(sequence.steps.data.subarray(99, 101)).toEqual(BigInt64Array.of(1n, 1001n));
});

test('an error of the source that comes while one is parsed is told behind it', async () => {
  const cut = folder.write('cut.tfrecord', records);
  truncateSync(cut, statSync(cut).size - 5);
  const { lengths, error } = await lengthsAndError(cut);
  expect(lengths).toEqual([60, 60, 60, 60, 9]);
  expect(error).toMatchObject({ code: 'TFR_TRUNCATED', record: 249 });
});

test('closing while one is parsed ends all', async () => {
  const iterator = batches.iterate();
  const first = iterator.next();
  await iterator.return();
  expect(await first).toEqual({ value: undefined, done: true });
  expect(await iterator.next()).toEqual({ value: undefined, done: true });
});

async function lengthsAndError(path: string): Promise<{ lengths: number[]; error: TFRecordError | undefined }> {
  const lengths: number[] = [];
  try {
    for await (const { id } of Dataset.tfrecord(path).parse(SPEC).batch(LENGTH)) lengths.push(id.length);
  } catch (error) {
    return { lengths, error: error as TFRecordError };
  }
  return { lengths, error: undefined };
}
