/** One record at a time, without an array a column: native code lays the values out in a block that is read at once. */
import { native } from '../../native';
import {
  isInherited,
  newBytesArray,
  newDenseTensor,
  newRow,
  setFeature,
  storeFeature,
  type Column,
  type DType,
  type Int64As,
} from '../../tensor';
import type { ElementValue } from './element';
import { newParser } from './parser';
import type { Plan, PlannedFeature } from './plan';

/** Larger rows are left to the parser of batches. */
const BLOCK_BYTES = 4096;

/** The block that native code leaves a row in, by every kind of number. See core/example/row_block.h. */
class RowBlock {
  readonly bytes = new Uint8Array(BLOCK_BYTES);
  readonly places = new Int32Array(this.bytes.buffer);
  readonly float32 = new Float32Array(this.bytes.buffer);
  readonly float64 = new Float64Array(this.bytes.buffer);
  readonly int64 = new BigInt64Array(this.bytes.buffer);
}

type Reader = (block: RowBlock) => ElementValue;

/** What is read without a call of a function by value. */
const enum Scalar {
  Float32,
  Int64,
  Float64,
  Bytes,
}

interface NamedReader {
  readonly name: string;
  /** True if every object inherits a property of that name. */
  readonly inherited: boolean;
  readonly read: Reader | Scalar;
  /** Where the block tells a scalar's value. */
  readonly place: number;
}

interface RowParser {
  readonly block: RowBlock;
  readonly parse: (record: Uint8Array, block: Uint8Array) => boolean;
  readonly readers: readonly NamedReader[];
}

const parsers: Record<Int64As, WeakMap<Plan, RowParser | 'none'>> = { bigint: new WeakMap(), number: new WeakMap() };

/** The element of `record`; undefined where it takes the parser of batches, if only to say what is wrong. */
export function parseRow(record: Uint8Array, plan: Plan, int64: Int64As): Record<string, ElementValue> | undefined {
  const found = parsers[int64].get(plan) ?? newRowParser(plan, int64);
  if (found === 'none' || !found.parse(record, found.block.bytes)) return undefined;
  const { block, readers } = found;
  const element = newRow() as Record<string, ElementValue>;
  for (let i = 0; i < readers.length; i++) {
    const { name, inherited, read, place } = readers[i]!;
    const value = typeof read === 'function' ? read(block) : scalarOf(block, read, place);
    if (inherited) setFeature(element, name, value);
    else storeFeature(element, i, name, value);
  }
  return element;
}

function scalarOf(block: RowBlock, scalar: Scalar, place: number): ElementValue {
  const { places } = block;
  const at = places[place]!;
  switch (scalar) {
    case Scalar.Float32:
      return block.float32[at >>> 2]!;
    case Scalar.Int64:
      return block.int64[at >>> 3]!;
    case Scalar.Float64:
      return block.float64[at >>> 3]!;
    default:
      return copiedBytes(block.bytes, places[at >>> 2]!, places[(at >>> 2) + 1]!);
  }
}

function newRowParser(plan: Plan, int64: Int64As): RowParser | 'none' {
  const readers: NamedReader[] = [];
  for (const feature of plan.features) {
    const read = readerOf(feature, int64);
    if (read === undefined) continue;
    const place = 2 * feature.columns[0]! + 1;
    readers.push({ name: feature.name, inherited: isInherited(feature.name), read, place });
  }
  let made: RowParser | 'none' = 'none';
  if (readers.length === plan.features.length) {
    const block = new RowBlock();
    made = { block, parse: native().parserRow(newParser(plan, int64)), readers };
  }
  parsers[int64].set(plan, made);
  return made;
}

/** Undefined for features that are composed of several columns. */
function readerOf({ details, columns }: PlannedFeature, int64: Int64As): Reader | Scalar | undefined {
  const entry = 2 * columns[0]!;
  const { dtype } = details;
  const column = columnReader(dtype, entry, int64);
  switch (details.kind) {
    case 'fixedLen': {
      const { shape } = details;
      if (shape.length === 0) return scalarFor(dtype, int64);
      return (block) => newDenseTensor(dtype, shape, column(block));
    }
    case 'varLen':
      return column;
    case 'fixedLenSequence':
      return details.shape.length === 0 ? column : undefined;
    case 'ragged':
      return details.partitions.length === 0 ? column : undefined;
    default:
      return undefined;
  }
}

function scalarFor(dtype: DType, int64: Int64As): Scalar {
  switch (dtype) {
    case 'float32':
      return Scalar.Float32;
    case 'int64':
      return int64 === 'number' ? Scalar.Float64 : Scalar.Int64;
    case 'bytes':
      return Scalar.Bytes;
  }
}

function columnReader(dtype: DType, entry: number, int64: Int64As): (block: RowBlock) => Column {
  switch (dtype) {
    case 'float32':
      return ({ places, float32 }) => copied(float32, places, entry, 2);
    case 'int64':
      return int64 === 'number'
        ? ({ places, float64 }) => copied(float64, places, entry, 3)
        : ({ places, int64: values }) => copied(values, places, entry, 3);
    case 'bytes':
      return ({ places, bytes }) => {
        const count = places[entry]!;
        const at = places[entry + 1]! >>> 2;
        const first = places[at]!;
        const offsets = new Int32Array(count + 1);
        for (let i = 0; i <= count; i++) offsets[i] = places[at + i]! - first;
        return newBytesArray(copiedBytes(bytes, first, places[at + count]!), offsets);
      };
  }
}

/** Up to so many bytes a loop, four at a time, takes less time than `slice`. */
const FEW_BYTES = 20;

function copiedBytes(bytes: Uint8Array<ArrayBuffer>, begin: number, end: number): Uint8Array<ArrayBuffer> {
  const length = end - begin;
  if (length > FEW_BYTES) return bytes.slice(begin, end);
  const copy = new Uint8Array(length);
  let i = 0;
  for (let from = begin; i + 4 <= length; i += 4, from += 4) {
    copy[i] = bytes[from]!;
    copy[i + 1] = bytes[from + 1]!;
    copy[i + 2] = bytes[from + 2]!;
    copy[i + 3] = bytes[from + 3]!;
  }
  for (; i < length; i++) copy[i] = bytes[begin + i]!;
  return copy;
}

/** `shift`: of the size of a value. */
function copied<A extends { slice(from: number, to: number): A }>(
  values: A,
  places: Int32Array,
  entry: number,
  shift: number,
): A {
  const begin = places[entry + 1]! >>> shift;
  return values.slice(begin, begin + places[entry]!);
}
