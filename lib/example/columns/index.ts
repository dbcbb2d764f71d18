export { BatchMemory } from './batch-memory';
export { numbersOf, rowOf, rowOfValue, textsOf, valuesOf, type ColumnData } from './column-data';
export { bitsOf, presentRows, spreadItems } from './nullable-values';
export {
  columnOf,
  evenRows,
  numbers,
  rangeOf,
  splitRows,
  splitsGiven,
  valuesGiven,
  type ColumnValues,
} from './column-values';
export { allocated, batchTooLarge, columnError, encodeFaultError, MAX_BATCH_BYTES } from './encode-faults';
export { allocate, FeatureFault, isTooLarge, MAX_POSITION, tooLarge } from './faults';
export { columnReader, RowBlock, rowScalar, scalarOf, type RowScalar } from './row-block';
export { longestOf, padRows } from './row-loops';
