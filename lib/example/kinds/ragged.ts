import { invalidArgType, invalidArgValue, checkBoolean, checkOptions, isInteger, isObject, counted } from '../../base';
import {
  checkedDense,
  isRagged,
  plainRow,
  raggedRow,
  RaggedTensor,
  sizeOf,
  storedDType,
  wordsOf,
  type AnyDense,
  type AnyRagged,
  type Columns,
  type DType,
  type Int64As,
  type RowSplits,
  type Shape,
} from '../../tensor';
import {
  columnOf,
  columnReader,
  FeatureFault,
  numbersOf,
  rowOf,
  splitRows,
  splitsGiven,
  tooLarge,
  valuesGiven,
  type ColumnValues,
} from '../columns';
import { columnFeature, quoted } from '../feature';
import { checkDType, checkKey, checkRank, show, specError } from './checks';
import {
  type BatchValue,
  type BlockReader,
  type DefinitionJSON,
  type ElementValue,
  type FeatureColumns,
  FeatureDefinition,
  type GivenArray,
  type GivenColumn,
  type KeyUse,
  type Kind,
  type NestedLists,
  type RecordFeatures,
  type RowSource,
  type Section,
} from './definition';
import { checkGivenDType } from './dense-columns';
import { checkFlag } from './literals';
import { nestedRows } from './nested-rows';
import {
  below,
  checkUniform,
  checkUniformRows,
  cutRows,
  encodePartition,
  KEYED_PARTITIONS,
  MAX_EMPTY_ROWS,
  rowsBy,
  type Partition,
  type PartitionFault,
} from './partitions';
import { newFeature, type kind } from './spec-feature';

/** A ragged tensor, stored in one or more features of a record. */
export interface Ragged<D extends DType, P extends readonly Partition[]> {
  /** @internal */
  readonly [kind]: 'ragged';
  /** Type of the values. */
  readonly dtype: D;
  /** The partitions that divide the values into rows, the outermost first. */
  readonly partitions: P;
}

/** The types of its values. */
export interface RaggedValues<D extends DType, P extends readonly Partition[], I extends Int64As> {
  element: P extends readonly [] ? Columns<I>[D] : RaggedTensor<D, Shape, I>;
  steps: RaggedTensor<D, Shape, I>;
  batch: RaggedTensor<D, Shape, I>;
  given: RaggedTensor<D> | RaggedTensor<D, Shape, 'number'> | NestedLists<GivenArray<D>>;
}

/** Options of {@link ragged}. */
export interface RaggedOptions<D extends DType, P extends readonly Partition[]> {
  /** Type of the values. */
  readonly dtype: D;
  /** Name of the feature that holds the values. Default: the feature's own name. */
  readonly valueKey?: string | undefined;
  /**
   * The partitions, the outermost first; each divides the values, or the rows of the next partition, into rows.
   * Default: none.
   */
  readonly partitions?: P | undefined;
  /** Type of every vector of splits. Default: 'int32'. */
  readonly rowSplitsDtype?: 'int32' | 'int64' | undefined;
  /**
   * TensorFlow's option, accepted for specs from there. It has no effect: partitions are checked in every record,
   * because unchecked ones could lose values, or make wrong rows.
   */
  readonly validate?: boolean | undefined;
}

const OPTIONS = ['dtype', 'valueKey', 'partitions', 'rowSplitsDtype', 'validate'] as const;

/**
 * Values in rows of different lengths (TensorFlow's `RaggedFeature`), which other int64 features of the record
 * describe. Partition values count from 0 inside each record, and must fit its values; else TFR_FEATURE. @throws
 * TFRecordError TFR_SPEC
 *
 * @example
 * const { words } = parseExample(records, {
 *   words: ragged({ dtype: 'text', partitions: [{ by: 'rowLengths', key: 'sentence_lengths' }] }),
 * });
 * console.log(words.toArray()); // of each record, of each sentence, the words
 */
