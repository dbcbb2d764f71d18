export { bytes } from './bytes';
export { decodeExample, type DecodedFeatures } from './decode-example';
export { decodeSequenceExample, type DecodedSequenceExample } from './decode-sequence-example';
export { encodeExample } from './encode-example';
export { encodeSequenceExample, type SequenceExampleParts } from './encode-sequence-example';
export { exampleEncoder, type ExampleRow } from './example-encoder';
export type { BytesValues, FeatureLike, FloatValues, Int64Values } from './feature-values';
export { float } from './float';
export { int64 } from './int64';
