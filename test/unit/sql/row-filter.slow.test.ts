/** A condition in SQL over batches of records: which records it keeps, what it parses, and what it refuses. */
import { bytes, encodeExample, encodeSequenceExample, float, int64, TFRecordError } from '../../../lib';
import { Filter } from '../../../lib/convert/transform/filter';
import { JobFaults } from '../../../lib/convert/job/faults';
import { newTable, type FeatureColumn, type Table } from '../../../lib/table';
import { newSlab } from '../../../lib/io';
import { encodedBatch, newBatch, partsOf, type RecordBatch } from '../../../lib/record';
import { RowFilter } from '../../../lib/sql';

const column = (key: string, dtype: FeatureColumn['dtype'], more: Partial<FeatureColumn> = {}): FeatureColumn => {
  return { key, section: 0, dtype, shape: [], nullable: true, ...more };
};

const TABLE = newTable(
  [
    column('id', 'int64'),
    column('f', 'float32'),
    column('name', 'text'),
    column('raw', 'bytes'),
    column('tags', 'text', { shape: undefined }),
    column('point', 'float32', { shape: [2] }),
  ],
  false,
);

/** A batch of `records`, the first of which is number `first` of the file `a`. */
function batchOf(records: readonly Uint8Array[], first = 0): RecordBatch {
  const slab = newSlab(
    records.reduce((sum, { length }) => sum + length, 1),
    'a',
  );
  let end = 0;
  const frames = Uint32Array.from(
    records.flatMap((record) => {
      slab.set(record, end);
      end += record.length;
      return [end - record.length, record.length];
    }),
  );
  const { source } = partsOf(encodedBatch(slab, frames));
  return newBatch({ ...source, file: 'a', firstRecord: first }, 0, records.length);
}

const RECORDS = batchOf([
  encodeExample({ id: int64(-(2n ** 63n)), f: float(-0), name: 'Ann', raw: Uint8Array.of(255), tags: ['a', 'b'] }),
  encodeExample({
    id: int64(2n ** 63n - 1n),
    f: float(NaN),
    name: 'a name of more than twelve bytes',
    tags: bytes([]),
  }),
  encodeExample({ id: int64(3), point: float([1.5, 2]) }),
  encodeExample({}),
]);

async function keptBy(where: string, batch = RECORDS, table: Table = TABLE): Promise<number[]> {
  const filter = await RowFilter.open(where, table);
  try {
    const { rows, kept, error } = await filter.select(batch);
    expect([rows, error]).toEqual([batch.length, undefined]);
    return [...kept];
  } finally {
    filter.close();
  }
}

async function refusal(where: string, table: Table = TABLE): Promise<string> {
  return keptBy(where, RECORDS, table).then(
    (kept) => `kept ${kept.join()}`,
    (error: unknown) => {
      expect(error).toBeInstanceOf(TypeError);
      expect(error).toHaveProperty('code', 'ERR_INVALID_ARG_VALUE');
      expect((error as Error).message).not.toContain('\n');
      return (error as Error).message;
    },
  );
}

test.each([
  ['id = -9223372036854775808', [0]],
  ['id = 9223372036854775807', [1]],
  ['id > 0', [1, 2]],
  ['NOT id > 0', [0]],
  ['id IS NULL', [3]],
  ['isnan(f)', [1]],
  ["name LIKE 'a name%'", [1]],
  [`NAME = 'Ann' OR "id" = 3`, [0, 2]],
  [String.raw`raw = '\xFF'::BLOB`, [0]],
  ["list_contains(tags, 'b')", [0]],
  ['len(tags) = 0', [1]],
  ['tags IS NULL', [2, 3]],
  ['point[1] = 1.5', [2]],
  ['id', [0, 1, 2]],
  ['true', [0, 1, 2, 3]],
  ['false', []],
  ['NULL', []],
  ['id = 3 -- a comment', [2]],
  ['id IN (SELECT unnest([3, 4]))', [2]],
  ["(SELECT max(t) FROM unnest(tags) u(t)) = 'b'", [0]],
])('%s', async (where, kept) => {
  expect(await keptBy(where)).toEqual(kept);
});

