export type { BatchOptions, ParsedReader } from './parsed-reader';
export { readExamples, readSequenceExamples, type ExampleReader, type SequenceExampleReader } from './read-examples';
export { openParsed } from './parsed-reader';
export { PieceTaker, type Piece } from './piece-taker';
export { RecordJudge } from './record-judge';
export { RowsSplitter } from './rows-splitter';
