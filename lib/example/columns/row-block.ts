/** The memory in which native code returns one parsed record. */
import {
  decodeText,
  decodeTexts,
  newBytesArray,
  NoText,
  type Column,
  type DType,
  type Int64As,
  type Scalar,
} from '../../tensor';

/** Size of the block. The parser of batches parses larger rows. */
const BLOCK_BYTES = 4096;

/** The block, with a view for every type of number. See core/example/parse/row_block.h. */
export class RowBlock {
  readonly bytes = new Uint8Array(BLOCK_BYTES);
  readonly buffer = Buffer.from(this.bytes.buffer);
  readonly places = new Int32Array(this.bytes.buffer);
  readonly float32 = new Float32Array(this.bytes.buffer);
  readonly float64 = new Float64Array(this.bytes.buffer);
  readonly int64 = new BigInt64Array(this.bytes.buffer);
}

/** Types of single values, which are read without a function call for each value. */
export const enum RowScalar {
  Float32,
  Int64,
  Float64,
  Bytes,
  Text,
}

/** Returns the type for reading a single value of `dtype`. */
export function rowScalar(dtype: DType, int64: Int64As): RowScalar {
  switch (dtype) {
    case 'float32':
      return RowScalar.Float32;
    case 'int64':
      return int64 === 'number' ? RowScalar.Float64 : RowScalar.Int64;
    case 'bytes':
      return RowScalar.Bytes;
    case 'text':
      return RowScalar.Text;
  }
}

/** Returns the single value at `place` of the block; undefined for invalid text. */
export function scalarOf(block: RowBlock, scalar: RowScalar, place: number): Scalar | undefined {
  const { places } = block;
  const at = places[place]!;
  switch (scalar) {
    case RowScalar.Float32:
      return block.float32[at >>> 2]!;
    case RowScalar.Int64:
      return block.int64[at >>> 3]!;
    case RowScalar.Float64:
      return block.float64[at >>> 3]!;
    case RowScalar.Text:
      return decodeText(block.buffer, places[at >>> 2]!, places[(at >>> 2) + 1]!);
    default:
      return copiedBytes(block.bytes, places[at >>> 2]!, places[(at >>> 2) + 1]!);
  }
}

/** Reads the values of a column from the block; undefined if a text is invalid. */
export type BlockColumn = (block: RowBlock) => Column | undefined;

/** Returns a function that copies the values of the column at `entry` of the block. */
export function columnReader(dtype: DType, entry: number, int64: Int64As): BlockColumn {
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
    case 'text':
      return ({ places, buffer }) => {
        const at = places[entry + 1]! >>> 2;
        const texts = decodeTexts(buffer, places.subarray(at, at + places[entry]! + 1));
        return texts instanceof NoText ? undefined : texts;
      };
  }
}

/** Maximum number of bytes for which a loop, four at a time, is faster than `slice`. */
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

/** `shift` is the binary logarithm of the size of a value. */
function copied<A extends { slice(from: number, to: number): A }>(
  values: A,
  places: Int32Array,
  entry: number,
  shift: number,
): A {
  const begin = places[entry + 1]! >>> shift;
  return values.slice(begin, begin + places[entry]!);
}