test('a text that is not one expression is refused', async () => {
  for (const where of [
    '',
    'id =',
    "name = 'it",
    'id = 3 /*',
    '1) ; DROP TABLE x; SELECT (1',
    'true; SELECT 1',
    'true;',
    'true) OR (true',
    'true) UNION ALL SELECT list(1) FROM (SELECT 1',
    'id = 3 LIMIT 1',
    'id = 3 ORDER BY id',
    'id, f',
    'id AS x',
    'DISTINCT id',
    'id FROM x',
    'id WHERE id',
    'id GROUP BY id',
    'id USING SAMPLE 3',
    '*',
    'id = ?',
    'id = $x',
    'id = 3\0',
  ]) {
    expect([where, await refusal(where)]).toEqual([
      where,
      expect.stringMatching(/^"options\.where" must be a condition in SQL: .*The columns are: "id", "f", "name"/),
    ]);
  }
});

test('a condition that DuckDB cannot bind says why, and which columns there are', async () => {
  expect(await refusal('labl = 3')).toBe(
    '"options.where" must be a condition in SQL: Binder Error: Referenced column "labl" not found in FROM clause. ' +
      'The columns are: "id", "f", "name", "raw", "tags", "point". Received "labl = 3"',
  );
  expect(await refusal('sqrt(tags) = 1')).toMatch(/Binder Error: No function matches/);
  expect(await refusal('max(id) = id')).toMatch(/WHERE clause cannot contain aggregates/);
  expect(await refusal('row_number() OVER () < 3')).toMatch(/WHERE clause cannot contain window functions/);
});

test('it sees no files, no settings to change, and not all records', async () => {
  expect(await refusal("id IN (SELECT 1 FROM read_csv('/etc/hostname'))")).toMatch(
    /it may not select from read_csv\(\)/,
  );
  expect(await refusal("length((SELECT content FROM read_text('/etc/hostname'))) > 0")).toMatch(/may not select/);
  expect(await refusal("EXISTS (FROM '/etc/hostname.csv')")).toMatch(/Permission Error/);
  expect(await refusal('id > (SELECT avg(id) FROM records_of_the_batch())')).toMatch(/may not select/);
  // DuckDB would end the process: it logs the refusal of the file to the file.
  const log = "(FROM ENABLE_LOGGING(storage='file', storage_path='logs'))";
  expect(await refusal(`EXISTS ${log}`)).toMatch(/it may not select from enable_logging\(\)/i);
  expect(await refusal(`id IN (WITH a AS ${log} SELECT 1 FROM a)`)).toMatch(/it may not select from/);
  expect(await refusal("EXISTS (FROM query('SELECT 1'))")).toMatch(/it may not select from query\(\)/);
});

test('an abort ends a query that runs', async () => {
  const control = new AbortController();
  const endless = '(SELECT max(a.range * b.range + id) FROM range(10000000) a, range(10000000) b) > 0';
  const filter = await RowFilter.open(endless, TABLE, control.signal);
  const reason = new Error('no more');
  setTimeout(() => {
    control.abort(reason);
  }, 20);
  await expect(filter.select(RECORDS)).rejects.toBe(reason);
  await expect(filter.select(RECORDS)).rejects.toBe(reason);
  filter.close();
});

test('the words of DuckDB in an error are few', async () => {
  expect((await refusal("name ~ repeat('(', 100000)")).length).toBeLessThan(2000);
});

test('columns that DuckDB cannot distinguish can stay, but not be named', async () => {
  const table = newTable(
    [column('a', 'int64'), column('A', 'int64'), column('', 'int64'), column('b', 'int64')],
    false,
  );
  const batch = batchOf([encodeExample({ b: int64(1) }), encodeExample({ b: int64(2), a: int64(2), '': int64(1) })]);
  expect(await keptBy('b = 2', batch, table)).toEqual([1]);
  expect(await refusal('a = 2', table)).toMatch(/The columns are: "b"; DuckDB cannot distinguish "a", "A", ""\. /);
  const hashes = newTable([column('#', 'int64')], false);
  expect(await keptBy('"#" = 7', batchOf([encodeExample({ '#': int64(7) })]), hashes)).toEqual([0]);
});

