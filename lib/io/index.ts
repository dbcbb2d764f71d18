export {
  closingFile,
  filesClosed,
  forgetAhead,
  freeDescriptors,
  noteAhead,
  type OpensAhead,
} from './files/descriptors';
export { expandPath, expandPathSync } from './files/expand-paths';
export { FileIdentity } from './files/file-identity';
export type { ExpandedPath } from './files/named-path';
export { countedName, isTFRecordName, suffixesAt } from './files/shards';
export { leftoverOf } from './files/walk-folders';
export {
  freeBytes,
  givenLength,
  isShared,
  lengthOf,
  newSlab,
  setBytes,
  sharedMemory,
  unchanged,
  unsharedBytes,
  viewOf,
} from './memory/bytes';
export { commonSize, LARGEST_SHOWN, MemoryPool } from './memory/memory-pool';
export type { ByteSource, RangedSource } from './source/byte-source';
export { checkChunk, type ChunkPull, pullBytes } from './source/pull-bytes';
export { pullSpecial } from './source/pull-device';
export { pullStored } from './source/pull-stored';
export { pullBytesSync, pullDescriptorSync, type SyncPull } from './source/pull-sync';
export {
  type ClassifiedSource,
  classifySource,
  readableSource,
  type RecordSource,
  sourceName,
  STREAM,
} from './source/record-source';
export { pullStandardInput } from './source/standard-input';
export { giveName, giveNewName } from './target/give-name';
export type { Output } from './target/output';
export { forgetTemporary, isTemporary, rememberTemporary, removeTemporaries } from './target/temporaries';
export { type ClassifiedTarget, classifyTarget, type WriteTarget } from './target/write-target';
