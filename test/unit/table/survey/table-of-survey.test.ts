/** Tables of surveyed records, from which the records come back as they were. */
import fc from 'fast-check';

import { bytes, encodeExample, encodeSequenceExample, float, int64, type FeatureLike } from '../../../../lib';
import { encodeTable, readTable, surveyRecords, tableOfSurvey, type Table } from '../../../../lib/table';
import { readableSource } from '../../../../lib/io';
import { resolveReadOptions } from '../../../../lib/record';
import { tfrecord } from '../../../support/records/tfrecord';

const inferred = async (records: readonly Uint8Array[]): Promise<Table> =>
  tableOfSurvey(await surveyRecords(readableSource(tfrecord(records)), resolveReadOptions({}), {}));

async function back(records: readonly Uint8Array[]): Promise<Buffer[]> {
  const table = await inferred(records);
  const found: Buffer[] = [];
  for await (const { vectors, rows } of readTable(tfrecord(records), table).pieces(3)) {
    for (const record of encodeTable(table, vectors, rows)) found.push(Buffer.from(record));
  }
  return found;
}

const values: Record<string, fc.Arbitrary<FeatureLike>> = {
  a: fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { maxLength: 3 }).map(int64),
  b: fc.array(fc.float(), { minLength: 1, maxLength: 1 }).map((all) => float(all)),
  c: fc.array(fc.uint8Array({ maxLength: 3 }), { minLength: 2, maxLength: 2 }).map(bytes),
  d: fc.array(fc.string({ maxLength: 3 }), { maxLength: 2 }).map(bytes),
};
const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 });
const features = names.chain((all) => fc.record(Object.fromEntries(all.map((name) => [name, values[name]!]))));
const lists = names.chain((all) =>
  fc.record(Object.fromEntries(all.map((name) => [name, fc.array(values[name]!, { maxLength: 2 })]))),
);

test('Examples and SequenceExamples come back byte for byte', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(features, lists), { maxLength: 8 }), fc.boolean(), async (rows, sequence) => {
      // SequenceExamples without feature lists look like Examples.
      fc.pre(!sequence || rows.some(([, featureLists]) => Object.keys(featureLists).length > 0));
      const records = rows.map(([context, featureLists]) =>
        sequence ? encodeSequenceExample({ context, featureLists }) : encodeExample(context),
      );
      expect(await back(records)).toEqual(records.map((record) => Buffer.from(record)));
    }),
    { numRuns: 60 },
  );
});

test('shapes, kinds and nulls', async () => {
  const { columns } = await inferred([
    encodeExample({
      always: int64(1),
      text: 'a',
      pair: float([1, 2]),
      raw: bytes([Uint8Array.of(255)]),
      some: int64([]),
    }),
    encodeExample({ always: int64(2), text: 'b', pair: float([3, 4]), some: int64([1, 2]), no: [] }),
  ]);
  expect(columns.map(({ name, dtype, shape, nullable }) => [name, dtype, shape, nullable])).toEqual([
    ['always', 'int64', [], false],
    ['no', 'bytes', undefined, true],
    ['pair', 'float32', [2], false],
    ['raw', 'bytes', [], true],
    ['some', 'int64', undefined, false],
    ['text', 'text', [], false],
  ]);
});

test('a feature of several kinds is refused by name', async () => {
  const records = [encodeExample({ x: int64(1) }), encodeExample({ x: 'a' })];
  await expect(inferred(records)).rejects.toMatchObject({
    code: 'TFR_FEATURE',
    feature: 'x',
    found: 'bytes in 1, int64 in 1',
  });
});
