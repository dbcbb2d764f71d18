/** Row ids that leave many rows empty: the result of a record depends only on the record, not on those read with it. */
import { writeFileSync } from 'node:fs';

import {
  Dataset,
  parseExample,
  parseSequenceExample,
  ragged,
  readExamples,
  TFRecordError,
  type Bytes,
} from '../../../../lib';
import { Folder } from '../../../support/records/record-files';
import { tfrecord } from '../../../support/records/tfrecord';
import { exampleOf, int64s, sequenceOf } from '../../../support/examples/wire';

const spec = { r: ragged({ dtype: 'int64', valueKey: 'v', partitions: [{ by: 'valueRowIds', key: 'id' }] }) };
/** A record of one value, in row `id`: all rows before it are empty. */
const record = (id: number): Uint8Array => exampleOf({ v: int64s(1), id: int64s(id) });
/** Four of them together are more than may be empty at once. */
const MANY = 2 ** 24 + 2 ** 20;
const TOO_MANY = 2 ** 27;
const outside = exampleOf({ v: int64s(1, 2), id: int64s(0) });

test('skip: records that fit alone are read, whatever is read with them', async () => {
  const ids = [0, MANY, MANY, MANY, MANY, TOO_MANY, MANY, 3];
  const file = tfrecord([...ids.slice(0, 2).map(record), outside, ...ids.slice(2).map(record), outside]);
  const skipped: unknown[] = [];
  const reader = readExamples(file, spec, {
    onError: { action: 'skip', maxRate: 1, report: ({ code, record, found }) => skipped.push([code, record, found]) },
  });
  const rows: unknown[] = [];
  for await (const { r } of reader) rows.push([reader.origin?.record, reader.origin?.offset, r.rowSplits[0]!.length]);
  const bytes = [record(0), record(MANY), outside].map(({ length }) => length + 16) as [number, number, number];
  const offsetOf = (small: number, many: number, outsides: number): number =>
    small * bytes[0] + many * bytes[1] + outsides * bytes[2];
  expect(rows).toEqual([
    [0, 0, 2],
    [1, offsetOf(1, 0, 0), MANY + 2],
    [3, offsetOf(1, 1, 1), MANY + 2],
    [4, offsetOf(1, 2, 1), MANY + 2],
    [5, offsetOf(1, 3, 1), MANY + 2],
    [7, offsetOf(1, 4, 1) + record(TOO_MANY).length + 16, MANY + 2],
    [8, offsetOf(1, 5, 1) + record(TOO_MANY).length + 16, 5],
  ]);
  expect(skipped).toEqual([
    ['TFR_FEATURE', 2, '1 row ids'],
    ['TFR_FEATURE', 6, String(TOO_MANY)],
    ['TFR_FEATURE', 9, '1 row ids'],
  ]);
  expect(reader.stats).toMatchObject({ records: 7, skipped: 3 });
});

test.each(['throw', 'stop'] as const)('%s: the first record that is wrong alone ends the reading', async (onError) => {
  const reader = readExamples(tfrecord([MANY, MANY, MANY, MANY, TOO_MANY, 0].map(record)), spec, { onError });
  const read: unknown[] = [];
  const reading = (async () => {
    for await (const { r } of reader) read.push(r.rowSplits[0]!.length);
  })();
  if (onError === 'stop') await reading;
  else await expect(reading).rejects.toThrow(expect.objectContaining({ code: 'TFR_FEATURE', record: 4 }));
  expect(read).toEqual(Array(4).fill(MANY + 2));
});

test('batches: what fits together is read, what does not says how many do', async () => {
  const file = tfrecord(Array.from({ length: 5 }, () => record(MANY)));
  const rows: number[] = [];
  for await (const { r } of readExamples(file, spec).batches(3)) rows.push(r.rowSplits[1]!.length);
  expect(rows).toEqual([3 * (MANY + 1) + 1, 2 * (MANY + 1) + 1]);
  const failure: unknown = await readExamples(file, spec)
    .batches(5)
    .next()
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(TFRecordError);
  expect(failure).toMatchObject({ code: 'TFR_RECORD_TOO_LARGE', feature: 'r' });
  expect((failure as Error).message).toContain('parse at most 3 records at a time');
});

test('parseExample: one record is named, several together say how many to take', () => {
  const alone = expect.objectContaining({ code: 'TFR_FEATURE', record: 1, found: String(TOO_MANY) }) as Error;
  expect(() => parseExample([record(0), record(TOO_MANY)], spec)).toThrow(alone);
  const together = Array.from({ length: 4 }, () => record(MANY));
  const error = expect.objectContaining({
    code: 'TFR_RECORD_TOO_LARGE',
    expected: `at most ${2 ** 26} empty rows`,
    found: `${4 * MANY} empty rows`,
    message: expect.stringContaining('parse at most 3 records at a time') as string,
  }) as Error;
  expect(() => parseExample(together, spec)).toThrow(error);
});

test('parseSequenceExample: steps of one record count together, those of others do not', () => {
  const steps = { r: ragged({ dtype: 'int64', valueKey: 'v', partitions: [{ by: 'valueRowIds', key: 'id' }] }) };
  const sequence = (...ids: number[]): Uint8Array =>
    sequenceOf({}, { v: ids.map(() => int64s(1)), id: ids.map((id) => int64s(id)) });
  const half = 2 ** 25 + 1;
  const parse = (...records: Uint8Array[]): unknown => parseSequenceExample(records, { sequence: steps });
  const alone = expect.objectContaining({ code: 'TFR_FEATURE', record: 2 }) as Error;
  expect(() => parse(sequence(half), sequence(), sequence(0, half, half))).toThrow(alone);
  const together = expect.objectContaining({
    code: 'TFR_RECORD_TOO_LARGE',
    message: expect.stringContaining('in 3 records') as string,
  }) as Error;
  expect(() => parse(sequence(half), sequence(), sequence(0, half))).toThrow(together);
});

test.each(['throw', 'skip'] as const)('rows of a pipeline, %s: what fits alone is read', async (onError) => {
  const folder = new Folder();
  const ids = [...Array<number>(6).fill(MANY), 0, ...(onError === 'skip' ? [TOO_MANY] : []), MANY];
  const wanted = ids.filter((id) => id !== TOO_MANY).map((id) => id + 2);
  const read = (name: string, records: readonly Uint8Array[]): Dataset<Bytes> => {
    writeFileSync(folder.at(name), tfrecord(records));
    return Dataset.tfrecord(folder.at(name));
  };
  const rows: number[] = [];
  const examples = read('examples', ids.map(record));
  for await (const { r } of examples.parse(spec, { onError })) rows.push(r.rowSplits[0]!.length);
  expect(rows).toEqual(wanted);
  const contexts: number[] = [];
  const sequences = read(
    'sequences',
    ids.map((id) => sequenceOf({ v: int64s(1), id: int64s(id) }, {})),
  );
  for await (const { context } of sequences.parseSequence({ context: spec }, { onError })) {
    contexts.push(context.r.rowSplits[0]!.length);
  }
  expect(contexts).toEqual(wanted);
  folder.remove();
});
