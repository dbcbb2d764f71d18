/**
 * TensorFlow Metadata's statistics as plain objects; uint64 and int64 are bigint, enums are their numbers. A message that
 * was read has every member; absent messages and members of a oneof are left out.
 */
import { messageType, type MessageType } from '../../example';
import { METADATA } from '../message/metadata';

/** `DatasetFeatureStatisticsList` */
export interface DatasetFeatureStatisticsListMessage {
  /** One a data set. */
  datasets: DatasetFeatureStatisticsMessage[];
}

/** `DatasetFeatureStatistics`: a data set. */
export interface DatasetFeatureStatisticsMessage {
  /** Name of the data set. */
  name: string;
  /** Number of records. */
  numExamples: bigint;
  /** One a feature or feature list. */
  features: FeatureNameStatisticsMessage[];
}

/** `FeatureNameStatistics`: a feature. It has one of `name` and `path`, and one of the four kinds of statistics. */
export interface FeatureNameStatisticsMessage {
  /** Its name. */
  name?: string | undefined;
  /** Its name; of feature lists, `##SEQUENCE##` and the name. */
  path?: PathMessage | undefined;
  /** 0 int, 1 float, 2 string, 3 bytes, 4 all feature lists together. */
  type: number;
  /** For `INT` and `FLOAT`. */
  numStats?: NumericStatisticsMessage | undefined;
  /** For `STRING`. */
  stringStats?: StringStatisticsMessage | undefined;
  /** For `BYTES`. */
  bytesStats?: BytesStatisticsMessage | undefined;
  /** For all feature lists together. */
  structStats?: StructStatisticsMessage | undefined;
  /** More, by name. */
  customStats: CustomStatisticMessage[];
}

/** `Path` */
export interface PathMessage {
  /** The names, the outermost first. */
  step: string[];
}

/** `CommonStatistics`: presence, and numbers of values. */
export interface CommonStatisticsMessage {
  /** Records that have the feature, with a kind. */
  numNonMissing: bigint;
  /** Records that do not. */
  numMissing: bigint;
  /** Fewest values of a record that has the feature. */
  minNumValues: bigint;
  /** Most values of a record. */
  maxNumValues: bigint;
  /** Values per record that has the feature. */
  avgNumValues: number;
  /** Quantiles of the number of values. */
  numValuesHistogram?: HistogramMessage | undefined;
  /** Number of all values. */
  totNumValues: bigint;
  /** For feature lists: the number of steps. */
  featureListLengthHistogram?: HistogramMessage | undefined;
  /** For feature lists: lists in records, then values in steps. */
  presenceAndValencyStats: PresenceAndValencyStatisticsMessage[];
}

/** `PresenceAndValencyStatistics` */
export interface PresenceAndValencyStatisticsMessage {
  /** Lists that are there. */
  numNonMissing: bigint;
  /** Lists that are not. */
  numMissing: bigint;
  /** Items of the shortest list. */
  minNumValues: bigint;
  /** Items of the longest list. */
  maxNumValues: bigint;
  /** Number of all items. */
  totNumValues: bigint;
}

/** `NumericStatistics`. NaN is no value here: only the histograms count it. */
export interface NumericStatisticsMessage {
  /** Presence, and numbers of values. */
  commonStats?: CommonStatisticsMessage | undefined;
  /** Mean of the values. */
  mean: number;
  /** Standard deviation of the whole population. */
  stdDev: number;
  /** Number of zeros. */
  numZeros: bigint;
  /** The smallest value. */
  min: number;
  /** The middle value. */
  median: number;
  /** The largest value. */
  max: number;
  /** One of equal widths, one of quantiles. */
  histograms: HistogramMessage[];
}

/** `StringStatistics` */
export interface StringStatisticsMessage {
  /** Presence, and numbers of values. */
  commonStats?: CommonStatisticsMessage | undefined;
  /** Number of different values. */
  unique: bigint;
  /** The most frequent values, the first the most frequent. */
  topValues: FreqAndValueMessage[];
  /** Average length of a value in bytes. */
  avgLength: number;
  /** More of the most frequent values. */
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
  /** Number of different values; 0 where they were not counted. */
  unique: bigint;
  /** Average length. */
  avgNumBytes: number;
  /** Smallest length. */
  minNumBytes: number;
  /** Largest length. */
  maxNumBytes: number;
  /** Largest length, exact. */
  maxNumBytesInt: bigint;
}

/** `StructStatistics` */
export interface StructStatisticsMessage {
  /** Presence. */
  commonStats?: CommonStatisticsMessage | undefined;
}

/** `CustomStatistic`: it has one of `num` to `rankHistogram`. */
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
  /** Ascending. */
  buckets: BucketMessage[];
  /** 0 equal widths, 1 quantiles. */
  type: number;
  /** May be empty. */
  name: string;
}

/** `Histogram.Bucket` */
export interface BucketMessage {
  /** Lower end. */
  lowValue: number;
  /** Upper end; excluded, except in the last bucket. */
  highValue: number;
  /** Number of values. */
  sampleCount: number;
}

/** `RankHistogram` */
export interface RankHistogramMessage {
  /** The most frequent value first. */
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
