export {
  FIELD_1,
  FIELD_2,
  forEachEntry,
  isOtherMessage,
  NotAnExample,
  notAnExample,
  varintBytes,
  Wire,
  wireName,
  writeHeader,
} from './entries';
export { hiveName } from './hive-name';
export { ShardedWriter, type ShardedWriteReport, type WrittenFile } from './sharded-writer';
export { checkPartitions, type ShardedWriterOptions } from './sharded-options';
export { hashOf, StoredFeature } from './stored-feature';
