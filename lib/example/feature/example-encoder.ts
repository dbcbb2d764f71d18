import { invalidArgType, invalidArgValue } from '../../errors';
import type { Bytes } from '../../record';
import type { Feature } from '../message';
import {
  checkNotEmpty,
  checkSpec,
  coordinatesIn,
  quoted,
  type FeatureDetails,
  type FixedLen,
  type FixedLenSequence,
  type Partition,
  type Ragged,
  type Sparse,
  type Spec,
  type VarLen,
} from '../spec';
import {
  ownInt64s,
  sizeOf,
  SparseTensor,
  type DenseTensor,
  type DType,
  type RaggedTensor,
  type Shape,
} from '../../tensor';
import { columnFeature } from './column-feature';
import { encodeExample } from './encode-example';
import type { BytesValues, FloatValues, Int64Values } from './feature-values';
import { memberNames } from './members';
import { raggedParts } from './ragged-parts';
import { rowError } from './row-error';

/** A value, or nested lists of values. */
type Nested<T> = T | readonly Nested<T>[];

/** Values of each type, as `int64()`, `float()` and `bytes()` take them, or as parsing with `int64: 'number'` gives them. */
interface GivenValues {
  float32: FloatValues;
  int64: Int64Values | Float64Array;
  bytes: BytesValues;
}

type GivenScalar<D extends DType> = Extract<GivenValues[D], readonly unknown[]>[number];
type Given<D extends DType> = GivenValues[D] | DenseTensor<D> | DenseTensor<D, Shape, 'number'>;

/** The values that an encoder takes for a feature. */
export type ExampleValue<F> =
  F extends Sparse<infer D>
    ? SparseTensor<D> | SparseTensor<D, 'number'>
    : F extends Ragged<infer D, readonly Partition[]>
      ? RaggedTensor<D> | RaggedTensor<D, Shape, 'number'> | Nested<Given<D>>
      : F extends FixedLen<infer D, Shape> | VarLen<infer D> | FixedLenSequence<infer D, Shape>
        ? Given<D> | Nested<GivenScalar<D>>
        : never;

/** A row that an encoder takes: a value for each feature of the spec, unless the feature is missing. */
export type ExampleRow<S extends Spec> = { readonly [K in keyof S]?: ExampleValue<S[K]> | null | undefined };

/** Most members that are searched one by one; for so few that is faster than a set. */
const MAX_SEARCHED = 64;
/** Most names that an error lists. */
const MAX_LISTED = 64;

/** Features of a record, by key. */
type Parts = readonly (readonly [key: string, feature: Feature])[];

/**
 * A function that checks rows by `spec` and encodes them, so that parsing the bytes by `spec` gives the row back. A row
 * holds the values that parsing gives, or simpler values that mean the same: single values, typed arrays, nested lists,
 * tensors.
 *
 * - `fixedLen`: as many values as its shape has places, in row-major order. Undefined is left out, if there is a
 *   default of one value or more.
 * - `varLen`: any number of values.
 * - `fixedLenSequence`: a multiple of as many values as its shape has places.
 * - `sparse`: a SparseTensor of its size, coordinates inside it; the values and the coordinates are written.
 * - `ragged`: a RaggedTensor or nested lists, one level a partition; the values and the partitions are written.
 *
 * Undefined is left out. @throws TFRecordError TFR_SPEC for the spec. The function throws TFRecordError TFR_FEATURE
 * when a feature lacks, has the wrong count or lies outside of its size, and TypeError and RangeError as {@link
 * encodeExample}, naming `row.age`.
 */
