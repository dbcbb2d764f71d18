/**
 * The JSON form of features: `type` is the name of the function that makes them, the rest are its arguments. A default
 * of int64 is a number, or a string of decimal digits beyond ±(2^53 − 1); one of float32 a number, "NaN", "Infinity",
 * "-Infinity" or "-0"; one of bytes its text where it is printable UTF-8, else `{ "base64": … }`.
 */
import { scalarJson, type DType, type Scalar } from '../../tensor';
import type { FeatureDetails } from './details';

/** A feature as JSON. */
export interface FeatureJSON {
  /** Name of the function that makes the feature. */
  readonly type: FeatureDetails['kind'];
  /** Type of the values. */
  readonly dtype: DType;
  /** Its other arguments. */
  readonly [option: string]: unknown;
}

/** What `JSON.stringify` makes of a feature; options at their defaults are left out. */
export function featureToJSON(details: FeatureDetails): FeatureJSON {
  const { kind: type, dtype } = details;
  const literal = (value: Scalar): unknown =>
    typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : scalarJson(dtype, value);
  switch (details.kind) {
    case 'fixedLen': {
      const { shape, default: values } = details;
      if (values === undefined) return { type, dtype, shape };
      const literals = values.map(literal);
      return { type, dtype, shape, default: shape.length === 0 ? literals[0] : literals };
    }
    case 'varLen':
      return { type, dtype };
    case 'fixedLenSequence': {
      const { shape, allowMissing, default: value } = details;
      return {
        type,
        dtype,
        shape,
        ...(allowMissing && { allowMissing }),
        ...(value !== undefined && { default: literal(value) }),
      };
    }
    case 'sparse': {
      const { indexKeys, listed, valueKey, size, alreadySorted } = details;
      return {
        type,
        indexKey: listed ? indexKeys : indexKeys[0],
        valueKey,
        dtype,
        size: listed ? size : size[0],
        ...(alreadySorted && { alreadySorted }),
      };
    }
    case 'ragged': {
      const { valueKey, partitions, rowSplitsDtype, validate } = details;
      return {
        type,
        dtype,
        ...(valueKey !== undefined && { valueKey }),
        ...(partitions.length > 0 && { partitions }),
        ...(rowSplitsDtype !== 'int32' && { rowSplitsDtype }),
        ...(validate && { validate }),
      };
    }
  }
}
