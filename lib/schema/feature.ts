/** One stored feature of a schema, as plain data. */
import { newRecord } from '../base';
import type { FeatureSpec, SequenceExampleSpec, Spec } from '../example';

/** The kind of the values of a feature. `mixed`: several kinds. `none`: no kind is known. */
export type FeatureKindName = 'bytes' | 'float32' | 'int64' | 'mixed' | 'none';

/** The part of a record. `context`: the features of an Example, or of a SequenceExample's context. */
export type FeatureSection = 'context' | 'sequence';

/** How many records must have a feature. */
export interface Presence {
  /** Minimum fraction of the records, 0 to 1. */
  readonly minFraction: number;
  /** Minimum number of records. */
  readonly minCount: number;
}

/** The words that a feature may have. */
export interface TextDomain {
  /** Discriminates the union {@link Domain}. */
  readonly type: 'text';
  /** The words. */
  readonly values: readonly string[];
  /** Minimum fraction of the values that must be among the words, 0 to 1. Default: 1. */
  readonly minMass?: number | undefined;
}

/** The integers that a feature may have. */
export interface Int64Domain {
  /** Discriminates the union {@link Domain}. */
  readonly type: 'int64';
  /** Minimum value; undefined: no bound. */
  readonly min: bigint | undefined;
  /** Maximum value; undefined: no bound. */
  readonly max: bigint | undefined;
}

/** The floats that a feature may have. */
export interface FloatDomain {
  /** Discriminates the union {@link Domain}. */
  readonly type: 'float32';
  /** Minimum value; undefined: no bound. */
  readonly min: number | undefined;
  /** Maximum value; undefined: no bound. */
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
  /** Minimum number. */
  readonly min: number;
  /** Maximum number; undefined: no limit. */
  readonly max: number | undefined;
}

/** One feature or feature list of the records. */
export interface SchemaFeature {
  /** The part of the record with the feature. */
  readonly section: FeatureSection;
  /** Its name. */
  readonly name: string;
  /** The kind of its values. */
  readonly kind: FeatureKindName;
  /** The records that must have it. Undefined: none. */
  readonly presence: Presence | undefined;
  /** Number of values per record (for feature lists: per step) that has it. Undefined: any number. */
  readonly valueCount: ValueCount | undefined;
  /** The shape of the values in each record (for feature lists: in each step); undefined if it is not fixed. */
  readonly shape: readonly number[] | undefined;
  /** The allowed values; undefined: any. */
  readonly domain: Domain | undefined;
}

/**
 * A spec: for Examples the features by name, for `readExamples`; for SequenceExamples `{ context, sequence }`, for
 * `readSequenceExamples`. See {@link Schema.recordType}.
 */
export type SchemaSpec = Spec & SequenceExampleSpec;

/** The type of the records that a schema describes. */
export type SchemaRecordType = 'Example' | 'SequenceExample';

/** Returns an object without a prototype, because a feature may have the name `__proto__`. */
export function emptySpec(): Record<string, FeatureSpec> {
  return newRecord<FeatureSpec>();
}

/** A spec as JSON: the members of `specToJSON`; for SequenceExamples, these in `context` and `sequence`. */
export type SchemaSpecJSON = Record<string, unknown>;

/** A default in {@link SchemaSpecJSON}: see `specToJSON`. */
export type DefaultJSON = number | string | { readonly base64: string };
