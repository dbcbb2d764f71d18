export {
  batchRow,
  classOf,
  classParts,
  countRows,
  isClassName,
  joinBatches,
  ofClassParts,
  type ClassParts,
} from './batches';
export { BytesArray, newBytesArray } from './bytes-array';
export { filled, gather, partOf, partsOf, valueAt, wordsOf } from './column';
export {
  checkedDense,
  DenseTensor,
  isDense,
  newDenseTensor,
  noteSteps,
  paddedRow,
  stepsOf,
  type AnyDense,
  type DenseRow,
} from './dense-tensor';
export { bytesJson, isPrintable, numberJson, numbersJson, printableText, scalarJson, shortestFloat32 } from './json';
export { convertLiteral, hasLoneSurrogate, zeroOf } from './literals';
export { ownBytes, ownFloats, ownInt64s, ownNumbers, ownPositions, ownSplits } from './own-array';
export {
  isRagged,
  plainRow,
  RaggedTensor,
  raggedRow,
  type AnyRagged,
  type FromDenseOptions,
  type RaggedRow,
} from './ragged-tensor';
export { checkRowSplits, longestRow, type RowSplits } from './row-splits';
export { asRow, isInherited, isRow, newRow, setFeature, storeFeature, withJSON } from './rows';
export {
  entriesOf,
  isSparse,
  newSparseTensor,
  sparseRow,
  SparseTensor,
  type AnySparse,
  type SparseParts,
} from './sparse-tensor';
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
export type { BatchPart, DenseValues, Parts, ValuePrinter } from './value-class';
