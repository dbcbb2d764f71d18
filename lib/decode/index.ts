export type { ByteString, ByteStrings } from './byte-strings';
export type { AnyTensorValue, TensorArrays, TensorDType, TensorValue } from './dtypes';
export { decodePaddedRaw, type DecodePaddedRawOptions, type PaddedRawDType } from './padded-raw';
export { decodeRaw, type DecodeRawOptions, type RawDType } from './raw';
