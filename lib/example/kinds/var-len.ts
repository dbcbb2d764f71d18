import { invalidArgValue, counted } from '../../base';
import {
  entriesOf,
  longestRow,
  newSparseTensor,
  partsOf,
  SparseTensor,
  storedDType,
  type AnySparse,
  type Column,
  type Columns,
  type DType,
  type Int64As,
} from '../../tensor';
import {
  columnError,
  columnOf,
  columnReader,
  longestOf,
  splitRows,
  splitsGiven,
  valuesGiven,
  type ColumnValues,
} from '../columns';
import { columnFeature } from '../feature';
import { checkDType } from './checks';
import {
  type BatchValue,
  type BlockReader,
  type DefinitionJSON,
  type ElementValue,
  type FeatureColumns,
  FeatureDefinition,
  type GivenColumn,
  type GivenValue,
  type KeyUse,
  type Kind,
  type RecordFeatures,
  type RowSource,
} from './definition';
import { coordinateAt, givenEntries, givenSparseRows, sparseRows } from './sparse-coordinates';
import { newFeature, type kind } from './spec-feature';

/** A feature with any number of values. */
export interface VarLen<D extends DType> {
  /** @internal */
  readonly [kind]: 'varLen';
  /** Type of the values. */
  readonly dtype: D;
}

/** The types of its values. */
export interface VarLenValues<D extends DType, I extends Int64As> {
  element: Columns<I>[D];
  steps: SparseTensor<D, I>;
  batch: SparseTensor<D, I>;
  given: GivenValue<D>;
}

/**
 * Describes a feature with any number of values (TensorFlow's `VarLenFeature`); a missing feature has none. The value
 * is a column in one record, a SparseTensor in a batch. @throws TFRecordError TFR_SPEC
 *
 * @example
 * const { tags } = parseSingleExample(record, { tags: varLen('text') }); // ['a', 'b']
 */
export function varLen<D extends DType>(dtype: D): VarLen<D>;
export function varLen(dtype: DType): unknown {
  return newFeature(new VarLenDefinition(checkDType('varLen', dtype)));
}

/** The kind `varLen`. */
export const VAR_LEN: Kind<VarLen<DType>> = { name: 'varLen', members: [], fromJSON: (dtype) => varLen(dtype) };

class VarLenDefinition extends FeatureDefinition {
  readonly kind = 'varLen';
  readonly dtype: DType;

  constructor(dtype: DType) {
    super();
    this.dtype = dtype;
  }

  args(): readonly unknown[] {
    return [this.dtype];
  }

  json(): DefinitionJSON {
    return { type: this.kind, dtype: this.dtype };
  }

  keys(name: string): readonly KeyUse[] {
    return [{ key: name, dtype: storedDType(this.dtype), group: 'sparse' }];
  }

  /** `[rows, longest list]`, of feature lists `[rows, most steps, longest step]`. */
  batch(columns: FeatureColumns): BatchValue {
    const { values, rows } = columns;
    const { steps } = values;
    const splits = values.splits!;
    return newSparseTensor(this.dtype, {
      values: this.valuesIn(columns),
      denseShape: steps === undefined ? [rows, longestOf(splits)] : [rows, longestOf(steps), longestOf(splits)],
      rowSplits: steps === undefined ? [splits] : [steps, splits],
    });
  }

  /** The values; of feature lists `[steps, longest step]`. */
  element(columns: FeatureColumns): ElementValue {
    const { values } = columns;
    if (values.steps === undefined) return this.valuesIn(columns);
    const splits = values.splits!;
    return new SparseTensor<DType, Int64As>(this.dtype, {
      values: this.valuesIn(columns),
      denseShape: [splits.length - 1, longestRow(splits)],
      rowSplits: [splits],
    });
  }

  rowSource(value: AnySparse): RowSource {
    return partsAt(value);
  }

  countRows(value: unknown, wrong: (expected: string) => TypeError): number {
    return sparseRows(value, wrong);
  }

  override blockReader(entry: number, int64: Int64As): BlockReader {
    return columnReader(this.dtype, entry, int64);
  }

  givenRows(name: string, value: unknown): number {
    return givenSparseRows(name, value, this.dtype, undefined);
  }

  /** Returns the column of the values of each row, which must be at the columns from 0 on. */
  encodeBatch(given: GivenColumn<AnySparse>): readonly ColumnValues[] {
    const { name, feature, rows, value: tensor } = given;
    const values = valuesGiven(`${name}.values`, feature, this.dtype, tensor.values);
    const { rowSplits } = tensor;
    if (rowSplits !== undefined) {
      const splits = splitsGiven(`${name}.rowSplits[0]`, rowSplits[0], values.length);
      if (splits.length - 1 !== rows)
        throw invalidArgValue(name, `of ${counted(rows, 'row')}, as its shape says`, splits.length - 1);
      return [columnOf(values, splitRows(splits))];
    }
    const { splits, words } = givenEntries(given, 2, values);
    for (let row = 0; row < rows; row++) {
      const start = splits[row]!;
      for (let i = start; i < splits[row + 1]!; i++) {
        if (words[4 * i + 2] === i - start && words[4 * i + 3] === 0) continue;
        const found = String(coordinateAt(words, 2 * i + 1));
        throw columnError(row, feature, `value ${i - start} at column ${i - start}, for a list has no gaps`, found);
      }
    }
    return [columnOf(values, splitRows(splits))];
  }

  encodeRow(name: string, value: unknown): RecordFeatures {
    return [[name, columnFeature(`row.${name}`, this.dtype, value)]];
  }
}

/** Reads the values of a row of a tensor whose entries are in row order. */
function partsAt(tensor: AnySparse): (row: number) => Column {
  const part = partsOf(tensor.values);
  const { rowSplits } = tensor;
  if (rowSplits?.length !== 1) return (row) => part(...entriesOf(tensor, row));
  const splits = rowSplits[0]!;
  return (row) => part(splits[row]!, splits[row + 1]!);
}
