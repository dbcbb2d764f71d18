/** Prints specs as Python for TensorFlow. */
import type { DefaultJSON, SchemaSpecJSON } from '../feature';
import { sourceText } from './source-text';
import { isList } from '../../base';

type FeatureJson = Readonly<Record<string, unknown>>;

/** Prints one dictionary of features; for SequenceExamples, two. */
export function pythonOf(spec: SchemaSpecJSON, sequenceExamples: boolean): string {
  const parts = sequenceExamples
    ? { context_features: spec['context'], sequence_features: spec['sequence'] }
    : { features: spec };
  const dictionaries = Object.entries(parts).map(([name, features]) =>
    dictionary(name, features as Readonly<Record<string, FeatureJson>>),
  );
  return `import tensorflow as tf\n\n${dictionaries.join('\n')}`;
}

function dictionary(name: string, features: Readonly<Record<string, FeatureJson>>): string {
  const members = Object.entries(features).map(([key, feature]) => `    ${text(key)}: ${call(feature)},\n`);
  return members.length === 0 ? `${name} = {}\n` : `${name} = {\n${members.join('')}}\n`;
}

/** A string literal: JSON's is valid in Python, too. */
function text(value: unknown): string {
  return sourceText(value);
}

const DTYPES: Readonly<Record<string, string>> = {
  bytes: 'tf.string',
  text: 'tf.string',
  float32: 'tf.float32',
  int64: 'tf.int64',
};

/** The call of `tf.io` that makes a feature. */
function call(feature: FeatureJson): string {
  const { type, dtype, shape, default: value, allowMissing, alreadySorted } = feature;
  const dtypeName = DTYPES[String(dtype)]!;
  const given = [`[${isList(shape) ? shape.join(', ') : ''}]`, dtypeName];
  if (value !== undefined) given.push(`default_value=${defaultOf(dtype, value)}`);
  switch (type) {
    case 'fixedLen':
      return `tf.io.FixedLenFeature(${given.join(', ')})`;
    case 'fixedLenSequence':
      if (allowMissing === true) given.push('allow_missing=True');
      return `tf.io.FixedLenSequenceFeature(${given.join(', ')})`;
    case 'varLen':
      return `tf.io.VarLenFeature(${dtypeName})`;
    case 'sparse': {
      const { indexKey, valueKey, size } = feature;
      const sorted = alreadySorted === true ? ', already_sorted=True' : '';
      return `tf.io.SparseFeature(index_key=${text(indexKey)}, value_key=${text(valueKey)}, dtype=${dtypeName}, size=${text(size)}${sorted})`;
    }
    default:
      return `tf.io.RaggedFeature(${raggedArguments(feature, dtypeName).join(', ')})`;
  }
}

function defaultOf(dtype: unknown, value: unknown): string {
  const one = (each: unknown): string => defaultLiteral(dtype, each as DefaultJSON);
  return Array.isArray(value) ? `[${value.map(one).join(', ')}]` : one(value);
}

/** `value`, a default of type `dtype`, in Python. */
function defaultLiteral(dtype: unknown, value: DefaultJSON): string {
  if (typeof value === 'object') {
    const escaped = [...Buffer.from(value.base64, 'base64')].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`);
    return `b"${escaped.join('')}"`;
  }
  if (typeof value === 'number') return String(value);
  if (dtype === 'float32') return value === '-0' ? '-0.0' : `float("${value}")`;
  return dtype === 'int64' ? value : text(value);
}

const PARTITIONS: Readonly<Record<string, string>> = {
  rowSplits: 'RowSplits',
  rowLengths: 'RowLengths',
  rowStarts: 'RowStarts',
  rowLimits: 'RowLimits',
  valueRowIds: 'ValueRowIds',
  uniformRowLength: 'UniformRowLength',
};

function raggedArguments(feature: FeatureJson, dtypeName: string): string[] {
  const { valueKey, partitions, rowSplitsDtype } = feature;
  const given = [dtypeName];
  if (valueKey !== undefined) given.push(`value_key=${text(valueKey)}`);
  if (partitions !== undefined) {
    const list = (partitions as readonly { by: string; key?: string; length?: number }[]).map(
      ({ by, key, length }) => `tf.io.RaggedFeature.${PARTITIONS[by]!}(${text(key ?? length)})`,
    );
    given.push(`partitions=[${list.join(', ')}]`);
  }
  if (rowSplitsDtype === 'int64') given.push('row_splits_dtype=tf.int64');
  return given;
}
