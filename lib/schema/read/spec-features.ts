/** Lists the stored features that a spec reads. */
import { specToJSON, type FeatureJSON, type SequenceExampleSpec } from '../../example';
import type { FeatureSection, SchemaFeature } from '../feature';

/** The features of records that a spec reads. */
export function specFeatures({ context = {}, sequence = {} }: SequenceExampleSpec): readonly SchemaFeature[] {
  const features = new Map<string, SchemaFeature>();
  for (const [section, spec] of [['context', context] as const, ['sequence', sequence] as const]) {
    for (const [name, json] of Object.entries(specToJSON(spec))) {
      for (const feature of storedFeatures(section, name, json)) features.set(`${section} ${feature.name}`, feature);
    }
  }
  return [...features.values()];
}

function storedFeatures(section: FeatureSection, name: string, json: FeatureJSON): SchemaFeature[] {
  const {
    type,
    dtype,
    shape,
    default: value,
    allowMissing,
    indexKey,
    valueKey,
    partitions,
  } = json as FeatureJSON & {
    readonly shape?: readonly number[];
    readonly indexKey?: string | readonly string[];
    readonly valueKey?: string;
    readonly partitions?: readonly { readonly key?: string }[];
  };
  const kind = dtype === 'text' ? 'bytes' : dtype;
  const any = { section, presence: undefined, valueCount: undefined, shape: undefined, domain: undefined } as const;
  const int64 = (key: string): SchemaFeature => ({ ...any, name: key, kind: 'int64' });
  const count = shape?.reduce((product, size) => product * size, 1) ?? 0;
  const always = { minFraction: 1, minCount: 0 };
  switch (type) {
    case 'fixedLen': {
      const presence = value === undefined ? always : undefined;
      return [{ ...any, name, kind, presence, valueCount: { min: count, max: count }, shape }];
    }
    case 'fixedLenSequence':
      if (section === 'context') return [{ ...any, name, kind }];
      return [
        {
          ...any,
          name,
          kind,
          presence: allowMissing === true ? undefined : always,
          valueCount: { min: count, max: count },
          shape,
        },
      ];
    case 'sparse':
      return [{ ...any, name: valueKey ?? name, kind }, ...[indexKey ?? []].flat().map(int64)];
    default: {
      const keys = (partitions ?? []).flatMap(({ key }) => key ?? []);
      return [{ ...any, name: valueKey ?? name, kind }, ...keys.map(int64)];
    }
  }
}
