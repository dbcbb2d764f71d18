// The package's own exports.
export { crc32c, maskCrc32c, unmaskCrc32c } from './crc32c';
export type { ErrorAction, OnError, SkipPolicy } from './error-policy';
export { RecordBatch } from './batch/record-batch';
export type { SharedRecords } from './batch/shared-records';
export type { ReadStats } from './read/cursor';
export type { ReadOptions, RecordReadOptions } from './read/read-options';
export { readRecordsSync } from './read/read-records-sync';
export { readRecords, RecordReader } from './read/record-reader';
export { countRecords } from './recycle/recycled-reader';
export { RecordIndex, type PlacedRecord, type IndexReadOptions } from './index/record-index';
export { indexBeside, loadBeside, openIndexed, type OpenIndexedOptions } from './index/open-indexed';
export { IndexedFiles, openIndexedFiles, type IndexedFilesOptions } from './index/indexed-files';
export type { RecordNumbers } from './index/gather-records';
export type { RecordKey } from './index/index-keys';
export type { IndexOptions, ScanProgress } from './index/index-options';
export type { SliceOptions } from './index/index-slice';
export type { IndexedSource } from './index/index-source';
export type { IndexKeys } from '../native';
export type { IndexFormat } from './index/foreign/export-index';
export { RecordWriter, type WriteReport } from './write/record-writer';
export { resolveWriteOptions, WRITE_OPTION_NAMES, type WriteOptions, type WritePlan } from './write/write-options';
export { encodeRecords, type EncodeRecordsOptions } from './write/encode-records';
export { writeRecords } from './write/write-records';
export { createRecordDecoder, RecordDecoderStream } from './streams/record-decoder';
export { createRecordEncoder, RecordEncoderStream, type RecordEncoderOptions } from './streams/record-encoder';

// For the rooms above, which read Examples and text with the same parts.
export { filesIn, type FilesInOptions, type LeftOut } from './read/files-in';
export { ErrorPolicy, isForeign } from './error-policy';
export {
  batchOf,
  gatherRecords,
  listBatch,
  listRecords,
  type ListedSlab,
  type RecordList,
  type ScatteredRecords,
} from './batch/gather-records';
export {
  ENCODED,
  encodedBatch,
  firstNumber,
  framedBatch,
  newBatch,
  partsOf,
  spanOf,
  splitBatch,
} from './batch/record-batch';
export { subset } from './batch/subset';
export { checkBatchBytes, frameOrigin, frameRecord, isTransferred, type BatchFrames } from './batch/batch-frames';
export { REUSED_SLAB_BYTES, type AheadBudget } from './read/slab-sizer';
export { Cursor } from './read/cursor';
export { CursorSteps, ElementSteps, Readings } from './read/cursor-iterators';
export { StepQueue } from './read/step-queue';
export { streamOpener } from './read/stream-opener';
export { csvFraming, fixedFraming, LINES, type FixedLayout, type Framing } from './read/framing';
export { InputSequence, type SequenceStart } from './read/input-sequence';
export type {
  Answer,
  FilledSlab,
  InputStream,
  Request,
  Requests,
  SourceStart,
  Splitter,
  Step,
  StreamOpener,
} from './read/input-stream';
export { readPlacedRecordsSync } from './read/read-records-sync';
export {
  checkVerification,
  COUNTED,
  READ_OPTION_NAMES,
  resolveReadOptions,
  UNREAD,
  type ReadPlan,
} from './read/read-options';
export { readerSpec } from './read/reader-spec';
export { ShownMemory } from './read/shown-memory';
export { recordSequence, slabStreams, type RecordSequence } from './read/record-cursor';
export { stepAfter } from './read/splitter';
export { RecycledReader } from './recycle/recycled-reader';
export { RecycledBatches } from './recycle/recycled-batches';
export { inputsOf } from './read/input';
export { openOutput, saveIndexOf, sumOf, writeListed } from './write/record-writer';
export { scanAndSave } from './index/written-index';
export { divideFiles, type DividedFiles, type PartPlace, type SizedFile } from './parts/divide-files';
export { PartSequence } from './parts/part-sequence';
export { findEarlier } from './write/sharded/earlier';
export { ShardSet } from './write/sharded/shard-set';
export { notRegular, readableFilesSync, type ReadableFile } from './read/sync-files';
export { syncRecordSequence } from './read/read-records-sync';
export { isSync, SyncSequence, type SyncStream } from './read/sync-sequence';
export { FillOutcome, openAddon } from '../native';
