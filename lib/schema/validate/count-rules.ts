/** Rules about numbers of values. */
import type { DecodedFeature } from '../../example';
import type { Extent, FeatureSurvey } from '../../table';
import type { FeatureMessage, ValueCountMessage } from '../message/schema-message';
import { plural } from './anomaly';
import { featureRule, presentIn, type Finding, type FeatureRef, type Rule } from './rule';

type Items = readonly (DecodedFeature | undefined)[] | undefined;

/** A level at which values are counted: the values of a feature or step, or the steps of a feature list. */
interface Level {
  /** Its name in sentences. */
  readonly noun: string;
  readonly extent: (own: FeatureSurvey | undefined) => Extent | undefined;
  /** The numbers in one record. */
  readonly counts: (items: NonNullable<Items>) => readonly number[];
}

const VALUES: Level = {
  noun: 'value',
  extent: (own) => own?.counts,
  // A step without a kind counts as missing.
  counts: (items) => items.flatMap((item) => item?.values.length ?? []),
};
const STEPS: Level = { noun: 'step', extent: (own) => own?.steps, counts: (items) => [items.length] };

/** The rules of `value_count` and `value_counts`. Feature lists have two levels: steps, and the values of each step. */
export function countRules(place: FeatureRef, { valueCount, valueCounts }: FeatureMessage): Rule[] {
  if (valueCount === undefined && valueCounts === undefined) return [];
  const levels = place.section === 'context' ? [VALUES] : [STEPS, VALUES];
  const counts = valueCounts?.valueCount ?? [valueCount!];
  if (counts.length !== levels.length || (valueCounts === undefined && levels.length > 1)) {
    return [nestednessRule(place, levels.length, valueCounts === undefined ? undefined : counts.length)];
  }
  return levels.flatMap((level, i) => levelRules(place, level, counts[i]!));
}

function levelRules(place: FeatureRef, level: Level, { min, max }: ValueCountMessage): Rule[] {
  const rules: Rule[] = [];
  const { extent, counts, noun } = level;
  const where = noun === 'value' && place.section === 'sequence' ? 'Some steps' : 'Some records';
  if (min !== undefined) {
    const least = Number(min);
    const low = (own: FeatureSurvey | undefined): boolean => (extent(own)?.min ?? Infinity) < least;
    rules.push(
      featureRule(place, {
        suspects: low,
        breaks: (items) => items !== undefined && counts(items).some((count) => count < least),
        verdict: (all) => {
          if (!low(all)) return [];
          const message = `${where} have as few as ${plural(extent(all)!.min, noun)}, but each should have at least ${least}.`;
          return [{ type: 'FEATURE_TYPE_LOW_NUMBER_VALUES', message }];
        },
      }),
    );
  }
  if (max !== undefined) {
    const most = Number(max);
    const high = (own: FeatureSurvey | undefined): boolean => (extent(own)?.max ?? -Infinity) > most;
    rules.push(
      featureRule(place, {
        suspects: high,
        breaks: (items) => items !== undefined && counts(items).some((count) => count > most),
        verdict: (all) => {
          if (!high(all)) return [];
          const message = `${where} have as many as ${plural(extent(all)!.max, noun)}, but each should have at most ${most}.`;
          return [{ type: 'FEATURE_TYPE_HIGH_NUMBER_VALUES', message }];
        },
      }),
    );
  }
  return rules;
}

/** `given`: number of levels in `value_counts`; undefined if the schema has `value_count`, which has one level. */
function nestednessRule(place: FeatureRef, levels: number, given: number | undefined): Rule {
  const there = (own: FeatureSurvey | undefined): boolean => presentIn(own) > 0;
  const said = given === undefined ? 'value_count, which has one level' : `value_counts with ${plural(given, 'level')}`;
  const stored = levels === 1 ? 'one level, its values' : 'two levels, the steps and the values of each';
  return featureRule(place, {
    suspects: there,
    breaks: (items) => items !== undefined,
    verdict: (all) =>
      there(all)
        ? [
            {
              type: 'VALUE_NESTEDNESS_MISMATCH',
              message: `The schema has ${said}, but the data has ${stored}. Numbers of values were not checked.`,
            },
          ]
        : [],
  });
}

/** The rule of `shape`: each record has one value for each element. `mayLack`: true if records may lack the feature. */
export function shapeRule(place: FeatureRef, shape: NonNullable<FeatureMessage['shape']>, mayLack: boolean): Rule {
  const size = shape.dim.reduce((product, { size: each = 0n }) => product * Number(each), 1);
  const sizes = `[${shape.dim.map(({ size: each = '?' }) => String(each)).join(', ')}]`;
  const fits = (own: FeatureSurvey): boolean =>
    [own.steps ?? ONE, own.counts].reduce((product, extent) => product * fixed(extent), 1) === size;
  const missing = (own: FeatureSurvey | undefined, records: number): number =>
    mayLack ? 0 : records - presentIn(own) + (own?.section === 'sequence' ? own.kinds.none : 0);
  return featureRule(place, {
    suspects: (own, records) => missing(own, records) > 0 || (presentIn(own) > 0 && !fits(own!)),
    breaks: (items) => {
      if (items === undefined) return !mayLack;
      const counts = VALUES.counts(items);
      if (counts.length < items.length && !mayLack) return true;
      return counts.some((count) => count === 0 || count !== counts[0]) || items.length * (counts[0] ?? 0) !== size;
    },
    verdict: (all, records): Finding[] => {
      if (all === undefined || presentIn(all) === 0) return [];
      const lacking = missing(all, records);
      const of = `The shape ${sizes} needs ${plural(size, 'value')} in every record`;
      if (!fits(all)) return [{ type: 'INVALID_FEATURE_SHAPE', message: `${of}, but there are ${numbers(all)}.` }];
      if (lacking === 0) return [];
      const noun = all.section === 'context' ? 'record' : 'record or step';
      const message = `${of}, but it is missing from ${plural(lacking, noun).replace('record or steps', 'records or steps')}.`;
      return [{ type: 'INVALID_FEATURE_SHAPE', message }];
    },
  });
}

const ONE: Extent = { min: 1, max: 1, total: 1 };

/** The number of values, if it is always the same and above 0; else NaN. */
function fixed(extent: Extent | undefined): number {
  return extent !== undefined && extent.min === extent.max && extent.min > 0 ? extent.min : NaN;
}

function numbers({ counts, steps }: FeatureSurvey): string {
  const values = range(counts);
  return steps === undefined ? values : `${range(steps)} steps of ${values}`;
}

function range(extent: Extent | undefined): string {
  const { min, max } = extent ?? { min: 0, max: 0 };
  return min === max ? String(min) : `${min} to ${max}`;
}
