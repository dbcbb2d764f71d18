/** The contents of records before they are encoded, and the features of a spec that a record cannot fit. */
import type { FeatureJSON, Partition } from '../../../lib';
import type { StoredDType as DType } from '../../../lib/tensor';

/** A value: an int64 as bigint, the 32 bits of a float as number, or bytes. */
export type Value = bigint | number | Buffer;
/** A Feature. Without a dtype, it has no kind. */
export interface FeatureModel {
  readonly dtype: DType | undefined;
  readonly values: readonly Value[];
}
export type FeaturesModel = Map<string, FeatureModel>;
/** A record. An Example has no lists. */
export interface RecordModel {
  readonly features: FeaturesModel;
  readonly lists: Map<string, FeatureModel[]>;
}

/** A spec as JSON. For Examples, it has only a `context`. */
export interface SpecModel {
  readonly context: Readonly<Record<string, FeatureJSON>>;
  readonly sequence: Readonly<Record<string, FeatureJSON>>;
}

export const sizeOf = (shape: readonly number[]): number => shape.reduce((size, length) => size * length, 1);
export const shapeOf = (feature: FeatureJSON): readonly number[] => feature['shape'] as readonly number[];
export const partitionsOf = (feature: FeatureJSON): readonly Partition[] =>
  (feature['partitions'] as readonly Partition[] | undefined) ?? [];
export const valueKeyOf = (name: string, feature: FeatureJSON): string =>
  (feature['valueKey'] as string | undefined) ?? name;
export const indexKeysOf = (feature: FeatureJSON): readonly string[] =>
  [feature['indexKey'] as string | string[]].flat();
export const sizesOf = (feature: FeatureJSON): readonly number[] => [feature['size'] as number | number[]].flat();

/** Violations that we refuse in each record (sections 6, 7 and 17), and TensorFlow accepts or checks only in part. */
export type Violation = 'sparse lengths' | 'sparse bounds' | 'ragged partition';

/** Returns the first violation of a record that can be parsed; undefined if its features can be composed. */
export function violationOf({ features, lists }: RecordModel, spec: SpecModel): Violation | undefined {
  for (const [name, feature] of Object.entries(spec.context)) {
    const numbers = (key: string): readonly Value[] => features.get(key)?.values ?? [];
    const found = feature.type === 'sparse' ? sparseViolation(feature, numbers) : undefined;
    if (found !== undefined) return found;
    if (feature.type !== 'ragged') continue;
    if (!cuts(name, feature, numbers)) return 'ragged partition';
  }
  for (const [name, feature] of Object.entries(spec.sequence)) {
    if (feature.type !== 'ragged') continue;
    const steps = lists.get(valueKeyOf(name, feature))?.length ?? 0;
    for (const partition of partitionsOf(feature)) {
      if ('key' in partition && (lists.get(partition.key)?.length ?? 0) !== steps) return 'ragged partition';
    }
    for (let step = 0; step < steps; step++) {
      if (!cuts(name, feature, (key) => lists.get(key)?.[step]?.values ?? [])) return 'ragged partition';
    }
  }
  return undefined;
}

function sparseViolation(feature: FeatureJSON, values: (key: string) => readonly Value[]): Violation | undefined {
  const keys = indexKeysOf(feature);
  const length = values(valueKeyOf('', feature)).length;
  if (keys.some((key) => values(key).length !== length)) return 'sparse lengths';
  const sizes = sizesOf(feature).map(BigInt);
  const outside = keys.some((key, k) =>
    values(key).some((value) => (value as bigint) < 0n || (value as bigint) >= sizes[k]!),
  );
  return outside ? 'sparse bounds' : undefined;
}

/** True if the partitions put every value into exactly one row. */
function cuts(name: string, feature: FeatureJSON, values: (key: string) => readonly Value[]): boolean {
  let size = values(valueKeyOf(name, feature)).length;
  for (const partition of partitionsOf(feature).toReversed()) {
    const rows =
      partition.by === 'uniformRowLength'
        ? size / partition.length
        : rowsOf(partition.by, values(partition.key).map(Number), size);
    if (rows === undefined || !Number.isInteger(rows)) return false;
    size = rows;
  }
  return true;
}

const ascending = (values: readonly number[]): boolean =>
  values.every((value, i) => i === 0 || value >= values[i - 1]!);

/** Returns the number of rows that a partition makes from `size` values; undefined if it does not fit them. */
function rowsOf(by: Partition['by'], told: readonly number[], size: number): number | undefined {
  const first = told[0] ?? 0;
  const last = told.at(-1) ?? 0;
  switch (by) {
    case 'rowSplits':
      if (told.length === 0) return size === 0 ? 0 : undefined;
      return first === 0 && last === size && ascending(told) ? told.length - 1 : undefined;
    case 'rowLimits':
      return first >= 0 && last === size && ascending(told) ? told.length : undefined;
    case 'rowStarts':
      if (told.length === 0) return size === 0 ? 0 : undefined;
      return first === 0 && last <= size && ascending(told) ? told.length : undefined;
    case 'rowLengths':
      return told.every((length) => length >= 0) && told.reduce((sum, length) => sum + length, 0) === size
        ? told.length
        : undefined;
    case 'valueRowIds':
      return told.length === size && first >= 0 && ascending(told) ? (size === 0 ? 0 : last + 1) : undefined;
    default:
      return undefined;
  }
}
