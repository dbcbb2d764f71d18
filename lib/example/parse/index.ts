export { planExample, planFromText, type Plan, type PlannedFeature } from './plan';
export {
  parseExample,
  parseRecordOf,
  parseSequenceExample,
  parseSingleExample,
  parseSingleSequenceExample,
  type NoFeatures,
  type SequenceBatch,
  type SequenceFeatures,
  type SequenceRow,
} from './parse-example';
export { rowsOf } from './rows';
export { INT64_AS, type ParsedReadOptions, type ParseOptions } from './parse-options';
export type { ParsedBefore, Records } from './parse-records';
export type { BatchOptions, ParsedReader } from './parsed-reader';
export { readExamples, readSequenceExamples, type ExampleReader, type SequenceExampleReader } from './read-examples';

// For the rooms above, and for the encoder, which turns around what parsing does.
export { exampleParsing, sequenceParsing, type RecordParsing } from './record-parsing';
