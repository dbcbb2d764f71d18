export { exampleComposer, sequenceComposer, type ComposedRows, type Composer } from './compose';
export { exampleParser, sequenceExampleParser, type ExampleParser, type SequenceExampleParser } from './example-parser';
export { noteColumns, noteFirst, noteRecord } from './note-type';
export {
  parseExample,
  parseRecordOf,
  parseSequenceExample,
  parseSingleExample,
  parseSingleSequenceExample,
  planSequence,
  type NoFeatures,
  type SequenceBatch,
  type SequenceFeatures,
  type SequenceRow,
} from './parse-example';
export {
  featureFaultError,
  foreignError,
  foreignTypeError,
  isTheBatch,
  notExample,
  parseFaultError,
  type RecordPlace,
} from './parse-fault';
export type { ParsedReadOptions, ParseOptions } from './parse-options';
export type { ParsedBefore, Records } from './parse-records';
export { newParser } from './parser';
export {
  arraysOf,
  bytesAtMost,
  joinColumns,
  newColumns,
  sliceColumns,
  unset,
  type ParsedColumns,
  type ColumnsOptions,
  type UntakenColumns,
} from './parsed-columns';
export { COLUMN_KINDS, planExample, planFromText, planSpec, type Plan, type PlannedFeature } from './plan';
export { exampleParsing, newParsing, sequenceParsing, type RecordParsing } from './record-parsing';
export { rowsOf } from './rows';
