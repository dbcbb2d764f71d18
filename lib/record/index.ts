// The package's own exports.
export { crc32c, maskCrc32c, unmaskCrc32c } from './crc32c';
export type { ErrorAction, OnError, SkipPolicy } from './error-policy';
export type { Bytes, Origin } from './origin';
export { RecordBatch } from './batch/record-batch';
export type { SharedRecords } from './batch/shared-records';
export type { ReadStats } from './read/cursor';
export type { ReadOptions } from './read/read-options';
export { readRecordsSync } from './read/read-records-sync';
export { countRecords, readRecords, RecordReader } from './read/record-reader';
export type { RecordSource } from './source/record-source';
export { RecordWriter, type WriteReport } from './write/record-writer';
export { WRITE_OPTION_NAMES, type WriteOptions } from './write/write-options';
export { encodeRecords, type EncodeRecordsOptions } from './write/encode-records';
export { writeRecords } from './write/write-records';
export { createRecordDecoder, RecordDecoderStream } from './streams/record-decoder';
export { createRecordEncoder, RecordEncoderStream, type RecordEncoderOptions } from './streams/record-encoder';
export type { WriteTarget } from './write/write-target';

// For the rooms above, which read Examples and text with the same parts.
export { COMPRESSION_OPTIONS, compressionNumber, FillOutcome, openAddon } from '../native';
export type { Compression, CompressionOption, Fault } from '../native';
export {
  checkBoolean,
  checkCallback,
  checkChoice,
  checkInteger,
  checkOptions,
  checkSignal,
  checkWellFormed,
  fullPath,
  isFalseArray,
  isInteger,
  isIterable,
  isObject,
  isUrl,
  locate,
  workingFolder,
} from './arguments';
export {
  freeBytes,
  givenLength,
  isShared,
  lengthOf,
  newSlab,
  setBytes,
  sharedMemory,
  unsharedBytes,
  viewOf,
} from './bytes';
export { ErrorPolicy } from './error-policy';
export { FileIdentity } from './places/file-identity';
export {
  RecordPlaces,
  type PlacedRecord,
  type PlacesOptions,
  type PlacesProgress,
  type PlacesRange,
} from './places/record-places';
export { LoopTurns, Pace } from './event-loop';
export {
  callNative,
  codeOf,
  faultError,
  folderError,
  type FaultPlace,
  fromNodeError,
  lacksDescriptors,
  memoryError,
  orNoMemory,
  startNative,
  systemErrorOf,
} from './faults';
export { FRAME_BYTES, HEADER_BYTES, MAX_RECORD_BYTES } from './format';
export { inspected, type InspectArguments } from './inspected';
export { onAbort } from './on-abort';
export { placedError, transferredError } from './origin';
export {
  batchOf,
  gatherRecords,
  listBatch,
  listRecords,
  type ListedSlab,
  type RecordList,
  type ScatteredRecords,
} from './batch/gather-records';
export { ENCODED, encodedBatch, newBatch, partsOf, splitBatch } from './batch/record-batch';
export { checkBatchBytes, frameOrigin, frameRecord, isTransferred, type BatchFrames } from './batch/batch-frames';
export { expandPath, expandPathSync } from './files/expand-paths';
export type { ExpandedPath } from './files/looking';
export { forgetTemporary, isTemporary, rememberTemporary, removeTemporaries } from './files/temporaries';
export { giveName, giveNewName } from './files/give-name';
export { countedName, isTFRecordName, suffixesAt } from './files/shards';
export { leftoverOf } from './files/walk-folders';
export { commonSize, LARGEST_SHOWN, MemoryPool } from './memory/memory-pool';
export type { AheadBudget } from './memory/slab-sizer';
export { Cursor } from './read/cursor';
export { CursorSteps, ElementSteps, Passes } from './read/cursor-iterators';
export { StepQueue } from './read/step-queue';
export { closingFile, filesClosed, forgetAhead, freeDescriptors, noteAhead, type OpensAhead } from './read/descriptors';
export { FedStream } from './read/fed-stream';
export { FileStream } from './read/file-stream';
export { csvFraming, fixedFraming, LINES, type FixedLayout, type Framing } from './read/framing';
export { InputSequence, type SequenceStart } from './read/input-sequence';
export type {
  Answer,
  FilledSlab,
  InputStream,
  Portion,
  Request,
  Requests,
  Splitter,
  Step,
  StreamOpener,
} from './read/input-stream';
export { watchForgotten } from './read/left-readers';
export { readPlacedRecordsSync, type PlacedRecords } from './read/read-records-sync';
export { checkVerification, READ_OPTION_NAMES, resolveReadOptions, UNREAD, type ReadPlan } from './read/read-options';
export { readerSpec } from './read/reader-spec';
export { recordSequence, slabStreams, type RecordSequence } from './read/record-cursor';
export { stepBehind } from './read/splitter';
export { inputsOf } from './source/input';
export { type ChunkPull } from './source/pull-bytes';
export { pullStored } from './source/pull-stored';
export { classifySource, readableSource, type ClassifiedSource } from './source/record-source';
export { writeListed } from './write/record-writer';
export type { Output } from './write/classified-target';
export { classifyTarget } from './write/write-target';
