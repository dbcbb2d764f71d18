import { types } from 'node:util';

import { invalidArgType, invalidArgValue, isList, isRevoked, outOfRange, isOneOf, isObject } from '../../base';

import { isBytesArray, isDense, type DType } from '../../tensor';
import type { Feature, FeatureKind, FeatureOf } from '../message';
import { checkBytesPresent, presentLength } from './errors';
import { withoutPlain } from './plain-values';
import { checkRefused, toBytes, toFloat32, toInt64, toInt64OfNumbers, type NumbersAs } from './values';

const EXPECTED = 'a feature; leave out what is missing';
const WHOLE = 'int64(…) or float(…), because whole numbers may be meant as either (or set the option "numbers")';
const FRACTIONS = 'float(…), because int64 has no fractions (or set the option "numbers")';

/**
 * Converts a {@link FeatureLike} to a feature; `numbers` is the kind of plain numbers. `name` (`features.age`) is its
 * name in errors. Returns undefined for a feature without a kind: undefined, null, or an empty list. @throws TypeError
 * ERR_INVALID_ARG_TYPE or ERR_INVALID_ARG_VALUE if the kind is ambiguous
 */
export function toFeature(name: string, value: unknown, numbers?: NumbersAs): Feature | undefined {
  switch (typeof value) {
    case 'undefined':
      return undefined;
    case 'bigint':
    case 'boolean':
      return { kind: 'int64', values: toInt64(name, value) };
    case 'string':
      return { kind: 'bytes', values: toBytes(name, value) };
    case 'number':
      return fromNumbers(name, [value], value, numbers);
    case 'object':
      return fromObject(name, value, numbers);
    default:
      throw invalidArgType(name, EXPECTED, value);
  }
}

/** Returns the feature of `given`, whose values are those of `list`. */
function fromNumbers(name: string, list: readonly unknown[], given: unknown, numbers: NumbersAs | undefined): Feature {
  const whole = list.every((value) => typeof value !== 'number' || Number.isInteger(value));
  if (numbers === undefined) throw invalidArgType(name, whole ? WHOLE : FRACTIONS, given);
  const kind = numbers === 'infer' ? (whole ? 'int64' : 'float') : numbers;
  return NUMBERS[kind](name, given);
}

const NUMBERS: { readonly [K in 'float' | 'int64']: (name: string, given: unknown) => FeatureOf<K> } = {
  float: (name, given) => ({ kind: 'float', values: toFloat32(name, given) }),
  int64: (name, given) => ({ kind: 'int64', values: toInt64(name, given) }),
};

function fromObject(name: string, value: object | null, numbers: NumbersAs | undefined): Feature | undefined {
  if (value === null) return undefined;
  if (isRevoked(value)) throw invalidArgType(name, EXPECTED, value);
  if (Array.isArray(value)) return fromList(name, value, numbers);
  if (ArrayBuffer.isView(value)) return fromView(name, value);
  if (isBytesArray(value)) return featureOfKind(name, 'bytes', value);
  if (isFeature(value)) {
    checkRefused(name, value);
    const { kind, values } = value;
    return featureOfKind(name, kind, values);
  }
  const feature = fromPlain(name, value);
  if (feature !== undefined) return feature;
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

function fromList(name: string, list: readonly unknown[], numbers: NumbersAs | undefined): Feature | undefined {
  if (list.length === 0) return undefined;
  if (numbers !== undefined) {
    // A list may compute its values: those that decide the kind are written.
    const values = Array.from(list);
    if (values.some((value) => typeof value === 'number')) return fromNumbers(name, values, values, numbers);
    return fromList(name, values, undefined);
  }
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
      return fromNumbers(name, list, list, undefined);
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

const KINDS: readonly FeatureKind[] = ['int64', 'float', 'bytes'];

/** The feature that `exampleToObject` with `kinds` made `{ int64: ['3'] }` of; undefined for other objects. */
function fromPlain(name: string, value: object): Feature | undefined {
  const [kind, ...others] = Object.keys(value);
  if (others.length > 0 || !isOneOf(KINDS, kind)) return undefined;
  const where = `${name}.${kind}`;
  const values = withoutPlain(where, kind, isObject(value) ? value[kind] : undefined);
  return featureOfKind(where, kind, values);
}

/** Checks a feature that a caller may have made. Values in the array type of the kind are not copied. */
function featureOfKind(name: string, kind: FeatureKind, values: unknown): Feature {
  switch (kind) {
    case 'int64':
      // Decoded with int64: 'number'.
      if (types.isFloat64Array(values)) return { kind, values: toInt64OfNumbers(name, values) };
      if (!types.isBigInt64Array(values)) return { kind, values: toInt64(name, values) };
      presentLength(name, values);
      return { kind, values };
    case 'float':
      if (!types.isFloat32Array(values)) return { kind, values: toFloat32(name, values) };
      presentLength(name, values);
      return { kind, values };
    case 'bytes':
      if (!isBytesArray(values)) return { kind, values: toBytes(name, values) };
      checkBytesPresent(name, values);
      return { kind, values };
    default:
      throw invalidArgValue(`${name}.kind`, '"int64", "float" or "bytes"', kind);
  }
}

/** Maximum number of nested levels of lists for the values of a feature, as in numpy. */
const MAX_NESTING = 64;
/**
 * Maximum number of values and lists in nested lists. Without it, a few lists that contain each other many times would
 * not end.
 */
const MAX_ELEMENTS = 2 ** 24;

/**
 * All values of `value`, nested or not, plain or not, as a feature of the kind that `dtype` is stored as. `where` is what
 * errors call them. @throws TypeError, RangeError
 */
export function columnFeature(where: string, dtype: DType, value: unknown): Feature {
  let flat = isDense(value) ? value.data : value;
  if (isList(flat) && flat.some(isList)) flat = flattened(where, flat);
  flat = withoutPlain(where, STORED_AS[dtype], flat);
  switch (dtype) {
    case 'int64':
      // Parsed with int64: 'number', whose values are checked.
      return {
        kind: 'int64',
        values: types.isFloat64Array(flat) ? toInt64OfNumbers(where, flat) : toInt64(where, flat),
      };
    case 'float32':
      return { kind: 'float', values: toFloat32(where, flat) };
    case 'bytes':
    case 'text':
      return { kind: 'bytes', values: toBytes(where, flat) };
  }
}

const STORED_AS: Readonly<Record<DType, FeatureKind>> = {
  int64: 'int64',
  float32: 'float',
  bytes: 'bytes',
  text: 'bytes',
};

/** Returns the values of nested lists, with undefined for a hole. */
function flattened(where: string, lists: readonly unknown[]): unknown[] {
  checkNesting(where, lists);
  const values: unknown[] = [];
  const add = (list: readonly unknown[]): void => {
    for (const value of list) {
      if (isList(value)) add(value);
      else values.push(value);
    }
  };
  add(lists);
  return values;
}

/** Checks the limits before memory is allocated, because a list may contain another one many times. */
function checkNesting(where: string, lists: readonly unknown[]): void {
  let elements = 0;
  const count = (list: readonly unknown[], depth: number): void => {
    if (depth > MAX_NESTING) throw invalidArgValue(where, `nested at most ${MAX_NESTING} lists deep`, lists);
    elements += list.length;
    if (elements > MAX_ELEMENTS) throw outOfRange(where, `of at most ${MAX_ELEMENTS} values and lists`, lists);
    for (const value of list) if (isList(value)) count(value, depth + 1);
  };
  count(lists, 1);
}
