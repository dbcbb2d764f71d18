import type { Tensor } from '@tensorflow/tfjs-core';

import type { IterateOptions, PaddedArray, PadValue } from '../../dataset';
import type { AnyTensorValue } from '../../decode';
import type {
  BytesArray,
  DenseTensor,
  DType,
  Int64As,
  NullableColumn,
  RaggedTensor,
  Shape,
  SparseTensor,
} from '../../tensor';
import type { RecordBatch } from '../../record';

/** The types of tensors that {@link toTensors} makes. */
export type TfjsDType = 'float32' | 'int32' | 'string' | 'bool';

/** A value that becomes one tensor, not an object of tensors. */
export type TensorColumn =
  | ArrayBufferView
  | BytesArray
  | RecordBatch
  | DenseTensor<DType, Shape, Int64As>
  | SparseTensor<DType, Int64As>
  | RaggedTensor<DType, Shape, Int64As>
  | NullableColumn<DType, Int64As>
  | AnyTensorValue
  | PaddedArray<ArrayBufferView>;

/**
 * The tensors of a batch. Columns become tensors, and rows are stacked by name. Objects stay objects, and the pairs of
 * features and label of `Dataset.examples` stay pairs.
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

/** How columns become tensors. Names are those of the batch, `outer.inner` in nested objects. Unknown names throw. */
export interface TensorOptions {
  /**
   * The type of each column's tensor. Default: float32 for float32 and numbers, int32 for int64 and other integers,
   * string for bytes and text, bool for booleans. Bytes as float32 or int32 are pixels: one value per byte, with one
   * more dimension, so all must have the same length. A value that the type cannot hold throws. A `Uint8Array` that a
   * function returned in a row throws, unless `dtypes` defines if it is a string or numbers.
   */
  dtypes?: Readonly<Record<string, TfjsDType | undefined>> | undefined;
  /**
   * The value for the gaps in sparse, ragged and nullable columns: one for all, or one by name. Default: none; columns
   * with gaps throw, because tfjs has no such tensors.
   */
  defaults?: PadValue | Readonly<Record<string, PadValue | undefined>> | undefined;
}

/** Options of {@link toTfjsDataset}. Unknown names throw. */
export interface TfjsDatasetOptions extends TensorOptions, IterateOptions {}

/** Names of columns: one, a list, or an object by the names of a model's inputs or outputs. */
export type TensorNames = string | readonly string[] | Readonly<Record<string, string>>;

/** The columns that are a model's inputs and targets. Other columns are not converted. */
export interface TensorChoice {
  /** The inputs. */
  readonly xs: TensorNames;
  /** The targets. */
  readonly ys: TensorNames;
}

/** The tensors for the names `N`. */
export type ChosenTensors<N extends TensorNames> = N extends string
  ? Tensor
  : N extends readonly string[]
    ? Tensor[]
    : { -readonly [K in keyof N]: Tensor };

/** A batch for `fitDataset`, with the columns that `C` names. */
// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- an interface is not assignable to TensorContainer
export type TrainingBatch<C extends TensorChoice> = {
  /** The inputs. */
  xs: ChosenTensors<C['xs']>;
  /** The targets. */
  ys: ChosenTensors<C['ys']>;
};
