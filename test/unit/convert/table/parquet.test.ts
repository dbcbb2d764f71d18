/** Parquet in jobs: where the columns come from, and what is refused by name. */
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';

import { DuckDBConnection } from '@duckdb/node-api';

import {
  encodeExample,
  encodeSequenceExample,
  Event,
  fixedLen,
  float,
  int64,
  readExamples,
  varLen,
  type FeatureLike,
} from '../../../../lib';
import { convert } from '../../../../lib/convert';
import { recordValues } from '../../../support/records/record-values';
import { Folder } from '../../../support/records/record-files';
import { tfrecord, wholeRecords } from '../../../support/records/tfrecord';

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

const examples = (rows: readonly Record<string, FeatureLike>[]): Buffer =>
  tfrecord(rows.map((row) => encodeExample(row)));
const people = examples(
  Array.from({ length: 100 }, (_, i) => ({
    id: int64([i]),
    name: `n${i}`,
    ...(i % 2 === 0 ? { score: float([i / 4]) } : {}),
  })),
);

/** The rows that DuckDB finds by `sql`. */
async function query(sql: string): Promise<unknown[][]> {
  const connection = await DuckDBConnection.create();
  try {
    return (await connection.runAndReadAll(sql)).getRows();
  } finally {
    connection.closeSync();
  }
}

test('columns are inferred from all records', async () => {
  const { at } = folder.place();
  const late = examples([...Array.from({ length: 5 }, () => ({ a: int64([1]) })), { a: int64([2]), late: 'x' }]);
  await convert(late, at('out.parquet'));
  expect(await query(`SELECT * FROM '${at('out.parquet')}' ORDER BY a DESC LIMIT 2`)).toEqual([
    [2n, 'x'],
    [1n, null],
  ]);
});

test('a spec, or features, choose the columns', async () => {
  const { at } = folder.place();
  await convert(people, at('spec.parquet'), { spec: { id: fixedLen([], 'int64') } });
  expect(await query(`SELECT count(*), min(COLUMNS(*)) FROM '${at('spec.parquet')}'`)).toEqual([[100n, 0n]]);
  await convert(people, at('features.parquet'), { features: ['name'] });
  expect((await query(`DESCRIBE FROM '${at('features.parquet')}'`)).map(([name, type]) => [name, type])).toEqual([
    ['name', 'VARCHAR'],
  ]);
  await expect(convert(people, at('x.parquet'), { features: ['nam'] })).rejects.toMatchObject({
    code: 'TFR_FEATURE',
    message: expect.stringContaining('"nam"') as string,
  });
});

test('several files come back as one, and as shards', async () => {
  const { at, names } = folder.place();
  await convert(people, at('out.parquet'), { shards: 3 });
  expect(names().filter((name) => name.endsWith('.parquet'))).toHaveLength(3);
  const { records } = await convert(at('out-*.parquet'), at('back'), { shards: 2 });
  expect(records).toBe(100);
  const back = [0, 1].flatMap((i) => wholeRecords(readFileSync(at(`back-0000${i}-of-00002`))));
  expect(back.map((record) => recordValues(record))).toEqual(
    wholeRecords(people).map((record) => recordValues(record)),
  );
});

test('JSON Lines become Parquet, and the way back', async () => {
  const { at } = folder.place();
  writeFileSync(at('in.jsonl'), '{"a":[1],"b":[0.5]}\n{"a":[2,3]}\n');
  await convert(at('in.jsonl'), at('out.parquet'));
  expect(await query(`SELECT len(a), b FROM '${at('out.parquet')}'`)).toEqual([
    [1n, 0.5],
    [2n, null],
  ]);
  await convert(at('out.parquet'), at('back.jsonl'));
  expect(readFileSync(at('back.jsonl'), 'utf8')).toBe('{"a":[1],"b":[0.5]}\n{"a":[2,3]}\n');
});

test('onError skips a record that does not fit, in place', async () => {
  const { at } = folder.place();
  const spec = { id: fixedLen([], 'int64') };
  const rows = [{ id: int64([1]) }, { id: int64([2, 3]) }, { id: int64([4]) }, { other: 'x' }];
  await expect(convert(examples(rows), at('a.parquet'), { spec })).rejects.toMatchObject({ feature: 'id', record: 1 });
  const report = await convert(examples(rows), at('a.parquet'), { spec, onError: { action: 'skip', maxRate: 1 } });
  expect(report).toMatchObject({ records: 2, skipped: 2 });
  expect(await query(`SELECT id FROM '${at('a.parquet')}'`)).toEqual([[1n], [4n]]);
});

test('DOUBLE that float32 cannot hold needs `round`', async () => {
  const { at } = folder.place();
  await query(`COPY (SELECT 0.1::DOUBLE AS x, 1 AS id) TO '${at('in.parquet')}' (FORMAT parquet)`);
  await expect(convert(at('in.parquet'), at('out'))).rejects.toMatchObject({
    code: 'TFR_FEATURE',
    file: at('in.parquet'),
    message: expect.stringContaining('round') as string,
  });
  await convert(at('in.parquet'), at('out'), { round: true });
  const rows: unknown[] = [];
  for await (const { x } of readExamples(at('out'), { x: varLen('float32') })) rows.push(x);
  expect(rows).toEqual([Float32Array.of(0.1)]);
});

