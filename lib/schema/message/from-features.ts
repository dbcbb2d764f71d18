/** Converts features to the message `Schema` of TensorFlow Metadata. */
import type { MessageInit } from '../../example';
import type { Domain, FeatureKindName, SchemaFeature } from '../feature';
import {
  FEATURE_TYPES,
  PLANNED,
  SEQUENCE,
  type FeatureMessage,
  type SchemaMessage,
  type ValueCountMessage,
} from './schema-message';

const TYPES: Readonly<Record<FeatureKindName, number | undefined>> = {
  bytes: FEATURE_TYPES.BYTES,
  int64: FEATURE_TYPES.INT,
  float32: FEATURE_TYPES.FLOAT,
  mixed: undefined,
  none: undefined,
};

/** The message for `features`. As in TFX, feature lists are members of a structure. */
export function messageOf(features: readonly SchemaFeature[]): MessageInit<SchemaMessage> {
  const feature = features.filter(({ section }) => section === 'context').map(featureMessage);
  const lists = features.filter(({ section }) => section === 'sequence').map(featureMessage);
  if (lists.length > 0) {
    feature.push({ name: SEQUENCE, type: FEATURE_TYPES.STRUCT, structDomain: { feature: lists } });
  }
  return { feature };
}

function featureMessage({
  section,
  name,
  kind,
  presence,
  valueCount,
  shape,
  domain,
}: SchemaFeature): MessageInit<FeatureMessage> {
  const counts = valueCount && {
    min: BigInt(valueCount.min),
    ...(valueCount.max !== undefined && { max: BigInt(valueCount.max) }),
  };
  // A feature without a type is invalid, unless it is planned: then the type states nothing about the data.
  const planned = kind === 'none' ? { type: FEATURE_TYPES.BYTES, lifecycleStage: PLANNED } : undefined;
  const fixed = section === 'context' && shape !== undefined && presence?.minFraction === 1;
  return {
    name,
    type: TYPES[kind],
    ...planned,
    presence: presence && {
      minFraction: presence.minFraction > 0 ? presence.minFraction : undefined,
      minCount: BigInt(presence.minCount),
    },
    ...(fixed ? { shape: { dim: shape.map((size) => ({ size: BigInt(size) })) } } : countsMessage(section, counts)),
    // A feature of several kinds has no domain.
    ...domainMessage(kind === 'mixed' ? undefined : domain),
  };
}

/**
 * The counts of feature lists are nested: the number of steps, which is not limited, then the number of values of each
 * step.
 */
function countsMessage(
  section: SchemaFeature['section'],
  counts: ValueCountMessage | undefined,
): MessageInit<FeatureMessage> {
  return section === 'context' || counts === undefined
    ? { valueCount: counts }
    : { valueCounts: { valueCount: [{}, counts] } };
}

function domainMessage(domain: Domain | undefined): MessageInit<FeatureMessage> {
  switch (domain?.type) {
    case undefined:
      return {};
    case 'text': {
      const { values, minMass } = domain;
      const distributionConstraints = minMass === undefined ? undefined : { minDomainMass: minMass };
      return { stringDomain: { value: values }, distributionConstraints };
    }
    case 'int64':
      return { intDomain: { min: domain.min, max: domain.max } };
    case 'float32': {
      const { min, max, disallowNaN, disallowInfinity } = domain;
      return { floatDomain: { min, max, disallowNan: disallowNaN, disallowInf: disallowInfinity } };
    }
  }
}
