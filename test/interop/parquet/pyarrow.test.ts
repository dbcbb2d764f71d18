/** Files of Parquet: pyarrow reads ours, and we read pyarrow's. */
import { join } from 'node:path';

import {
  bytes,
  decodeExample,
  decodeSequenceExample,
  encodeExample,
  encodeSequenceExample,
  float,
  int64,
  type TFRecordError,
} from '../../../lib';
import {
  columnsText,
  COLUMNS_KEY,
  encodeTable,
  newTable,
  readTable,
  type FeatureColumn,
  type Table,
} from '../../../lib/table';
import { openParquet, ParquetWriter, type ParquetOptions, type ParquetReadOptions } from '../../../lib/sql';
import { Folder } from '../../support/records/record-files';
import { tfrecord } from '../../support/records/tfrecord';
import { withPackage } from '../python';

const { describe, python: pyarrow } = withPackage('pyarrow', join(__dirname, 'peer.py'));

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

const list = (key: string, dtype: FeatureColumn['dtype'], more: Partial<FeatureColumn> = {}): FeatureColumn => {
  return { key, section: 0, dtype, shape: undefined, nullable: true, ...more };
};

interface Read {
  readonly schema: Record<string, string>;
  readonly rows: readonly unknown[];
  readonly metadata: Record<string, string>;
  readonly groups: number;
}

/** The file that we write, as pyarrow reads it. */
async function ours(records: readonly Uint8Array[], table: Table, options?: ParquetOptions): Promise<Read> {
  const file = folder.at('ours.parquet');
  const writer = await ParquetWriter.open(file, table, { metadata: { [COLUMNS_KEY]: columnsText(table) }, ...options });
  for await (const batch of readTable(tfrecord(records), table).pieces(1000)) await writer.write(batch);
  await writer.close();
  return JSON.parse(pyarrow('values', file)) as Read;
}

/** The records of a file that pyarrow wrote. */
async function theirs(file: string, options?: ParquetReadOptions): Promise<Uint8Array[]> {
  const opened = await openParquet(file, options);
  const records: Uint8Array[] = [];
  try {
    for await (const { vectors, rows } of opened.batches()) records.push(...encodeTable(opened.table, vectors, rows));
  } finally {
    opened.close();
  }
  expect(records).toHaveLength(opened.rows);
  return records;
}

/** Values as they are, bytes by their codes. */
function valuesOf(record: Uint8Array): Record<string, unknown[]> {
  return Object.fromEntries(
    Object.entries(decodeExample(record)).map(([name, feature]) => [name, plain(feature!.values)]),
  );
}

function plain(values: Iterable<unknown>): unknown[] {
  return [...values].map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value));
}

const bits = (...values: number[]): string[] =>
  values.map((value) => {
    const buffer = Buffer.alloc(4);
    buffer.writeFloatBE(value);
    return buffer.toString('hex');
  });

