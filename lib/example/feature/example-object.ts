/** Converts Examples and SequenceExamples to plain objects of arrays. */
import { types } from 'node:util';

import { checkBoolean, checkOptions, invalidArgType, invalidArgValue, isList, isObject } from '../../base';
import {
  checkColumn,
  isColumnOf,
  plainForm,
  plainMembers,
  type Base64,
  type BytesForm,
  type Column,
  type BytesAs,
  type Int64As,
  type Int64Form,
  type ObjectOptions,
  type PlainBytes,
  type PlainForm,
  type PlainInt64,
} from '../../tensor';
import { decodeExample, decodeSequenceExample, type DecodedSequenceExample } from './decode-example';
import type { DecodedFeatures } from './decoded-feature';
import { quoted } from './errors';
import type { StoredDType } from '../../tensor';
import type { Int64Digits } from './plain-values';

/** The values of a feature as a plain array; null for a feature without a kind. */
export type PlainFeature<N extends Int64Form = 'number', B extends BytesForm = 'auto'> =
  number[] | PlainInt64<N>[] | PlainBytes<B>[] | null;

/** A feature as a plain object whose member names the kind; null for a feature without a kind. */
export type PlainKindedFeature =
  | {
      /** Values of an int64 feature, as digits. */
      int64: Int64Digits[];
    }
  | {
      /** Values of a float feature. */
      float: number[];
    }
  | {
      /** Values of a bytes feature. */
      bytes: Base64[];
    }
  | null;

/** Options of `exampleToObject` and `sequenceExampleToObject` for features with their kinds. Unknown names throw. */
export interface KindsOptions {
  /** True for features with their kinds. Other options must be undefined then. */
  kinds: true;
}

/** An Example as a plain object whose features have their kinds. */
export type PlainKindedExample = Record<string, PlainKindedFeature>;

/** A SequenceExample as a plain object whose features have their kinds. */
export interface PlainKindedSequenceExample {
  /** Features of the context. */
  context: PlainKindedExample;
  /** One feature for each step. */
  featureLists: Record<string, PlainKindedFeature[]>;
}

/** An Example as a plain object: the values of each feature by its name. */
export type PlainExample<N extends Int64Form = 'number', B extends BytesForm = 'auto'> = Record<
  string,
  PlainFeature<N, B>
>;

/** A SequenceExample as a plain object. */
export interface PlainSequenceExample<N extends Int64Form = 'number', B extends BytesForm = 'auto'> {
  /** Features of the context. */
  context: PlainExample<N, B>;
  /** One array for each step. */
  featureLists: Record<string, PlainFeature<N, B>[]>;
}

/**
 * An Example as a plain object of arrays: `{ age: [29], name: ['Ann'], score: [0.5] }`. `record`: the bytes of an Example,
 * or what `decodeExample` gave. int64 are numbers, or as `options.int64` says; floats have the fewest digits that read
 * back as the same float32 (NaN and infinities stay numbers); bytes are strings where they are printable UTF-8, else
 * `{ base64 }`, or as `options.bytes` says. A feature without a kind is null. Features keep the
 * record's order, after those whose names are integers, which come first in every object of JavaScript.
 *
 * With `kinds`, a feature is `{ int64: ['29'] }`, `{ float: [0.5] }`, `{ bytes: [{ base64: 'QW5u' }] }` or null: nothing is
 * lost but the payload of NaN, and `encodeExample` makes the same features of it. `exampleEncoder` takes both forms of
 * values.
 *
 * @throws TFRecordError TFR_FEATURE, naming the feature, for values that the options refuse; others as `decodeExample`.
 *
 * @example
 * for await (const record of readRecords(file)) console.log(JSON.stringify(exampleToObject(record)));
 */
export function exampleToObject(
  record: Uint8Array | DecodedFeatures<Int64As, BytesAs>,
  options: KindsOptions,
): PlainKindedExample;
export function exampleToObject<N extends Int64Form = 'number', B extends BytesForm = 'auto'>(
  record: Uint8Array | DecodedFeatures<Int64As, BytesAs>,
  options?: ObjectOptions<N, B>,
): PlainExample<N, B>;
export function exampleToObject(
  record: Uint8Array | DecodedFeatures<Int64As, BytesAs>,
  options?: ObjectOptions | KindsOptions,
): Record<string, unknown> {
  const form = formOf(options);
  return plainFeatures(types.isUint8Array(record) ? decodeExample(record) : record, form);
}

