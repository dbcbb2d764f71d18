/**
 * Read and write TFRecord files natively: plain, GZIP and ZLIB, checksums verified.
 *
 * @packageDocumentation
 */
// By name, not `*`: rooms offer one another more than the package offers its users.
export {
  countRecords,
  crc32c,
  maskCrc32c,
  readRecords,
  readRecordsSync,
  RecordBatch,
  RecordReader,
  RecordWriter,
  unmaskCrc32c,
  writeRecords,
  type Bytes,
  type ErrorAction,
  type OnError,
  type Origin,
  type ReadOptions,
  type ReadStats,
  type RecordSource,
  type SkipPolicy,
  type WriteOptions,
  type WriteReport,
  type WriteTarget,
} from './record';
export { BytesArray } from './example';
export {
  decodePaddedRaw,
  decodeRaw,
  type AnyTensorValue,
  type ByteString,
  type ByteStrings,
  type DecodePaddedRawOptions,
  type DecodeRawOptions,
  type PaddedRawDType,
  type RawDType,
  type TensorArrays,
  type TensorDType,
  type TensorValue,
} from './decode';
export { TFRecordError, type TFRecordErrorCode, type TFRecordErrorDetails } from './errors';