describe('pyarrow', () => {
  test.each(['snappy', 'zstd', 'gzip', 'uncompressed'] as const)('reads our Examples, %s', async (compression) => {
    const table = newTable(
      [
        list('id', 'int64'),
        list('f', 'float32'),
        list('b', 'bytes'),
        list('t', 'text', { shape: [] }),
        list('box', 'float32', { shape: [2, 1] }),
        list('name/with "quotes"', 'text'),
      ],
      false,
    );
    const records = [
      encodeExample({
        id: int64([-(2n ** 63n), 2n ** 63n - 1n]),
        f: float([NaN, -0, 1e-45]),
        b: bytes([Uint8Array.of(255), new Uint8Array(0)]),
        t: 'ä',
        box: float([1, 2]),
        'name/with "quotes"': ['x', 'y'],
      }),
      encodeExample({}),
      encodeExample({ id: int64([]), f: float([]), b: bytes([]), t: '' }),
    ];
    const { schema, rows, metadata } = await ours(records, table, { compression });
    expect(schema).toMatchObject({ t: 'string', b: expect.stringMatching(/^list<\w+: binary>$/) as string });
    const none = { t: null, box: null, 'name/with "quotes"': null };
    expect(rows).toEqual([
      {
        id: ['-9223372036854775808', '9223372036854775807'],
        f: bits(NaN, -0, 1e-45),
        b: ['ff', ''],
        t: 'ä',
        box: bits(1, 2).map((value) => [value]),
        'name/with "quotes"': ['x', 'y'],
      },
      { id: null, f: null, b: null, ...none },
      { id: [], f: [], b: [], ...none, t: '' },
    ]);
    expect(JSON.parse(metadata[COLUMNS_KEY]!)).toEqual(JSON.parse(columnsText(table)));
  });

  test('reads our SequenceExamples', async () => {
    const table = newTable(
      [
        list('id', 'int64', { shape: [] }),
        list('x', 'float32', { section: 1, shape: [2] }),
        list('w', 'text', { section: 1 }),
      ],
      true,
    );
    const record = encodeSequenceExample({
      context: { id: int64(1) },
      featureLists: { x: [float([1, 2]), float([3, 4])], w: [['a', 'b'], bytes([])] },
    });
    const { rows } = await ours([record, encodeSequenceExample({ featureLists: { w: [] } })], table);
    expect(rows).toEqual([
      { id: '1', x: [bits(1, 2), bits(3, 4)], w: [['a', 'b'], []] },
      { id: null, x: null, w: [] },
    ]);
  });

  test('reads our files of several row groups, and of no rows', async () => {
    const table = newTable([list('id', 'int64', { shape: [] }), list('raw', 'bytes')], false);
    const records = Array.from({ length: 10_000 }, (_, i) =>
      encodeExample({ id: int64(i), raw: bytes([new Uint8Array(500).fill(i)]) }),
    );
    const { rows, groups } = await ours(records, table, { rowGroupBytes: 1_000_000 });
    expect(groups).toBeGreaterThan(2);
    expect(rows.map((row) => (row as { id: string }).id)).toEqual(records.map((_, i) => String(i)));
    const empty = await ours([], table);
    expect([empty.rows, Object.keys(empty.schema)]).toEqual([[], ['id', 'raw']]);
  });

  test('writes files that we read: all types, row groups, dictionaries, zstd', async () => {
    const file = folder.at('theirs.parquet');
    pyarrow('write', file);
    const records = await theirs(file);
    const three = [
      {
        i8: [1n],
        i64: [-(2n ** 63n)],
        u64: [2n ** 63n - 1n],
        f16: [0.5],
        f32: [NaN],
        f64: [0.5],
        yes: [1n],
        text: ['a'],
        raw: ['\xff'],
        fixed: ['ab'],
        list: [1n, 2n],
        pair: [1, 2],
        dict: ['x'],
        words: ['x', 'y'],
      },
      { u64: [0n], raw: [''] },
      {
        i8: [-128n],
        i64: [2n ** 63n - 1n],
        f16: [-0],
        f32: [-0],
        f64: [-Infinity],
        yes: [0n],
        text: ['Ã©'],
        fixed: ['cd'],
        list: [],
        pair: [3, 4],
        dict: ['y'],
        words: ['x'],
      },
    ];
    expect(records).toHaveLength(3000);
    for (const [i, record] of records.entries()) expect(valuesOf(record)).toEqual(three[i % 3]);
  });

  test('writes lists of lists, which are feature lists', async () => {
    const file = folder.at('steps.parquet');
    pyarrow('steps', file);
    const records = await theirs(file);
    const steps = records.map((record) => {
      const { context, featureLists } = decodeSequenceExample(record);
      return [plain(context['id']!.values), featureLists['x']!.map((step) => plain(step!.values))];
    });
    expect(steps).toEqual([
      [[1n], [[1, 2], []]],
      [[2n], []],
    ]);
  });

  test('what no feature can hold is refused by name', async () => {
    pyarrow('refused', folder.path);
    const refusal = async (name: string, options?: ParquetReadOptions): Promise<string> => {
      const file = folder.at(`${name}.parquet`);
      return theirs(file, { file: name, ...options }).then(
        (records) =>
          JSON.stringify(records.map(valuesOf), (_, value: unknown) =>
            typeof value === 'bigint' ? `${value}` : value,
          ),
        (error: unknown) => `${(error as TFRecordError).code} ${(error as Error).message}`,
      );
    };
    for (const [name, type] of [
      ['decimal', 'DECIMAL(3,2)'],
      ['timestamp', 'TIMESTAMP'],
      ['date', 'DATE'],
      ['time', 'TIME'],
      ['map', 'MAP(VARCHAR, BIGINT)'],
      ['deep', 'BIGINT[][][]'],
    ] as const) {
      expect(await refusal(name)).toContain(`TFR_FEATURE ${name}: Column "${name}" is of the type ${type}`);
    }
    expect(await refusal('u64')).toMatch(
      /^TFR_FEATURE u64: Column "u64" .* int64 cannot hold .*: 9223372036854775808\. Name the features/,
    );
    expect(await refusal('f64')).toMatch(
      /^TFR_FEATURE f64: Column "f64" .* float32 cannot hold .*: 0\.1\. Name the features/,
    );
    expect(await refusal('f64', { round: true })).toBe('[{"f64":[0.5]},{"f64":[0.10000000149011612]}]');
    expect(await refusal('struct')).toBe('[{"struct/a":["1"]}]');
    expect(await refusal('timestamp', { dates: 'text' })).toBe('[{"timestamp":["2024-03-01T00:00:00"]}]');
    expect(await refusal('timestamp', { dates: 'int64' })).toBe('[{"timestamp":["1709251200000000"]}]');
    expect(await refusal('date', { dates: 'text' })).toBe('[{"date":["2024-03-01"]}]');
    expect(await refusal('time', { dates: 'text' })).toBe('[{"time":["12:00:00"]}]');
    expect(await refusal('nulls')).toMatch(/^TFR_FEATURE .*Column "nulls": expected values in its lists, found NULL/);
  });
});
