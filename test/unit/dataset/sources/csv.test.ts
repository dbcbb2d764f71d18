/** `Dataset.csv`: rows of files. */
import { Dataset, type TFRecordError } from '../../../../lib';
import { expectChunkInvariant, expectResumes } from '../../../support/datasets/dataset-laws';
import { Folder } from '../../../support/records/record-files';
import { thrown } from '../../../support/thrown';

const folder = new Folder();
afterAll(() => folder.remove());

const columns = { id: 0n, name: '?', price: -1 };

test('rows are objects; defaults say what their values are', async () => {
  const file = folder.put('rows.csv', 'id,name,price\n1,apple,0.5\r\n2,,\n,"pear, ""green""",1e3');
  const rows: Dataset<{ id: bigint; name: string; price: number }> = Dataset.csv(file, { columns });
  expect(await rows.toArray()).toEqual([
    { id: 1n, name: 'apple', price: 0.5 },
    { id: 2n, name: '?', price: -1 },
    { id: 0n, name: 'pear, "green"', price: 1000 },
  ]);
});

test('columns by dtype, required where there is no default', async () => {
  const file = folder.put('dtypes.csv', 'a,b,c,d,e,f\n1,2,3,0.1,x,y\n1,2,3,0.1,,y\n1,2,3,0.1,x,\n');
  const rows = Dataset.csv(file, {
    columns: {
      a: { dtype: 'int32' },
      b: { dtype: 'int64', default: 7 },
      c: { dtype: 'float64' },
      d: { dtype: 'float32' },
      e: { dtype: 'text', default: 'none' },
      f: { dtype: 'bytes' },
    },
  });
  const given: unknown[] = [];
  await expect(rows.forEachAsync((row) => given.push(row))).rejects.toMatchObject({
    code: 'TFR_DECODE',
    file,
    record: 3,
    message: expect.stringMatching(
      /^Record 3 of .*dtypes\.csv, at byte 39, field 5 \("f"\): .* options\.columns may give "f"/,
    ),
  });
  expect(given).toEqual([
    { a: 1, b: 2n, c: 3, d: Math.fround(0.1), e: 'x', f: Uint8Array.from([0x79]) },
    { a: 1, b: 2n, c: 3, d: Math.fround(0.1), e: 'none', f: Uint8Array.from([0x79]) },
  ]);
});

test('a null default: an empty field is null', async () => {
  const file = folder.put('nulls.csv', 'a,b,c,d\n1,0.5,x,y\n,,,\n"NA",NA,,NA\n');
  const nulls = { a: null, b: null, c: null, d: null };
  const rows = Dataset.csv(file, {
    columns: {
      a: { dtype: 'int64', default: null },
      b: { dtype: 'float32', default: null },
      c: { dtype: 'text', default: null },
      d: { dtype: 'bytes', default: null },
    },
    naValue: 'NA',
  });
  expect(await rows.toArray()).toEqual([{ a: 1n, b: 0.5, c: 'x', d: Uint8Array.of(0x79) }, nulls, nulls]);
  await expectResumes(rows);
});

test('a state of required columns does not fit columns that may be null', async () => {
  const file = folder.put('state.csv', 'a\n1\n2\n');
  const state = Dataset.csv(file, { columns: { a: { dtype: 'int64' } } })
    .iterate()
    .state();
  const nullable = Dataset.csv(file, { columns: { a: { dtype: 'int64', default: null } } });
  expect(thrown(() => nullable.iterate({ state }))).toMatchObject({ code: 'TFR_STATE_MISMATCH' });
});

test.each(['int32', 'int64', 'float32', 'float64', 'bytes', 'text'] as const)(
  'the name of a dtype is no default text: %s',
  async (dtype) => {
    const error = {
      code: 'ERR_INVALID_ARG_VALUE',
      message: expect.stringContaining(`{ dtype: '${dtype}' }`) as string,
    };
    expect(thrown(() => Dataset.csv('rows.csv', { columns: { a: dtype } }))).toMatchObject(error);
    const file = folder.put('default.csv', 'a\n""\n');
    const rows = Dataset.csv(file, { columns: { a: { dtype: 'text', default: dtype } } });
    await expect(rows.toArray()).resolves.toEqual([{ a: dtype }]);
  },
);

test('with a header, columns may come in any order, in each file another, and not all need be named', async () => {
  const files = [
    folder.put('order-a.csv', 'price,x,id\n1,a,2\n'),
    folder.put('order-b.csv', '\ufeffid,"price"\n4,3\n'),
    folder.put('order-c.csv', 'id,price'),
  ];
  const rows = await Dataset.csv(files, { columns: { id: 0, price: 0 } }).toArray();
  expect(rows).toEqual([
    { id: 2, price: 1 },
    { id: 4, price: 3 },
  ]);
  expect(Object.keys(rows[0] as object)).toEqual(['id', 'price']);
});

test('without a header: all columns, in their order', async () => {
  const file = folder.put('bare.tsv', '1\ta\n2\tb\n');
  const options = { columns: { n: 0, letter: '' }, header: false, delimiter: '\t' };
  expect(await Dataset.csv(file, options).toArray()).toEqual([
    { n: 1, letter: 'a' },
    { n: 2, letter: 'b' },
  ]);
  await expect(Dataset.csv(file, { ...options, columns: { n: 0 } }).toArray()).rejects.toMatchObject({
    code: 'TFR_DECODE',
    record: 0,
    expected: '1 field',
    found: '2 fields',
  });
});