test('only the columns that the condition names are parsed', async () => {
  const filter = await RowFilter.open("id = 3 AND name IS NULL OR name = 'x'", TABLE);
  expect(filter.named.map(({ name }) => name).sort()).toEqual(['id', 'name']);
  // The other features are of other kinds than the table says.
  const batch = batchOf([encodeExample({ id: int64(3), f: 'no number', tags: int64(1) })]);
  expect([...(await filter.select(batch)).kept]).toEqual([0]);
  filter.close();
  for (const where of ['true', 'random() < 2', 'false']) {
    const none = await RowFilter.open(where, TABLE);
    expect(none.named).toEqual([]);
    none.close();
  }
});

test('feature lists are lists of steps', async () => {
  const table = newTable([column('id', 'int64'), column('steps', 'int64', { section: 1, shape: undefined })], true);
  const batch = batchOf([
    encodeSequenceExample({ context: { id: int64(1) }, featureLists: { steps: [int64([1, 2]), int64([])] } }),
    encodeSequenceExample({ context: { id: int64(2) }, featureLists: { steps: [int64([3])] } }),
  ]);
  expect(await keptBy('steps[1][2] = 2', batch, table)).toEqual([0]);
  expect(await keptBy('len(steps) = 1 AND id = 2', batch, table)).toEqual([1]);
});

test('many batches, of any length, one after the other', async () => {
  const filter = await RowFilter.open("id % 3 = 0 AND name <> 'text that is long 7'", TABLE);
  for (const length of [1, 2047, 2048, 2049, 5000, 1]) {
    const records = Array.from({ length }, (_, i) =>
      encodeExample({ id: int64(i), name: `text that is long ${i % 10}` }),
    );
    const { kept } = await filter.select(batchOf(records));
    const expected = records.map((_, i) => i).filter((i) => i % 3 === 0 && i % 10 !== 7);
    expect([...kept]).toEqual(expected);
  }
  filter.close();
});

test('a record that does not fit, or for which the condition fails, is named, and those before it are not lost', async () => {
  const filter = await RowFilter.open('name::INT > 5', TABLE);
  const named = (name: string): Uint8Array => encodeExample({ name });
  const records = Array.from({ length: 3000 }, (_, i) => named(String(i)));
  records[2500] = named('six');
  records[2700] = encodeExample({ name: int64(1) });
  const { rows, kept, error } = await filter.select(batchOf(records, 100));
  expect([rows, kept.length, kept[0], kept.at(-1)]).toEqual([2500, 2494, 6, 2499]);
  expect(error).toMatchObject({ code: 'TFR_SQL', file: 'a', record: 2600 });
  expect(error!.message).toMatch(/^Record 2600 of a: the condition fails\. DuckDB: Conversion Error: .*'six'/);
  const [first] = await Promise.all([filter.select(batchOf([named('x')]))]);
  expect([first.rows, first.kept.length, first.error?.record]).toEqual([0, 0, 0]);
  filter.close();
});

test('a filter keeps records with their places, and leaves out those at fault', async () => {
  const filter = await Filter.open('name::INT % 2 = 0', TABLE);
  const records = ['0', '1', 'two', '4', '6', '7'].map((name) => encodeExample({ name }));
  records[4] = encodeExample({ name: int64(6) });
  records.push(encodeExample({ name: '8' }));
  const reports: TFRecordError[] = [];
  const faults = new JobFaults({ action: 'skip', report: (error) => void reports.push(error) });
  const batch = await filter.apply(batchOf(records, 10), faults);
  expect([...batch].map((record) => Buffer.from(record))).toEqual([0, 3, 6].map((i) => Buffer.from(records[i]!)));
  expect([0, 1, 2].map((i) => batch.origin(i)!.record)).toEqual([10, 13, 16]);
  expect(reports.map(({ code, record }) => [code, record])).toEqual([
    ['TFR_SQL', 12],
    ['TFR_FEATURE', 14],
  ]);
  expect((await filter.apply(batchOf([records[1]!]), faults)).length).toBe(0);
  const all = batchOf([records[0]!, records[3]!]);
  expect(await filter.apply(all, faults)).toBe(all);

  const stopping = new JobFaults('stop');
  const before = await filter.apply(batchOf(records), stopping);
  expect([before.length, stopping.stopped]).toEqual([1, true]);
  await expect(filter.apply(batchOf(records), new JobFaults(undefined))).rejects.toThrow(TFRecordError);
  filter.close();
});
