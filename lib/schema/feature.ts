/** What a schema says about one stored feature, as plain data. */
import type { ContextSpec, FeatureSpec, SequenceSpec, Spec } from '../example';

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

/** The values that a feature may have. Bounds that are undefined do not exist. */
export type Domain =
  | {
      readonly type: 'text';
      readonly values: readonly string[];
      /** The least fraction of values that must be among them. Default: 1. */
      readonly minMass?: number | undefined;
    }
  | { readonly type: 'int64'; readonly min: bigint | undefined; readonly max: bigint | undefined }
  | {
      readonly type: 'float32';
      readonly min: number | undefined;
      readonly max: number | undefined;
      readonly disallowNaN?: boolean | undefined;
      readonly disallowInfinity?: boolean | undefined;
    };

/** One feature or feature list that records have. */
export interface SchemaFeature {
  readonly section: FeatureSection;
  readonly name: string;
  readonly kind: FeatureKindName;
  /** Undefined: records may or may not have it. */
  readonly presence: Presence | undefined;
  /** Number of values per record (of feature lists: per step) that has it. `max` undefined: any number. */
  readonly valueCount: { readonly min: number; readonly max: number | undefined } | undefined;
  /** The shape of the values of each record (of feature lists: of each step), if it is fixed. */
  readonly shape: readonly number[] | undefined;
  readonly domain: Domain | undefined;
}

/**
 * A spec: for Examples the features by name, as `readExamples` takes them; for SequenceExamples `{ context, sequence }`,
 * as `readSequenceExamples` takes it. {@link Schema.recordType} says which it is.
 */
export type SchemaSpec = Spec & { readonly context?: ContextSpec; readonly sequence?: SequenceSpec };

/** The type of the records that a schema describes. */
export type SchemaRecordType = 'Example' | 'SequenceExample';

/** An object without a prototype, because a feature may be called `__proto__`. */
export function emptySpec(): Record<string, FeatureSpec> {
  return Object.create(null) as Record<string, FeatureSpec>;
}
