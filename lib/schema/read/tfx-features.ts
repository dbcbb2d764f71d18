/** Converts the features of TensorFlow Metadata's `Schema` to plain data. */
import { TFRecordError } from '../../base';
import type { Domain, FeatureKindName, FeatureSection, SchemaFeature, ValueCount } from '../feature';
import {
  FEATURE_TYPES,
  IDLE_STAGES,
  SEQUENCE,
  type FeatureMessage,
  type SchemaMessage,
  type ShapeMessage,
  type SparseFeatureMessage,
} from '../message/schema-message';

/** A stored feature, with the representation that the schema gives it. */
export interface TfxFeature extends SchemaFeature {
  readonly message: FeatureMessage;
}

/**
 * The stored features of `schema`, in its order; features in lists come last. Omits features that are no longer used.
 */
export function tfxFeatures(schema: SchemaMessage): readonly TfxFeature[] {
  const context: TfxFeature[] = [];
  const sequence: TfxFeature[] = [];
  for (const feature of schema.feature) {
    if (isIdle(feature)) continue;
    if (feature.type !== FEATURE_TYPES.STRUCT) {
      context.push(tfxFeature(schema, 'context', feature));
      continue;
    }
    if (feature.name !== SEQUENCE) throw structError(feature);
    for (const list of feature.structDomain?.feature ?? []) {
      if (isIdle(list)) continue;
      if (list.type === FEATURE_TYPES.STRUCT) throw structError(list);
      sequence.push(tfxFeature(schema, 'sequence', list));
    }
  }
  return [...context, ...sequence];
}

/** True if the data need not have the feature. */
export function isIdle({ deprecated, lifecycleStage = 0 }: FeatureMessage | SparseFeatureMessage): boolean {
  return deprecated === true || IDLE_STAGES.includes(lifecycleStage);
}

function structError({ name = '' }: FeatureMessage): TFRecordError {
  return new TFRecordError(
    'TFR_SPEC',
    `Feature ${JSON.stringify(name)} of the schema is a STRUCT: Examples have none, and SequenceExamples have one, ` +
      `${SEQUENCE}, of features that are not structures`,
    { feature: name, expected: 'BYTES, INT or FLOAT', found: 'STRUCT' },
  );
}

function tfxFeature(schema: SchemaMessage, section: FeatureSection, message: FeatureMessage): TfxFeature {
  const { name = '', presence, groupPresence } = message;
  const kind = kindOf(message);
  const required = groupPresence?.required === true ? { minFraction: 1, minCount: 0 } : undefined;
  return {
    section,
    name,
    kind,
    presence:
      presence === undefined
        ? required
        : { minFraction: presence.minFraction ?? 0, minCount: Number(presence.minCount ?? 0n) },
    valueCount: valueCountOf(message),
    shape: message.shape && shapeOf(message.shape),
    domain: domainOf(schema, kind, message),
    message,
  };
}

function kindOf({ type, stringDomain }: FeatureMessage): FeatureKindName {
  switch (type) {
    case FEATURE_TYPES.BYTES:
      return 'bytes';
    case FEATURE_TYPES.INT:
      return 'int64';
    case FEATURE_TYPES.FLOAT:
      return 'float32';
    default:
      return stringDomain === undefined ? 'none' : 'bytes';
  }
}

function valueCountOf({ valueCount, valueCounts, shape }: FeatureMessage): ValueCount | undefined {
  const fixed = shape && shapeOf(shape);
  if (fixed !== undefined) {
    const count = fixed.reduce((product, size) => product * size, 1);
    return { min: count, max: count };
  }
  const count = valueCount ?? valueCounts?.valueCount.at(-1);
  if (count === undefined) return undefined;
  return { min: Number(count.min ?? 0n), max: count.max === undefined ? undefined : Number(count.max) };
}

/** The sizes of a shape; undefined if one of them is unknown. */
export function shapeOf({ dim }: ShapeMessage): readonly number[] | undefined {
  const sizes = dim.map(({ size }) => Number(size ?? -1n));
  return sizes.every((size) => size >= 0 && Number.isSafeInteger(size)) ? sizes : undefined;
}

/** The allowed values of a feature. Omits domains that do not match the kind, and domains of meanings. */
function domainOf(schema: SchemaMessage, kind: FeatureKindName, message: FeatureMessage): Domain | undefined {
  const { domain: name, boolDomain } = message;
  const named = <T extends { readonly name?: string }>(own: T | undefined, all: readonly T[]): T | undefined =>
    own ?? (name === undefined ? undefined : all.find((each) => each.name === name));
  if (kind === 'bytes') {
    const words = named(message.stringDomain, schema.stringDomain)?.value ?? boolWords(boolDomain);
    return words && { type: 'text', values: words, minMass: message.distributionConstraints?.minDomainMass };
  }
  if (kind === 'int64') {
    const bounds = named(message.intDomain, schema.intDomain) ?? (boolDomain && { min: 0n, max: 1n });
    return bounds && { type: 'int64', min: bounds.min, max: bounds.max };
  }
  if (kind !== 'float32') return undefined;
  const bounds = named(message.floatDomain, schema.floatDomain);
  if (bounds === undefined) return undefined;
  const { min, max, disallowNan, disallowInf } = bounds;
  return { type: 'float32', min, max, disallowNaN: disallowNan, disallowInfinity: disallowInf };
}

function boolWords(domain: FeatureMessage['boolDomain']): readonly string[] | undefined {
  if (domain === undefined) return undefined;
  return [domain.trueValue, domain.falseValue].filter((value) => value !== undefined);
}
