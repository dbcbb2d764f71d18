/**
 * TensorFlow Metadata's `Schema` as a plain object, with the members that this package uses. A decoded message has all
 * members of proto/schema.proto, except optional ones that are not set.
 */

export interface SchemaMessage {
  readonly feature: readonly FeatureMessage[];
  readonly sparseFeature: readonly SparseFeatureMessage[];
  readonly weightedFeature: readonly WeightedFeatureMessage[];
  readonly stringDomain: readonly StringDomainMessage[];
  readonly intDomain: readonly IntDomainMessage[];
  readonly floatDomain: readonly FloatDomainMessage[];
  readonly defaultEnvironment: readonly string[];
  readonly generateLegacyFeatureSpec?: boolean;
  readonly representVariableLengthAsRagged?: boolean;
  readonly tensorRepresentationGroup: Readonly<Record<string, RepresentationGroupMessage>>;
  readonly datasetConstraints?: {
    readonly numExamplesDriftComparator?: {
      readonly minFractionThreshold?: number;
      readonly maxFractionThreshold?: number;
    };
    readonly minExamplesCount?: bigint;
    readonly maxExamplesCount?: bigint;
  };
}

/** TFX's name for the structure of all feature lists. */
export const SEQUENCE = '##SEQUENCE##';

/** `FeatureType`. */
export const FEATURE_TYPES = { BYTES: 1, INT: 2, FLOAT: 3, STRUCT: 4 } as const;

/** `LifecycleStage.PLANNED`: a feature that future data will have. */
export const PLANNED = 1;

/**
 * The values of `LifecycleStage` for features that the data does not have: PLANNED, ALPHA, and features that were given
 * up.
 */
export const IDLE_STAGES: readonly number[] = [PLANNED, 2, 5, 6, 7];

export interface FeatureMessage {
  readonly name?: string;
  readonly deprecated?: boolean;
  readonly type?: number;
  readonly presence?: { readonly minFraction?: number; readonly minCount?: bigint };
  readonly groupPresence?: { readonly required?: boolean };
  readonly shape?: ShapeMessage;
  readonly valueCount?: ValueCountMessage;
  readonly valueCounts?: { readonly valueCount: readonly ValueCountMessage[] };
  readonly domain?: string;
  readonly intDomain?: IntDomainMessage;
  readonly floatDomain?: FloatDomainMessage;
  readonly stringDomain?: StringDomainMessage;
  readonly boolDomain?: { readonly trueValue?: string; readonly falseValue?: string };
  readonly structDomain?: {
    readonly feature: readonly FeatureMessage[];
    readonly sparseFeature: readonly SparseFeatureMessage[];
  };
  readonly naturalLanguageDomain?: object;
  readonly imageDomain?: { readonly minimumSupportedImageFraction?: number; readonly maxImageByteSize?: bigint };
  readonly midDomain?: object;
  readonly urlDomain?: object;
  readonly timeDomain?: object;
  readonly timeOfDayDomain?: object;
  readonly uniqueConstraints?: { readonly min?: bigint; readonly max?: bigint };
  readonly distributionConstraints?: { readonly minDomainMass?: number };
  readonly skewComparator?: ComparatorMessage;
  readonly driftComparator?: ComparatorMessage;
  readonly lifecycleStage?: number;
  readonly inEnvironment?: readonly string[];
  readonly notInEnvironment?: readonly string[];
}

/** `FeatureComparator`: the largest distances that are allowed between two data sets. */
export interface ComparatorMessage {
  readonly infinityNorm?: { readonly threshold?: number };
  readonly jensenShannonDivergence?: { readonly threshold?: number; readonly source?: { readonly type?: number } };
  readonly normalizedAbsDifference?: { readonly threshold?: number };
}

/** `HistogramSelection.Type`: the histograms of quantiles. Any other value means those of equal widths. */
export const SELECTS_QUANTILES = 1;

export interface ValueCountMessage {
  readonly min?: bigint;
  readonly max?: bigint;
}

export interface ShapeMessage {
  readonly dim: readonly { readonly size?: bigint }[];
}

export interface StringDomainMessage {
  readonly name?: string;
  readonly value: readonly string[];
}

export interface IntDomainMessage {
  readonly name?: string;
  readonly min?: bigint;
  readonly max?: bigint;
  readonly isCategorical?: boolean;
}

export interface FloatDomainMessage {
  readonly name?: string;
  readonly min?: number;
  readonly max?: number;
  readonly disallowNan?: boolean;
  readonly disallowInf?: boolean;
}

export interface SparseFeatureMessage {
  readonly name?: string;
  readonly indexFeature: readonly { readonly name?: string }[];
  readonly valueFeature?: { readonly name?: string };
  readonly isSorted?: boolean;
  readonly denseShape?: ShapeMessage;
  readonly deprecated?: boolean;
  readonly lifecycleStage?: number;
}

export interface WeightedFeatureMessage {
  readonly name?: string;
  readonly feature?: { readonly step: readonly string[] };
  readonly weightFeature?: { readonly step: readonly string[] };
  readonly lifecycleStage?: number;
}

export interface RepresentationGroupMessage {
  readonly tensorRepresentation: Readonly<Record<string, RepresentationMessage>>;
}

export interface RepresentationMessage {
  readonly denseTensor?: {
    readonly columnName?: string;
    readonly shape?: ShapeMessage;
    readonly defaultValue?: {
      readonly floatValue?: number;
      readonly intValue?: bigint;
      readonly bytesValue?: Uint8Array;
      readonly uintValue?: bigint;
    };
  };
  readonly varlenSparseTensor?: { readonly columnName?: string };
  readonly sparseTensor?: {
    readonly denseShape?: ShapeMessage;
    readonly indexColumnNames: readonly string[];
    readonly valueColumnName?: string;
    readonly alreadySorted?: boolean;
  };
  readonly raggedTensor?: {
    readonly featurePath?: { readonly step: readonly string[] };
    readonly partition: readonly { readonly uniformRowLength?: bigint; readonly rowLength?: string }[];
    readonly rowPartitionDtype?: number;
  };
}
