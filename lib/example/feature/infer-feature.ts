import { types } from 'node:util';

import { invalidArgType, invalidArgValue } from '../../errors';
import { BytesArray } from '../../tensor';
import { toBytes } from './bytes';
import type { Feature, FeatureKind } from '../message';
import { toFloat32 } from './float';
import { toInt64 } from './int64';
import { checkBytesPresent, presentLength } from './present';
import { checkRefused } from './refused-feature';

const EXPECTED = 'a feature; leave out what is missing';

/**
 * The feature that a {@link FeatureLike} is. `name` (`features.age`) is what errors call it. What may be of two kinds
 * is refused: `TypeError` ERR_INVALID_ARG_TYPE or ERR_INVALID_ARG_VALUE. Undefined for a feature without a kind:
 * undefined, or an empty list.
 */
export function toFeature(name: string, value: unknown): Feature | undefined {
  switch (typeof value) {
    case 'undefined':
      return undefined;
    case 'bigint':
    case 'boolean':
      return { kind: 'int64', values: toInt64(name, value) };
    case 'string':
      return { kind: 'bytes', values: toBytes(name, value) };
    case 'number':
      throw invalidArgType(name, 'int64(…) or float(…), because a number may be meant as either', value);
    case 'object':
      return fromObject(name, value);
    default:
      throw invalidArgType(name, EXPECTED, value);
  }
}

function fromObject(name: string, value: object | null): Feature | undefined {
  if (value === null) throw invalidArgType(name, EXPECTED, value);
  if (Array.isArray(value)) return fromList(name, value);
  if (ArrayBuffer.isView(value)) return fromView(name, value);
  if (value instanceof BytesArray) return featureOfKind(name, 'bytes', value);
  if (isFeature(value)) {
    checkRefused(name, value);
    const { kind, values } = value;
    return featureOfKind(name, kind, values);
  }
  throw invalidArgType(name, 'a feature: values, or what int64(), float() or bytes() return', value);
}

function fromView(name: string, view: ArrayBufferView): Feature {
  if (types.isUint8Array(view)) return { kind: 'bytes', values: toBytes(name, view) };
  if (types.isFloat32Array(view) || types.isFloat64Array(view)) return { kind: 'float', values: toFloat32(name, view) };
  if (!types.isTypedArray(view) || types.isUint8ClampedArray(view)) {
    throw invalidArgType(name, 'int64(…) or bytes(…), because these bytes may be meant as either', view);
  }
  return { kind: 'int64', values: toInt64(name, view) };
}

function fromList(name: string, list: readonly unknown[]): Feature | undefined {
  if (list.length === 0) return undefined;
  switch (typeof list[0]) {
    case 'bigint':
    case 'boolean':
      // Numbers beside them are taken by int64(…) only, which says that they are meant.
      checkEach(
        name,
        list,
        (value) => typeof value === 'bigint' || typeof value === 'boolean',
        'a bigint or a boolean',
      );
      return { kind: 'int64', values: toInt64(name, list) };
    case 'number':
      throw invalidArgType(name, 'int64(…) or float(…), because numbers may be meant as either', list);
    default:
      return { kind: 'bytes', values: toBytes(name, list) };
  }
}

function checkEach(name: string, list: readonly unknown[], fits: (value: unknown) => boolean, expected: string): void {
  const wrong = list.findIndex((value) => !fits(value));
  if (wrong >= 0) throw invalidArgType(`${name}[${wrong}]`, expected, list[wrong]);
}

function isFeature(value: object): value is Feature {
  return 'kind' in value && 'values' in value;
}

/** Checks a feature that a caller may have made. Values in the kind's own array type are not copied. */
function featureOfKind(name: string, kind: FeatureKind, values: unknown): Feature {
  switch (kind) {
    case 'int64':
      if (!types.isBigInt64Array(values)) return { kind, values: toInt64(name, values) };
      presentLength(name, values);
      return { kind, values };
    case 'float':
      if (!types.isFloat32Array(values)) return { kind, values: toFloat32(name, values) };
      presentLength(name, values);
      return { kind, values };
    case 'bytes':
      if (!(values instanceof BytesArray)) return { kind, values: toBytes(name, values) };
      checkBytesPresent(name, values);
      return { kind, values };
    default:
      throw invalidArgValue(`${name}.kind`, '"int64", "float" or "bytes"', kind);
  }
}
