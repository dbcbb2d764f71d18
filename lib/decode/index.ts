export type { ByteString, ByteStrings } from './byte-strings';
export { decodeCompressed, type DecodeCompressedOptions } from './compressed';
export {
  decodeCsv,
  type CsvColumns,
  type CsvDefault,
  type CsvDefaults,
  type CsvDType,
  type CsvField,
  type CsvOptions,
} from './csv';
export type { AnyTensorValue, ParsedOnlyDType, TensorArrays, TensorDType, TensorValue } from './dtypes';
export { decodeJsonExample } from './json-example';
export { decodePaddedRaw, type DecodePaddedRawOptions, type PaddedRawDType } from './padded-raw';
export { decodeRaw, type DecodeRawOptions, type RawDType } from './raw';
export {
  parseTensor,
  serializeTensor,
  type ParseTensorOptions,
  type SerializableDType,
  type SerializableTensor,
  type TensorData,
} from './tensor';

// For the rooms above, which read records of their own.
export { checkCsvOptions, decodeRecords, Fields, splitRecord, type CheckedCsvOptions, type CsvWording } from './csv';
