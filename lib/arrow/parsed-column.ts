/** Converts columns of parsed batches to columns of Arrow. */
import { types } from 'node:util';

import type { Data, DataType } from 'apache-arrow';

import { arrayClass, counted, invalidArgValue, isInteger, viewOf } from '../base';
import { splitsGiven, valuesGiven } from '../example';
import { givenLength, unsharedBytes } from '../io';
import {
  BytesArray,
  countSet,
  gather,
  isDense,
  isNullable,
  isRagged,
  isSparse,
  newBytesArray,
  ownBits,
  ownInt64s,
  sizeOf,
  stepsOf,
  zeroOf,
  type AnyDense,
  type AnyNullable,
  type AnyRagged,
  type AnySparse,
  type Column,
  type DType,
} from '../tensor';
import { dataOf, listType, valueType, type Leaf, type Level } from './nested';
import { arrow } from './peer';

/** A column of Arrow. */
export interface ArrowColumn {
  readonly type: DataType;
  readonly data: Data;
  /** True if rows may be null. Default: false. */
  readonly nullable?: boolean;
}

/** The column of a batch that is being converted. */
interface ColumnPlace {
  /** Its name in errors. */
  readonly place: string;
  readonly feature: string;
  readonly rows: number;
  /** The number of steps of each record, if the caller has them. */
  readonly lengths: unknown;
}

/** Converts `value` to a column; undefined if it is not a column. @throws TypeError, RangeError */
export function parsedColumn(at: ColumnPlace, value: unknown): ArrowColumn | undefined {
  const { place, rows } = at;
  if (isDense(value)) return denseColumn(at, value);
  if (isSparse(value)) return value.rowSplits === undefined ? coordinates(at, value) : sparseLists(at, value);
  if (isRagged(value)) return raggedColumn(at, value);
  if (isNullable(value)) return nullableColumn(at, value);
  if (value instanceof BytesArray) return flat(at, 'bytes', value);
  if (Array.isArray(value)) return flat(at, 'text', value);
  if (!types.isTypedArray(value)) return undefined;
  if (types.isFloat32Array(value)) return flat(at, 'float32', value);
  if (types.isBigInt64Array(value) || types.isFloat64Array(value)) return flat(at, 'int64', value);
  const type = integerType(value);
  return type && columnOf(type, rows, [], { values: ownIntegers(place, value) });
}

function flat(at: ColumnPlace, dtype: DType, value: unknown): ArrowColumn {
  return columnOf(valueType(dtype), at.rows, [], leafOf(at, at.place, dtype, value, at.rows));
}

/** A column without nulls. */
function columnOf(value: DataType, rows: number, levels: readonly Level[], leaf: Leaf): ArrowColumn {
  const sizes = levels.map((level) => (typeof level === 'number' ? level : undefined));
  const type = listType(sizes, value);
  return { type, data: dataOf(type, { rows, nulls: 0, levels, leaf }) };
}

function nullableColumn(at: ColumnPlace, { dtype, values, validity: given }: AnyNullable): ArrowColumn {
  const { place, rows } = at;
  const leaf = leafOf(at, `${place}.values`, dtype, values, rows);
  const validity = ownBits(`${place}.validity`, given, rows);
  const type = valueType(dtype);
  const nulls = rows - countSet(validity, rows);
  return { type, data: dataOf(type, { rows, validity, nulls, levels: [], leaf }), nullable: true };
}

interface CheckedLeaf extends Leaf {
  readonly length: number;
}

/** The values of a column. `count`: their number, if it is known. @throws TypeError */
function leafOf(at: ColumnPlace, place: string, dtype: DType, column: unknown, count?: number): CheckedLeaf {
  const { values, offsets, length } = valuesGiven(place, at.feature, dtype, column);
  if (count !== undefined && length !== count) throw invalidArgValue(place, `of ${counted(count, 'value')}`, length);
  if (offsets !== undefined) checkOffsets(place, offsets, values.length);
  return { values, offsets, length };
}

