/** Rules of a schema, and what is known of data when they are held against it. */
import type { DecodedFeature, DecodedSequenceExample } from '../../example';
import type { FeatureSurvey } from '../../table';
import type { FeatureKindName, FeatureSection } from '../feature';
import type { AnomalyType } from './anomaly';

/** A survey of some records. */
export interface Surveyed {
  /** Number of records. */
  readonly records: number;
  /** Undefined if no record has the feature. */
  feature(section: FeatureSection, name: string): FeatureSurvey | undefined;
}

/** An anomaly without its place. */
export interface Finding {
  readonly type: AnomalyType;
  readonly message: string;
}

/** One rule of a schema. A survey says which records break it; those are then looked at one by one, until three are found. */
export interface Rule {
  readonly path: readonly string[];
  /** Names of the features that `breaks` looks at. */
  readonly names: readonly string[];
  /** True if a record of `batch` may break the rule. */
  suspects(batch: Surveyed): boolean;
  /** True if `record` breaks the rule. */
  breaks(record: DecodedSequenceExample): boolean;
  /** True if `breaks` counts, so that it sees all records of suspected batches. Default: false. */
  readonly countsRecords?: true;
  /** The anomalies of all records. `found`: number of records that were found to break the rule, at most 3. */
  verdict(all: Surveyed, found: number): readonly Finding[];
}

/** A rule that looks at all values of a feature. */
export interface ValueRule extends Rule {
  readonly section: FeatureSection;
  /** True if it must see the values of records with the survey `own`; false if the survey told it all. */
  wants(own: FeatureSurvey): boolean;
  /** True if it counts values, so that it goes on when three records are found. */
  readonly counts: boolean;
  /** True if it takes integers, too, as their digits. */
  readonly integers: boolean;
  /** Takes a value, as `keyOf` gives it. Returns true if it breaks the rule. */
  take(key: string): boolean;
}

export function isValueRule(rule: Rule): rule is ValueRule {
  return 'take' in rule;
}

/** A feature of a schema, and how to look at it. */
export interface Place {
  readonly section: FeatureSection;
  readonly name: string;
  readonly path: readonly string[];
}

/** The rule that `parts` make for one feature. */
export function featureRule(
  { section, name, path }: Place,
  parts: {
    readonly suspects: (own: FeatureSurvey | undefined, records: number) => boolean;
    readonly breaks: (values: readonly (DecodedFeature | undefined)[] | undefined) => boolean;
    readonly verdict: (all: FeatureSurvey | undefined, records: number, found: number) => readonly Finding[];
  },
): Rule {
  return {
    path,
    names: [name],
    suspects: (batch) => parts.suspects(batch.feature(section, name), batch.records),
    breaks: (record) => parts.breaks(itemsOf(record, section, name)),
    verdict: (all, found) => parts.verdict(all.feature(section, name), all.records, found),
  };
}

/** The feature, or those of the steps of a feature list; undefined if it is missing. */
export function itemsOf(
  { context, featureLists }: DecodedSequenceExample,
  section: FeatureSection,
  name: string,
): readonly (DecodedFeature | undefined)[] | undefined {
  if (section === 'sequence') return featureLists[name];
  const feature = context[name];
  return feature && [feature];
}

/** Number of records that have the feature: of lists at all, otherwise with a kind. */
export function presentIn(own: FeatureSurvey | undefined): number {
  if (own === undefined) return 0;
  return own.section === 'context' ? own.records - own.kinds.none : own.records;
}

/** The kind of decoded values. */
export function kindOf({ kind }: DecodedFeature): FeatureKindName {
  return kind === 'float' ? 'float32' : kind;
}

/** The name that TensorFlow Metadata gives to a kind. */
export const TYPE_NAMES: Readonly<Record<FeatureKindName, string>> = {
  bytes: 'BYTES',
  int64: 'INT',
  float32: 'FLOAT',
  mixed: 'several types',
  none: 'no type',
};
