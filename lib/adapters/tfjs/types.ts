import type { Tensor } from '@tensorflow/tfjs-core';

import type { IterateOptions, PaddedArray, PadValue } from '../../dataset';
import type { AnyTensorValue } from '../../decode';
import type { BytesArray, DenseTensor, DType, Int64As, RaggedTensor, Shape, SparseTensor } from '../../tensor';
import type { RecordBatch } from '../../record';

/** Types of the tensors that are made. */
export type TfjsDType = 'float32' | 'int32' | 'string' | 'bool';

/** What is made one tensor, not an object of tensors. */
export type TensorColumn =
  | ArrayBufferView
  | BytesArray
  | RecordBatch
  | DenseTensor<DType, Shape, Int64As>
  | SparseTensor<DType, Int64As>
  | RaggedTensor<DType, Shape, Int64As>
  | AnyTensorValue
  | PaddedArray<ArrayBufferView>;

/**
 * The tensors of a batch: columns become tensors, rows are stacked by name; objects stay objects, and the pairs of features and
 * label of `Dataset.examples` pairs.
 */
export type TensorsOf<B> = B extends TensorColumn
  ? Tensor
  : B extends readonly [infer F, TensorColumn]
    ? F extends TensorColumn | readonly unknown[]
      ? Tensor
      : [features: TensorsOf<F>, label: Tensor]
    : B extends readonly (infer R)[]
      ? RowTensors<R>
      : B extends object
        ? { -readonly [K in keyof B]: TensorsOf<B[K]> }
        : never;

/** The tensors of a batch of rows `R`. */
export type RowTensors<R> = R extends TensorColumn | readonly unknown[] | number | bigint | boolean | string
  ? Tensor
  : R extends object
    ? { -readonly [K in keyof R]: RowTensors<R[K]> }
    : never;

/** How columns become tensors. Names are those of the batch, `outer.inner` in objects. Unknown names throw. */
export interface TensorOptions {
  /**
   * Type of a column's tensor. Default: float32 for float32 and numbers, int32 for int64 and other integers, string for
   * bytes and text, bool for booleans. Bytes as float32 or int32 are pixels: a value a byte, and one dimension more, so all of
   * one length. What the type cannot hold is an error; so is a `Uint8Array` that a function put into a row, where nothing
   * here says whether it is a string or numbers.
   */
  dtypes?: Readonly<Record<string, TfjsDType | undefined>> | undefined;
  /**
   * What stands where sparse and ragged columns have no value: for all of them, or by name. Without it they are errors: tfjs
   * has no such tensors.
   */
  defaults?: PadValue | Readonly<Record<string, PadValue | undefined>> | undefined;
}

/** Options of {@link toTfjsDataset}. Unknown names throw. */
export interface TfjsDatasetOptions extends TensorOptions, IterateOptions {}

/** Columns by their names: one, a list, or by the names of a model's inputs or outputs. */
export type TensorNames = string | readonly string[] | Readonly<Record<string, string>>;

/** Which columns are a model's inputs and targets. Others are not converted. */
export interface TensorChoice {
  /** The inputs. */
  readonly xs: TensorNames;
  /** The targets. */
  readonly ys: TensorNames;
}

/** The tensors that `N` names. */
export type ChosenTensors<N extends TensorNames> = N extends string
  ? Tensor
  : N extends readonly string[]
    ? Tensor[]
    : { -readonly [K in keyof N]: Tensor };

/** What `fitDataset` takes: a batch of what `C` names. */
// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- interfaces are no TensorContainer
export type TrainingBatch<C extends TensorChoice> = {
  /** The inputs. */
  xs: ChosenTensors<C['xs']>;
  /** The targets. */
  ys: ChosenTensors<C['ys']>;
};
