/** The kinds of features. A kind is a file of this folder, named in the list and in `infer.ts`. */
import type { Kind } from './definition';
import { FIXED_LEN } from './fixed-len';
import { FIXED_LEN_SEQUENCE } from './fixed-len-sequence';
import { RAGGED } from './ragged';
import { SPARSE } from './sparse';
import { VAR_LEN } from './var-len';

/** All kinds, in the order in which messages list them. */
export const KINDS: readonly Kind[] = [FIXED_LEN, VAR_LEN, FIXED_LEN_SEQUENCE, SPARSE, RAGGED];

export { aboutFeature, checkName, show, specError } from './checks';
export type {
  BatchValue,
  BlockReader,
  ElementValue,
  FeatureColumns,
  FeatureDefinition,
  FeatureJSON,
  GivenColumn,
  KeyUse,
  RecordFeatures,
  RowSource,
  RowsValue,
  Section,
  SpecUse,
} from './definition';
export { fixedLen, type FixedLen, type FixedLenOptions } from './fixed-len';
export { fixedLenSequence, type FixedLenSequence, type FixedLenSequenceOptions } from './fixed-len-sequence';
export type {
  Batch,
  BatchOf,
  ContextSpec,
  Element,
  ElementOf,
  ExampleValue,
  FeatureSpec,
  SequenceElement,
  SequenceElementOf,
  SequenceExampleSpec,
  SequenceLengths,
  SequenceSpec,
  Spec,
} from './infer';
export type { JSONObject } from './literals';
export type { Partition } from './partitions';
export { ragged, type Ragged, type RaggedOptions } from './ragged';
export { sparse, type Sparse, type SparseOptions } from './sparse';
export { definitionOf } from './spec-feature';
export { varLen, type VarLen } from './var-len';
