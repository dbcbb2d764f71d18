/** Checks of a spec as a whole, before any data. Each throws TFR_SPEC naming the feature. */
import { isRevoked } from '../../base';
import {
  checkName,
  definitionOf,
  KINDS,
  show,
  specError,
  type FeatureDefinition,
  type KeyUse,
  type SpecUse,
} from '../kinds';

import { quoted } from '../feature';

/** A feature of a spec and its definition. */
export type NamedFeature = readonly [name: string, definition: FeatureDefinition];

/**
 * Maximum number of features of a spec, and of keys that they read. Every feature costs some microseconds for each
 * batch, and kilobytes for each reader: without a limit, a JSON file could keep the process busy for minutes.
 */
const MAX_FEATURES = 2 ** 16;

/**
 * Returns the features of `spec`, in its order. Checks that `use` allows the class of each, and that no two of them
 * conflict.
 */
export function checkSpec(spec: unknown, use: SpecUse): readonly NamedFeature[] {
  const isSpec = typeof spec === 'object' && spec !== null && !isRevoked(spec) && !Array.isArray(spec);
  if (!isSpec || definitionOf(spec) !== undefined) {
    const found = definitionOf(spec) === undefined ? show(spec) : 'a single feature';
    throw specError(`A spec is an object of feature name to feature; this is ${found}`, {
      expected: 'an object of feature name to feature',
      found,
    });
  }
  checkFeatureCount(Object.keys(spec).length);
  const features = Object.entries(spec).map(([name, feature]): NamedFeature => [
    name,
    checkFeature(name, feature, use),
  ]);
  checkKeys(features);
  return features;
}

/** @throws TFRecordError TFR_SPEC if a spec has more features than {@link MAX_FEATURES}. */
export function checkFeatureCount(count: number, what = 'features'): void {
  if (count <= MAX_FEATURES) return;
  throw specError(
    `The spec has ${count} ${what}; at most ${MAX_FEATURES} are possible. Store many values as one feature, or read them by several specs`,
    { expected: `at most ${MAX_FEATURES} ${what}`, found: String(count) },
  );
}

/** Checks that `features` has at least one feature. */
export function checkNotEmpty(features: readonly NamedFeature[], others: readonly NamedFeature[] = []): void {
  if (features.length + others.length > 0) return;
  throw specError('The spec has no features; name at least one', { expected: 'at least one feature', found: 'none' });
}

function checkFeature(name: string, feature: unknown, use: SpecUse): FeatureDefinition {
  checkName('the name', name);
  const definition = definitionOf(feature);
  if (definition === undefined) {
    const calls = KINDS.map((kind) => `${kind.name}()`);
    const last = calls.pop()!;
    throw specError(
      `${show(feature)} is not a feature: use ${calls.join(', ')} or ${last}; for JSON, use specFromJSON()`,
      {
        feature: name,
        expected: 'a feature',
        found: show(feature),
      },
    );
  }
  const refusal = definition.refusal(use);
  if (refusal === undefined) return definition;
  const { message, expected, found } = refusal;
  throw specError(message, { feature: name, expected, found });
}

/** Checks that no key is read as two types, by features of two groups, or with two types of splits. */
function checkKeys(features: readonly NamedFeature[]): void {
  const first = new Map<string, { name: string; use: KeyUse }>();
  for (const [name, definition] of features) {
    for (const use of definition.keys(name)) {
      const other = first.get(use.key);
      if (other === undefined) first.set(use.key, { name, use });
      else checkAgreement(name, use, other.name, other.use);
    }
  }
  checkFeatureCount(first.size, 'keys to read');
}

function checkAgreement(name: string, use: KeyUse, otherName: string, other: KeyUse): void {
  const key = quoted(use.key);
  const by = otherName === name ? 'it' : `feature ${quoted(otherName)}`;
  if (use.dtype !== other.dtype) {
    throw specError(`it reads ${key} as ${use.dtype}, and ${by} reads it as ${other.dtype}; a key has one type`, {
      feature: name,
      expected: other.dtype,
      found: use.dtype,
    });
  }
  if (use.group !== other.group) {
    throw specError(
      `it reads ${key} as a ${use.group} feature, and ${by} reads it as a ${other.group} one; use one kind for both`,
      { feature: name, expected: other.group, found: use.group },
    );
  }
  if (use.rowSplitsDtype !== other.rowSplitsDtype) {
    throw specError(
      `it reads ${key} with rowSplitsDtype '${String(use.rowSplitsDtype)}', and ${by} with ` +
        `'${String(other.rowSplitsDtype)}'; features that share a key share it`,
      { feature: name, expected: other.rowSplitsDtype, found: use.rowSplitsDtype },
    );
  }
}
