/** The rules of a spec for rows of JSON Lines that native code encodes. */
import type { Bytes } from '../../base';
import type { FeatureKind, RowFeatureRule } from '../../example';
import type { RowSpec } from '../format';
import type { FeatureChoice } from '../transform/feature-choice';
import type { RowRules } from './row-chunk';

/**
 * Returns the rules of `spec`; undefined if JavaScript must encode all rows: those of SequenceExamples, and of tensors that are
 * sparse or ragged or have steps. `encode` is that of `specEncoder`.
 */
export function specRules(
  { plan, features }: RowSpec,
  choice: FeatureChoice,
  encode: (line: Bytes) => Bytes,
): RowRules | undefined {
  if (features === undefined) return undefined;
  const rules = new Map<string, RowFeatureRule>();
  for (const { name, definition, section } of plan.features) {
    const { kind, dtype } = definition;
    if (kind !== 'fixedLen' && kind !== 'varLen') return undefined;
    const { count } = definition.layout(name, section);
    rules.set(name, {
      kind: KINDS[dtype],
      count: count < 0 ? undefined : count,
      required: definition.required(),
    });
  }
  // Does not mark the name as seen, as `keeps` does.
  const isKept = (name: string): boolean => choice.names.includes(name) !== choice.excludes;
  return {
    reads: undefined,
    required: [...rules.values()].filter(({ required }) => required).length,
    ruleOf({ name }, hasValues) {
      const rule = rules.get(name);
      if (rule !== undefined) return rule;
      // A row with a value of a feature that is kept, but not in the spec, has a fault.
      return { kind: hasValues && isKept(name) ? 'none' : 'skip' };
    },
    leaveOut(name) {
      choice.keeps(name);
    },
    encode,
  };
}

const KINDS: Readonly<Record<'int64' | 'float32' | 'bytes' | 'text', FeatureKind>> = {
  int64: 'int64',
  float32: 'float',
  bytes: 'bytes',
  text: 'bytes',
};
