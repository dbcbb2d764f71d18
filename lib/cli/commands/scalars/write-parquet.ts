/** Writes scalars as a file of Parquet. */
import type { ValueBlock } from '../../../events';
import type { WrittenBatch } from '../../../sql';
import { onDemand } from '../../on-demand';
import { SCALAR_COLUMNS } from './print-scalars';

const DTYPES = { run: 'text', tag: 'text', step: 'int64', wall_time: 'float64', value: 'float64' } as const;
const COLUMNS = SCALAR_COLUMNS.map((name) => {
  return { name, key: name, section: 0, dtype: DTYPES[name], shape: [], nullable: false } as const;
});

/**
 * Writes the values that `read` gives to the file `path`. Resolves with their number. @throws TFRecordError without DuckDB,
 * and if writing fails
 */
export async function writeParquet(
  path: string,
  read: (take: (block: ValueBlock) => Promise<boolean>) => Promise<number>,
): Promise<number> {
  const { ParquetWriter } = onDemand.sql;
  const writer = await ParquetWriter.open<WrittenBatch>(path, { columns: COLUMNS });
  try {
    const rows = await read(async (block) => {
      const waits = writer.write({ rows: block.rows, vectors: vectorsOf(block) });
      if (waits !== undefined) await waits;
      return true;
    });
    await writer.close();
    return rows;
  } finally {
    await writer.abort();
  }
}

/** The columns of `block`, in the order of `COLUMNS`. */
function vectorsOf({ run, tags, rows, tagIds, steps, wallTimes, scalars }: ValueBlock): WrittenBatch['vectors'] {
  const texts = (
    of: (row: number) => Uint8Array,
  ): { offsets: Int32Array<ArrayBuffer>; values: Uint8Array<ArrayBuffer> } => {
    const offsets = new Int32Array(rows + 1);
    for (let row = 0; row < rows; row++) offsets[row + 1] = offsets[row]! + of(row).length;
    const values = new Uint8Array(offsets[rows]!);
    for (let row = 0; row < rows; row++) values.set(of(row), offsets[row]);
    return { offsets, values };
  };
  const runName = Buffer.from(run);
  const data = [
    texts(() => runName),
    texts((row) => tags[tagIds[row]!]!.bytes),
    { offsets: undefined, values: steps.slice(0, rows) },
    { offsets: undefined, values: wallTimes.slice(0, rows) },
    { offsets: undefined, values: scalars.slice(0, rows) },
  ];
  const whole = { rows, validity: undefined, nulls: 0, steps: undefined, splits: undefined };
  return COLUMNS.map((column, i) => ({ column, ...whole, ...data[i]! }));
}
