import { checkBoolean, checkOptions, isList } from '../../base';
import {
  checkedDense,
  noteSteps,
  paddedRow,
  partOf,
  sizeOf,
  storedDType,
  stepsOf,
  zeroOf,
  type AnyDense,
  type Column,
  type Columns,
  type DenseTensor,
  type DType,
  type Int64As,
  type Literals,
  type Scalar,
  type Shape,
} from '../../tensor';
import {
  allocate,
  allocated,
  columnOf,
  columnReader,
  evenRows,
  FeatureFault,
  longestOf,
  padRows,
  valuesGiven,
  type ColumnValues,
} from '../columns';
import { columnFeature, rowError } from '../feature';
import { checkDefault, checkDType, checkSizes, specError } from './checks';
import {
  type BatchValue,
  type BlockReader,
  type ColumnLayout,
  type DefinitionJSON,
  type ElementValue,
  type FeatureColumns,
  FeatureDefinition,
  type GivenColumn,
  type GivenValue,
  type KeyUse,
  type Kind,
  type RecordFeatures,
  type Refusal,
  type RowSource,
  type RowsValue,
  type Section,
  type SpecUse,
  type UnpaddedSteps,
} from './definition';
import { checkGivenLength, denseRows, givenDenseRows } from './dense-columns';
import { checkFlag, literalJSON, literalOf, withDefault } from './literals';
import { newFeature, type kind } from './spec-feature';

/** A feature with any number of steps of one shape. */
export interface FixedLenSequence<D extends DType, S extends Shape> {
  /** @internal */
  readonly [kind]: 'fixedLenSequence';
  /** Type of the values. */
  readonly dtype: D;
  /** Shape of one step. */
  readonly shape: S;
}

/** The types of its values. */
export interface FixedLenSequenceValues<D extends DType, S extends Shape, I extends Int64As> {
  element: S extends readonly [] ? Columns<I>[D] : DenseTensor<D, readonly [number, ...S], I>;
  steps: this['element'];
  batch: DenseTensor<D, readonly [number, number, ...S], I>;
  given: GivenValue<D>;
}

/** Options of {@link fixedLenSequence}. */
export interface FixedLenSequenceOptions<D extends DType> {
  /**
   * True if a missing feature has zero steps. `false` makes a feature list required; features of Examples must have
   * `true`. Default: false.
   */
  readonly allowMissing?: boolean | undefined;
  /** The padding at the end of shorter records of a batch; not for feature lists. Default: 0, or no bytes. */
  readonly default?: Literals[D] | undefined;
}

/**
 * Describes a feature with any number of steps of `shape` (TensorFlow's `FixedLenSequenceFeature`). In a batch, records
 * are padded to the maximum number of steps. In a SequenceExample each step is a Feature of a feature list. @throws
 * TFRecordError TFR_SPEC
 *
 * @example
 * const { boxes } = parseExample(records, { boxes: fixedLenSequence([4], 'float32', { allowMissing: true }) });
 * console.log(boxes.shape); // [records, most boxes, 4]
 */
export function fixedLenSequence<D extends DType, const S extends Shape>(
  shape: S,
  dtype: D,
  options?: FixedLenSequenceOptions<D>,
): FixedLenSequence<D, S>;
export function fixedLenSequence(shape: Shape, dtype: DType, options?: FixedLenSequenceOptions<DType>): unknown {
  const call = 'fixedLenSequence';
  const sizes = checkSizes(call, shape, 1);
  checkDType(call, dtype);
  const given = checkOptions(options, ['allowMissing', 'default']);
  return newFeature(
    new FixedLenSequenceDefinition(
      dtype,
      sizes,
      checkBoolean('options.allowMissing', given.allowMissing, false),
      given.default === undefined ? undefined : checkDefault(call, dtype, onlyOne(call, given.default)),
    ),
  );
}

