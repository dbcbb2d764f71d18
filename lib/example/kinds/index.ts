/** The kinds of features. A kind is a file of this folder, named here: in the list, and in two types. */
import type { BytesAs, DType, DTypeAs, Int64As, Shape } from '../../tensor';
import type { Kind } from './definition';
import {
  FIXED_LEN,
  type FixedLen,
  type FixedLenValues,
  type NullableScalar,
  type NullableScalarValues,
} from './fixed-len';
import { FIXED_LEN_SEQUENCE, type FixedLenSequence, type FixedLenSequenceValues } from './fixed-len-sequence';
import type { Partition } from './partitions';
import { RAGGED, type Ragged, type RaggedValues } from './ragged';
import type { kind } from './spec-feature';
import { SPARSE, type Sparse, type SparseValues } from './sparse';
import { VAR_LEN, type VarLen, type VarLenValues } from './var-len';

/** All kinds, in the order in which messages list them. */
export const KINDS: readonly Kind<FeatureSpec>[] = [FIXED_LEN, VAR_LEN, FIXED_LEN_SEQUENCE, SPARSE, RAGGED];

/** Any feature of a spec. */
export type FeatureSpec =
  | FixedLen<DType, Shape>
  | VarLen<DType>
  | FixedLenSequence<DType, Shape>
  | Sparse<DType>
  | Ragged<DType, readonly Partition[]>;

/** A feature as JSON. */
export interface FeatureJSON {
  /** Name of the function that makes the feature. */
  readonly type: FeatureSpec[typeof kind];
  /** Type of the values. */
  readonly dtype: DType;
  /** Its other arguments. */
  readonly [option: string]: unknown;
}

/** The features to read from Examples, by name. */
export type Spec = Readonly<Record<string, FeatureSpec>>;
/** The features to read from the context of SequenceExamples. */
export type ContextSpec = Readonly<
  Record<string, Exclude<FeatureSpec, Sparse<DType> | FixedLenSequence<DType, Shape>>>
>;
/** The feature lists to read from SequenceExamples. */
export type SequenceSpec = Readonly<Record<string, Exclude<FeatureSpec, Sparse<DType> | FixedLen<DType, Shape>>>>;

/** The features to read from SequenceExamples: one or more, of the context or of the feature lists. */
export interface SequenceExampleSpec<C extends ContextSpec = ContextSpec, Q extends SequenceSpec = SequenceSpec> {
  /** Features of the context. */
  readonly context?: C | undefined;
  /** Feature lists. */
  readonly sequence?: Q | undefined;
}

/** The types of the values of feature `F`, with int64 as `I` and bytes as `B`. */
type ValuesOf<F, I extends Int64As, B extends BytesAs> =
  F extends NullableScalar<infer D>
    ? NullableScalarValues<DTypeAs<D, B>, I>
    : F extends FixedLen<infer D, infer S>
      ? FixedLenValues<DTypeAs<D, B>, S, I>
      : F extends VarLen<infer D>
        ? VarLenValues<DTypeAs<D, B>, I>
        : F extends FixedLenSequence<infer D, infer S>
          ? FixedLenSequenceValues<DTypeAs<D, B>, S, I>
          : F extends Sparse<infer D>
            ? SparseValues<DTypeAs<D, B>, I>
            : F extends Ragged<infer D, infer P>
              ? RaggedValues<DTypeAs<D, B>, P, I>
              : never;

/** The type of a feature's value in one record. */
export type ElementOf<F, I extends Int64As, B extends BytesAs = 'bytes'> = ValuesOf<F, I, B>['element'];
/** The type of a feature's value in a batch. */
export type BatchOf<F, I extends Int64As, B extends BytesAs = 'bytes'> = ValuesOf<F, I, B>['batch'];
/** The type of a feature list in one record, whose steps stay apart. */
export type SequenceElementOf<F, I extends Int64As, B extends BytesAs = 'bytes'> = ValuesOf<F, I, B>['steps'];
/** The values that an encoder takes for a feature. */
export type ExampleValue<F> = ValuesOf<F, Int64As, 'bytes'>['given'];

// With `& {}`, editors show the members of a type, not its name and its arguments.

/** One parsed record. */
export type Element<S extends Spec, I extends Int64As = 'bigint', B extends BytesAs = 'bytes'> = {
  -readonly [K in keyof S]: ElementOf<S[K], I, B>;
} & {};
/** A parsed batch of records: its columns. */
export type Batch<S extends Spec, I extends Int64As = 'bigint', B extends BytesAs = 'bytes'> = {
  -readonly [K in keyof S]: BatchOf<S[K], I, B>;
} & {};
/** The feature lists of one parsed SequenceExample. */
export type SequenceElement<S extends SequenceSpec, I extends Int64As = 'bigint', B extends BytesAs = 'bytes'> = {
  -readonly [K in keyof S]: SequenceElementOf<S[K], I, B>;
} & {};
/** For each dense feature list of a batch, the number of steps of each record. */
export type SequenceLengths<S extends SequenceSpec> = {
  -readonly [K in keyof S as S[K] extends FixedLenSequence<DType, Shape> ? K : never]: Int32Array<ArrayBuffer>;
};

export { aboutFeature, checkName, show, specError } from './checks';
export type {
  BatchValue,
  BlockReader,
  ElementValue,
  FeatureColumns,
  FeatureDefinition,
  GivenColumn,
  KeyUse,
  RecordFeatures,
  RowSource,
  RowsValue,
  Section,
  SpecUse,
} from './definition';
export { fixedLen, type FixedLen, type FixedLenOptions, type NullableScalar } from './fixed-len';
export { fixedLenSequence, type FixedLenSequence, type FixedLenSequenceOptions } from './fixed-len-sequence';
export type { JSONObject } from './literals';
export type { Partition } from './partitions';
export { ragged, type Ragged, type RaggedOptions } from './ragged';
export { sparse, type Sparse, type SparseOptions } from './sparse';
export { definitionOf } from './spec-feature';
export { varLen, type VarLen } from './var-len';
