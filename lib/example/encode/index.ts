export { CsvRows, isRefusedCsvRow, type CsvRowColumn, type EncodedCsvRows, type SurveyedCsvRows } from './csv-rows';
export { exampleEncoder, type ExampleRow } from './example-encoder';
export { encodeExamples, type EncodeExamplesOptions, type ExampleColumns } from './encode-examples';
export { EncodeMemory } from './encode-memory';
export {
  JsonRows,
  type EncodedJsonRows,
  type JsonRowEvent,
  type JsonRowName,
  type ParsedJsonRows,
  type RowFeatureKind,
  type RowFeatureRule,
  type RowNamesChoice,
} from './json-rows';
export { sequenceExampleEncoder, type SequenceRowParts } from './sequence-encoder';