/** Users can overwrite offsets, and Arrow does not check them. @throws TypeError */
function checkOffsets(place: string, offsets: Int32Array, size: number): void {
  let before = 0;
  for (const offset of offsets) {
    if (!(offset >= before && offset <= size)) {
      throw invalidArgValue(`${place}.offsets`, `ascending, from 0 to the length of the data, ${size}`, offset);
    }
    before = offset;
  }
}

/** The type of integers that features cannot have, but columns of datasets can. */
function integerType(array: NodeJS.TypedArray): DataType | undefined {
  const { Int8, Int16, Int32, Uint8, Uint16, Uint32, Uint64 } = arrow();
  if (types.isInt8Array(array)) return new Int8();
  if (types.isInt16Array(array)) return new Int16();
  if (types.isInt32Array(array)) return new Int32();
  if (types.isUint8Array(array) || types.isUint8ClampedArray(array)) return new Uint8();
  if (types.isUint16Array(array)) return new Uint16();
  if (types.isUint32Array(array)) return new Uint32();
  return types.isBigUint64Array(array) ? new Uint64() : undefined;
}

/**
 * The elements of `array`, regardless of overridden properties; a copy if other threads may change them. @throws
 * TypeError for detached memory
 */
function ownIntegers(place: string, array: NodeJS.TypedArray): NodeJS.TypedArray {
  const length = givenLength(place, array);
  const { buffer, byteOffset } = unsharedBytes(viewOf(array, 0, length * array.BYTES_PER_ELEMENT));
  return new (arrayClass(array))(buffer, byteOffset, length);
}

function denseColumn(at: ColumnPlace, tensor: AnyDense): ArrowColumn {
  const { place, rows, lengths } = at;
  const { dtype, shape, data } = tensor;
  const [, ...inner] = shape;
  const leaf = leafOf(at, `${place}.data`, dtype, data, sizeOf(shape));
  const steps = rows === 0 || inner.length === 0 ? undefined : stepCounts(at, tensor);
  if (lengths === undefined && steps === undefined) return columnOf(valueType(dtype), rows, inner, leaf);
  const [width = 0, ...step] = inner;
  const splits = new Int32Array(rows + 1);
  for (let row = 0; row < rows; row++) splits[row + 1] = splits[row]! + steps![row]!;
  const levels = [splits, ...step];
  if (splits[rows] === rows * width) return columnOf(valueType(dtype), rows, levels, leaf);
  return columnOf(valueType(dtype), rows, levels, unpadded(dtype, leaf, splits, width, sizeOf(step)));
}

/** The number of steps of each row. In a padded tensor, all rows are as long as the longest one. @throws TypeError */
function stepCounts({ place, rows, lengths }: ColumnPlace, tensor: AnyDense): ArrayLike<number> | undefined {
  if (lengths === undefined) {
    if (stepsOf(tensor, 0) === undefined) return undefined;
    return Array.from({ length: rows }, (_, row) => stepsOf(tensor, row)!);
  }
  const name = place.replace('.sequence.', '.lengths.');
  if (!types.isInt32Array(lengths) || lengths.length !== rows) {
    throw invalidArgValue(name, `an Int32Array of ${rows} lengths`, lengths);
  }
  const counts = lengths.slice();
  const width = tensor.shape[1]!;
  for (const count of counts) {
    if (!isInteger(count, 0, width)) throw invalidArgValue(name, `lengths from 0 to ${width}`, count);
  }
  return counts;
}

