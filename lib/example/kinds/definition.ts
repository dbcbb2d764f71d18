/** The interface of kinds of features: everything that differs between kinds is in their {@link FeatureDefinition}. */
import type { PlanColumn } from '../../native';
import type {
  AnyDense,
  AnyNullable,
  AnyRagged,
  AnySparse,
  BytesArray,
  Column,
  DenseTensor,
  DType,
  Int64As,
  Scalar,
  Shape,
  StoredDType,
} from '../../tensor';
import {
  textsOf,
  valuesOf,
  type BatchMemory,
  type ColumnData,
  type ColumnValues,
  type RowBlock,
  type RowScalar,
} from '../columns';
import type { BytesValues, FloatValues, Int64Values, PlainValues } from '../feature';
import type { Feature } from '../message';
import type { JSONObject } from './literals';

/** An entry of the list of kinds; its features have type `F`. */
export interface Kind<F> {
  /** Name of the kind and of the function that makes its features. */
  readonly name: string;
  /** Members of its JSON in addition to `type` and `dtype`. */
  readonly members: readonly string[];
  /**
   * Returns the feature that `json` describes. For features of bytes that are read as text, `dtype` is `text` instead of
   * that of their JSON. @throws TFRecordError TFR_SPEC
   */
  fromJSON(dtype: DType, json: JSONObject): F;
}

/** Any value of a feature in a batch. */
export type BatchValue = Column | AnyNullable | AnyDense | AnySparse | AnyRagged;
/** Any value of a feature in one record. */
export type ElementValue = Scalar | null | BatchValue;

/** 0: features of an Example, or of the context; 1: feature lists. */
export type Section = 0 | 1;

/** The use of a spec. */
export type SpecUse = 'example' | 'context' | 'sequence';

/** The parsed values of steps, without padding: rows are read from them, batches pad them. */
export interface UnpaddedSteps {
  readonly values: Column;
  /** Record → values. */
  readonly splits: Int32Array;
}

/** A value that the rows of a feature are read from. */
export type RowsValue = BatchValue | UnpaddedSteps;

/** The source of a feature's values: a column of numbers, or a function that reads the value of a row. */
export type RowSource = Exclude<Column, BytesArray> | ((row: number) => ElementValue | undefined);

/** Reads a feature of one record from the block in which native code returned it; undefined for invalid text. */
export type BlockReader = ((block: RowBlock) => ElementValue | undefined) | RowScalar;

/** One feature of a record, as a feature of a spec reads it. */
export interface KeyUse {
  readonly key: string;
  readonly dtype: StoredDType;
  /** Features of two groups cannot read one key. */
  readonly group: 'dense' | 'sparse' | 'ragged';
  /** Ragged features that share a key must agree on it. */
  readonly rowSplitsDtype?: 'int32' | 'int64';
}

/** The layout in which native code parses a column. */
export type ColumnLayout = Pick<PlanColumn, 'count' | 'required' | 'fallback' | 'optional'>;

/** The columns of a feature in some records, and the memory to compose into. */
export interface FeatureColumns {
  readonly name: string;
  /** Number of records. */
  readonly rows: number;
  readonly values: ColumnData;
  /** Columns of the coordinates, or of the partitions that have a key. */
  readonly others: readonly ColumnData[];
  /** Memory for arrays that are made of the columns. */
  readonly memory: BatchMemory | undefined;
}

/** A column that a caller passed for a feature, whose class and shape `givenRows` has checked. */
export interface GivenColumn<V = unknown> {
  /** The name in errors: `columns["tags"]`. */
  readonly name: string;
  readonly feature: string;
  readonly value: V;
  readonly rows: number;
}

/** A value, or nested lists of values. */
export type NestedLists<T> = T | readonly NestedLists<T>[];

/**
 * Values of each type: those that `int64()`, `float()` and `bytes()` accept, those of parsing with `int64: 'number'`,
 * and plain ones.
 */
interface GivenValues {
  float32: FloatValues | PlainValues['float'];
  int64: Int64Values | Float64Array | PlainValues['int64'];
  bytes: BytesValues | PlainValues['bytes'];
  text: BytesValues | PlainValues['bytes'];
}

/** Many values of a type, or a tensor of them. */
export type GivenArray<D extends DType> = GivenValues[D] | DenseTensor<D> | DenseTensor<D, Shape, 'number'>;

/** Values of a type in a row to encode: a value, an array, a tensor, or nested lists. */
export type GivenValue<D extends DType> =
  GivenArray<D> | NestedLists<Extract<GivenValues[D], readonly unknown[]>[number]>;

