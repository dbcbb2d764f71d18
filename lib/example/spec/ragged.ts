import { checkBoolean, checkOptions } from '../../record';
import type { DType } from '../../tensor';
import { checkDType, checkKey, checkRank, show } from './check';
import { KEYED_PARTITIONS, type Partition } from './partition';
import { specError } from './spec-error';
import { newFeature, type kind } from './spec-feature';

/** A ragged tensor that one or more features of a record tell. */
export interface Ragged<D extends DType, P extends readonly Partition[]> {
  /** @internal */
  readonly [kind]: 'ragged';
  /** Type of the values. */
  readonly dtype: D;
  /** What cuts the values into rows, the outermost first. */
  readonly partitions: P;
}

/** What {@link ragged} reads. */
export interface RaggedOptions<D extends DType, P extends readonly Partition[]> {
  /** Type of the values. */
  readonly dtype: D;
  /** Name of the feature that holds the values. Default: the feature's own name. */
  readonly valueKey?: string | undefined;
  /** The outermost first; each cuts the values, or the rows that the one after it makes, into rows. Default: none. */
  readonly partitions?: P | undefined;
  /** Type of every vector of splits. Default: 'int32'. */
  readonly rowSplitsDtype?: 'int32' | 'int64' | undefined;
  /**
   * Of TensorFlow, so that its specs can be carried over. It changes nothing here: partitions are checked in every record,
   * for what TensorFlow does not check is values lost, or cut into wrong rows.
   */
  readonly validate?: boolean | undefined;
}

const OPTIONS = ['dtype', 'valueKey', 'partitions', 'rowSplitsDtype', 'validate'] as const;

/**
 * Values in rows of different lengths (TensorFlow's `RaggedFeature`), which other int64 features of the record tell.
 * Partition values count from 0 inside each record, and must fit its values; else TFR_FEATURE.
 * @throws TFRecordError TFR_SPEC
 */
export function ragged<D extends DType, const P extends readonly Partition[] = readonly []>(
  feature: RaggedOptions<D, P>,
): Ragged<D, P> {
  const call = 'ragged';
  const given = checkOptions<RaggedOptions<D, P>>(feature, OPTIONS);
  const dtype = checkDType(call, given.dtype);
  const { valueKey, rowSplitsDtype = 'int32', partitions = [] } = given as RaggedOptions<D, readonly Partition[]>;
  if (valueKey === '') {
    throw specError(`${call}: valueKey is empty; leave it out for the feature's own name`, {
      expected: 'the name of a feature',
      found: '""',
    });
  }
  if (rowSplitsDtype !== 'int32' && rowSplitsDtype !== 'int64') {
    throw specError(`${call}: rowSplitsDtype is ${show(rowSplitsDtype)}; splits are 'int32' or 'int64'`, {
      expected: 'int32 or int64',
      found: show(rowSplitsDtype),
    });
  }
  if (!Array.isArray(partitions)) {
    throw specError(`${call}: partitions is ${show(partitions)}; give a list`, { found: show(partitions) });
  }
  checkRank(call, 'partitions', partitions);
  return newFeature({
    kind: 'ragged',
    dtype,
    valueKey: valueKey === undefined ? undefined : checkKey(call, 'valueKey', valueKey),
    partitions: Object.freeze(partitions.map((partition) => checkPartition(call, partition))),
    rowSplitsDtype,
    validate: checkBoolean('validate', given.validate, false),
  }) as Ragged<D, P>;
}

function checkPartition(call: string, partition: unknown): Partition {
  const { by, key, length, ...others } = (partition ?? {}) as Record<string, unknown>;
  const [other] = Object.keys(others);
  if (by === 'uniformRowLength' && key === undefined && other === undefined) {
    if (Number.isInteger(length) && (length as number) >= 1 && (length as number) <= 0x7fff_ffff) {
      return Object.freeze({ by, length: length as number });
    }
    throw specError(`${call}: uniformRowLength has length ${show(length)}; give an integer from 1 to 2^31 − 1`, {
      expected: 'an integer from 1 to 2147483647',
      found: show(length),
    });
  }
  const keyed = KEYED_PARTITIONS.find((name) => name === by);
  if (keyed !== undefined && length === undefined && other === undefined) {
    return Object.freeze({ by: keyed, key: checkKey(call, keyed, key) });
  }
  const expected = `{ by: ${KEYED_PARTITIONS.map((name) => `'${name}'`).join(' | ')}, key } or { by: 'uniformRowLength', length }`;
  throw specError(
    `${call}: a partition is ${expected}; by is ${show(by)}${other === undefined ? '' : `, ${other} is unknown`}`,
    {
      expected,
      found: show(by),
    },
  );
}
