import { checkBoolean, checkOptions } from '../../record';
import type { DType } from '../../tensor';
import { checkDType, checkKey, checkRank, checkSizes, show } from './check';
import { specError } from './spec-error';
import { newFeature, type kind } from './spec-feature';

/** A sparse tensor that several features of a record tell. */
export interface Sparse<D extends DType> {
  /** @internal */
  readonly [kind]: 'sparse';
  /** Type of the values. */
  readonly dtype: D;
}

/** What {@link sparse} reads. `indexKey` and `size` are both single, or lists of one length. */
export type SparseOptions<D extends DType> = {
  /** Name of the feature that holds the values. */
  readonly valueKey: string;
  /** Type of the values. */
  readonly dtype: D;
  /** Whether the coordinates are in lexicographic order in every record: they are taken as they are. Default: false. */
  readonly alreadySorted?: boolean | undefined;
} & (
  | {
      /** Name of the int64 feature that holds the coordinates. */
      readonly indexKey: string;
      /** Size of the dimension: coordinates lie from 0 to `size − 1`. */
      readonly size: number;
    }
  | {
      /** Names of the int64 features that hold the coordinates, one a dimension. */
      readonly indexKey: readonly string[];
      /** Sizes of the dimensions. */
      readonly size: readonly number[];
    }
);

const OPTIONS = ['indexKey', 'valueKey', 'dtype', 'size', 'alreadySorted'] as const;

/**
 * A sparse tensor (TensorFlow's `SparseFeature`): one feature of a record holds the values, one or more int64 features
 * their coordinates. They have the same length in every record, and coordinates lie inside `size`; else TFR_FEATURE.
 * Entries are sorted by coordinates; equal ones are all kept, in their order. @throws TFRecordError TFR_SPEC
 */
export function sparse<D extends DType>(feature: SparseOptions<D>): Sparse<D> {
  const call = 'sparse';
  const { indexKey, valueKey, dtype, size, alreadySorted } = checkOptions<SparseOptions<D>>(feature, OPTIONS);
  checkDType(call, dtype);
  const listed = Array.isArray(indexKey);
  const keys: readonly unknown[] = listed ? indexKey : [indexKey];
  checkRank(call, 'indexKey', keys);
  // In a list the empty name is a feature's, as in every other place.
  if (keys.length === 0 || indexKey === '' || indexKey === undefined) {
    throw specError(`${call}: indexKey is missing; give the name of the int64 feature with the coordinates`, {
      expected: 'indexKey',
      found: show(indexKey),
    });
  }
  if (valueKey === undefined || valueKey === '') {
    throw specError(`${call}: valueKey is missing; give the name of the feature with the values`, {
      expected: 'valueKey',
      found: show(valueKey),
    });
  }
  const sizes: readonly unknown[] = Array.isArray(size) ? size : [size];
  if (Array.isArray(size) !== listed || sizes.length !== keys.length) {
    throw specError(
      `${call}: indexKey is ${show(indexKey)} and size is ${show(size)}; give one of each, or lists of one length`,
      { expected: listed ? `a list of ${keys.length} sizes` : 'one size', found: show(size) },
    );
  }
  return newFeature({
    kind: 'sparse',
    dtype,
    indexKeys: Object.freeze(keys.map((key) => checkKey(call, 'indexKey', key))),
    listed,
    valueKey: checkKey(call, 'valueKey', valueKey),
    size: checkExtents(call, sizes),
    alreadySorted: checkBoolean('alreadySorted', alreadySorted, false),
  }) as Sparse<D>;
}

/** Sizes of a sparse tensor: their product may be beyond every memory. */
function checkExtents(call: string, sizes: readonly unknown[]): readonly number[] {
  for (const size of sizes)
    if (!Number.isSafeInteger(size) || (size as number) < 0) checkSizes(call, sizes as number[], 0);
  return Object.freeze([...(sizes as number[])]);
}
