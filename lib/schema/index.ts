/**
 * Describes records: which features they have, and the spec that reads them.
 *
 * @packageDocumentation
 */
export { inferSchema, type InferOptions } from './infer/infer-schema';
export type { InferredFeature } from './infer/inferred-features';
export type { PictureSummary } from './infer/pictures';
export { InferredSchema, Schema, type SchemaSpecJSON } from './schema';
export type {
  Domain,
  FeatureKindName,
  FeatureSection,
  Presence,
  SchemaFeature,
  SchemaRecordType,
  SchemaSpec,
} from './feature';
