/**
 * Describes records: which features they have, and the spec that reads them.
 *
 * @packageDocumentation
 */
export { inferSchema, type InferOptions } from './infer/infer-schema';
export type { InferredFeature } from './infer/inferred-features';
export type { Bounds, PictureSummary } from './infer/pictures';
export { readSchema } from './read/read-schema';
export { InferredSchema, Schema } from './schema';
export { readTfds, TfdsFolder, TfdsSplit, type StepReadOptions, type StepRow, type TfdsShard } from './tfds';
export { statistics, type StatisticsOptions } from './statistics/statistics';
export type { SliceBy } from './statistics/slices/slice-by';
export { DatasetStatistics } from './statistics/dataset-statistics';
export { readStatistics } from './statistics/read-statistics';
export { compareStatistics, type CompareOptions, type StatisticsSource } from './compare/compare-statistics';
export type { ComparatorName, UncheckedThreshold } from './compare/comparators';
export { StatisticsComparison } from './compare/comparison';
export type { ComparedDataset, ComparedKind, FeatureDistance } from './compare/feature-distance';
export {
  DatasetFeatureStatisticsList,
  type BucketMessage,
  type BytesStatisticsMessage,
  type CommonStatisticsMessage,
  type CustomStatisticMessage,
  type DatasetFeatureStatisticsListMessage,
  type DatasetFeatureStatisticsMessage,
  type FeatureNameStatisticsMessage,
  type FreqAndValueMessage,
  type HistogramMessage,
  type NumericStatisticsMessage,
  type PathMessage,
  type PresenceAndValencyStatisticsMessage,
  type RankBucketMessage,
  type RankHistogramMessage,
  type StringStatisticsMessage,
  type StructStatisticsMessage,
} from './statistics/message';
export { validate, type ValidateOptions } from './validate/validate';
export type { AnomalousRecord, Anomaly, AnomalyType } from './validate/anomaly';
export type {
  Domain,
  FeatureKindName,
  FeatureSection,
  FloatDomain,
  Int64Domain,
  Presence,
  SchemaFeature,
  SchemaRecordType,
  SchemaSpec,
  SchemaSpecJSON,
  TextDomain,
  ValueCount,
} from './feature';
export type {
  BytesSummary,
  Extent,
  FeatureSurvey,
  FloatSummary,
  Int64Summary,
  KindCounts,
  PictureFormat,
} from '../table';
