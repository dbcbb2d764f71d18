/** Writes scalars as a file of Parquet. */
import type { ValueBlock } from '../../../events';
import type { WrittenBatch } from '../../../sql';
import { onDemand } from '../../on-demand';
import { SCALAR_COLUMNS } from './print-scalars';

const DTYPES = { run: 'text', tag: 'text', step: 'int64', wall_time: 'float64', value: 'float64' } as const;
const COLUMNS = SCALAR_COLUMNS.map((name) => {
  return { name, key: name, section: 0, dtype: DTYPES[name], shape: [], nullable: false } as const;
});

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
  const { ParquetWriter } = onDemand.sql;
  const vectors = new BlockVectors();
  const writer = await ParquetWriter.open<WrittenBatch>(path, { columns: COLUMNS }, { rowGroupBytes: ROW_GROUP_BYTES });
  try {
    const rows = await read(async (block) => {
      const waits = writer.write({ rows: block.rows, vectors: vectors.of(block) });
      if (waits !== undefined) await waits;
      return true;
    });
    await writer.close();
    return rows;
  } finally {
    await writer.abort();
  }
}

/** The columns of blocks, in the order of `COLUMNS`. */
class BlockVectors {
  /** The texts of a column in which all rows have the same one. */
  #run = '';
  #same: Texts = { offsets: new Int32Array(1), values: new Uint8Array(0) };

  of({ run, tags, rows, tagIds, steps, wallTimes, scalars }: ValueBlock): WrittenBatch['vectors'] {
    const data = [
      this.#runs(run, rows),
      tagTexts(tags, tagIds, rows),
      { offsets: undefined, values: steps.slice(0, rows) },
      { offsets: undefined, values: wallTimes.slice(0, rows) },
      { offsets: undefined, values: scalars.slice(0, rows) },
    ];
    const whole = { rows, validity: undefined, nulls: 0, steps: undefined, splits: undefined };
    return COLUMNS.map((column, i) => ({ column, ...whole, ...data[i]! }));
  }

  #runs(run: string, rows: number): Texts {
    if (this.#run !== run || this.#same.offsets.length <= rows) {
      const name = Buffer.from(run);
      const offsets = Int32Array.from({ length: rows + 1 }, (_, row) => row * name.length);
      this.#run = run;
      this.#same = { offsets, values: new Uint8Array(rows * name.length) };
      Buffer.from(this.#same.values.buffer).fill(name);
    }
    return this.#same;
  }
}

interface Texts {
  readonly offsets: Int32Array<ArrayBuffer>;
  readonly values: Uint8Array<ArrayBuffer>;
}

function tagTexts(tags: ValueBlock['tags'], tagIds: Int32Array, rows: number): Texts {
  const offsets = new Int32Array(rows + 1);
  for (let row = 0, at = 0; row < rows; row++) offsets[row + 1] = at += tags[tagIds[row]!]!.bytes.length;
  const values = new Uint8Array(offsets[rows]!);
  for (let row = 0, at = 0; row < rows; row++) {
    const { bytes } = tags[tagIds[row]!]!;
    // Names are short: a call for each would take longer.
    for (let i = 0; i < bytes.length; i++) values[at + i] = bytes[i]!;
    at += bytes.length;
  }
  return { offsets, values };
}
