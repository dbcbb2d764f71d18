/** The values that features give, as types. */
import type { Columns, DenseTensor, DType, Int64As, RaggedTensor, Scalars, Shape, SparseTensor } from '../../tensor';
import type { BytesValues, FloatValues, Int64Values } from '../feature';
import type { FixedLenSequence } from './fixed-len-sequence';
import type { FixedLen } from './fixed-len';
import type { Partition } from './partitions';
import type { Ragged } from './ragged';
import type { Sparse } from './sparse';
import type { VarLen } from './var-len';

/** Any feature of a spec. */
export type FeatureSpec =
  | FixedLen<DType, Shape>
  | VarLen<DType>
  | FixedLenSequence<DType, Shape>
  | Sparse<DType>
  | Ragged<DType, readonly Partition[]>;

/** The features to read from Examples, by name. */
export type Spec = Readonly<Record<string, FeatureSpec>>;
/** The features to read from the context of SequenceExamples. */
export type ContextSpec = Readonly<
  Record<string, Exclude<FeatureSpec, Sparse<DType> | FixedLenSequence<DType, Shape>>>
>;
/** The feature lists to read from SequenceExamples. */
export type SequenceSpec = Readonly<Record<string, Exclude<FeatureSpec, Sparse<DType> | FixedLen<DType, Shape>>>>;

/** What to read from SequenceExamples: of the context, of the feature lists; of one of them at least a feature. */
export interface SequenceExampleSpec<C extends ContextSpec = ContextSpec, Q extends SequenceSpec = SequenceSpec> {
  /** Of the context. */
  readonly context?: C | undefined;
  /** Of the feature lists. */
  readonly sequence?: Q | undefined;
}

/** The type of a feature's value in one record. */
export type ElementOf<F, I extends Int64As> =
  F extends FixedLen<infer D, infer S>
    ? S extends readonly []
      ? Scalars<I>[D]
      : DenseTensor<D, S, I>
    : F extends VarLen<infer D>
      ? Columns<I>[D]
      : F extends FixedLenSequence<infer D, infer S>
        ? S extends readonly []
          ? Columns<I>[D]
          : DenseTensor<D, readonly [number, ...S], I>
        : F extends Sparse<infer D>
          ? SparseTensor<D, I>
          : F extends Ragged<infer D, infer P>
            ? P extends readonly []
              ? Columns<I>[D]
              : RaggedTensor<D, Shape, I>
            : never;

/** The type of a feature's value in a batch. */
export type BatchOf<F, I extends Int64As> =
  F extends FixedLen<infer D, infer S>
    ? S extends readonly []
      ? Columns<I>[D]
      : DenseTensor<D, readonly [number, ...S], I>
    : F extends VarLen<infer D>
      ? SparseTensor<D, I>
      : F extends FixedLenSequence<infer D, infer S>
        ? DenseTensor<D, readonly [number, number, ...S], I>
        : F extends Sparse<infer D>
          ? SparseTensor<D, I>
          : F extends Ragged<infer D, readonly Partition[]>
            ? RaggedTensor<D, Shape, I>
            : never;

/** The type of a feature list in one record, whose steps stay apart. */
export type SequenceElementOf<F, I extends Int64As> =
  F extends VarLen<infer D>
    ? SparseTensor<D, I>
    : F extends Ragged<infer D, readonly Partition[]>
      ? RaggedTensor<D, Shape, I>
      : ElementOf<F, I>;

/** One parsed record. */
export type Element<S extends Spec, I extends Int64As = 'bigint'> = { -readonly [K in keyof S]: ElementOf<S[K], I> };
/** A parsed batch of records: its columns. */
export type Batch<S extends Spec, I extends Int64As = 'bigint'> = { -readonly [K in keyof S]: BatchOf<S[K], I> };
/** The feature lists of one parsed SequenceExample. */
export type SequenceElement<S extends SequenceSpec, I extends Int64As = 'bigint'> = {
  -readonly [K in keyof S]: SequenceElementOf<S[K], I>;
};
/** For each dense feature list of a batch, the number of steps of each record. */
export type SequenceLengths<S extends SequenceSpec> = {
  -readonly [K in keyof S as S[K] extends FixedLenSequence<DType, Shape> ? K : never]: Int32Array<ArrayBuffer>;
};

/** A value, or nested lists of values. */
type Nested<T> = T | readonly Nested<T>[];

/** Values of each type, as `int64()`, `float()` and `bytes()` take them, or as parsing with `int64: 'number'` gives them. */
interface GivenValues {
  float32: FloatValues;
  int64: Int64Values | Float64Array;
  bytes: BytesValues;
}

type GivenScalar<D extends DType> = Extract<GivenValues[D], readonly unknown[]>[number];
type Given<D extends DType> = GivenValues[D] | DenseTensor<D> | DenseTensor<D, Shape, 'number'>;

/** The values that an encoder takes for a feature. */
export type ExampleValue<F> =
  F extends Sparse<infer D>
    ? SparseTensor<D> | SparseTensor<D, 'number'>
    : F extends Ragged<infer D, readonly Partition[]>
      ? RaggedTensor<D> | RaggedTensor<D, Shape, 'number'> | Nested<Given<D>>
      : F extends FixedLen<infer D, Shape> | VarLen<infer D> | FixedLenSequence<infer D, Shape>
        ? Given<D> | Nested<GivenScalar<D>>
        : never;
