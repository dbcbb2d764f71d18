/** Writes scalars as a file of Parquet. */
import type { ValueBlock } from '../../../events';
import type { WrittenBatch } from '../../../sql';
import { onDemand } from '../../on-demand';
import { SCALAR_COLUMNS } from './print-scalars';

/** DuckDB holds a row group in memory. */
const ROW_GROUP_BYTES = 8 * 1024 * 1024;

/**
 * Writes the values that `read` gives to the file `path`. Resolves with their number. @throws TFRecordError without DuckDB,
 * and if writing fails
 */
export async function writeParquet(
  path: string,
  read: (take: (block: ValueBlock) => Promise<boolean>) => Promise<number>,
): Promise<number> {
  const { EVENT_COLUMNS, EventVectors, ParquetWriter } = onDemand.sql;
  const indices = SCALAR_COLUMNS.map((name) => EVENT_COLUMNS.findIndex((column) => column.name === name));
  // Each scalar has a value.
  const columns = indices.map((index) => ({ ...EVENT_COLUMNS[index]!, nullable: false }));
  const vectors = new EventVectors();
  const writer = await ParquetWriter.open<WrittenBatch>(path, { columns }, { rowGroupBytes: ROW_GROUP_BYTES });
  try {
    const rows = await read(async (block) => {
      const waits = writer.write({ rows: block.rows, vectors: indices.map((index) => vectors.of(block, index)) });
      if (waits !== undefined) await waits;
      return true;
    });
    await writer.close();
    return rows;
  } finally {
    await writer.abort();
  }
}
