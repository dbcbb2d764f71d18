export { coordinatesIn } from './coordinates';
export type {
  FeatureDetails,
  FixedLenDetails,
  FixedLenSequenceDetails,
  RaggedDetails,
  SparseDetails,
  VarLenDetails,
} from './details';
export type { FeatureJSON } from './feature-json';
export { fixedLen, type FixedLen, type FixedLenOptions } from './fixed-len';
export { fixedLenSequence, type FixedLenSequence, type FixedLenSequenceOptions } from './fixed-len-sequence';
export type {
  Batch,
  BatchOf,
  ContextSpec,
  Element,
  ElementOf,
  FeatureSpec,
  SequenceElement,
  SequenceElementOf,
  SequenceExampleSpec,
  SequenceLengths,
  SequenceSpec,
  Spec,
} from './infer';
export { keysOf } from './keys';
export type { Partition } from './partition';
export { ragged, type Ragged, type RaggedOptions } from './ragged';
export { sparse, type Sparse, type SparseOptions } from './sparse';
export { quoted, specError } from './spec-error';
export { sequenceSpecFromJSON, specFromJSON, specToJSON } from './spec-json';
export { checkNotEmpty, checkSpec, type NamedFeature, type SpecUse } from './validate-spec';
export { varLen, type VarLen } from './var-len';