export function ragged<D extends DType, const P extends readonly Partition[] = readonly []>(
  feature: RaggedOptions<D, P>,
): Ragged<D, P>;
export function ragged(feature: RaggedOptions<DType, readonly Partition[]>): unknown {
  const call = 'ragged';
  const given = checkOptions(feature, OPTIONS);
  const dtype = checkDType(call, given.dtype);
  const { valueKey, rowSplitsDtype = 'int32', partitions = [] } = given;
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
  return newFeature(
    new RaggedDefinition({
      dtype,
      valueKey: valueKey === undefined ? undefined : checkKey(call, 'valueKey', valueKey),
      partitions: Object.freeze(partitions.map((partition) => checkPartition(call, partition))),
      rowSplitsDtype,
      validate: checkBoolean('validate', given.validate, false),
    }),
  );
}

function checkPartition(call: string, partition: unknown): Partition {
  const { by, key, length, ...others } = isObject(partition) ? partition : {};
  const [other] = Object.keys(others);
  if (by === 'uniformRowLength' && key === undefined && other === undefined) {
    if (isInteger(length, 1, 0x7fff_ffff)) return Object.freeze({ by, length });
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

/** The kind `ragged`. */
export const RAGGED: Kind<Ragged<DType, readonly Partition[]>> = {
  name: 'ragged',
  members: ['valueKey', 'partitions', 'rowSplitsDtype', 'validate'],
  fromJSON(dtype, json) {
    checkFlag(json, 'validate');
    return ragged({ ...json, dtype });
  },
};

class RaggedDefinition extends FeatureDefinition {
  readonly kind = 'ragged';
  readonly dtype: DType;
  /** Undefined for the feature's name. */
  readonly valueKey: string | undefined;
  /** The outermost first. */
  readonly partitions: readonly Partition[];
  readonly rowSplitsDtype: 'int32' | 'int64';
  readonly validate: boolean;

  constructor(given: Pick<RaggedDefinition, 'dtype' | 'valueKey' | 'partitions' | 'rowSplitsDtype' | 'validate'>) {
    super();
    this.dtype = given.dtype;
    this.valueKey = given.valueKey;
    this.partitions = given.partitions;
    this.rowSplitsDtype = given.rowSplitsDtype;
    this.validate = given.validate;
  }

  override shown(): object {
    return { partitions: this.partitions };
  }

  args(): readonly unknown[] {
    const { type: _type, ...options } = this.json();
    return [options];
  }

  json(): DefinitionJSON {
    const { kind: type, dtype, valueKey, partitions, rowSplitsDtype, validate } = this;
    return {
      type,
      dtype,
      ...(valueKey !== undefined && { valueKey }),
      ...(partitions.length > 0 && { partitions }),
      ...(rowSplitsDtype !== 'int32' && { rowSplitsDtype }),
      ...(validate && { validate }),
    };
  }

  keys(name: string): readonly KeyUse[] {
    const { rowSplitsDtype } = this;
    const dtype = storedDType(this.dtype);
    const uses: KeyUse[] = [{ key: this.valueKey ?? name, dtype, group: 'ragged', rowSplitsDtype }];
    for (const partition of this.partitions) {
      if (partition.by === 'uniformRowLength') continue;
      uses.push({ key: partition.key, dtype: 'int64', group: 'ragged', rowSplitsDtype });
    }
    return uses;
  }

  override mayFail(section: Section): boolean {
    return super.mayFail(section) || this.partitions.length > 0;
  }

  /** Rows of a batch: record → rows (in feature lists record → steps, step → rows), then the partitions. */
  batch(columns: FeatureColumns): BatchValue {
    const { steps } = columns.values;
    const { bounds, levels, values } = this.#compose(columns);
    return this.#tensor(values, steps === undefined ? [bounds, ...levels] : [steps, bounds, ...levels]);
  }

  /**
   * Returns the value of one record: rows by the partitions, in feature lists preceded by step → rows; the values if
   * there are no partitions.
   */
  element(columns: FeatureColumns): ElementValue {
    const { steps } = columns.values;
    if (this.partitions.length === 0 && steps === undefined) return this.valuesIn(columns);
    const { bounds, levels, values } = this.#compose(columns);
    return this.#tensor(values, steps === undefined ? levels : [bounds, ...levels]);
  }

  rowSource(value: AnyRagged): RowSource {
    const read = this.partitions.length === 0 ? plainRow : raggedRow;
    return (row) => read(value, row);
  }

  countRows(value: unknown, wrong: (expected: string) => TypeError): number {
    if (!isRagged(value) || value.rowSplits.length === 0) throw wrong('a RaggedTensor');
    return value.rowSplits[0]!.length - 1;
  }

  override blockReader(entry: number, int64: Int64As): BlockReader | undefined {
    return this.partitions.length === 0 ? columnReader(this.dtype, entry, int64) : undefined;
  }

  givenRows(name: string, value: unknown): number {
    if (!isRagged(value)) throw invalidArgType(name, 'a RaggedTensor', value);
    const { dtype, rowSplits } = value;
    checkGivenDType(name, dtype, this.dtype);
    if (rowSplits.length === 0) throw invalidArgValue(name, 'cut into rows: it has no rowSplits', value);
    return rowSplits[0]!.length - 1;
  }

  /** Returns the columns of the values, then of the partitions with a key, the outermost first. */
  encodeBatch(given: GivenColumn<AnyRagged>): readonly ColumnValues[] {
    const { name, feature, rows } = given;
    const { values: dense, rowSplits } = given.value;
    const { partitions } = this;
    // Innermost uniform partitions are dimensions of the values.
    const cut = partitions.findLastIndex(({ by }) => by !== 'uniformRowLength') + 1;
    const inner = partitions
      .slice(cut)
      .flatMap((partition) => (partition.by === 'uniformRowLength' ? partition.length : []));
    const [units, ...sizes] = dense.shape;
    if (rowSplits.length !== 1 + cut || sizes.join() !== inner.join()) {
      const wanted = `of ${1 + cut} rowSplits over values of shape [${['any', ...inner].join(', ')}]`;
      throw invalidArgValue(name, wanted, `${rowSplits.length} over [${dense.shape.join(', ')}]`);
    }
    const values = valuesGiven(`${name}.values`, feature, this.dtype, dense.data);
    const size = sizeOf(inner);
    if (values.length !== units! * size) {
      throw invalidArgValue(`${name}.values`, `of ${counted(units! * size, 'value')}`, values.length);
    }
    // The innermost first: each determines the number of rows of the one before.
    let total = units!;
    const levels = rowSplits
      .map((splits, k) => ({ splits, where: `${name}.rowSplits[${k}]` }))
      .reverse()
      .map(({ splits, where }) => {
        const level = splitsGiven(where, splits, total);
        total = level.length - 1;
        return level;
      })
      .reverse();
    let bounds: Int32Array = levels[0]!;
    if (bounds.length - 1 !== rows)
      throw invalidArgValue(`${name}.rowSplits[0]`, `of ${counted(rows, 'row')}`, bounds.length - 1);
    const written: ColumnValues[] = [];
    for (const [k, partition] of partitions.slice(0, cut).entries()) {
      const level = { feature, bounds, splits: levels[k + 1]! };
      if (partition.by === 'uniformRowLength') checkUniform(level, partition.length);
      else written.push(encodePartition(level, partition.by));
      bounds = below(level);
    }
    return [columnOf(values, splitRows(size === 1 ? bounds : bounds.map((unit) => unit * size))), ...written];
  }

  /** Returns the features of the values, then of the partitions with a key, for tensors or nested lists. */
  encodeRow(name: string, value: unknown): RecordFeatures {
    const { partitions } = this;
    const { levels, values } = nestedRows(name, partitions.length, value);
    const written: [string, readonly number[]][] = [];
    for (const [k, partition] of partitions.entries()) {
      const lengths = levels[k]!;
      if (partition.by === 'uniformRowLength') checkUniformRows(name, lengths, partition.length);
      else written.push([partition.key, rowsBy(name, partition.by, lengths)]);
    }
    const where = `row.${name}`;
    return [
      [this.valueKey ?? name, columnFeature(where, this.dtype, values)],
      ...written.map(([key, rows]) => [key, columnFeature(where, 'int64', rows)] as const),
    ];
  }

  /** Divides the values into rows, from the innermost partition outwards. */
  #compose(columns: FeatureColumns): Composed {
    const { values: data, others, name } = columns;
    checkAlignment(this.partitions, columns);
    const column = this.valuesIn(columns);
    const inner: number[] = [];
    const levels: Int32Array[] = [];
    let bounds: Int32Array = data.splits!;
    let keyed = others.length;
    for (const partition of this.partitions.toReversed()) {
      const own = partition.by === 'uniformRowLength' ? undefined : others[--keyed]!;
      const cut = cutRows({
        by: partition.by,
        length: partition.by === 'uniformRowLength' ? partition.length : 0,
        bounds,
        values: own === undefined ? NONE : numbersOf(own),
        splits: own?.splits ?? bounds,
        records: data.steps,
      });
      if ('unit' in cut) throw faultOf(columns, partition, cut);
      if ('empty' in cut) {
        const rows = (data.steps ?? bounds).length - 1;
        throw tooLarge(name, rows, cut.empty, 'empty rows', MAX_EMPTY_ROWS);
      }
      // Innermost uniform partitions are dimensions of the values.
      if (partition.by === 'uniformRowLength' && levels.length === 0) inner.unshift(partition.length);
      else levels.unshift(cut.splits);
      bounds = cut.bounds;
    }
    const values = checkedDense(this.dtype, [column.length / sizeOf(inner), ...inner], column);
    return { bounds, levels, values };
  }

  #tensor(values: AnyDense, levels: readonly Int32Array[]): AnyRagged {
    const rowSplits: readonly RowSplits[] = this.rowSplitsDtype === 'int64' ? levels.map(toInt64) : levels;
    return new RaggedTensor<DType, Shape, Int64As>(values, rowSplits);
  }
}