test('quoted fields may hold line ends, whatever the pieces that the file comes in', async () => {
  const content = 'id,note\r\n1,"two\nlines"\r\n2,"""quoted""\r\n"\n3,plain\n4,""\n';
  const expected = ['two\nlines', '"quoted"\r\n', 'plain', ''];
  const bytes = Buffer.from(content);
  for (const size of [1, 2, 5, 100]) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.subarray(i * size, (i + 1) * size),
    );
    const rows = await Dataset.csv(pieces, { columns: { id: 0, note: '' } }).toArray();
    expect(rows.map(({ note }) => note)).toEqual(expected);
  }
  const bare = Dataset.csv(Buffer.from('a\n"x\ny"\n'), { columns: { a: '' }, quotes: false });
  expect(await bare.map(({ a }) => a).toArray()).toEqual(['"x', 'y"']);
});

test('what counts as empty', async () => {
  const rows = Dataset.csv(Buffer.from('a,b\nNA,NA\n1,x\n'), { columns: { a: -1, b: '-' }, naValue: 'NA' });
  expect(await rows.toArray()).toEqual([
    { a: -1, b: '-' },
    { a: 1, b: 'x' },
  ]);
});

describe('errors', () => {
  const bad = 'id,n\n1,1\n2,x\n3,3,3\n4,"4\n5,5"x\n6,6\n';

  test('each loses its record alone', async () => {
    const file = folder.put('bad.csv', bad);
    const rows = Dataset.csv([file, folder.put('good.csv', 'n,id\n7,7\n')], { columns: { id: 0, n: 0 } });
    const reports: TFRecordError[] = [];
    const skipping = rows.onError({ action: 'skip', maxRate: 1, report: (error) => reports.push(error) });
    expect((await skipping.toArray()).map(({ id }) => id)).toEqual([1, 6, 7]);
    expect(reports.map(({ code, record }) => [code, record])).toEqual([
      ['TFR_DECODE', 2],
      ['TFR_DECODE', 3],
      ['TFR_DECODE', 4],
    ]);
    expect(reports[0]).toMatchObject({ file, offset: 9, expected: 'a float64', found: '"x"' });
    expect(await rows.onError('stop').count()).toBe(1);
    await expectResumes(skipping);
    await expectResumes(rows);
    await expectChunkInvariant(skipping);
  });

  test('a header that lacks a column, or has it twice: the file is given up', async () => {
    const good = folder.put('good.csv', 'n,id\n7,7\n');
    for (const [header, message] of [
      ['id,m', /expected one column "n", found the columns "id", "m"/],
      ['n,id,n', /found more than one/],
      ['id,n"', /header of/],
      [','.repeat(1_000_000), /header of .* at most 1000000 columns, found 1000001 columns/],
    ] as const) {
      const file = folder.put('header.csv', `${header}\n1,1,1\n2,2,2\n`);
      const rows = Dataset.csv([file, good], { columns: { id: 0, n: 0 } });
      await expect(rows.toArray()).rejects.toMatchObject({ code: 'TFR_DECODE', file, record: 0 });
      await expect(rows.toArray()).rejects.toThrow(message);
      let reports = 0;
      const skipping = rows.onError({ action: 'skip', maxRate: 1, report: () => reports++ });
      expect(await skipping.toArray()).toEqual([{ id: 7, n: 7 }]);
      expect(reports).toBe(1);
      expect(await rows.onError('stop').toArray()).toEqual([]);
    }
  });

  test('text that is not UTF-8 is an error; bytes may be anything', async () => {
    const file = folder.put('latin1.csv', Buffer.from('id,t\n1,\xfc\n', 'latin1'));
    await expect(Dataset.csv(file, { columns: { t: '' } }).toArray()).rejects.toMatchObject({
      code: 'TFR_DECODE',
      record: 1,
    });
    const rows = await Dataset.csv(file, { columns: { t: new Uint8Array() } }).toArray();
    expect(rows).toEqual([{ t: Uint8Array.from([0xfc]) }]);
  });
});

test('wrong arguments', () => {
  const csv = Dataset.csv as (...args: unknown[]) => unknown;
  const codeOf = (options?: unknown): unknown => (thrown(() => csv('a', options)) as { code?: string }).code;
  expect(codeOf()).toBe('ERR_INVALID_ARG_TYPE');
  expect(codeOf({ columns: {} })).toBe('ERR_INVALID_ARG_VALUE');
  expect(codeOf({ columns: { a: true } })).toBe('ERR_INVALID_ARG_TYPE');
  expect(codeOf({ columns: { a: { dtype: 'string' } } })).toBe('ERR_INVALID_ARG_VALUE');
  expect(codeOf({ columns: { a: { dtype: 'text', default: 3 } } })).toBe('ERR_INVALID_ARG_TYPE');
  expect(codeOf({ columns: { a: { dtype: 'int32', default: 0.5 } } })).toBe('ERR_INVALID_ARG_VALUE');
  expect(codeOf({ columns, delimiter: ';;' })).toBe('ERR_INVALID_ARG_VALUE');
  expect(codeOf({ columns, header: 1 })).toBe('ERR_INVALID_ARG_TYPE');
  expect(codeOf({ columns, separator: ',' })).toBe('ERR_INVALID_ARG_VALUE');
});
