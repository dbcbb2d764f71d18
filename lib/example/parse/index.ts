export { planFromText } from './plan-from-text';
export { parseRecordOf } from './record-of';
export { rowsOf } from './rows';
export { parseExample, parseSingleExample } from './parse-example';
export type { ParsedReadOptions, ParseOptions } from './parse-options';
export type { Records } from './parse-records';
export {
  parseSequenceExample,
  parseSingleSequenceExample,
  type NoFeatures,
  type SequenceBatch,
  type SequenceFeatures,
  type SequenceRow,
} from './parse-sequence-example';
export type { BatchOptions, ParsedReader } from './parsed-reader';
export { readExamples, type ExampleReader } from './read-examples';
export { readSequenceExamples, type SequenceExampleReader } from './read-sequence-examples';

// For the rooms above, and for the encoder, which turns around what parsing does.
export type { ParsedBefore } from './parse-records';
export { exampleParsing, sequenceParsing, type RecordParsing } from './record-parsing';
export { INT64_AS } from './parse-options';
export { planExample, type Plan, type PlannedFeature } from './plan';
