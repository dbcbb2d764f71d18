/**
 * readExamples and bad records: damaged data, bytes that are not an Example, records that do not fit or cannot be
 * composed.
 */
import {
  fixedLen,
  parseExample,
  readExamples,
  type ErrorAction,
  type OnError,
  type Spec,
  type TFRecordError,
} from '../../../../lib';
import { batchesIn, parsedBatches, rowsIn } from '../../../support/examples/example-files';
import { FAULTS, fileOf, KINDS, SPEC, type RecordKind } from '../../../support/examples/faulty-examples';
import { plainFeatures } from '../../../support/examples/plain-values';
import { Folder } from '../../../support/records/record-files';
import { tfrecord } from '../../../support/records/tfrecord';
import { exampleOf, int64s } from '../../../support/examples/wire';

const CODES: Record<RecordKind, string | undefined> = {
  good: undefined,
  malformed: 'TFR_EXAMPLE',
  missing: 'TFR_FEATURE',
  kind: 'TFR_FEATURE',
  count: 'TFR_FEATURE',
  'sparse lengths': 'TFR_FEATURE',
  'sparse bounds': 'TFR_FEATURE',
  partition: 'TFR_FEATURE',
  damaged: 'TFR_CORRUPT_DATA',
};
const ids = (all: readonly Readonly<Record<string, unknown>>[]): unknown[] => all.map(({ id }) => id);

const folder = new Folder();
afterAll(() => folder.remove());

const spread = (fault: RecordKind, at: readonly number[], count: number): RecordKind[] =>
  Array.from({ length: count }, (_, i) => (at.includes(i) ? fault : 'good'));

describe.each(FAULTS)('%s', (fault) => {
  const kinds = spread(fault, [5, 6, 40], 60);
  const { bytes, payloads, good, at } = fileOf(kinds);
  const file = folder.put(`${fault}.tfrecord`, bytes);
  const place = (i: number): object => ({ code: CODES[fault], file, record: i, offset: at[i] });

  test('throw: the rows before it, then the error at its place', async () => {
    const reader = readExamples(file, SPEC);
    const { rows, error } = await rowsIn(reader, SPEC);
    expect(ids(rows)).toEqual([0, 1, 2, 3, 4]);
    expect(error).toMatchObject(place(5));
    expect(reader.stats).toMatchObject({ records: 5, skipped: 0 });
    // Another loop starts from the first record.
    const again = await rowsIn(reader, SPEC);
    expect(ids(again.rows)).toEqual([0, 1, 2, 3, 4]);
    expect(again.error).toMatchObject(place(5));
  });

  test.each([
    [
      3,
      [
        [0, 1, 2],
        [3, 4],
      ],
    ],
    [5, [[0, 1, 2, 3, 4]]],
    [100, [[0, 1, 2, 3, 4]]],
  ])('throw, in batches of %i: a shorter batch, then the error', async (size, expected) => {
    const { rows, error } = await batchesIn(readExamples(file, SPEC), size);
    expect(ids(rows)).toEqual(expected);
    expect(error).toMatchObject(place(5));
    // Rows that are dropped do not hide what ended them.
    const dropped = await batchesIn(readExamples(file, SPEC), 4, true);
    expect([ids(dropped.rows), dropped.error]).toEqual([[[0, 1, 2, 3]], expect.objectContaining(place(5))]);
  });

  test('stop: the rows before it, and no error', async () => {
    expect(await rowsIn(readExamples(file, SPEC, { onError: 'stop' }), SPEC)).toMatchObject({
      rows: { length: 5 },
      error: undefined,
    });
    const batches = await batchesIn(readExamples(file, SPEC, { onError: 'stop' }), 4);
    expect([ids(batches.rows), batches.error]).toEqual([[[0, 1, 2, 3], [4]], undefined]);
  });

  test('skip: all others, each with its place', async () => {
    const reported: TFRecordError[] = [];
    const reader = readExamples(file, SPEC, {
      onError: { action: 'skip', maxRate: 1, report: (error) => reported.push(error) },
    });
    const seen: unknown[] = [];
    let sum = 0;
    for await (const row of reader) {
      const i = reader.origin!.record;
      seen.push([i, row.id]);
      expect(reader.origin).toEqual({ file, record: i, offset: at[i], bytes: payloads[i]!.length });
      sum += payloads[i]!.length;
      expect(reader.stats).toMatchObject({ records: seen.length, bytes: sum });
    }
    expect(seen).toEqual(kinds.flatMap((kind, i) => (kind === 'good' ? [[i, BigInt(i)]] : [])));
    expect(reported).toEqual([5, 6, 40].map((i) => expect.objectContaining(place(i)) as object));
    expect(reader.stats.skipped).toBe(3);
  });

  test('skip, in batches: those of all others', async () => {
    for (const size of [1, 7, 57, 100]) {
      const { rows, error } = await batchesIn(readExamples(file, SPEC, { onError: 'skip' }), size);
      expect(error).toBeUndefined();
      expect(rows).toEqual(parsedBatches(good, SPEC, size));
    }
  });

  test('a function decides', async () => {
    const seen: unknown[] = [];
    const onError: OnError = (error): ErrorAction => {
      seen.push(error.record);
      return error.record === 40 ? 'stop' : 'skip';
    };
    const { rows, error } = await rowsIn(readExamples(file, SPEC, { onError }), SPEC);
    expect([rows.length, error, seen]).toEqual([38, undefined, [5, 6, 40]]);
    const thrower: OnError = ({ record: i }) => (i === 6 ? 'throw' : 'skip');
    expect((await rowsIn(readExamples(file, SPEC, { onError: thrower }), SPEC)).error).toMatchObject(place(6));
    const mine = new Error('mine');
    const broken = await rowsIn(
      readExamples(file, SPEC, {
        onError: () => {
          throw mine;
        },
      }),
      SPEC,
    );
    expect(broken.rows).toHaveLength(5);
    expect(broken.error).toBe(mine);
  });

  test('skip with a limit', async () => {
    const { rows, error } = await rowsIn(readExamples(file, SPEC, { onError: { action: 'skip', max: 2 } }), SPEC);
    expect([rows.length, error?.record]).toEqual([38, 40]);
  });
});

