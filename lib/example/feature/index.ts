export {
  decodeAtMost,
  decodeExample,
  decodeNamed,
  decodeSequenceExample,
  type DecodedSequenceExample,
  type DecodeOptions,
} from './decode-example';
export type { DecodedFeature, DecodedFeatures, DecodedNumbers, DecodedTexts } from './decoded-feature';
export {
  encodeExample,
  encodeSequenceExample,
  memberNames,
  type EncodeOptions,
  type SequenceExampleParts,
} from './encode-example';
export { presentLength, quoted, rowError } from './errors';
export { nearestHint, nearestName } from './nearest-name';
export {
  exampleToObject,
  sequenceExampleToObject,
  type KindsOptions,
  type PlainExample,
  type PlainFeature,
  type PlainKindedExample,
  type PlainKindedFeature,
  type PlainKindedSequenceExample,
  type PlainSequenceExample,
} from './example-object';
export { integerOf, type FloatWord, type Int64Digits, type PlainValues } from './plain-values';
export { serializeFeature } from './feature-wire';
export { columnFeature } from './infer-feature';
export {
  beginsLikeEvent,
  foreignType,
  isDoubtful,
  isKnownForeign,
  otherType,
  otherTypeOf,
  readWith,
  warnOtherType,
  type OtherType,
} from './other-type';
export { parsedAs, parsedAsOf, type ParsedAs } from './parsed-as';
export { refuseRecord } from './record-decoder';
export { recordType, typeCode, typeCodeOf, type RecordType } from './record-type';
export {
  bytes,
  float,
  int64,
  type BytesValues,
  type FeatureLike,
  type FloatValues,
  type Int64Values,
  type KindedFeature,
  type NumbersAs,
  type PlainFeatureLike,
} from './values';