/** Returns the value of a list of one value. */
function onlyOne(call: string, value: unknown): unknown {
  if (!isList(value)) return value;
  if (value.length === 1) return value[0];
  throw specError(`${call}: the default has ${value.length} values; padding is one value`, {
    expected: '1',
    found: String(value.length),
  });
}

/** The kind `fixedLenSequence`. */
export const FIXED_LEN_SEQUENCE: Kind<FixedLenSequence<DType, Shape>> = {
  name: 'fixedLenSequence',
  members: ['shape', 'allowMissing', 'default'],
  fromJSON(dtype, json) {
    checkFlag(json, 'allowMissing');
    const { allowMissing, default: value } = withDefault(dtype, json) as FixedLenSequenceOptions<DType>;
    return fixedLenSequence(json['shape'] as number[], dtype, { allowMissing, default: value });
  },
};

class FixedLenSequenceDefinition extends FeatureDefinition {
  readonly kind = 'fixedLenSequence';
  readonly dtype: DType;
  readonly shape: Shape;
  readonly allowMissing: boolean;
  /** The padding of shorter Examples; undefined for 0 or no bytes. */
  readonly default: Scalar | undefined;

  constructor(dtype: DType, shape: Shape, allowMissing: boolean, padding: Scalar | undefined) {
    super();
    this.dtype = dtype;
    this.shape = shape;
    this.allowMissing = allowMissing;
    this.default = padding;
  }

  override shown(): object {
    return { shape: this.shape };
  }

  args(): readonly unknown[] {
    const { dtype, shape, allowMissing, default: value } = this;
    if (!allowMissing && value === undefined) return [shape, dtype];
    const options = {
      ...(allowMissing && { allowMissing }),
      ...(value !== undefined && { default: literalOf(dtype, value) }),
    };
    return [shape, dtype, options];
  }

  json(): DefinitionJSON {
    const { kind: type, dtype, shape, allowMissing, default: value } = this;
    return {
      type,
      dtype,
      shape,
      ...(allowMissing && { allowMissing }),
      ...(value !== undefined && { default: literalJSON(dtype, value) }),
    };
  }

  override refusal(use: SpecUse): Refusal | undefined {
    if (use === 'context') {
      const message = 'fixedLenSequence() in the context of a SequenceExample is not possible; use varLen()';
      return { message, found: this.kind };
    }
    if (use === 'example' && !this.allowMissing) {
      return {
        message: 'fixedLenSequence() of an Example needs allowMissing: true, for a missing feature has no steps',
        expected: 'allowMissing: true',
        found: 'allowMissing: false',
      };
    }
    if (use === 'sequence' && this.default !== undefined) {
      return {
        message: 'a feature list is padded with 0 or no bytes: it takes no default',
        expected: 'no default',
        found: 'a default',
      };
    }
    return undefined;
  }

  override pads(): boolean {
    return true;
  }

  override padding(): Scalar | undefined {
    return this.default;
  }

  keys(name: string): readonly KeyUse[] {
    return [{ key: name, dtype: storedDType(this.dtype), group: 'dense' }];
  }

  override layout(key: string, section: Section): ColumnLayout {
    if (section === 0) return super.layout(key, section);
    return { count: sizeOf(this.shape), required: !this.allowMissing, fallback: undefined };
  }

  override mayFail(section: Section): boolean {
    // Native code checks the number of values in steps of feature lists.
    return super.mayFail(section) || (section === 0 && sizeOf(this.shape) !== 1);
  }

  /**
   * Returns a tensor of `[rows, most steps] + shape`, for a feature whose values are divided into steps, or for a list
   * of steps.
   */
  batch(columns: FeatureColumns): BatchValue {
    const { name, rows, values: data, memory } = columns;
    const { dtype, shape } = this;
    const size = sizeOf(shape);
    const splits = data.steps ?? data.splits!;
    // Values for each unit of the splits, which count values or steps.
    const unit = data.steps === undefined ? 1 : size;
    if (unit === 1) checkSteps(name, splits, size);
    const longest = longestOf(splits);
    const width = longest * unit;
    const column = this.valuesIn(columns);
    const padding = this.default ?? zeroOf(dtype);
    const padded = allocate(name, rows, rows * width, 'values', () =>
      padRows(name, column, { splits, unit, rows, width }, padding, memory),
    );
    const tensor = checkedDense(dtype, [rows, width / size, ...shape], padded);
    noteSteps(tensor, splits, size / unit);
    return tensor;
  }

