export { BytesArray, newBytesArray } from './bytes-array';
export { filled, gather, partOf, valueAt, wordsOf } from './column';
export { DenseTensor, newDenseTensor, type DenseRow } from './dense-tensor';
export { bytesJson, isPrintable, numberJson, numbersJson, printableText, scalarJson, shortestFloat32 } from './json';
export { convertLiteral, hasLoneSurrogate, zeroOf } from './literals';
export { ownBytes, ownFloats, ownInt64s, ownNumbers, ownPositions, ownSplits } from './own-array';
export { RaggedTensor, type FromDenseOptions, type RaggedRow } from './ragged-tensor';
export { checkRowSplits, longestRow, type RowSplits } from './row-splits';
export { newSparseTensor, SparseTensor, type SparseParts } from './sparse-tensor';
export {
  checkShape,
  DTYPES,
  sizeOf,
  type Column,
  type Columns,
  type DType,
  type Int64As,
  type Literals,
  type Scalar,
  type Scalars,
  type Shape,
} from './types';
