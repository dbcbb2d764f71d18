export { BytesArray, newBytesArray } from './bytes-array';
export { filled, gather, partOf, valueAt, wordsOf } from './column';
export { DenseTensor, newDenseTensor, type DenseRow } from './dense-tensor';
export {
  DTYPES,
  type Column,
  type Columns,
  type DType,
  type Int64As,
  type Literals,
  type Scalar,
  type Scalars,
  type Shape,
} from './dtype';
export { convertLiteral, hasLoneSurrogate, zeroOf } from './literal';
export { ownBytes, ownFloats, ownInt64s, ownNumbers, ownPositions, ownSplits } from './own-array';
export { RaggedTensor, type FromDenseOptions, type RaggedRow } from './ragged-tensor';
export { checkRowSplits, longestRow, type RowSplits } from './row-splits';
export { bytesJson, isPrintable, numberJson, numbersJson, printableText, scalarJson } from './scalar-json';
export { checkShape, sizeOf } from './shape';
export { shortestFloat32 } from './shortest-float32';
export { newSparseTensor, SparseTensor, type SparseParts } from './sparse-tensor';
