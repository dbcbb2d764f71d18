/** Composes the messages of TensorFlow Metadata's statistics. */
import type { MessageInit } from '../../example';
import type { BytesSummary, FeatureSurvey } from '../../table';
import { SEQUENCE } from '../message/schema-message';
import type { FeatureValues } from './feature-values';
import {
  median,
  onlyNaN,
  QUANTILES,
  quantilesHistogram,
  STANDARD,
  standardHistogram,
  type Numbers,
} from './histograms';
import type { ListLengths } from './list-lengths';
import type {
  CommonStatisticsMessage,
  CustomStatisticMessage,
  FeatureNameStatisticsMessage,
  HistogramMessage,
  NumericStatisticsMessage,
  StringStatisticsMessage,
} from './message';
import type { Word } from './word-tables';
import type { WordSummary } from './words';

/** `FeatureNameStatistics.Type` */
export const TYPES = { int: 0, float: 1, string: 2, bytes: 3, struct: 4 } as const;
const TOP_VALUES = 20;
/** Maximum number of words that are listed for a feature. */
export const RANKS = 1000;
/** Placeholders for values that are not UTF-8, and for long ones, from TensorFlow Data Validation. */
const NOT_UTF8 = '__BYTES_VALUE__';
const LARGE = '__LARGE_BYTES__';

type FeatureInit = MessageInit<FeatureNameStatisticsMessage>;

/** All findings about a feature. */
export interface KnownFeature {
  readonly survey: FeatureSurvey;
  /** Undefined if the feature never has a kind. */
  readonly values: FeatureValues | undefined;
  /** The values of a feature of bytes; undefined if they were not counted. */
  readonly words: WordSummary | undefined;
}

/** The statistics of a feature. `records`: the number of all records. */
export function featureStatistics({ survey, values, words }: KnownFeature, records: number): FeatureInit {
  const { section, name, bytes } = survey;
  const path = { step: section === 'context' ? [name] : [SEQUENCE, name] };
  const commonStats = common(survey, values, records);
  const customStats = section === 'sequence' && values !== undefined ? stepLengths(survey, values) : [];
  const shared = { path, customStats };
  if (values === undefined) return { ...shared, type: TYPES.string, stringStats: { commonStats } };
  if (values.kind !== 'bytes') {
    const type = values.kind === 'int64' ? TYPES.int : TYPES.float;
    return { ...shared, type, numStats: { commonStats, ...numeric(survey, values) } };
  }
  if (words !== undefined && !isBinary(survey)) {
    return { ...shared, type: TYPES.string, stringStats: { commonStats, ...text(survey, words) } };
  }
  const lengths = bytes === undefined ? {} : byteLengths(survey, bytes);
  return { ...shared, type: TYPES.bytes, bytesStats: { commonStats, unique: words?.unique ?? 0, ...lengths } };
}

/** The statistics of all feature lists together: each record has them once. */
export function structStatistics(records: number): FeatureInit {
  const lengths = { sorted: Float64Array.of(1), count: records, min: 1, max: 1 };
  const commonStats = {
    numNonMissing: records,
    minNumValues: 1,
    maxNumValues: 1,
    avgNumValues: 1,
    totNumValues: records,
    numValuesHistogram: quantilesHistogram(lengths),
  };
  return { path: { step: [SEQUENCE] }, type: TYPES.struct, structStats: { commonStats } };
}

/** True if most values are not text. */
export function isBinary({ bytes, counts }: FeatureSurvey): boolean {
  return bytes !== undefined && 2 * (bytes.notUtf8 + bytes.withControls) > counts!.total;
}

function common(
  survey: FeatureSurvey,
  values: FeatureValues | undefined,
  records: number,
): MessageInit<CommonStatisticsMessage> {
  const { section, kinds, steps, counts } = survey;
  const there = section === 'context' ? survey.records - kinds.none : survey.records;
  const presence = { numNonMissing: there, numMissing: records - there };
  if (values === undefined || there === 0) return presence;
  const { lengths } = values;
  const stats = {
    ...presence,
    minNumValues: lengths.min,
    maxNumValues: lengths.max,
    avgNumValues: lengths.total / there,
    totNumValues: lengths.total,
    numValuesHistogram: quantilesHistogram(lengthNumbers(lengths)),
  };
  if (values.steps === undefined || steps === undefined) return stats;
  const inner = kinds.bytes + kinds.float32 + kinds.int64;
  return {
    ...stats,
    featureListLengthHistogram: quantilesHistogram(lengthNumbers(values.steps.counts)),
    presenceAndValencyStats: [
      { ...presence, minNumValues: steps.min, maxNumValues: steps.max, totNumValues: steps.total },
      {
        numNonMissing: inner,
        numMissing: kinds.none,
        minNumValues: counts?.min ?? 0,
        maxNumValues: counts?.max ?? 0,
        totNumValues: counts?.total ?? 0,
      },
    ],
  };
}

