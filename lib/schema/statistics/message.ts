/**
 * TensorFlow Metadata's statistics as plain objects; uint64 and int64 are bigint, enums are their numbers. A decoded
 * message has every member, except absent messages and unset members of a oneof.
 */
import { messageType, type MessageType } from '../../example';
import { METADATA } from '../message/metadata';

/** `DatasetFeatureStatisticsList` */
export interface DatasetFeatureStatisticsListMessage {
  /** One for each data set. */
  datasets: DatasetFeatureStatisticsMessage[];
}

/** `DatasetFeatureStatistics`: a data set. */
export interface DatasetFeatureStatisticsMessage {
  /** Name of the data set. */
  name: string;
  /** Number of records. */
  numExamples: bigint;
  /** One for each feature or feature list. */
  features: FeatureNameStatisticsMessage[];
}

/** `FeatureNameStatistics`: a feature. It has one of `name` and `path`, and one of the four kinds of statistics. */
export interface FeatureNameStatisticsMessage {
  /** Its name. */
  name?: string | undefined;
  /** Its name; for feature lists, `##SEQUENCE##` and the name. */
  path?: PathMessage | undefined;
  /** 0: int; 1: float; 2: string; 3: bytes; 4: all feature lists together. */
  type: number;
  /** For `INT` and `FLOAT`. */
  numStats?: NumericStatisticsMessage | undefined;
  /** For `STRING`. */
  stringStats?: StringStatisticsMessage | undefined;
  /** For `BYTES`. */
  bytesStats?: BytesStatisticsMessage | undefined;
  /** For all feature lists together. */
  structStats?: StructStatisticsMessage | undefined;
  /** Further statistics, by name. */
  customStats: CustomStatisticMessage[];
}

/** `Path` */
export interface PathMessage {
  /** The names, outermost first. */
  step: string[];
}

/** `CommonStatistics`: presence, and numbers of values. */
export interface CommonStatisticsMessage {
  /** Number of records that have the feature, with a kind. */
  numNonMissing: bigint;
  /** Number of records that do not. */
  numMissing: bigint;
  /** Minimum number of values in a record that has the feature. */
  minNumValues: bigint;
  /** Maximum number of values in a record. */
  maxNumValues: bigint;
  /** Average number of values in a record that has the feature. */
  avgNumValues: number;
  /** Quantiles of the numbers of values. */
  numValuesHistogram?: HistogramMessage | undefined;
  /** Number of all values. */
  totNumValues: bigint;
  /** For feature lists: quantiles of the numbers of steps. */
  featureListLengthHistogram?: HistogramMessage | undefined;
  /** For feature lists: two levels, lists in records, then values in steps. */
  presenceAndValencyStats: PresenceAndValencyStatisticsMessage[];
}

/** `PresenceAndValencyStatistics` */
export interface PresenceAndValencyStatisticsMessage {
  /** Number of lists that are present. */
  numNonMissing: bigint;
  /** Number of lists that are missing. */
  numMissing: bigint;
  /** Minimum number of items in a list. */
  minNumValues: bigint;
  /** Maximum number of items in a list. */
  maxNumValues: bigint;
  /** Number of all items. */
  totNumValues: bigint;
}

/** `NumericStatistics`. NaN does not count as a value: only the histograms count it. */
export interface NumericStatisticsMessage {
  /** Presence, and numbers of values. */
  commonStats?: CommonStatisticsMessage | undefined;
  /** Mean of the values. */
  mean: number;
  /** Standard deviation of the whole population. */
  stdDev: number;
  /** Number of zeros. */
  numZeros: bigint;
  /** Minimum. */
  min: number;
  /** Median. */
  median: number;
  /** Maximum. */
  max: number;
  /** The first has buckets of equal widths, the second has quantiles. */
  histograms: HistogramMessage[];
}

/** `StringStatistics` */
export interface StringStatisticsMessage {
  /** Presence, and numbers of values. */
  commonStats?: CommonStatisticsMessage | undefined;
  /** Number of different values. */
  unique: bigint;
  /** The most frequent values, in descending order of frequency. */
  topValues: FreqAndValueMessage[];
  /** Average length of a value in bytes. */
  avgLength: number;
  /** Further frequent values. */
  rankHistogram?: RankHistogramMessage | undefined;
  /** Never written. */
  vocabularyFile: string;
  /** Number of values that are not UTF-8. */
  invalidUtf8Count: bigint;
}

/** `StringStatistics.FreqAndValue` */
export interface FreqAndValueMessage {
  /** The value. */
  value: string;
  /** Number of its occurrences. */
  frequency: number;
}

/** `BytesStatistics` */
export interface BytesStatisticsMessage {
  /** Presence, and numbers of values. */
  commonStats?: CommonStatisticsMessage | undefined;
  /** Number of different values; 0 if they were not counted. */
  unique: bigint;
  /** Average length in bytes. */
  avgNumBytes: number;
  /** Minimum length in bytes. */
  minNumBytes: number;
  /** Maximum length in bytes. */
  maxNumBytes: number;
  /** Maximum length in bytes, exact. */
  maxNumBytesInt: bigint;
}

/** `StructStatistics` */
export interface StructStatisticsMessage {
  /** Presence. */
  commonStats?: CommonStatisticsMessage | undefined;
}

/** `CustomStatistic`: it has exactly one of `num` to `rankHistogram`. */
export interface CustomStatisticMessage {
  /** Name of the statistic. */
  name: string;
  /** A number. */
  num?: number | undefined;
  /** A text. */
  str?: string | undefined;
  /** A histogram. */
  histogram?: HistogramMessage | undefined;
  /** A histogram of ranks. */
  rankHistogram?: RankHistogramMessage | undefined;
}

/** `Histogram` */
export interface HistogramMessage {
  /** Number of NaN. */
  numNan: bigint;
  /** Never written. */
  numUndefined: bigint;
  /** The buckets, in ascending order. */
  buckets: BucketMessage[];
  /** 0: equal widths; 1: quantiles. */
  type: number;
  /** May be empty. */
  name: string;
}

/** `Histogram.Bucket` */
export interface BucketMessage {
  /** Lower bound. */
  lowValue: number;
  /** Upper bound; excluded, except in the last bucket. */
  highValue: number;
  /** Number of values. */
  sampleCount: number;
}

/** `RankHistogram` */
export interface RankHistogramMessage {
  /** The buckets, most frequent value first. */
  buckets: RankBucketMessage[];
  /** May be empty. */
  name: string;
}

/** `RankHistogram.Bucket` */
export interface RankBucketMessage {
  /** First rank. */
  lowRank: bigint;
  /** Last rank. */
  highRank: bigint;
  /** The value. */
  label: string;
  /** Number of its occurrences. */
  sampleCount: number;
}

/** The message `DatasetFeatureStatisticsList`, which TensorFlow Data Validation and Facets read. */
export const DatasetFeatureStatisticsList: MessageType<DatasetFeatureStatisticsListMessage> = messageType(
  'DatasetFeatureStatisticsList',
  METADATA,
);
