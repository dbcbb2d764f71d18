// What the package offers.
export { countRecords } from './count-records';
export { crc32c, maskCrc32c, unmaskCrc32c } from './crc32c';
export type { ReadStats } from './cursor';
export type { ErrorAction, OnError, SkipPolicy } from './error-policy';
export type { Bytes, Origin } from './origin';
export type { ReadOptions } from './read-options';
export { readRecords } from './read-records';
export { readRecordsSync } from './read-records-sync';
export { RecordBatch } from './record-batch';
export { RecordReader } from './record-reader';
export { RecordWriter, type WriteReport } from './record-writer';
export type { SharedRecords } from './shared-records';
export type { RecordSource } from './source';
export type { WriteTarget } from './target';
export { WRITE_OPTION_NAMES, type WriteOptions } from './write-options';
export { writeRecords } from './write-records';

// For the rooms above, which read other things than records with the same parts.
export type { AheadBudget } from './ahead-budget';
export { SlabPool } from './slab-pool';
export { givenLength, isShared, lengthOf, setBytes, unsharedBytes, viewOf } from './byte-length';
export { Cursor } from './cursor';
export { CursorSteps, ElementSteps } from './cursor-iterators';
export { ErrorPolicy } from './error-policy';
export { faultError, fromNodeError, lacksDescriptors, memoryError, orNoMemory } from './faults';
export { inputsOf } from './input';
export { inspected, type InspectArguments } from './inspected';
export { closingFile, filesClosed, forgetAhead, freeDescriptors, noteAhead, type OpensAhead } from './descriptors';
export { callNative, startNative } from './call-native';
export { Feeder } from './feeder';
export { watchForgotten } from './forgotten';
export { FRAME_BYTES, HEADER_BYTES, MAX_RECORD_BYTES } from './format';
export { gatherRecords, listRecords, type ListedSlab, type RecordList, type ScatteredRecords } from './gather-records';
export { LoopTurns } from './loop-turns';
export { onAbort } from './on-abort';
export { Passes } from './passes';
export { Pace } from './pace';
export { COMPRESSION_OPTIONS, FillOutcome } from '../native';
export type { Compression, CompressionOption } from '../native';
export type { InputStream, Lane, Read, RecordPlace, Splitter, Step } from './lane';
export { fullPath, isUrl, locate, workingFolder } from './path-argument';
export { READ_OPTION_NAMES, resolveReadOptions, type ReadPlan } from './read-options';
export {
  ENCODED,
  encodedBatch,
  frameOrigin,
  frameRecord,
  isTransferred,
  newBatch,
  partsOf,
  type BatchFrames,
} from './record-batch';
export {
  classifySource,
  countedName,
  expandPath,
  leftoverOf,
  readableSource,
  suffixesAt,
  type ChunkPull,
  type ClassifiedSource,
  type ExpandedPath,
} from './source';
export { sharedMemory } from './shared-memory';
export { newSlab } from './slab';
export { recordFlow, type RecordFlow } from './record-flow';
export { SourceFlow, type FlowStart } from './source-flow';
export { stepBehind } from './step-behind';
export { StepQueue } from './step-queue';
export { transferredError } from './transferred';
export {
  checkBoolean,
  checkChoice,
  checkInteger,
  checkOptions,
  checkSignal,
  checkWellFormed,
  isIterable,
} from './validate';
