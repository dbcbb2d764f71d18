export {
  AzureStore,
  GcsStore,
  S3Store,
  type AzureClientLike,
  type AzureIdentityPackage,
  type AzurePackage,
  type GcsClientLike,
  type GcsPackage,
  type S3ClientLike,
  type S3Package,
} from './clouds';
export {
  APPENDABLE,
  CODEC_NAMES,
  compressionByMagic,
  compressionByName,
  DEFAULT_LEVEL,
  hasMembers,
  isOneStream,
  MAX_LEVEL,
  withoutCompression,
} from './codecs';
export {
  closingFile,
  filesClosed,
  forgetAhead,
  freeDescriptors,
  noteAhead,
  type OpensAhead,
} from './files/descriptors';
export { expandPath, expandPathSync, expansionOf } from './files/expand-paths';
export { isPattern } from './files/glob';
export { Identity } from './files/identity';
export {
  isAbsent,
  listFolder,
  lookNow,
  lookSoon,
  lookThrough,
  noNetwork,
  queryFiles,
  refusal,
  type FileQueries,
} from './files/looking';
export type { ExpandedPath } from './files/named-path';
export { readSmallFile } from './files/small-file';
export { isShardOf, manifestName, shardName, withSuffix } from './files/shard-names';
export { countedName, isTFRecordName, MAX_SHARDS, suffixesAt } from './files/shards';
export { INDEX_SUFFIX, leftoverOf, liesBesideRecords } from './files/walk-folders';
export {
  freeBytes,
  givenLength,
  isShared,
  newSlab,
  setBytes,
  sharedMemory,
  unchanged,
  unsharedBytes,
} from './memory/bytes';
export { commonSize, LARGE_WAITING_BYTES, LARGEST_SHOWN, MemoryPool } from './memory/memory-pool';
export { type ByteSource, type ChunkPull, isRanged, type RangedSource } from './source/byte-source';
export { byDispatcher, type HttpDispatcherLike } from './remote/http-dispatcher';
export { HttpStore } from './remote/http-store';
export { objectExists, writeObject } from './remote/object-output';
export {
  type ListedObject,
  type ObjectBody,
  type ObjectFacts,
  type ObjectRange,
  type ObjectStore,
  type ObjectUpload,
  refusalOf,
  StoreError,
  type StoreRefusal,
  tagOf,
} from './remote/object-store';
export { joinRanges, remoteOptions, type RemoteOptions } from './remote/policy';
export { lookAtInput, objectSource, RemoteSource } from './remote/remote-source';
export { listObjects, listsObjects, setStore, storeOf } from './remote/stores';
export { checkChunk } from './source/chunks';
export { pullStored } from './source/file-source';
export { MemorySource } from './source/memory-source';
export { specialFile } from './source/pull-device';
export { pullBytesSync, pullDescriptorSync, type SyncPull } from './source/pull-sync';
export {
  type ClassifiedSource,
  classifySource,
  readableSource,
  type RecordSource,
  sourceName,
} from './source/record-source';
export { RANGE_BYTES, useRange } from './source/ranges';
export { standardInput } from './source/standard-input';
export { StreamSource } from './source/stream-source';
export { abandonedFor } from './target/abandoned';
export { existsError } from './target/exists-error';
export { giveName, giveNewName } from './target/give-name';
export { makeFolder } from './target/make-folder';
export type { Output } from './target/output';
export { settled } from './target/settled';
export { forgetTemporary, isTemporary, removeTemporaries, temporaryName } from './target/temporaries';
export { writeWhole } from './target/write-whole';
export {
  type ClassifiedTarget,
  classifyTarget,
  objectTarget,
  objectUrl,
  type WriteTarget,
} from './target/write-target';
