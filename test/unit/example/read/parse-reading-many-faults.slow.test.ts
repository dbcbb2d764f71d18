/** Many records that can be parsed but not composed, and which of them the error names. */
import { writeFileSync } from 'node:fs';

import { parseExample, ragged, readExamples, sparse, varLen, type Spec } from '../../../../lib';
import { Folder } from '../../../support/records/record-files';
import { tfrecord } from '../../../support/records/tfrecord';
import { exampleOf, int64s } from '../../../support/examples/wire';

const folder = new Folder();
afterAll(() => folder.remove());

/** Composing all others again for each of them would take long. */
test('skip: as good as all of a large batch', async () => {
  const RECORDS = 20_000;
  const spec = {
    id: varLen('int64'),
    rows: ragged({ dtype: 'int64', valueKey: 'n', partitions: [{ by: 'rowLengths', key: 'len' }] }),
  };
  const good = (i: number): boolean => i % 8000 === 7;
  const path = folder.at('many.tfrecord');
  const records = Array.from({ length: RECORDS }, (_, i) =>
    exampleOf({ id: int64s(i), n: int64s(1, 2), len: int64s(good(i) ? 2 : 1) }),
  );
  writeFileSync(path, tfrecord(records));
  const reported: number[] = [];
  const reader = readExamples(path, spec, {
    onError: { action: 'skip', maxRate: 1, report: ({ record }) => reported.push(record!) },
  });
  const ids: bigint[] = [];
  for await (const { id } of reader.batches(RECORDS)) ids.push(...id.values);
  expect(ids).toEqual([7n, 8007n, 16_007n]);
  const all = Array.from({ length: RECORDS }, (_, i) => i);
  expect(reported).toEqual(all.filter((i) => !good(i)));
  expect(reader.stats).toMatchObject({ records: 3, skipped: RECORDS - 3 });
});

const composed: readonly [string, Spec, readonly object[]][] = [
  [
    'sparse: outside the size before unequal lengths',
    { s: sparse({ indexKey: 'i', valueKey: 'v', dtype: 'int64', size: 10 }) },
    [
      { i: int64s(1), v: int64s(1) },
      { i: int64s(11), v: int64s(1) },
      { i: int64s(1, 2), v: int64s(1) },
    ],
  ],
  [
    'ragged: an outer partition before an inner one',
    {
      r: ragged({
        dtype: 'int64',
        valueKey: 'v',
        partitions: [
          { by: 'rowLengths', key: 'outer' },
          { by: 'rowLengths', key: 'inner' },
        ],
      }),
    },
    [
      { v: int64s(1, 2), inner: int64s(1, 1), outer: int64s(2) },
      { v: int64s(1, 2), inner: int64s(1, 1), outer: int64s(3) },
      { v: int64s(1, 2), inner: int64s(1), outer: int64s(1) },
    ],
  ],
];
test.each(composed)('the first record at fault is named: %s', (_, spec, records) => {
  const all = records.map((features) => exampleOf(features as never));
  expect(() => parseExample(all, spec)).toThrow(expect.objectContaining({ code: 'TFR_FEATURE', record: 1 }));
  expect(() => parseExample([all[0]!, all[0]!, all[2]!], spec)).toThrow(expect.objectContaining({ record: 2 }));
});
