/** Finds what differs between two records. */
import { decodeSequenceExample, recordType, type DecodedFeature } from '../../../example';

/** A difference of one feature, or of one step of a feature list. */
export interface FeatureDifference {
  readonly feature: string;
  /** The first step that differs; undefined for a feature that is not a feature list. */
  readonly step: number | undefined;
  /** The first value that differs; undefined if one feature is missing, has no kind or has another kind. */
  readonly index: number | undefined;
  /** Undefined for a missing feature, null for one without a kind. */
  readonly a: DecodedFeature | null | undefined;
  readonly b: DecodedFeature | null | undefined;
  /** Number of values that differ, including values that only one record has. */
  readonly values: number;
}

/** The difference of two records of which at least one is not an Example. */
export interface BytesDifference {
  /** The first byte that differs. */
  readonly byte: number;
  readonly lengths: readonly [a: number, b: number];
}

/**
 * Compares two records: Examples and SequenceExamples by their features, whose order and encoding do not matter; others
 * by all bytes. Returns undefined if they are equal.
 *
 * Floats are equal if they are the same (NaN is equal to NaN, and -0 is not 0), or if |a - b| is at most `tolerance` times
 * the largest of 1, |a| and |b|.
 */
export function compareRecords(
  a: Uint8Array,
  b: Uint8Array,
  tolerance: number,
): readonly FeatureDifference[] | BytesDifference | undefined {
  if (Buffer.compare(a, b) === 0) return undefined;
  if (!hasFeatures(a) || !hasFeatures(b)) return { byte: firstDifference(a, b), lengths: [a.length, b.length] };
  const [one, other] = [decodeSequenceExample(a), decodeSequenceExample(b)];
  const found: FeatureDifference[] = [];
  for (const feature of namesOf(one.context, other.context)) {
    const sides = [side(one.context, feature), side(other.context, feature)] as const;
    const difference = compareFeatures(...sides, tolerance);
    if (difference !== undefined) found.push({ feature, step: undefined, a: sides[0], b: sides[1], ...difference });
  }
  for (const feature of namesOf(one.featureLists, other.featureLists)) {
    const difference = compareSteps(one.featureLists[feature], other.featureLists[feature], tolerance);
    if (difference !== undefined) found.push({ feature, ...difference });
  }
  return found.length > 0 ? found : undefined;
}

function hasFeatures(record: Uint8Array): boolean {
  const type = recordType(record);
  return type === 'Example' || type === 'SequenceExample';
}

function firstDifference(a: Uint8Array, b: Uint8Array): number {
  let byte = 0;
  while (byte < a.length && byte < b.length && a[byte] === b[byte]) byte++;
  return byte;
}

/** Returns the names of both objects, those of `a` first. */
function namesOf(a: object, b: object): Set<string> {
  return new Set([...Object.keys(a), ...Object.keys(b)]);
}

type Side = DecodedFeature | null | undefined;

function side(features: Readonly<Record<string, DecodedFeature | undefined>>, name: string): Side {
  return features[name] ?? (name in features ? null : undefined);
}

/** Returns what differs first between the steps of two feature lists; undefined if nothing does. */
function compareSteps(
  a: readonly (DecodedFeature | undefined)[] | undefined,
  b: readonly (DecodedFeature | undefined)[] | undefined,
  tolerance: number,
): Omit<FeatureDifference, 'feature'> | undefined {
  // An empty list differs from a missing one.
  if (a === undefined || b === undefined) {
    return { step: undefined, index: undefined, a: a?.[0] ?? (a && null), b: b?.[0] ?? (b && null), values: 0 };
  }
  let first: Omit<FeatureDifference, 'feature'> | undefined;
  let values = 0;
  for (let step = 0; step < Math.max(a.length, b.length); step++) {
    const sides = [
      step < a.length ? (a[step] ?? null) : undefined,
      step < b.length ? (b[step] ?? null) : undefined,
    ] as const;
    const difference = compareFeatures(...sides, tolerance);
    if (difference === undefined) continue;
    values += difference.values;
    first ??= { step, a: sides[0], b: sides[1], ...difference };
  }
  return first && { ...first, values };
}

function compareFeatures(
  a: Side,
  b: Side,
  tolerance: number,
): { readonly index: number | undefined; readonly values: number } | undefined {
  if (a === b) return undefined;
  if (!a || a.kind !== b?.kind)
    return { index: undefined, values: Math.max(a?.values.length ?? 0, b?.values.length ?? 0) };
  const same = sameValue(a, b, tolerance);
  const lengths = [a.values.length, b.values.length];
  const [shorter, longer] = [Math.min(...lengths), Math.max(...lengths)];
  let index: number | undefined;
  let values = longer - shorter;
  for (let i = 0; i < shorter; i++) {
    if (same(i)) continue;
    index ??= i;
    values++;
  }
  if (values === 0) return undefined;
  return { index: index ?? shorter, values };
}

/** Returns a function that compares value `i` of two features of one kind. */
function sameValue(a: DecodedFeature, b: DecodedFeature, tolerance: number): (i: number) => boolean {
  if (a.kind === 'bytes' && b.kind === 'bytes') return (i) => Buffer.compare(a.values.at(i)!, b.values.at(i)!) === 0;
  if (a.kind === 'float' && b.kind === 'float') return (i) => sameFloat(a.values[i]!, b.values[i]!, tolerance);
  return (i) => a.values.at(i) === b.values.at(i);
}

function sameFloat(a: number, b: number, tolerance: number): boolean {
  if (Object.is(a, b)) return true;
  if (tolerance === 0) return false;
  // Infinite numbers and NaN are equal only to themselves.
  return Number.isFinite(a - b) && Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a), Math.abs(b));
}
