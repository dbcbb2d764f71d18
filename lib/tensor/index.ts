export { bytesOfBits, clearBit, countSet, isSet, newBits, setBit } from './bits';
export { batchRow, classParts, countRows, isClassName, joinBatches, ofClassParts, type ClassParts } from './batches';
export { BytesArray, isBytesArray, newBytesArray } from './bytes-array';
export { classOf } from './classes';
export {
  checkColumn,
  columnLength,
  filled,
  isColumnOf,
  isNumbers,
  gather,
  partOf,
  partsOf,
  valueAt,
  wordsOf,
  type Column,
  type Columns,
} from './column';
export {
  checkedDense,
  DenseTensor,
  isDense,
  newDenseTensor,
  noteSteps,
  paddedRow,
  stepsOf,
  type AnyDense,
  type DenseAt,
  type DenseRow,
} from './dense-tensor';
export { isPrintable, MAX_FLOAT32, printableText, scalarJson, shortestFloat32 } from './json';
export { convertLiteral, hasLoneSurrogate, zeroOf } from './literals';
export { isNullable, newNullable, NullableColumn, type AnyNullable } from './nullable-column';
export { ownBits, ownBytes, ownFloats, ownInt64s, ownNumbers, ownPositions, ownSplits } from './own-array';
export { plainForm, type PlainForm } from './plain';
export { SAFE_INT64S, type BytesForm, type Int64Form, type ObjectOptions } from './plain-forms';
export type { Base64, PlainBytes, PlainInt64, PlainLists, PlainNested, PlainScalar, PlainSparse } from './plain-types';
export type { Plain, ToObject } from './to-object';
export {
  isRagged,
  plainRow,
  RaggedTensor,
  raggedRow,
  type AnyRagged,
  type FromDenseOptions,
  type RaggedRow,
} from './ragged-tensor';
export { checkRowSplits, longestRow, valuesOrRows, type RowSplits } from './row-splits';
export { asRow, isInherited, isRow, newRow, plainMembers, setFeature, storeFeature, withMethods } from './rows';
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
  storedDType,
  type BatchPart,
  type BytesAs,
  type DType,
  type DTypeAs,
  type Int64As,
  type Literals,
  type Scalar,
  type Scalars,
  type Shape,
  type StoredDType,
} from './types';
export { decodeText, decodeTexts, NoText } from './texts';
export type { DenseValues, Parts, ValueForm } from './value-class';