function lengthNumbers(lengths: ListLengths): Numbers {
  return { sorted: lengths.sorted(), count: lengths.count, min: lengths.min, max: lengths.max };
}

/** The numbers of values in the steps of a feature list, without steps that have no kind. */
function stepLengths(
  { kinds, counts }: FeatureSurvey,
  { steps }: FeatureValues,
): MessageInit<CustomStatisticMessage>[] {
  if (counts === undefined || steps === undefined) return [];
  const { min, max } = counts;
  const sorted = steps.lengths.sorted(kinds.none);
  const count = steps.lengths.count - kinds.none;
  const finite = { min, max, nans: 0, negativeInfinities: 0, positiveInfinities: 0 };
  return [
    { name: 'level_2_value_list_length_quantiles', histogram: quantilesHistogram({ sorted, count, min, max }) },
    { name: 'level_2_value_list_length_standard', histogram: standardHistogram(sorted, count, finite) },
  ];
}

function numeric(survey: FeatureSurvey, { moments, sample }: FeatureValues): MessageInit<NumericStatisticsMessage> {
  const { int64, float32 } = survey;
  const nans = float32?.nans ?? 0;
  const { count: finite, positiveInfinities, negativeInfinities } = moments;
  const count = finite + positiveInfinities + negativeInfinities;
  if (count === 0) return nans > 0 ? { histograms: [onlyNaN(STANDARD, nans), onlyNaN(QUANTILES, nans)] } : {};
  const bounds = int64 === undefined ? float32 : { min: Number(int64.min), max: Number(int64.max) };
  const min = negativeInfinities > 0 ? -Infinity : (bounds?.min ?? Infinity);
  const max = positiveInfinities > 0 ? Infinity : (bounds?.max ?? -Infinity);
  const sorted = sample.sorted();
  const finiteBounds = { min: bounds?.min, max: bounds?.max, nans, negativeInfinities, positiveInfinities };
  return {
    mean: moments.mean,
    stdDev: moments.deviation,
    numZeros: int64?.zeros ?? float32?.zeros ?? 0,
    min,
    median: median(sorted),
    max,
    histograms: [
      standardHistogram(sorted, finite, finiteBounds),
      quantilesHistogram({ sorted, count, min, max }, nans),
    ] satisfies HistogramMessage[],
  };
}

function text(survey: FeatureSurvey, words: WordSummary): MessageInit<StringStatisticsMessage> {
  const { bytes, counts } = survey;
  if (bytes === undefined) return {};
  const ranked = [...words.top, ...placeholder(NOT_UTF8, bytes.notUtf8), ...placeholder(LARGE, words.large)]
    .sort(byCount)
    .slice(0, RANKS);
  return {
    unique: words.unique,
    topValues: ranked.slice(0, TOP_VALUES).map(({ value, count }) => ({ value, frequency: count })),
    avgLength: bytes.lengths.total / counts!.total,
    rankHistogram: {
      buckets: ranked.map(({ value, count }, i) => ({ lowRank: i, highRank: i, label: value, sampleCount: count })),
    },
    invalidUtf8Count: bytes.notUtf8,
  };
}

function placeholder(value: string, count: number): Word[] {
  return count > 0 ? [{ value, count }] : [];
}

function byCount(a: Word, b: Word): number {
  return b.count - a.count || Buffer.compare(Buffer.from(b.value), Buffer.from(a.value));
}

function byteLengths(
  { counts }: FeatureSurvey,
  { lengths: { min, max, total } }: BytesSummary,
): { avgNumBytes: number; minNumBytes: number; maxNumBytes: number; maxNumBytesInt: number } {
  return { avgNumBytes: total / counts!.total, minNumBytes: min, maxNumBytes: max, maxNumBytesInt: max };
}
