/** Faults of a schema itself, whatever the data. */
import { counted } from '../../base';
import { FEATURE_TYPES, SEQUENCE, type FeatureMessage, type SchemaMessage } from '../message/schema-message';
import { isIdle } from '../read/tfx-features';
import { pathOf, quoted } from './anomaly';
import type { Finding } from './rule';

/** A fault, and its feature. */
export interface SchemaFault extends Finding {
  readonly path: readonly string[];
}

const { BYTES, INT, FLOAT, STRUCT } = FEATURE_TYPES;

/** The types of values that each domain allows. */
const DOMAINS: Readonly<Partial<Record<keyof FeatureMessage, readonly number[]>>> = {
  intDomain: [INT, BYTES],
  floatDomain: [FLOAT, BYTES],
  stringDomain: [BYTES, INT],
  boolDomain: [INT, BYTES, FLOAT],
  structDomain: [STRUCT],
  naturalLanguageDomain: [BYTES, INT],
  imageDomain: [BYTES],
  midDomain: [BYTES],
  urlDomain: [BYTES],
  timeDomain: [BYTES, INT],
  timeOfDayDomain: [BYTES, INT],
};

/** The faults of `schema`, except those of features that are no longer used. */
export function schemaFaults(schema: SchemaMessage): readonly SchemaFault[] {
  const faults: SchemaFault[] = [];
  const features = schema.feature.filter((feature) => !isIdle(feature));
  for (const feature of features) {
    faults.push(...featureFaults(schema, feature, [feature.name ?? '']));
    if (feature.name !== SEQUENCE) continue;
    for (const list of feature.structDomain?.feature ?? []) {
      if (!isIdle(list)) faults.push(...featureFaults(schema, list, pathOf('sequence', list.name ?? '')));
    }
  }
  return [...faults, ...collisions(schema, new Set(features.map(({ name }) => name)))];
}

function featureFaults(schema: SchemaMessage, feature: FeatureMessage, path: readonly string[]): SchemaFault[] {
  const { name, type, presence, shape, valueCount, valueCounts, domain, stringDomain } = feature;
  if (name === undefined) {
    return [{ path, type: 'FEATURE_MISSING_NAME', message: 'A feature of the schema has no name.' }];
  }
  const findings: Finding[] = [];
  if (type === undefined || type === 0) {
    const known = domain === undefined && stringDomain === undefined ? '' : ' Its domain implies BYTES.';
    findings.push({ type: 'FEATURE_MISSING_TYPE', message: `The schema does not define its type.${known}` });
  }
  const wrong = (message: string): void => {
    findings.push({ type: 'INVALID_SCHEMA_SPECIFICATION', message });
  };
  const { minFraction = 0 } = presence ?? {};
  if (minFraction < 0 || minFraction > 1) wrong(`Its min_fraction is ${minFraction}, and fractions are from 0 to 1.`);
  for (const { min = 0n, max } of [valueCount ?? {}, ...(valueCounts?.valueCount ?? [])]) {
    if (min < 0n) wrong(`It has at least ${counted(min, 'value')}, and numbers of values are not negative.`);
    if (max !== undefined && max < min) wrong(`It has at least ${counted(min, 'value')} and at most ${max}.`);
  }
  if (shape?.dim.some(({ size = 0n }) => size <= 0n) === true) wrong('A size of its shape is not positive.');
  return [...findings, ...domainFaults(schema, feature)].map((finding) => ({ path, ...finding }));
}

function domainFaults(schema: SchemaMessage, feature: FeatureMessage): Finding[] {
  const { type = 0, domain, boolDomain, stringDomain, distributionConstraints } = feature;
  const findings: Finding[] = [];
  for (const [key, types] of Object.entries(DOMAINS)) {
    if (feature[key as keyof FeatureMessage] === undefined || type === 0 || types.includes(type)) continue;
    const message = `Its ${key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} does not fit its type, ${TYPES[type] ?? type}.`;
    findings.push({ type: 'DOMAIN_INVALID_FOR_TYPE', message });
  }
  const named = [...schema.stringDomain, ...schema.intDomain, ...schema.floatDomain].filter(
    ({ name }) => name === domain,
  );
  const invalid = (message: string): void => {
    findings.push({ type: 'INVALID_DOMAIN_SPECIFICATION', message });
  };
  if (domain !== undefined && named.length === 0) invalid(`The schema has no domain ${quoted(domain)}.`);
  if (boolDomain?.trueValue !== undefined && boolDomain.trueValue === boolDomain.falseValue) {
    invalid(`Its bool_domain has ${quoted(boolDomain.trueValue)} for true and for false.`);
  }
  const words = stringDomain?.value ?? [];
  const twice = words.find((word, i) => words.indexOf(word) < i);
  if (twice !== undefined) invalid(`Its string_domain has ${quoted(twice)} twice.`);
  if (distributionConstraints !== undefined && domain === undefined && stringDomain === undefined) {
    const message = 'It has distribution_constraints, which need a domain of words.';
    findings.push({ type: 'INVALID_SCHEMA_SPECIFICATION', message });
  }
  return findings;
}

const TYPES: Readonly<Record<number, string>> = {
  [BYTES]: 'BYTES',
  [INT]: 'INT',
  [FLOAT]: 'FLOAT',
  [STRUCT]: 'STRUCT',
};

/** Finds sparse and weighted features that have the name of another feature. */
function collisions(schema: SchemaMessage, features: ReadonlySet<string | undefined>): SchemaFault[] {
  const sparse = schema.sparseFeature.filter((feature) => !isIdle(feature)).map(({ name }) => name);
  const weighted = schema.weightedFeature.filter((feature) => !isIdle(feature)).map(({ name }) => name);
  const fault = (name: string, kind: string, type: SchemaFault['type']): SchemaFault => ({
    path: [name],
    type,
    message: `Another feature of the schema has the name of this ${kind} feature.`,
  });
  return [
    ...sparse
      .filter((name) => features.has(name))
      .map((name) => fault(name ?? '', 'sparse', 'SPARSE_FEATURE_NAME_COLLISION')),
    ...weighted
      .filter((name) => features.has(name) || sparse.includes(name))
      .map((name) => fault(name ?? '', 'weighted', 'WEIGHTED_FEATURE_NAME_COLLISION')),
  ];
}
