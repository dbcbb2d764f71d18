import { invalidArgType, invalidArgValue } from '../../errors';
import type { Bytes } from '../../record';
import type { Feature } from '../message';
import { checkNotEmpty, checkSpec, coordinatesIn, quoted, type FeatureDetails, type Spec } from '../spec';
import { ownInt64s, sizeOf, SparseTensor, type DType } from '../tensor';
import { columnFeature } from './column-feature';
import { encodeExample } from './encode-example';
import { memberNames } from './members';
import { raggedParts } from './ragged-parts';
import { rowError } from './row-error';

/** What an encoder takes: a value for each feature of the spec that is not to be missing. */
export type ExampleRow<S extends Spec> = { readonly [K in keyof S]?: unknown };

/** Features of a record, by key. */
type Parts = readonly (readonly [key: string, feature: Feature])[];

/**
 * A function that checks rows by `spec` and encodes them, so that parsing the bytes by `spec` gives the row back. A row
 * holds what parsing gives, or anything simpler that says the same: values, typed arrays, nested lists, tensors. The
 * views of `rowsOf` and `readExamples` are rows, too.
 *
 * - `fixedLen`: as many values as its shape has places, in row-major order. Undefined is left out, if there is a default
 *   of one value or more.
 * - `varLen`: any number of values.
 * - `fixedLenSequence`: a multiple of as many values as its shape has places.
 * - `sparse`: a SparseTensor of its size, coordinates inside it; the values and the coordinates are written.
 * - `ragged`: a RaggedTensor or nested lists, one level a partition; the values and the partitions are written.
 *
 * Undefined is left out. @throws TFRecordError TFR_SPEC for the spec. The function throws TFRecordError TFR_FEATURE when
 * a feature lacks, has the wrong count or lies outside of its size, and TypeError and RangeError as
 * {@link encodeExample}, naming `row.age`.
 */
export function exampleEncoder<const S extends Spec>(spec: S): (row: ExampleRow<S>) => Bytes {
  const features = checkSpec(spec, 'example');
  checkNotEmpty(features);
  const names = features.map(([name]) => name);
  return (row) => {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) throw invalidArgType('row', 'an object', row);
    const members = memberNames(row);
    const unknown = members.find((name) => !names.includes(name));
    if (unknown !== undefined) {
      throw invalidArgValue('a member of row', `a feature of the spec: ${names.join(', ')}`, unknown);
    }
    const record = Object.create(null) as Record<string, Feature>;
    for (const [name, details] of features) {
      const value: unknown = Object.hasOwn(row, name) || members.includes(name) ? row[name] : undefined;
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
      const limit = size[dimension] as number;
      for (let i = 0; i < coordinates.length; i++) {
        const found = indices[i * rank + dimension] as bigint;
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