export function exampleEncoder<const S extends Spec>(spec: S): (row: ExampleRow<S>) => Bytes {
  const features = checkSpec(spec, 'example');
  checkNotEmpty(features);
  const names = new Set(features.map(([name]) => name));
  return (row) => {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) throw invalidArgType('row', 'an object', row);
    const members = memberNames(row);
    const unknown = members.find((name) => !names.has(name));
    if (unknown !== undefined) {
      throw invalidArgValue('a member of row', `a feature of the spec: ${listed(names)}`, unknown);
    }
    const many = members.length > MAX_SEARCHED ? new Set(members) : undefined;
    const record = Object.create(null) as Record<string, Feature>;
    for (const [name, details] of features) {
      const value: unknown =
        Object.hasOwn(row, name) || (many?.has(name) ?? members.includes(name)) ? row[name] : undefined;
      for (const [key, feature] of partsOf(name, details, value)) {
        const other = record[key];
        if (other !== undefined && !isEqual(other, feature)) {
          throw rowError(name, `the values of ${quoted(key)} that other features share`, 'other values');
        }
        record[key] = feature;
      }
    }
    return encodeExample(record);
  };
}

/** The first names, as text for an error. */
function listed(names: ReadonlySet<string>): string {
  const first = [...names].slice(0, MAX_LISTED).join(', ');
  return names.size > MAX_LISTED ? `${first} and ${names.size - MAX_LISTED} more` : first;
}

function partsOf(name: string, details: FeatureDetails, value: unknown): Parts {
  if (value === undefined || value === null) {
    // A default without values counts as none, as in parsing.
    if (details.kind !== 'fixedLen' || (details.default?.length ?? 0) > 0) return [];
    throw rowError(name, 'a value, for the spec gives no default');
  }
  const where = `row.${name}`;
  switch (details.kind) {
    case 'varLen':
      return [[name, columnFeature(where, details.dtype, value)]];
    case 'fixedLen':
    case 'fixedLenSequence': {
      const feature = columnFeature(where, details.dtype, value);
      const count = sizeOf(details.shape);
      const { length } = feature.values;
      if (details.kind === 'fixedLen' ? length !== count : length % count !== 0) {
        const expected = `${details.kind === 'fixedLen' ? '' : 'a multiple of '}${count} values`;
        throw rowError(name, `${expected} for shape [${details.shape.join(', ')}]`, String(length));
      }
      return [[name, feature]];
    }
    case 'sparse':
      return sparseParts(name, details, value);
    case 'ragged': {
      const { values, partitions } = raggedParts(name, details.partitions, value);
      return [
        [details.valueKey ?? name, columnFeature(where, details.dtype, values)],
        ...partitions.map(([key, rows]) => [key, columnFeature(where, 'int64', rows)] as const),
      ];
    }
  }
}

function sparseParts(name: string, details: FeatureDetails & { kind: 'sparse' }, value: unknown): Parts {
  if (!(value instanceof SparseTensor)) throw invalidArgType(`row.${name}`, 'a SparseTensor', value);
  const { denseShape } = value as SparseTensor<DType>;
  const indices = ownInt64s(`row.${name}.indices`, (value as SparseTensor<DType>).indices);
  const { size, indexKeys, valueKey, dtype } = details;
  if (denseShape.join() !== size.join()) {
    throw rowError(name, `a tensor of shape [${size.join(', ')}]`, `[${denseShape.join(', ')}]`);
  }
  const values = columnFeature(`row.${name}.values`, dtype, (value as SparseTensor<DType>).values);
  const rank = indexKeys.length;
  const count = values.values.length;
  if (indices.length !== count * rank) {
    throw invalidArgValue(`row.${name}.indices`, `${rank} coordinates for each of ${count} values`, indices.length);
  }
  return [
    [valueKey, values],
    ...indexKeys.map((key, dimension) => {
      const coordinates = new BigInt64Array(count);
      const limit = size[dimension]!;
      for (let i = 0; i < coordinates.length; i++) {
        const found = indices[i * rank + dimension]!;
        if (found < 0n || found >= limit) {
          throw rowError(name, coordinatesIn(`dimension ${dimension}`, limit), String(found));
        }
        coordinates[i] = found;
      }
      return [key, { kind: 'int64', values: coordinates }] as const;
    }),
  ];
}

function isEqual(a: Feature, b: Feature): boolean {
  return Buffer.compare(encodeExample({ a }), encodeExample({ a: b })) === 0;
}
