/** Encodes tables as records. */
import { callNative, newRecord } from '../base';
import {
  allocated,
  bytes,
  encodeFaultError,
  EncodeMemory,
  encodeSequenceExample,
  float,
  int64,
  type FeatureLike,
} from '../example';
import { ABSENT_ROW, native, type EncoderColumn } from '../native';
import { batchOf, encodedBatch, ENCODED, type RecordBatch } from '../record';
import { isSet, newBytesArray, sizeOf } from '../tensor';
import type { Table } from './table';
import type { Vector } from './vectors';

/**
 * Encodes `rows` rows as records. `vectors`: one for each column of `table`. A null becomes a record without the
 * feature. Positions need not begin at 0. The memory of `vectors` must not be shared with other threads.
 * @throws TypeError for positions outside of their values; TFRecordError TFR_RECORD_TOO_LARGE, ENOMEM
 */
export function encodeTable(table: Table, vectors: readonly Vector[], rows: number): RecordBatch {
  return table.sequenceExample ? encodeSequences(vectors, rows) : encodeFeatures(table, vectors, rows);
}

/** Data that all batches of a table share. */
interface PreparedTable {
  /** The columns in the byte order of their keys, which is the order of `encodeExample`. */
  readonly order: readonly number[];
  readonly memory: EncodeMemory;
}

const tables = new WeakMap<Table, PreparedTable>();

function prepare(table: Table): PreparedTable {
  let prepared = tables.get(table);
  if (prepared === undefined) {
    const { columns } = table.plan;
    const order = columns.map((_, i) => i).sort((a, b) => Buffer.compare(columns[a]!.key, columns[b]!.key));
    tables.set(table, (prepared = { order, memory: new EncodeMemory() }));
  }
  return prepared;
}

function encodeFeatures(table: Table, vectors: readonly Vector[], rows: number): RecordBatch {
  const { order, memory } = prepare(table);
  const columns = order.map((i): EncoderColumn => {
    const { key, kind } = table.plan.columns[i]!;
    const vector = vectors[i]!;
    const { starts, ends, count } = rangesOf(vector);
    return [key, kind, vector.values as Uint8Array, vector.offsets, starts, ends, count];
  });
  const frames = allocated(8 * rows, () => new Uint32Array(2 * rows));
  const filled = memory.fill({ reuse: undefined, columns, rows }, (slab, waste) =>
    callNative(ENCODED, () => native().encodeColumns(columns, frames, slab, waste)),
  );
  if ('code' in filled) throw encodeFaultError(filled, table.columns[order[filled.column]!]!.key);
  return encodedBatch(filled, frames);
}

interface Ranges {
  readonly starts: Int32Array | undefined;
  readonly ends: Int32Array | undefined;
  readonly count: number;
}

function rangesOf({ column, rows, validity, splits }: Vector): Ranges {
  const count = column.shape === undefined ? 0 : sizeOf(column.shape);
  if (validity === undefined) {
    if (splits === undefined) return { starts: undefined, ends: undefined, count };
    return { starts: splits.subarray(0, rows), ends: splits.subarray(1, rows + 1), count };
  }
  const starts = new Int32Array(rows);
  const ends = new Int32Array(rows);
  for (let row = 0; row < rows; row++) {
    if (!isSet(validity, row)) {
      starts[row] = ABSENT_ROW;
      continue;
    }
    starts[row] = splits === undefined ? row * count : splits[row]!;
    ends[row] = splits === undefined ? (row + 1) * count : splits[row + 1]!;
  }
  return { starts, ends, count };
}

function encodeSequences(vectors: readonly Vector[], rows: number): RecordBatch {
  const makers = vectors.map(featureMaker);
  const records: Uint8Array[] = [];
  for (let row = 0; row < rows; row++) {
    const context = newRecord<FeatureLike>();
    const featureLists = newRecord<FeatureLike[]>();
    vectors.forEach(({ column: { key, section }, validity, steps }, i) => {
      if (!isSet(validity, row)) return;
      const feature = makers[i]!;
      if (section === 0) context[key] = feature(row);
      else {
        const list: FeatureLike[] = (featureLists[key] = []);
        for (let step = steps![row]!; step < steps![row + 1]!; step++) list.push(feature(step));
      }
    });
    records.push(encodeSequenceExample({ context, featureLists }));
  }
  return batchOf(records, ENCODED);
}

/** Returns a function that makes the feature of a row, or of a step. */
function featureMaker({ column, splits, offsets, values }: Vector): (index: number) => FeatureLike {
  const count = column.shape === undefined ? 0 : sizeOf(column.shape);
  return (index) => {
    const begin = splits === undefined ? index * count : splits[index]!;
    const end = splits === undefined ? begin + count : splits[index + 1]!;
    if (offsets !== undefined)
      return bytes(newBytesArray(values as Uint8Array<ArrayBuffer>, offsets.subarray(begin, end + 1)));
    const part = values.subarray(begin, end);
    return part instanceof Float32Array ? float(part) : int64(part as BigInt64Array);
  };
}