/**
 * A SequenceExample as a plain object: `{ context: { id: [7] }, featureLists: { words: [['a', 'b'], ['c']] } }`, with an
 * array for each step. `record`: its bytes, or what `decodeSequenceExample` gave. Values are as in
 * {@link exampleToObject}. @throws as {@link exampleToObject}
 *
 * @example
 * const { context, featureLists } = sequenceExampleToObject(record, { int64: 'string' });
 */
export function sequenceExampleToObject(
  record: Uint8Array | DecodedSequenceExample<Int64As, BytesAs>,
  options: KindsOptions,
): PlainKindedSequenceExample;
export function sequenceExampleToObject<N extends Int64Form = 'number', B extends BytesForm = 'auto'>(
  record: Uint8Array | DecodedSequenceExample<Int64As, BytesAs>,
  options?: ObjectOptions<N, B>,
): PlainSequenceExample<N, B>;
export function sequenceExampleToObject(
  record: Uint8Array | DecodedSequenceExample<Int64As, BytesAs>,
  options?: ObjectOptions | KindsOptions,
): object {
  const form = formOf(options);
  const decoded: unknown = types.isUint8Array(record) ? decodeSequenceExample(record) : record;
  if (!isObject(decoded) || !isObject(decoded['context']) || !isObject(decoded['featureLists'])) {
    throw invalidArgType('record', 'a Uint8Array or a decoded SequenceExample', record);
  }
  return {
    context: plainFeatures(decoded['context'], form),
    featureLists: plainMembers(decoded['featureLists'], (steps, name) => {
      if (!isList(steps)) throw invalidArgType(`feature list ${quoted(name)}`, 'an array of features', steps);
      return steps.map((step) => plainFeature(name, step, form));
    }),
  };
}

/** The form of values, with or without kinds. */
interface Form {
  readonly values: PlainForm;
  readonly kinds: boolean;
}

function formOf(options: ObjectOptions | KindsOptions | undefined): Form {
  const { kinds, ...others } = checkOptions<ObjectOptions & Partial<KindsOptions>>(options, [
    'int64',
    'bytes',
    'kinds',
  ]);
  if (!checkBoolean('options.kinds', kinds, false)) return { values: plainForm(others), kinds: false };
  for (const name of ['int64', 'bytes'] as const) {
    if (others[name] === undefined) continue;
    throw invalidArgValue(`options.${name}`, 'absent, because kinds: true gives all values one form', others[name]);
  }
  return { values: plainForm({ int64: 'string', bytes: 'base64' }), kinds: true };
}

function plainFeatures(features: unknown, form: Form): Record<string, unknown> {
  // Other objects, such as an ArrayBuffer, a list or a Map, have no members, and would look like an empty Example.
  if (!isObject(features) || Object.prototype.toString.call(features) !== '[object Object]') {
    throw invalidArgType('record', 'a Uint8Array or a decoded Example', features);
  }
  return plainMembers(features, (feature, name) => plainFeature(name, feature, form));
}

const DTYPES = new Map([
  ['bytes', 'bytes'],
  ['float', 'float32'],
  ['int64', 'int64'],
] as const);

function plainFeature(name: string, feature: unknown, form: Form): unknown {
  if (feature === undefined) return null;
  const { kind, values } = isObject(feature) ? feature : {};
  const dtype = DTYPES.get(kind as 'bytes');
  if (dtype === undefined) throw invalidArgType(`record[${quoted(name)}]`, 'a decoded feature', feature);
  const known = isColumnOf(dtype, values) || (dtype === 'bytes' && isColumnOf('text', values));
  if (!known) checkColumn(`record[${quoted(name)}].values`, dtype, values);
  const plain = form.values.values(values as Column);
  if (!form.kinds) return plain;
  return WITH_KIND[dtype](plain, values);
}

// Values that were decoded as numbers, or as text, stay such in all forms.
const WITH_KIND: Readonly<Record<StoredDType, (plain: readonly unknown[], values: unknown) => unknown>> = {
  float32: (plain) => ({ float: plain }),
  int64: (plain) => ({ int64: plain.map(String) }),
  bytes(plain, values) {
    const isText = isColumnOf('text', values);
    const base64Of = (value: unknown): unknown => (isText ? Buffer.from(String(value)).toString('base64') : value);
    return { bytes: plain.map((value) => ({ base64: base64Of(value) })) };
  },
};