/** The values of steps with `size` values each, without the padding of rows to `width` steps. */
function unpadded(dtype: DType, leaf: CheckedLeaf, splits: Int32Array, width: number, size: number): Leaf {
  const rows = splits.length - 1;
  const sources = new Int32Array(splits[rows]! * size);
  let to = 0;
  for (let row = 0; row < rows; row++) {
    const first = row * width * size;
    const count = (splits[row + 1]! - splits[row]!) * size;
    for (let i = 0; i < count; i++) sources[to++] = first + i;
  }
  const { values, offsets } = leaf;
  if (offsets === undefined)
    return { values: gather(values as Exclude<Column, BytesArray>, sources, zeroOf(dtype)) as NodeJS.TypedArray };
  const kept = gather(newBytesArray(values as Uint8Array<ArrayBuffer>, offsets), sources, zeroOf('bytes'));
  return { values: kept.data, offsets: kept.offsets };
}

function sparseLists(at: ColumnPlace, { dtype, values, rowSplits }: AnySparse): ArrowColumn {
  const leaf = leafOf(at, `${at.place}.values`, dtype, values);
  return columnOf(valueType(dtype), at.rows, levelsOf(at, rowSplits!, leaf.length), leaf);
}

function raggedColumn(at: ColumnPlace, { dtype, values, rowSplits }: AnyRagged): ArrowColumn {
  const [count = 0, ...inner] = values.shape;
  const leaf = leafOf(at, `${at.place}.values`, dtype, values.data, sizeOf(values.shape));
  return columnOf(valueType(dtype), at.rows, [...levelsOf(at, rowSplits, count), ...inner], leaf);
}

/**
 * Splits of all levels, outermost first. `count`: number of the values, or rows, below the last level. @throws
 * TypeError
 */
function levelsOf({ place, rows }: ColumnPlace, rowSplits: AnyRagged['rowSplits'], count: number): Int32Array[] {
  const lengths = rowSplits.map((splits, k) => givenLength(`${place}.rowSplits[${k}]`, splits) - 1);
  if (rowSplits.length > 0 && lengths[0] !== rows)
    throw invalidArgValue(place, `of ${counted(rows, 'row')}`, lengths[0]);
  return rowSplits.map((splits, k) => splitsGiven(`${place}.rowSplits[${k}]`, splits, lengths[k + 1] ?? count));
}

/** Lists of coordinates and values: the form of sparse tensors with values at any position. */
function coordinates(at: ColumnPlace, { dtype, values, denseShape, indices }: AnySparse): ArrowColumn {
  const { place, rows } = at;
  const leaf = leafOf(at, `${place}.values`, dtype, values);
  const rank = denseShape.length;
  const given = ownInt64s(`${place}.indices`, indices);
  if (rank < 2 || given.length !== leaf.length * rank) {
    throw invalidArgValue(
      `${place}.indices`,
      `${rank} coordinates, two or more, for each of ${counted(leaf.length, 'value')}`,
      given,
    );
  }
  const inner = new BigInt64Array(leaf.length * (rank - 1));
  const splits = new Int32Array(rows + 1);
  let before = 0;
  for (let i = 0, to = 0; i < leaf.length; i++) {
    const row = Number(given[i * rank]);
    if (!isInteger(row, before, rows - 1)) {
      throw invalidArgValue(`${place}.indices`, `of rows that ascend, from 0 to ${rows - 1}`, row);
    }
    before = row;
    splits[row + 1]!++;
    for (let k = 1; k < rank; k++) inner[to++] = given[i * rank + k]!;
  }
  for (let row = 0; row < rows; row++) splits[row + 1]! += splits[row]!;
  const { Field, List, Struct, makeData } = arrow();
  const index = columnOf(valueType('int64'), leaf.length, rank === 2 ? [] : [rank - 1], { values: inner });
  const value = columnOf(valueType(dtype), leaf.length, [], leaf);
  const struct = new Struct([new Field('index', index.type, false), new Field('value', value.type, false)]);
  const type = new List(new Field('item', struct, false));
  const child = makeData({ type: struct, length: leaf.length, nullCount: 0, children: [index.data, value.data] });
  return { type, data: makeData({ type, length: rows, nullCount: 0, valueOffsets: splits, child }) };
}
