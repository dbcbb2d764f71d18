export type { BatchOptions, ParsedReader } from './parsed-reader';
export { readExamples, readSequenceExamples, type ExampleReader, type SequenceExampleReader } from './read-examples';
