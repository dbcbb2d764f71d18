/** Makes the rules of a schema. */
import type { FeatureSection } from '../feature';
import { FEATURE_TYPES, SEQUENCE, type FeatureMessage, type SchemaMessage } from '../message/schema-message';
import { isIdle } from '../read/tfx-features';
import { pathOf } from './anomaly';
import { countRules, shapeRule } from './count-rules';
import { sizeRules, sparseRules, weightedRules } from './joined-rules';
import { boolRules, floatRules, intRules } from './number-rules';
import { pictureRules } from './picture-rules';
import { newColumnRule, presenceRule, typeRule } from './presence-rules';
import type { FeatureRef, Rule } from './rule';
import { boolTextRule, floatTextRules, intTextRules, uniqueRule, wordRules } from './word-rules';

/** The rules of a schema, and its features. */
export interface SchemaRules {
  readonly rules: readonly Rule[];
  /** Features of the schema, including those that are no longer used, by {@link placeKey}. */
  readonly known: ReadonlySet<string>;
  /** The names of all features of the schema, including sparse and weighted ones. */
  readonly names: readonly string[];
}

/** The key of a feature or a feature list in a map. */
export function placeKey(section: FeatureSection, name: string): string {
  return `${section} ${name}`;
}

/** `wanted`: only these features are checked; undefined: all. `environment`: the environment of the data. */
export function schemaRules(
  schema: SchemaMessage,
  wanted: ReadonlySet<string> | undefined,
  environment: string | undefined,
): SchemaRules {
  const rules: Rule[] = [];
  const known = new Set<string>();
  const wants = ({ name = '' }: { readonly name?: string }): boolean => wanted?.has(name) !== false;
  const add = (section: FeatureSection, features: readonly FeatureMessage[]): void => {
    for (const feature of features) {
      const { name, type } = feature;
      if (name === undefined || (section === 'context' && type === FEATURE_TYPES.STRUCT)) continue;
      known.add(placeKey(section, name));
      if (!wants(feature) || isIdle(feature) || feature.lifecycleStage === DERIVED) continue;
      rules.push(...featureRules(schema, { section, name, path: pathOf(section, name) }, feature, environment));
    }
  };
  add('context', schema.feature);
  for (const { name, structDomain } of schema.feature)
    if (name === SEQUENCE) add('sequence', structDomain?.feature ?? []);
  for (const feature of schema.sparseFeature) {
    if (wants(feature) && !isIdle(feature)) rules.push(...sparseRules(feature));
  }
  for (const feature of schema.weightedFeature) {
    if (wants(feature) && !isIdle(feature)) rules.push(...weightedRules(feature));
  }
  const lists = schema.feature.flatMap(({ structDomain }) => structDomain?.feature ?? []);
  const names = [...schema.feature, ...lists, ...schema.sparseFeature, ...schema.weightedFeature].map(
    ({ name = '' }) => name,
  );
  return { rules: wanted === undefined ? [...sizeRules(schema.datasetConstraints), ...rules] : rules, known, names };
}

/** `LifecycleStage.VALIDATION_DERIVED`: a feature that is computed from others, and that no record has. */
const DERIVED = 9;

function featureRules(
  schema: SchemaMessage,
  place: FeatureRef,
  feature: FeatureMessage,
  environment: string | undefined,
): Rule[] {
  const { presence, shape, type, uniqueConstraints } = feature;
  const belongs = isInEnvironment(schema, feature, environment);
  const required = belongs && ((presence?.minCount ?? 0n) > 0n || (presence?.minFraction ?? 0) > 0);
  const rules = [presenceRule(place, presence, required)];
  if (!belongs)
    rules.push(
      newColumnRule(place, `the schema has it only in environments other than ${JSON.stringify(environment)}`),
    );
  const kind =
    KINDS[type ?? 0] ?? (feature.domain === undefined && feature.stringDomain === undefined ? undefined : 'bytes');
  if (kind !== undefined) rules.push(typeRule(place, kind));
  rules.push(...countRules(place, feature));
  if (shape !== undefined) rules.push(shapeRule(place, shape, schema.generateLegacyFeatureSpec === true));
  rules.push(...domainRules(schema, place, feature));
  if (uniqueConstraints !== undefined) {
    const categories = kind === 'int64' && feature.intDomain?.isCategorical === true;
    rules.push(uniqueRule(place, uniqueConstraints, categories));
  }
  return rules;
}

const KINDS: Readonly<Record<number, 'bytes' | 'float32' | 'int64'>> = {
  [FEATURE_TYPES.BYTES]: 'bytes',
  [FEATURE_TYPES.INT]: 'int64',
  [FEATURE_TYPES.FLOAT]: 'float32',
};

/** True if data of `environment` has the feature. Without an environment, it has all features. */
function isInEnvironment(
  { defaultEnvironment }: SchemaMessage,
  { inEnvironment = [], notInEnvironment = [] }: FeatureMessage,
  environment: string | undefined,
): boolean {
  if (environment === undefined || inEnvironment.includes(environment)) return true;
  return !notInEnvironment.includes(environment) && defaultEnvironment.includes(environment);
}

/** The rules of the domain, for the kinds of values to which it applies. */
function domainRules(schema: SchemaMessage, place: FeatureRef, feature: FeatureMessage): Rule[] {
  const { domain, boolDomain, imageDomain, distributionConstraints } = feature;
  const named = <T extends { readonly name?: string }>(own: T | undefined, all: readonly T[]): T | undefined =>
    own ?? (domain === undefined ? undefined : all.find(({ name }) => name === domain));
  const words = named(feature.stringDomain, schema.stringDomain);
  const integers = named(feature.intDomain, schema.intDomain);
  const floats = named(feature.floatDomain, schema.floatDomain);
  const rules: Rule[] = [];
  if (words !== undefined) rules.push(...wordRules(place, words.value, distributionConstraints?.minDomainMass ?? 1));
  if (integers !== undefined) rules.push(...intRules(place, integers), ...intTextRules(place, integers));
  if (floats !== undefined) rules.push(...floatRules(place, floats), ...floatTextRules(place, floats));
  if (boolDomain !== undefined) rules.push(...boolRules(place), boolTextRule(place, boolDomain));
  if (imageDomain !== undefined) rules.push(...pictureRules(place, imageDomain));
  return rules;
}
