/** Rules about features that belong together in a record: values with their indices or weights. */
import type { DecodedSequenceExample } from '../../example';
import type { SparseFeatureMessage, WeightedFeatureMessage } from '../message/schema-message';
import { plural, quoted, type AnomalyType } from './anomaly';
import { presentIn, type Rule, type Surveyed } from './rule';

/** The rules of a sparse feature. */
export function sparseRules({ name = '', valueFeature, indexFeature }: SparseFeatureMessage): Rule[] {
  const value = valueFeature?.name ?? '';
  const indices = indexFeature.map((index) => index.name ?? '');
  const parts = [value, ...indices];
  const rules = [
    missingRule(name, 'SPARSE_FEATURE_MISSING_VALUE', parts, value, `the value feature ${quoted(value)}`),
    ...indices.map((index) =>
      missingRule(name, 'SPARSE_FEATURE_MISSING_INDEX', parts, index, `the index feature ${quoted(index)}`),
    ),
  ];
  for (const index of indices) {
    const noun = `values in the index feature ${quoted(index)}`;
    rules.push(lengthRule(name, 'SPARSE_FEATURE_LENGTH_MISMATCH', value, index, noun));
  }
  return rules;
}

/** The rules of a feature with weights. */
export function weightedRules({ name = '', feature, weightFeature }: WeightedFeatureMessage): Rule[] {
  const value = feature?.step.join('.') ?? '';
  const weight = weightFeature?.step.join('.') ?? '';
  const parts = [value, weight];
  return [
    missingRule(name, 'WEIGHTED_FEATURE_MISSING_VALUE', parts, value, `the feature ${quoted(value)}`),
    missingRule(name, 'WEIGHTED_FEATURE_MISSING_WEIGHT', parts, weight, `the weights ${quoted(weight)}`),
    lengthRule(name, 'WEIGHTED_FEATURE_LENGTH_MISMATCH', value, weight, `weights in ${quoted(weight)}`),
  ];
}

/** The rule that a record with some of `parts` also has `part`. */
function missingRule(name: string, type: AnomalyType, parts: readonly string[], part: string, noun: string): Rule {
  const others = parts.filter((other) => other !== part);
  const rule = counted(
    name,
    parts,
    (record) => lengthOf(record, part) === undefined && others.some((other) => lengthOf(record, other) !== undefined),
  );
  return {
    ...rule,
    suspects: (batch) => {
      const present = (key: string): number => presentIn(batch.feature('context', key));
      // The rule holds if all records have the part, or none has any of the others.
      return present(part) < batch.records && others.some((other) => present(other) > 0);
    },
    verdict: (_all, found) => {
      if (found === 0) return [];
      return [
        {
          type,
          message: `${plural(rule.count(), 'record')} ${rule.count() === 1 ? 'lacks' : 'lack'} ${noun}, but ${rule.count() === 1 ? 'has' : 'have'} other parts.`,
        },
      ];
    },
  };
}

/** The rule that a record has equally many values of `part` and `value`, if it has both. */
function lengthRule(name: string, type: AnomalyType, value: string, part: string, noun: string): Rule {
  const differ = (record: DecodedSequenceExample): boolean => {
    const [many, few] = [lengthOf(record, value), lengthOf(record, part)];
    return many !== undefined && few !== undefined && many !== few;
  };
  const rule = counted(name, [value, part], differ);
  return {
    ...rule,
    suspects: (batch) => {
      const extents = [value, part].map((key) => batch.feature('context', key)?.counts);
      const [a, b] = extents;
      if (a === undefined || b === undefined) return false;
      return Math.min(a.min, b.min) !== Math.max(a.max, b.max);
    },
    verdict: (_all, found) => {
      if (found === 0) return [];
      return [
        {
          type,
          message: `${plural(rule.count(), 'record')} ${rule.count() === 1 ? 'does' : 'do'} not have as many ${noun} as values in ${quoted(value)}.`,
        },
      ];
    },
  };
}

/** Makes a rule about several features of a record. It counts records itself, because surveys do not. */
function counted(
  name: string,
  names: readonly string[],
  wrong: (record: DecodedSequenceExample) => boolean,
): Pick<Rule, 'path' | 'names' | 'breaks' | 'countsRecords' | 'state' | 'add'> & { readonly count: () => number } {
  let count = 0;
  return {
    path: [name],
    names,
    countsRecords: true,
    breaks: (record) => {
      const broken = wrong(record);
      if (broken) count++;
      return broken;
    },
    state: () => ({ count, values: [] }),
    add: (state) => {
      count += state.count;
    },
    count: () => count,
  };
}

function lengthOf({ context }: DecodedSequenceExample, name: string): number | undefined {
  return context[name]?.values.length;
}

/** The rule about the number of records. */
export function sizeRules(
  constraints: { readonly minExamplesCount?: bigint; readonly maxExamplesCount?: bigint } = {},
): Rule[] {
  const { minExamplesCount: min, maxExamplesCount: max } = constraints;
  return [
    {
      path: [],
      names: [],
      suspects: () => false,
      breaks: () => false,
      verdict: ({ records }: Surveyed) => {
        const there = `There ${records === 1 ? 'is' : 'are'} ${plural(records, 'record')}, but the schema expects`;
        if (min !== undefined && records < min)
          return [{ type: 'DATASET_LOW_NUM_EXAMPLES', message: `${there} at least ${min}.` }];
        if (max !== undefined && records > max)
          return [{ type: 'DATASET_HIGH_NUM_EXAMPLES', message: `${there} at most ${max}.` }];
        return [];
      },
    },
  ];
}
