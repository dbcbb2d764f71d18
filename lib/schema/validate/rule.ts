/** The rules of a schema, and the facts about data that they check. */
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

/** An anomaly without its feature. */
export interface Finding {
  readonly type: AnomalyType;
  readonly message: string;
}

/** The state of a rule: a number, and values, each with a count. */
export interface RuleState {
  readonly count: number;
  readonly values: readonly (readonly [value: string, count: number])[];
}

/**
 * One rule of a schema. A survey finds batches with records that may break it; their records are then checked one by
 * one, until three are found.
 */
export interface Rule {
  readonly path: readonly string[];
  /** Names of the features that `breaks` needs. */
  readonly names: readonly string[];
  /** True if a record of `batch` may break the rule. */
  suspects(batch: Surveyed): boolean;
  /** True if `record` breaks the rule. */
  breaks(record: DecodedSequenceExample): boolean;
  /** True if `breaks` counts records, so that it is called for all records of suspected batches. Default: false. */
  readonly countsRecords?: true;
  /** The state of the rule after a part of the records. Undefined if surveys and found records say it all. */
  readonly state?: () => RuleState;
  /** Adds what the same rule has counted in a later part. */
  readonly add?: (state: RuleState) => void;
  /** The anomalies of all records. `found`: number of records that are known to break the rule, at most 3. */
  verdict(all: Surveyed, found: number): readonly Finding[];
}

/** A rule that checks all values of a feature. */
export interface ValueRule extends Rule {
  readonly section: FeatureSection;
  /** True if it needs the values of records with the survey `own`; false if the survey suffices. */
  wants(own: FeatureSurvey): boolean;
  /** True if it counts values, so that it continues after three records are found. */
  readonly counts: boolean;
  /** True if it also checks integers, as their digits. */
  readonly integers: boolean;
  /** Checks a value, given as a key of `keyOf`. Returns true if the value breaks the rule. */
  take(key: string): boolean;
}

export function isValueRule(rule: Rule): rule is ValueRule {
  return 'take' in rule;
}

/** A feature of a schema, and its place in records. */
export interface FeatureRef {
  readonly section: FeatureSection;
  readonly name: string;
  readonly path: readonly string[];
}

/** Makes a rule about one feature from `parts`. */
export function featureRule(
  { section, name, path }: FeatureRef,
  parts: {
    readonly suspects: (own: FeatureSurvey | undefined, records: number) => boolean;
    readonly breaks: (values: readonly (DecodedFeature | undefined)[] | undefined) => boolean;
    readonly verdict: (all: FeatureSurvey | undefined, records: number, found: number) => readonly Finding[];
  } & Pick<Rule, 'state' | 'add'>,
): Rule {
  const { state, add } = parts;
  return {
    ...(state === undefined || add === undefined ? {} : { state, add }),
    path,
    names: [name],
    suspects: (batch) => parts.suspects(batch.feature(section, name), batch.records),
    breaks: (record) => parts.breaks(itemsOf(record, section, name)),
    verdict: (all, found) => parts.verdict(all.feature(section, name), all.records, found),
  };
}

/** The feature, or the steps of a feature list; undefined if it is missing. */
export function itemsOf(
  { context, featureLists }: DecodedSequenceExample,
  section: FeatureSection,
  name: string,
): readonly (DecodedFeature | undefined)[] | undefined {
  if (section === 'sequence') return featureLists[name];
  const feature = context[name];
  return feature && [feature];
}

/** Number of records that have the feature (for feature lists: with or without a kind; otherwise: with one). */
export function presentIn(own: FeatureSurvey | undefined): number {
  if (own === undefined) return 0;
  return own.section === 'context' ? own.records - own.kinds.none : own.records;
}

/** The kind of decoded values. */
export function kindOf({ kind }: DecodedFeature): FeatureKindName {
  return kind === 'float' ? 'float32' : kind;
}

/** TensorFlow Metadata's names of the kinds. */
export const TYPE_NAMES: Readonly<Record<FeatureKindName, string>> = {
  bytes: 'BYTES',
  int64: 'INT',
  float32: 'FLOAT',
  mixed: 'several types',
  none: 'no type',
};
