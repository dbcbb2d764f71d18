/** Columns of nested lists: the form of all features in Arrow. */
import type { Data, DataType, Field, RecordBatch, Schema } from 'apache-arrow';

import { newBits, type DType } from '../tensor';
import { arrow } from './peer';
import { itemsOf, typeId, TYPES } from './read-place';

/** A level of lists: of any length (the start of each list among the items one level below), or all of one size. */
export type Level = Int32Array | number;

/** The values of a column: numbers, or the data of byte strings. */
export interface Leaf {
  readonly values: NodeJS.TypedArray;
  /** For byte strings: the start of each value's data. */
  readonly offsets?: Int32Array | undefined;
}

/** A column: rows of values, or of nested lists of values. */
export interface NestedColumn {
  readonly rows: number;
  /** A bit for each row, lowest first: 1 if the row has a value. Undefined if all rows have one. */
  readonly validity?: Uint8Array | undefined;
  readonly nulls: number;
  /** The levels, outermost first. */
  readonly levels: readonly Level[];
  readonly leaf: Leaf;
}

/** The type of values of `dtype`. */
export function valueType(dtype: DType): DataType {
  const { Binary, Float32, Int64, Utf8 } = arrow();
  switch (dtype) {
    case 'int64':
      return new Int64();
    case 'float32':
      return new Float32();
    case 'bytes':
      return new Binary();
    case 'text':
      return new Utf8();
  }
}

/** The type of the files of Hugging Face's `datasets`: their bytes, and a path, which is null. */
export function fileType(): DataType {
  const { Binary, Field: ArrowField, Struct, Utf8 } = arrow();
  return new Struct([new ArrowField('bytes', new Binary(), true), new ArrowField('path', new Utf8(), true)]);
}

/** The type of nested lists of `inner`. `levels`: the sizes of the lists, outermost first; undefined for any length.
 * `nullable`: true if the type allows nulls in lists. Default: false. */
export function listType(levels: readonly (number | undefined)[], inner: DataType, nullable = false): DataType {
  const { List, FixedSizeList } = arrow();
  return levels.reduceRight<DataType>(
    (type, size) =>
      size === undefined ? new List(itemOf(type, nullable)) : new FixedSizeList(size, itemOf(type, nullable)),
    inner,
  );
}

/** The items of lists. Features have no nulls in lists. */
function itemOf(type: DataType, nullable: boolean): Field {
  return new (arrow().Field)('item', type, nullable);
}

/** Converts `column` to Arrow, over the same memory. `type` must have its levels. */
export function dataOf(type: DataType, { rows, validity, nulls, levels, leaf }: NestedColumn): Data {
  const counts: number[] = [rows];
  for (const level of levels) {
    const items = counts.at(-1)!;
    counts.push(typeof level === 'number' ? items * level : level[items]!);
  }
  const { makeData } = arrow();
  const at = (inner: DataType, depth: number): Data => {
    // Only rows may be null.
    const nullable = depth === 0 && validity !== undefined ? { nullBitmap: validity, nullCount: nulls } : NO_NULLS;
    const common = { type: inner, length: counts[depth]!, ...nullable };
    const level = levels[depth];
    const items = itemsOf(inner);
    if (typeId(inner) === TYPES.Struct)
      return makeData({ ...common, children: filesOf(inner, common.length, leaf) } as never);
    if (level === undefined || items === undefined) {
      return makeData({ ...common, data: leaf.values, valueOffsets: leaf.offsets } as never);
    }
    const child = at(items, depth + 1);
    return makeData({ ...common, child, valueOffsets: typeof level === 'number' ? undefined : level } as never);
  };
  return at(type, 0);
}

const NO_NULLS = { nullCount: 0 };

/** The children of a {@link fileType} for `length` values. */
function filesOf(type: DataType, length: number, { values, offsets }: Leaf): Data[] {
  const { makeData } = arrow();
  const [bytes, path] = type.children.map((child: Field): DataType => child.type as DataType);
  const noPaths = { nullBitmap: newBits(length), nullCount: length };
  return [
    makeData({ type: bytes!, length, ...NO_NULLS, data: values, valueOffsets: offsets } as never),
    makeData({
      type: path!,
      length,
      ...noPaths,
      data: new Uint8Array(0),
      valueOffsets: new Int32Array(length + 1),
    } as never),
  ];
}

/** Makes the batch of `rows` rows of `children`, one for each field of `schema`. */
export function batchOf(schema: Schema, rows: number, children: Data[]): RecordBatch {
  const { RecordBatch: Batch, Struct, makeData } = arrow();
  return new Batch(schema, makeData({ type: new Struct(schema.fields), length: rows, nullCount: 0, children }));
}