  override rows(columns: FeatureColumns): RowsValue {
    const { name, values } = columns;
    const splits = values.splits!;
    checkSteps(name, splits, sizeOf(this.shape));
    return { values: this.valuesIn(columns), splits };
  }

  /** `[steps] + shape`; a column for scalars. */
  element(columns: FeatureColumns): ElementValue {
    const { name, values: data } = columns;
    const { dtype, shape } = this;
    const size = sizeOf(shape);
    if (data.splits !== undefined) checkSteps(name, data.splits, size);
    const values = this.valuesIn(columns);
    return shape.length === 0 ? values : checkedDense(dtype, [values.length / size, ...shape], values);
  }

  rowSource(value: AnyDense | UnpaddedSteps): RowSource {
    const { dtype, shape } = this;
    const size = sizeOf(shape);
    const read = stepsReader(value, size);
    if (shape.length === 0) return read;
    return (row) => {
      const data = read(row);
      return checkedDense(dtype, [data.length / size, ...shape], data);
    };
  }

  countRows(value: unknown, wrong: (expected: string) => TypeError): number {
    return denseRows(value, this.shape, 2, wrong);
  }

  override blockReader(entry: number, int64: Int64As): BlockReader | undefined {
    return this.shape.length === 0 ? columnReader(this.dtype, entry, int64) : undefined;
  }

  givenRows(name: string, value: unknown): number {
    return givenDenseRows(name, value, this.dtype, this.shape, 2);
  }

  /** Returns the steps of each row, without the padding that parsing added. */
  encodeBatch({ name, feature, value: tensor, rows }: GivenColumn<AnyDense>): readonly ColumnValues[] {
    const { data, shape } = tensor;
    const size = sizeOf(this.shape);
    const width = shape[1]! * size;
    const values = valuesGiven(name, feature, this.dtype, data);
    checkGivenLength(name, values, rows * width);
    if (rows === 0 || stepsOf(tensor, 0) === undefined) return [columnOf(values, evenRows(width))];
    const [starts, ends] = allocated(4 * rows, () => [new Int32Array(rows), new Int32Array(rows)] as const);
    for (let row = 0, start = 0; row < rows; row++, start += width) {
      starts[row] = start;
      ends[row] = start + stepsOf(tensor, row)! * size;
    }
    return [columnOf(values, { starts, ends, count: 0 })];
  }

  encodeRow(name: string, value: unknown): RecordFeatures {
    const feature = columnFeature(`row.${name}`, this.dtype, value);
    const count = sizeOf(this.shape);
    const { length } = feature.values;
    if (length % count !== 0) {
      throw rowError(name, `a multiple of ${count} values for shape [${this.shape.join(', ')}]`, String(length));
    }
    return [[name, feature]];
  }
}

/** Reads the values of a row's steps. */
function stepsReader(value: AnyDense | UnpaddedSteps, size: number): (row: number) => Column {
  if (!('splits' in value)) return (row) => paddedRow(value, size, row);
  const { values, splits } = value;
  return (row) => partOf(values, splits[row]!, splits[row + 1]!);
}

/** Checks that every record has complete steps of `size` values. */
function checkSteps(name: string, splits: Int32Array, size: number): void {
  if (size === 1) return;
  for (let row = 1; row < splits.length; row++) {
    const found = splits[row]! - splits[row - 1]!;
    if (found % size === 0) continue;
    throw new FeatureFault(row - 1, name, `a multiple of ${size} values, the size of a step`, String(found));
  }
}
