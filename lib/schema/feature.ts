/** One stored feature of a schema, as plain data. */
import type { FeatureSpec, SequenceExampleSpec, Spec } from '../example';

/** The kind of the values of a feature. `mixed`: of several kinds. `none`: no kind is known. */
export type FeatureKindName = 'bytes' | 'float32' | 'int64' | 'mixed' | 'none';

/** The part of a record. `context`: the features of an Example, or of a SequenceExample's context. */
export type FeatureSection = 'context' | 'sequence';

/** The records that have a feature. */
export interface Presence {
  /** The least fraction of the records, 0 to 1. */
  readonly minFraction: number;
  /** The least number of records. */
  readonly minCount: number;
}

/** The words that a feature may have. */
export interface TextDomain {
  /** Tells domains apart. */
  readonly type: 'text';
  /** The words. */
  readonly values: readonly string[];
  /** The least fraction of values that must be among them. Default: 1. */
  readonly minMass?: number | undefined;
}

/** The integers that a feature may have. */
export interface Int64Domain {
  /** Tells domains apart. */
  readonly type: 'int64';
  /** The smallest; undefined: no bound. */
  readonly min: bigint | undefined;
  /** The largest; undefined: no bound. */
  readonly max: bigint | undefined;
}

/** The floats that a feature may have. */
export interface FloatDomain {
  /** Tells domains apart. */
  readonly type: 'float32';
  /** The smallest; undefined: no bound. */
  readonly min: number | undefined;
  /** The largest; undefined: no bound. */
  readonly max: number | undefined;
  /** True if NaN is not allowed. Default: false. */
  readonly disallowNaN?: boolean | undefined;
  /** True if infinities are not allowed. Default: false. */
  readonly disallowInfinity?: boolean | undefined;
}

/** The values that a feature may have. */
export type Domain = TextDomain | Int64Domain | FloatDomain;

/** The number of values in a record, or in a step of a feature list. */
export interface ValueCount {
  /** The fewest. */
  readonly min: number;
  /** The most; undefined: any number. */
  readonly max: number | undefined;
}

/** One feature or feature list that records have. */
export interface SchemaFeature {
  /** The part of the record that has it. */
  readonly section: FeatureSection;
  /** Its name. */
  readonly name: string;
  /** The kind of its values. */
  readonly kind: FeatureKindName;
  /** Undefined: records may or may not have it. */
  readonly presence: Presence | undefined;
  /** Number of values per record (of feature lists: per step) that has it. Undefined: any number. */
  readonly valueCount: ValueCount | undefined;
  /** The shape of the values of each record (of feature lists: of each step), if it is fixed. */
  readonly shape: readonly number[] | undefined;
  /** The values that it may have; undefined: any. */
  readonly domain: Domain | undefined;
}

/**
 * A spec: for Examples the features by name, as `readExamples` takes them; for SequenceExamples `{ context, sequence }`,
 * as `readSequenceExamples` takes it. {@link Schema.recordType} says which it is.
 */
export type SchemaSpec = Spec & SequenceExampleSpec;

/** The type of the records that a schema describes. */
export type SchemaRecordType = 'Example' | 'SequenceExample';

/** An object without a prototype, because a feature may be called `__proto__`. */
export function emptySpec(): Record<string, FeatureSpec> {
  return Object.create(null) as Record<string, FeatureSpec>;
}

/** A spec as JSON: the members of `specToJSON`, for SequenceExamples in `context` and `sequence`. */
export type SchemaSpecJSON = Record<string, unknown>;

/** A default in {@link SchemaSpecJSON}: see `specToJSON`. */
export type DefaultJSON = number | string | { readonly base64: string };
