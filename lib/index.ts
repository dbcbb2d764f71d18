/**
 * Read and write TFRecord files natively: plain, GZIP and ZLIB, checksums verified.
 *
 * @packageDocumentation
 */
export {
  countRecords,
  crc32c,
  maskCrc32c,
  RecordBatch,
  RecordReader,
  readRecords,
  readRecordsSync,
  unmaskCrc32c,
} from './record';
export type {
  Bytes,
  ErrorAction,
  OnError,
  Origin,
  ReadOptions,
  ReadStats,
  RecordSource,
  SkipPolicy,
} from './record';
export { TFRecordError, type TFRecordErrorCode, type TFRecordErrorDetails } from './errors';