test('faults of all kinds in one file, the first of them first', async () => {
  const kinds: RecordKind[] = KINDS.flatMap((kind) => ['good', kind]);
  const { bytes } = fileOf(kinds);
  const codes: unknown[] = [];
  const onError: OnError = ({ code, record: i }) => {
    codes.push([i, code]);
    return 'skip';
  };
  await rowsIn(readExamples(bytes, SPEC, { onError }), SPEC);
  expect(codes).toEqual(kinds.flatMap((kind, i) => (kind === 'good' ? [] : [[i, CODES[kind]]])));
});

test('a file that ends in the middle: all whole records, then TFR_TRUNCATED', async () => {
  const { bytes } = fileOf(spread('good', [], 20));
  const { rows, error } = await rowsIn(readExamples(bytes.subarray(0, -3), SPEC), SPEC);
  expect([rows.length, error?.code, error?.record]).toEqual([19, 'TFR_TRUNCATED', 19]);
  const batches = await batchesIn(readExamples(bytes.subarray(0, -3), SPEC, { onError: 'stop' }), 10);
  expect(batches.rows.map(({ id }) => (id as unknown[]).length)).toEqual([10, 9]);
});

test('the rest of a file is skipped; the next one is read', async () => {
  const { bytes } = fileOf(spread('good', [], 20));
  const cut = folder.put('cut.tfrecord', bytes.subarray(0, -3));
  const whole = folder.put('whole.tfrecord', bytes);
  const reader = readExamples([cut, whole], SPEC, { onError: 'skip' });
  const { rows, error } = await batchesIn(reader, 15);
  expect([rows.map(({ id }) => (id as unknown[]).length), error]).toEqual([[15, 15, 9], undefined]);
  expect(reader.stats).toMatchObject({ records: 39, skipped: 1 });
});

test("a value that int64: 'number' cannot hold is a fault of its record", async () => {
  const payloads = [int64s(1), int64s(2n ** 60n), int64s(3)].map((id) => exampleOf({ id }));
  const spec = { id: fixedLen([], 'int64') };
  const options = { int64: 'number', onError: 'skip' } as const;
  const { rows } = await rowsIn(readExamples(tfrecord(payloads), spec, options), spec);
  expect(ids(rows)).toEqual([1, 3]);
  const { error } = await rowsIn(readExamples(tfrecord(payloads), spec, { int64: 'number' }), spec);
  expect(error).toMatchObject({ code: 'TFR_FEATURE', record: 1, feature: 'id' });
});

test('rows are what parseExample and parseSingleExample give', async () => {
  const { bytes, payloads } = fileOf(spread('good', [], 100));
  const spec: Spec = SPEC;
  const { rows } = await rowsIn(readExamples(bytes, spec), spec);
  const batch = parseExample(payloads, spec);
  const [whole] = (await batchesIn(readExamples(bytes, spec), 100)).rows;
  expect(whole).toEqual(plainFeatures(batch));
  expect(rows).toHaveLength(100);
});