/** A sparse tensor as a plain object, whose values have type `D`. */
export interface GivenSparse<D extends DType> {
  readonly indices: readonly (readonly number[])[];
  readonly values: Extract<GivenValues[D], readonly unknown[]>;
  readonly denseShape: readonly number[];
}

/** Features of a record, by key. */
export type RecordFeatures = readonly (readonly [key: string, feature: Feature])[];

/** The reason why a spec cannot have a feature. */
export interface Refusal {
  readonly message: string;
  readonly expected?: string;
  readonly found: string;
}

/** A feature as JSON, of any kind. */
export interface DefinitionJSON {
  readonly type: string;
  readonly dtype: DType;
  readonly [option: string]: unknown;
}

/** Any number of values for each record. */
const OPEN: ColumnLayout = { count: -1, required: false, fallback: undefined };

/**
 * A checked feature. Immutable. Its own properties, in their order, are part of the keys of disk caches. Its methods
 * are called once for each plan, or once for each batch, never for each row.
 */
export abstract class FeatureDefinition {
  abstract readonly kind: string;
  /** Type of the stored values, which tables show as it is; `text` if they must be UTF-8. */
  abstract readonly dtype: DType;

  /** Returns the properties that users see in addition to `dtype`. */
  shown(): object {
    return {};
  }

  /** Returns the arguments of the function that makes it, without options at their defaults. */
  abstract args(): readonly unknown[];

  /** Returns its JSON, without options at their defaults. */
  abstract json(): DefinitionJSON;

  /** Returns the reason why specs for `use` cannot have it; undefined if they can. */
  refusal(_use: SpecUse): Refusal | undefined {
    return undefined;
  }

  /** True if every record must have it. */
  required(): boolean {
    return false;
  }

  /** True if batches pad its steps, whose numbers are in `lengths` of sequence batches. */
  pads(): boolean {
    return false;
  }

  /** Returns the padding in batches; undefined for the default. */
  padding(): Scalar | undefined {
    return undefined;
  }

  /** Returns the keys that feature `name` reads, that of its values first. */
  abstract keys(name: string): readonly KeyUse[];

  /** Returns the layout of the column of `key`. */
  layout(_key: string, _section: Section): ColumnLayout {
    return OPEN;
  }

  /** True if a record that was parsed may still be invalid, so that `rows`, `batch` and `element` throw. */
  mayFail(_section: Section): boolean {
    return this.dtype === 'text';
  }

  /** Returns the values of all records. @throws FeatureFault for invalid text */
  protected valuesIn({ name, rows, values }: FeatureColumns): Column {
    return this.dtype === 'text' ? textsOf(name, rows, values) : valuesOf(values);
  }

  /** Returns the value in a batch. @throws FeatureFault, TFRecordError TFR_RECORD_TOO_LARGE */
  abstract batch(columns: FeatureColumns): BatchValue;

  /** Returns the value that rows are read from: that of the batch, without padding. @throws FeatureFault */
  rows(columns: FeatureColumns): RowsValue {
    return this.batch(columns);
  }

  /** Returns the value if there is one record. @throws FeatureFault */
  abstract element(columns: FeatureColumns): ElementValue;

  /** Reads rows of `value`, which {@link rows} returned or {@link countRows} accepted, over its memory. */
  abstract rowSource(value: RowsValue): RowSource;

  /**
   * Returns the number of rows of `value`, which a caller made. @throws the error that `wrong` returns, for other
   * values
   */
  abstract countRows(value: unknown, wrong: (expected: string) => TypeError): number;

  /**
   * Returns a reader of one record whose column starts at `entry` of the block; undefined if a record needs more than
   * one column.
   */
  blockReader(_entry: number, _int64: Int64As): BlockReader | undefined {
    return undefined;
  }

  /** Returns the number of rows that a caller's column claims to have. @throws TypeError for other values */
  abstract givenRows(name: string, value: unknown): number;

  /**
   * Returns the columns to write, one for each of its keys, the values first. {@link givenRows} must have accepted the
   * value. @throws TypeError, TFRecordError TFR_FEATURE
   */
  abstract encodeBatch(given: GivenColumn): readonly ColumnValues[];

  /** Returns the features to write for a value in a row. @throws TypeError, RangeError, TFRecordError TFR_FEATURE */
  abstract encodeRow(name: string, value: unknown): RecordFeatures;
}
