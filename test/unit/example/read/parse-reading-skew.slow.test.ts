/**
 * One record is far longer than those around it: rows and small batches do not pay for padding that only a large batch
 * needs.
 */
import { writeFileSync } from 'node:fs';

import { encodeExample, fixedLen, fixedLenSequence, int64, readExamples } from '../../../../lib';
import { isOpen } from '../../../support/running/descriptors';
import { Folder } from '../../../support/records/record-files';
import { tfrecord } from '../../../support/records/tfrecord';

const SPEC = { id: fixedLen([], 'int64'), steps: fixedLenSequence([], 'int64', { allowMissing: true, default: 7 }) };
const RECORDS = 2000;
/** Padded to this one, those that are parsed with it would be more than 2^31 values. */
const AT = 1500;
const LONG = new BigInt64Array(3_000_000).fill(1n);

const folder = new Folder();
const path = folder.at('skewed.tfrecord');
afterAll(() => folder.remove());
beforeAll(() => {
  const steps = (i: number): BigInt64Array => (i === AT ? LONG : BigInt64Array.of(BigInt(i)));
  writeFileSync(
    path,
    tfrecord(Array.from({ length: RECORDS }, (_, i) => encodeExample({ id: int64(i), steps: steps(i) }))),
  );
});

test('rows', async () => {
  let i = 0;
  for await (const { id, steps } of readExamples(path, SPEC)) {
    expect([id, steps.length, steps[0]]).toEqual(i === AT ? [BigInt(i), LONG.length, 1n] : [BigInt(i), 1, BigInt(i)]);
    i++;
  }
  expect(i).toBe(RECORDS);
});

test('small batches', async () => {
  let rows = 0;
  for await (const { id, steps } of readExamples(path, SPEC).batches(4)) {
    const width = rows === AT ? LONG.length : 1;
    expect([id[0], steps.shape]).toEqual([BigInt(rows), [4, width]]);
    rows += 4;
  }
  expect(rows).toBe(RECORDS);
});

test('a batch that no array holds is an error, which closes the reader', async () => {
  const reader = readExamples(path, SPEC);
  const batches = reader.batches(RECORDS);
  await expect(batches.next()).rejects.toMatchObject({ code: 'TFR_RECORD_TOO_LARGE', feature: 'steps' });
  expect(isOpen(path)).toBe(false);
  expect(await batches.next()).toEqual({ value: undefined, done: true });
  // Another loop starts from the first record.
  expect((await reader[Symbol.asyncIterator]().next()).value).toMatchObject({ id: 0n });
  await reader.close();
});
