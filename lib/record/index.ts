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
export type { RecordSource } from './source';
export type { WriteTarget } from './target';
export type { WriteOptions } from './write-options';
export { writeRecords } from './write-records';

// For the rooms above, which read other things than records with the same parts.
export { givenLength, viewOf } from './byte-length';
export { Cursor } from './cursor';
export { CursorSteps, ElementSteps } from './cursor-iterators';
export { ErrorPolicy } from './error-policy';
export { faultError, systemError } from './faults';
export { feedNative } from './feed-native';
export { Feeder } from './feeder';
export { watchForgotten } from './forgotten';
export { MAX_RECORD_BYTES } from './format';
export { gatherRecords, type ScatteredRecords } from './gather-records';
export { onAbort } from './on-abort';
export type { InputStream, Splitter, Step } from './lane';
export { READ_OPTION_NAMES, resolveReadOptions, type ReadPlan } from './read-options';
export { ENCODED, encodedBatch, frameOrigin, frameRecord, newBatch, partsOf, type BatchFrames } from './record-batch';
export { classifySource, expandPath, type ChunkPull } from './source';
export { newSlab } from './slab';
export { recordFlow, type RecordFlow } from './record-flow';
export { SourceFlow } from './source-flow';
export { stepBehind } from './step-behind';
export { transferredError } from './transferred';
export { checkBoolean, checkChoice, checkInteger, checkOptions, checkSignal } from './validate';
