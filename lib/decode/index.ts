export type { ByteString, ByteStrings } from './arguments';
export { decodeCompressed, type DecodeCompressedOptions } from './compressed';
export { decodeCsv, decodeRecords, type CsvRecords, type CsvRules, type CsvWording } from './csv/decode-csv';
export type { CsvValues } from './csv/columns';
export { parseFloat32, parseInt64 } from './csv/numbers';
export {
  checkCsvOptions,
  type CheckedCsvOptions,
  type CsvColumns,
  type CsvDefault,
  type CsvDefaults,
  type CsvDType,
  type CsvField,
  type CsvNullable,
  type CsvOptions,
  type CsvScalars,
} from './csv/options';
export { Fields, MAX_HEADER_FIELDS, splitRecord } from './csv/split-record';
export { HOST_IS_LITTLE_ENDIAN } from './dtypes';
export type { AnyTensorValue, ParsedOnlyDType, TensorArrays, TensorDType, TensorValue } from './dtypes';
export { decodeJsonExample } from './json-example';
export {
  decodePaddedRaw,
  decodeRaw,
  type DecodePaddedRawOptions,
  type DecodeRawOptions,
  type PaddedRawDType,
  type RawDType,
} from './raw';
export { parseTensor, type ParseTensorOptions, type TensorMessage } from './tensor/parse-tensor';
export {
  serializeTensor,
  type SerializableDType,
  type SerializableTensor,
  type TensorData,
} from './tensor/serialize-tensor';
