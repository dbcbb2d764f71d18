/** Adds up the surveys of a feature in several parts of the records. */
import {
  PICTURE_FORMATS,
  type BytesSummary,
  type Extent,
  type FeatureSurvey,
  type FloatSummary,
  type Int64Summary,
  type KindCounts,
  type PictureFormat,
} from './feature-survey';

/** Limits of native code for the different values of a feature. */
const MAX_DISTINCT = 100;
const MAX_DISTINCT_BYTES = 4096;

/** The survey of the records of `a` and `b`, as one survey of all of them would be. Both are of the same feature. */
export function mergeSurveys(a: FeatureSurvey, b: FeatureSurvey): FeatureSurvey {
  return {
    section: a.section,
    name: a.name,
    records: a.records + b.records,
    kinds: mergeKinds(a.kinds, b.kinds),
    empty: a.empty + b.empty,
    counts: mergeBoth(a.counts, b.counts, mergeExtents),
    steps: mergeBoth(a.steps, b.steps, mergeExtents),
    int64: mergeBoth(a.int64, b.int64, mergeInts),
    float32: mergeBoth(a.float32, b.float32, mergeFloats),
    bytes: mergeBoth(a.bytes, b.bytes, mergeBytes),
  };
}

function mergeBoth<T>(a: T | undefined, b: T | undefined, merge: (a: T, b: T) => T): T | undefined {
  return a === undefined ? b : b === undefined ? a : merge(a, b);
}

function mergeKinds(a: KindCounts, b: KindCounts): KindCounts {
  return {
    bytes: a.bytes + b.bytes,
    float32: a.float32 + b.float32,
    int64: a.int64 + b.int64,
    none: a.none + b.none,
  };
}

function mergeExtents(a: Extent, b: Extent): Extent {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max), total: a.total + b.total };
}

function mergeInts(a: Int64Summary, b: Int64Summary): Int64Summary {
  const distinct = new BigInt64Array(new Set([...(a.distinct ?? []), ...(b.distinct ?? [])])).sort();
  const all = a.distinct !== undefined && b.distinct !== undefined && distinct.length <= MAX_DISTINCT;
  return {
    min: a.min < b.min ? a.min : b.min,
    max: a.max > b.max ? a.max : b.max,
    zeros: a.zeros + b.zeros,
    distinct: all ? [...distinct] : undefined,
  };
}

function mergeFloats(a: FloatSummary, b: FloatSummary): FloatSummary {
  return {
    min: mergeBoth(a.min, b.min, (x, y) => (y < x ? y : x)),
    max: mergeBoth(a.max, b.max, (x, y) => (y > x ? y : x)),
    zeros: a.zeros + b.zeros,
    nans: a.nans + b.nans,
    infinities: a.infinities + b.infinities,
  };
}

function mergeBytes(a: BytesSummary, b: BytesSummary): BytesSummary {
  const pictures: Partial<Record<PictureFormat, number>> = {};
  for (const format of PICTURE_FORMATS) {
    const count = (a.pictures[format] ?? 0) + (b.pictures[format] ?? 0);
    if (count > 0) pictures[format] = count;
  }
  return {
    lengths: mergeExtents(a.lengths, b.lengths),
    notUtf8: a.notUtf8 + b.notUtf8,
    withControls: a.withControls + b.withControls,
    pictures,
    distinct: mergeWords(a.distinct, b.distinct),
  };
}

function mergeWords(
  a: readonly Uint8Array[] | undefined,
  b: readonly Uint8Array[] | undefined,
): readonly Uint8Array[] | undefined {
  if (a === undefined || b === undefined) return undefined;
  const words = [...a, ...b].sort((x, y) => Buffer.compare(x, y));
  const distinct = words.filter((word, i) => i === 0 || Buffer.compare(word, words[i - 1]!) !== 0);
  const bytes = distinct.reduce((sum, { length }) => sum + length, 0);
  return distinct.length <= MAX_DISTINCT && bytes <= MAX_DISTINCT_BYTES ? distinct : undefined;
}
