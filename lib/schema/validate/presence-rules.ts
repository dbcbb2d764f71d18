/** Rules about the records that have a feature, and about the type of its values. */
import { grouped } from '../../base';
import type { FeatureSurvey } from '../../table';
import type { FeatureKindName } from '../feature';
import type { FeatureMessage } from '../message/schema-message';
import { plural } from './anomaly';
import { featureRule, kindOf, presentIn, TYPE_NAMES, type Finding, type FeatureRef, type Rule } from './rule';

/** The rule about records that lack the feature. `required`: true if at least one record must have it. */
export function presenceRule(place: FeatureRef, presence: FeatureMessage['presence'], required: boolean): Rule {
  const minCount = Number(presence?.minCount ?? 0n);
  const minFraction = presence?.minFraction ?? 0;
  return featureRule(place, {
    suspects: (own, records) => presentIn(own) < records,
    breaks: (items) => items === undefined,
    verdict: (all, records): Finding[] => {
      const present = presentIn(all);
      if (present === 0) return required ? absent(all, minCount, minFraction) : [];
      const findings: Finding[] = [];
      if (present < minCount) {
        const message = `Only ${plural(present, 'record')} ${present === 1 ? 'has' : 'have'} it, but at least ${grouped(minCount)} should.`;
        findings.push({ type: 'FEATURE_TYPE_LOW_NUMBER_PRESENT', message });
      }
      if (present / records < minFraction) {
        const share = minFraction >= 1 ? 'every record' : `at least ${percent(minFraction)} of the records`;
        const message = `It is missing from ${records - present} of ${plural(records, 'record')}, but ${share} should have it.`;
        findings.push({ type: 'FEATURE_TYPE_LOW_FRACTION_PRESENT', message });
      }
      return findings;
    },
  });
}

/**
 * TFX stores a missing value as a feature without a kind. Such a feature counts for `min_count`, which requires the
 * feature, but not for `min_fraction`, which requires values.
 */
function absent(all: FeatureSurvey | undefined, minCount: number, minFraction: number): Finding[] {
  if (all === undefined) {
    return [{ type: 'SCHEMA_MISSING_COLUMN', message: 'The schema requires it, but no record has it.' }];
  }
  if (minFraction <= 0 && all.records >= minCount) return [];
  const message = 'The schema requires it, but no record has a value of it: it never has a type.';
  return [{ type: 'FEATURE_TYPE_NOT_PRESENT', message }];
}

export function percent(fraction: number): string {
  return `${Number((100 * fraction).toPrecision(6))} %`;
}

/** The rule about features that the data should not have. `reason`: why not. */
export function newColumnRule(place: FeatureRef, reason: string): Rule {
  const { section, name, path } = place;
  return {
    path,
    names: [name],
    suspects: (batch) => (batch.feature(section, name)?.records ?? 0) > 0,
    breaks: ({ context, featureLists }) => name in (section === 'context' ? context : featureLists),
    verdict: (all) => {
      const having = all.feature(section, name)?.records ?? 0;
      if (having === 0) return [];
      return [
        {
          type: 'SCHEMA_NEW_COLUMN',
          message: `${plural(having, 'record')} ${having === 1 ? 'has' : 'have'} it, but ${reason}.`,
        },
      ];
    },
  };
}

/** The rule about the type of the values. */
export function typeRule(place: FeatureRef, kind: 'bytes' | 'float32' | 'int64'): Rule {
  const others = (['bytes', 'float32', 'int64'] as const).filter((other) => other !== kind);
  return featureRule(place, {
    suspects: (own) => others.some((other) => (own?.kinds[other] ?? 0) > 0),
    breaks: (items) => items?.some((item) => item !== undefined && kindOf(item) !== kind) === true,
    verdict: (all) => {
      const found = others.filter((other) => (all?.kinds[other] ?? 0) > 0);
      if (all === undefined || found.length === 0) return [];
      const noun = place.section === 'context' ? 'record' : 'step';
      const counts = found.map(
        (other: FeatureKindName) => `${TYPE_NAMES[other]} in ${plural(all.kinds[other as 'bytes'], noun)}`,
      );
      return [
        {
          type: 'UNEXPECTED_DATA_TYPE',
          message: `Its type is ${TYPE_NAMES[kind]}, but the data has ${counts.join(' and ')}.`,
        },
      ];
    },
  });
}
