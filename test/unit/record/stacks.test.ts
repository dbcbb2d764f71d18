/** The stack of an error leads to the line that awaits it. */
import {
  Dataset,
  encodeExample,
  fixedLen,
  parseExample,
  readExamples,
  readRecords,
  readRecordsSync,
  RecordReader,
  RecordWriter,
  TFRecordError,
} from '../../../lib';
import { flipBit, tfrecord } from '../../support/records/tfrecord';

const record = encodeExample({ a: 1n });
const broken = flipBit(tfrecord([record, record, record]), 30);
const spec = { q: fixedLen([], 'int64') };

async function readAll(elements: AsyncIterable<unknown> | Iterable<unknown>): Promise<void> {
  for await (const _ of elements);
}

test.each<[string, () => Promise<unknown>]>([
  ['readRecords', () => readAll(readRecords(broken))],
  ['a missing file', () => readAll(readRecords('/nowhere/at/all'))],
  ['batches', async () => readAll((await RecordReader.open(broken)).batches())],
  ['readRecordsSync', () => readAll(readRecordsSync(broken))],
  ['readExamples', () => readAll(readExamples(tfrecord([record]), spec))],
  ['readExamples.batches', () => readAll(readExamples(tfrecord([record]), spec).batches(2))],
  ['parseExample', async () => readAll([await Promise.resolve(), parseExample([record], spec)])],
  ['a dataset', () => readAll(Dataset.tfrecord(broken).shuffle(3).batch(2))],
  [
    'prefetch',
    () =>
      readAll(
        Dataset.tfrecord(tfrecord([record]))
          .parse(spec)
          .prefetch(2),
      ),
  ],
  ['toArray', () => Dataset.tfrecord(broken).toArray()],
  [
    'a function that throws',
    () =>
      readAll(
        Dataset.range(3).map(() => {
          throw new Error('no');
        }),
      ),
  ],
  [
    'close',
    async () => {
      const writer = await RecordWriter.open('/dev/full', { atomic: false });
      await writer.write(record);
      await writer.close();
    },
  ],
  [
    'flush',
    async () => {
      const writer = await RecordWriter.open('/dev/full', { atomic: false });
      await writer.write(record);
      await writer.flush();
    },
  ],
  [
    'write',
    async () => {
      const writer = await RecordWriter.open('/dev/full', { atomic: false });
      for (;;) await writer.write(Buffer.alloc(2 ** 20));
    },
  ],
])('%s', async (_, fail) => {
  const error = await fail().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(TFRecordError);
  const { stack, message } = error as Error;
  expect(stack).toContain(message);
  expect(stack).toMatch(/stacks\.test\.ts:\d+/);
});

test('a program that has chosen how deep stacks are gets no more', async () => {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  const error = await readAll(readRecords(broken)).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect([Error.stackTraceLimit, (error as Error).stack]).toEqual([0, `TFRecordError: ${(error as Error).message}`]);
  Error.stackTraceLimit = limit;
});
