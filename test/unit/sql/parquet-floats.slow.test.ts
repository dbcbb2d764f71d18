/** Every bit of floats through Parquet: zeros of both signs, NaNs with payloads, values that repeat and that do not. */
import { DuckDBConnection } from '@duckdb/node-api';

import { newTable, type FeatureColumn, type TableBatch, type Vector } from '../../../lib/table';
import { openParquet, ParquetWriter } from '../../../lib/sql';
import { Folder } from '../../support/records/record-files';

const folder = new Folder();
afterAll(() => {
  folder.remove();
});

const column = (key: string, shape: FeatureColumn['shape'], section: 0 | 1 = 0): FeatureColumn => {
  return { key, section, dtype: 'float32', shape, nullable: true };
};
/** Zeros, ones, infinities, NaNs quiet and signalling, the smallest and the largest numbers, of both signs. */
const FEW = [0, 0x3f800000, 0x7f800000, 0x7fc00000, 0x7fc00001, 0x7f800001, 0x7f812345, 1, 0x007fffff, 0x7f7fffff];
const PATTERNS = [...FEW, ...FEW.map((bits) => bits + 2 ** 31)];
/** The bits of float32 values, by a random number of 32 bits. */
const BITS: Readonly<Record<string, (random: number) => number>> = {
  zeros: (random) => (random >>> 31) * 2 ** 31,
  few: (random) => PATTERNS[(random >>> 8) % PATTERNS.length]!,
  any: (random) => random,
};
const KINDS = Object.keys(BITS);
const FLOATS = newTable(
  KINDS.flatMap((kind) => [
    column(`${kind} scalar`, []),
    column(`${kind} list`, undefined),
    column(`${kind} array`, [4]),
    column(`${kind} steps`, undefined, 1),
  ]),
  true,
);

let state = 1;
/** Returns the next of random numbers that are the same in each run. */
function random(): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state;
}

function values(kind: string, count: number): Float32Array<ArrayBuffer> {
  const bits = BITS[kind]!;
  return new Float32Array(Uint32Array.from({ length: count }, () => bits(random())).buffer);
}

/** Positions of lists that have 0 to `most` items. */
function positions(lists: number, most: number): Int32Array<ArrayBuffer> {
  const ends = new Int32Array(lists + 1);
  for (let i = 0; i < lists; i++) ends[i + 1] = ends[i]! + (i % (most + 1));
  return ends;
}

/** A batch of {@link FLOATS}, with 10 values of each kind in a row, on the average. */
function randomBatch(rows: number): TableBatch {
  const none = { validity: undefined, nulls: 0, steps: undefined, splits: undefined, offsets: undefined };
  const places = KINDS.flatMap((kind): Partial<Vector>[] => {
    const splits = positions(rows, 4);
    const steps = positions(rows, 2);
    const stepSplits = positions(steps.at(-1)!, 5);
    return [
      { values: values(kind, rows) },
      { splits, values: values(kind, splits.at(-1)!) },
      { values: values(kind, 4 * rows) },
      { steps, splits: stepSplits, values: values(kind, stepSplits.at(-1)!) },
    ];
  });
  return { rows, vectors: places.map((own, i) => ({ column: FLOATS.columns[i]!, rows, ...none, ...own }) as Vector) };
}

const bytesOf = (values: Vector['values']): Buffer => Buffer.from(values.buffer, values.byteOffset, values.byteLength);

test('4 million floats come back bit for bit: scalars, lists, arrays, and steps of lists', async () => {
  const path = folder.at('floats.parquet');
  const written = FLOATS.columns.map((): Buffer[] => []);
  let count = 0;
  const writer = await ParquetWriter.open(path, FLOATS);
  while (count < 4_000_000) {
    const batch = randomBatch(10_000);
    batch.vectors.forEach(({ values }, i) => {
      written[i]!.push(bytesOf(values));
      count += values.length;
    });
    await writer.write(batch);
  }
  await writer.close();

  const read = FLOATS.columns.map((): Buffer[] => []);
  const file = await openParquet(path);
  for await (const { vectors } of file.batches()) {
    vectors.forEach(({ values }, i) => read[i]!.push(Buffer.from(bytesOf(values))));
  }
  file.close();
  FLOATS.columns.forEach(({ name }, i) => {
    const [before, after] = [Buffer.concat(written[i]!), Buffer.concat(read[i]!)];
    expect([name, after.length, firstDifference(before, after)]).toEqual([name, before.length, undefined]);
  });
});

/** The number of the first float that differs, with both. */
function firstDifference(before: Buffer, after: Buffer): string | undefined {
  if (before.equals(after)) return undefined;
  let at = 0;
  while (before.readUInt32LE(at) === after.readUInt32LE(at)) at += 4;
  return `${at / 4}: ${before.readUInt32LE(at).toString(16)} -> ${after.readUInt32LE(at).toString(16)}`;
}

test.each(['float32', 'int64'] as const)('a table of %s: only one without floats has dictionaries', async (dtype) => {
  const path = folder.at(`${dtype}.parquet`);
  const table = newTable(
    [
      { ...column('a', []), dtype },
      { ...column('b', []), dtype: 'int64' },
    ],
    false,
  );
  const rows = 3000;
  const none = { rows, validity: undefined, nulls: 0, steps: undefined, splits: undefined, offsets: undefined };
  const vectors = table.columns.map((own): Vector => {
    return { ...none, column: own, values: own.dtype === 'int64' ? new BigInt64Array(rows) : new Float32Array(rows) };
  });
  const writer = await ParquetWriter.open(path, table);
  await writer.write({ rows, vectors });
  await writer.close();
  const connection = await DuckDBConnection.create();
  const found = await connection.runAndReadAll(`SELECT encodings FROM parquet_metadata('${path}')`);
  connection.closeSync();
  const dictionary = dtype === 'int64';
  expect(found.getRowsJS().map(([encodings]) => JSON.stringify(encodings).includes('DICTIONARY'))).toEqual([
    dictionary,
    dictionary,
  ]);
});