test('errors about columns and metadata name the file', async () => {
  const { at } = folder.place();
  await query(`COPY (SELECT DATE '2020-01-01' AS day) TO '${at('date.parquet')}' (FORMAT parquet)`);
  await convert(people, at('changed.parquet'));
  const whole = readFileSync(at('changed.parquet'));
  whole.write('sequenceExample', whole.lastIndexOf('"sequenceExample"'));
  writeFileSync(at('changed.parquet'), whole);
  for (const [name, code] of [
    ['date', 'TFR_FEATURE'],
    ['changed', 'TFR_SPEC'],
  ] as const) {
    const file = at(`${name}.parquet`);
    await expect(convert(file, at('out'))).rejects.toMatchObject({
      code,
      file,
      message: expect.stringContaining(file) as string,
    });
  }
});

describe('refused', () => {
  const mixed = examples([{ a: int64([1]) }, { a: 'x' }]);
  const cased = examples([{ a: int64([1]), A: int64([2]) }]);
  test.each([
    ['a feature of several kinds', mixed, {}, { code: 'TFR_FEATURE', feature: 'a' }],
    ['names that differ in case', cased, {}, { code: 'TFR_SPEC', feature: /a/i }],
    ['an empty name', examples([{ '': int64([1]) }]), {}, { code: 'TFR_SPEC', feature: '' }],
    ['no records', Buffer.alloc(0), {}, { code: 'TFR_SPEC', message: /no record has a feature/ }],
    ['parts without a spec', people, { shard: '0/1' }, { code: 'ERR_INVALID_ARG_VALUE', message: /options\.spec/ }],
    ['compression', people, { compression: 'gzip' as const }, { code: 'ERR_INVALID_ARG_VALUE', message: /parquet/ }],
  ])('%s', async (_, input, options, { feature, message, ...rest }: Record<string, unknown>) => {
    const { at, names } = folder.place();
    const error = await convert(input, at('out.parquet'), options).catch((cause: unknown) => cause);
    expect(error).toMatchObject(rest);
    if (feature !== undefined) expect((error as { feature: string }).feature).toMatch(feature as string);
    if (message !== undefined) expect((error as Error).message).toMatch(message as RegExp);
    expect(names()).toEqual([]);
  });

  test('streams, on both sides', async () => {
    const { at } = folder.place();
    await expect(convert(people, new PassThrough(), { to: 'parquet' })).rejects.toThrow(/"output" must be a file/);
    await convert(people, at('a.parquet'));
    const input = readFileSync(at('a.parquet'));
    await expect(convert(input, at('b'), { from: 'parquet' })).rejects.toThrow(/"input" must be files/);
  });

  test('a file that is cut at any place', async () => {
    const { at, names } = folder.place();
    await convert(people, at('whole.parquet'));
    const whole = readFileSync(at('whole.parquet'));
    for (let size = 0; size < whole.length; size += 97) {
      writeFileSync(at('cut.parquet'), whole);
      truncateSync(at('cut.parquet'), size);
      await expect(convert(at('cut.parquet'), at('out'))).rejects.toMatchObject({
        code: 'TFR_SQL',
        file: at('cut.parquet'),
        message: expect.stringContaining('cut.parquet') as string,
      });
    }
    expect(names()).toEqual(['cut.parquet', 'whole.parquet']);
  });
});

test("columns of others' files whose names differ only in case are refused: DuckDB renames one", async () => {
  const { at } = folder.place();
  // DuckDB writes no such file, so a name of the same length is changed, in the schema and in the column.
  await query(`COPY (SELECT 1 AS aaaa, 2 AS bbbb) TO '${at('in.parquet')}' (FORMAT parquet)`);
  const bytes = readFileSync(at('in.parquet'), 'latin1').replaceAll('bbbb', 'AAAA');
  writeFileSync(at('in.parquet'), bytes, 'latin1');
  await expect(convert(at('in.parquet'), at('out'))).rejects.toMatchObject({
    code: 'TFR_FEATURE',
    message: expect.stringContaining(
      `${at('in.parquet')}: 2 columns differ only in case, "aaaa", "AAAA", and DuckDB cannot distinguish them: rename them. `,
    ) as string,
    feature: 'aaaa',
  });
});

test('Events among Examples are left out by `skip`, and never become empty rows', async () => {
  const { at } = folder.place();
  const event = Event.encode({ wallTime: 1.5, step: 1n });
  const mixedIn = tfrecord([
    encodeExample({ a: int64([1]) }),
    event,
    encodeExample({}),
    encodeExample({ b: 'x' }),
    event,
  ]);
  const onError = { action: 'skip', maxRate: 1 } as const;
  for (const extension of ['parquet', 'arrow']) {
    const path = at(`out.${extension}`);
    expect(await convert(mixedIn, path, { onError })).toMatchObject({ records: 3, skipped: 2 });
    await convert(path, at('back.jsonl'), { force: true });
    expect(readFileSync(at('back.jsonl'), 'utf8')).toBe('{"a":[1]}\n{}\n{"b":["x"]}\n');
  }
  const spec = { a: varLen('int64') };
  await expect(convert(mixedIn, at('spec.parquet'), { spec })).rejects.toMatchObject({
    code: 'TFR_EXAMPLE',
    record: 1,
  });
  const none = convert(tfrecord([event, event]), at('none.arrow'), { onError });
  expect(await none).toMatchObject({ records: 0, skipped: 2 });
});

test('SequenceExamples without feature lists are no records of another type', async () => {
  const { at } = folder.place();
  const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  const record = encodeSequenceExample({ context: { id: int64([1]) }, featureLists: {} });
  await convert(tfrecord([record, record]), at('out.parquet'));
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
  await convert(at('out.parquet'), at('back'));
  expect(wholeRecords(readFileSync(at('back'))).map((back) => recordValues(back))).toEqual([
    recordValues(record),
    recordValues(record),
  ]);
});