interface Composed {
  /** Record or step → rows of the outermost level. */
  readonly bounds: Int32Array;
  /** The outermost first. */
  readonly levels: readonly Int32Array[];
  readonly values: AnyDense;
}

const NONE = new Float64Array(0);

/** Checks that feature lists of values and of partitions have the same number of steps in every record. */
function checkAlignment(partitions: readonly Partition[], { name, values, others }: FeatureColumns): void {
  const { steps } = values;
  if (steps === undefined) return;
  const keys = partitions.flatMap((partition) => (partition.by === 'uniformRowLength' ? [] : [partition.key]));
  for (let row = 1; row < steps.length; row++) {
    const wanted = steps[row]! - steps[row - 1]!;
    others.forEach(({ steps: own }, k) => {
      const found = own![row]! - own![row - 1]!;
      if (found === wanted) return;
      const expected = `as many steps in ${quoted(keys[k]!)} as the values have: ${wanted}`;
      throw new FeatureFault(row - 1, name, expected, String(found));
    });
  }
}

function faultOf({ name, values }: FeatureColumns, partition: Partition, fault: PartitionFault): FeatureFault {
  const { unit, expected, found } = fault;
  const where = partition.by === 'uniformRowLength' ? 'the values' : `${partition.by} ${quoted(partition.key)}`;
  const { steps } = values;
  if (steps === undefined) return new FeatureFault(unit, name, `${expected} (${where})`, found);
  const row = rowOf(steps, unit);
  const step = unit - steps[row]!;
  return new FeatureFault(row, name, `${expected} (${where}, step ${step})`, found);
}

function toInt64(splits: Int32Array): BigInt64Array {
  const wide = new BigInt64Array(splits.length);
  const words = wordsOf(wide);
  for (let i = 0; i < splits.length; i++) words[2 * i] = splits[i]!;
  return wide;
}
