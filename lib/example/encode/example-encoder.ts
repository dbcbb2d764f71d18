import { invalidArgType, invalidArgValue, type Bytes, newRecord, isObject } from '../../base';

import { encodeExample, memberNames, quoted, rowError } from '../feature';
import type { ExampleValue, FeatureDefinition, RecordFeatures, Spec } from '../kinds';
import type { Feature } from '../message';
import { checkNotEmpty, checkSpec } from '../spec';

/** A row that an encoder accepts: a value for each feature of the spec, unless the feature is missing. */
export type ExampleRow<S extends Spec> = { readonly [K in keyof S]?: ExampleValue<S[K]> | null | undefined };

/** Maximum number of members for which a linear search is faster than a set. */
const MAX_SEARCHED = 64;
/** Maximum number of names in an error. */
const MAX_LISTED = 64;

/**
 * Returns a function that checks rows by `spec` and encodes them, so that parsing the bytes by `spec` restores the row.
 * A row has the values that parsing returns, or simpler equivalent values: single values, typed arrays, nested lists,
 * tensors.
 *
 * - `fixedLen`: the number of values of its shape, in row-major order. May be undefined if there is a default of one or
 *   more values, or null.
 * - `varLen`: any number of values.
 * - `fixedLenSequence`: a multiple of the number of values of its shape.
 * - `sparse`: a SparseTensor of its size; the values and the coordinates are written.
 * - `ragged`: a RaggedTensor or nested lists, one level for each partition; the values and the partitions are written.
 *
 * Features that are undefined are not written. @throws TFRecordError TFR_SPEC for the spec. The function throws
 * TFRecordError TFR_FEATURE if a feature is missing, has the wrong number of values, or is outside its size; and
 * TypeError and RangeError like {@link encodeExample}, with the name `row.age`.
 *
 * @example
 * const encode = exampleEncoder({ id: fixedLen([], 'int64'), tags: varLen('bytes') });
 * const record = encode({ id: 7, tags: ['a', 'b'] });
 */
export function exampleEncoder<const S extends Spec>(spec: S): (row: ExampleRow<S>) => Bytes {
  const features = checkSpec(spec, 'example');
  checkNotEmpty(features);
  const encoder = rowEncoder(features);
  return (row) => encodeExample(encoder(row));
}

/** Returns the function that makes the features of a row. It throws like that of {@link exampleEncoder}. */
export function rowEncoder(
  features: readonly (readonly [name: string, definition: FeatureDefinition])[],
): (row: unknown) => Record<string, Feature> {
  const names = new Set(features.map(([name]) => name));
  return (given) => {
    if (!isObject(given) || Array.isArray(given)) {
      throw invalidArgType('row', 'an object', given);
    }
    const row = given;
    const members = memberNames(row);
    const unknown = members.find((name) => !names.has(name));
    if (unknown !== undefined) {
      throw invalidArgValue('a member of row', `a feature of the spec: ${listed(names)}`, unknown);
    }
    const many = members.length > MAX_SEARCHED ? new Set(members) : undefined;
    const record = newRecord<Feature>();
    for (const [name, definition] of features) {
      const value: unknown =
        Object.hasOwn(row, name) || (many?.has(name) ?? members.includes(name)) ? row[name] : undefined;
      for (const [key, feature] of featuresOf(name, definition, value)) {
        const other = record[key];
        if (other !== undefined && !isEqual(other, feature)) {
          throw rowError(name, `the values of ${quoted(key)} that other features share`, 'other values');
        }
        record[key] = feature;
      }
    }
    return record;
  };
}

/** Returns the first names, as text for an error. */
function listed(names: ReadonlySet<string>): string {
  const first = [...names].slice(0, MAX_LISTED).join(', ');
  return names.size > MAX_LISTED ? `${first} and ${names.size - MAX_LISTED} more` : first;
}

function featuresOf(name: string, definition: FeatureDefinition, value: unknown): RecordFeatures {
  if (value !== undefined && value !== null) return definition.encodeRow(name, value);
  if (!definition.required()) return [];
  throw rowError(name, 'a value, for the spec gives no default');
}

function isEqual(a: Feature, b: Feature): boolean {
  return Buffer.compare(encodeExample({ a }), encodeExample({ a: b })) === 0;
}
