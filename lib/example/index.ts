export { recognizeRecord, RecordPrinter, type PrintedRecord, type PrintOptions, type RecordType } from './print';
export { BytesArray, checkShape, convertLiteral, hasLoneSurrogate, newBytesArray } from './tensor';
export {
  bytes,
  decodeExample,
  decodeSequenceExample,
  encodeExample,
  encodeSequenceExample,
  float,
  int64,
  type BytesValues,
  type DecodedFeatures,
  type DecodedSequenceExample,
  type Feature,
  type FeatureKind,
  type FeatureLike,
  type FloatValues,
  type Int64Values,
  type SequenceExampleParts,
} from './feature';
