/** Reads folders of TensorFlow Datasets: `features.json` describes the features of Examples. */
import { isObject, TFRecordError } from '../../base';
import { fixedLen, fixedLenSequence, ragged, type FeatureSpec } from '../../example';
import type { DType, StoredDType } from '../../tensor';
import { emptySpec, type Domain, type SchemaFeature, type SchemaSpec } from '../feature';

type Json = Readonly<Record<string, unknown>>;

/** One tensor as TFDS stores it. */
interface StoredTensor {
  readonly dtype: DType;
  /** Sizes; undefined for a size that varies between records. */
  readonly shape: readonly (number | undefined)[];
  /** Number of sequences around the tensor: they are its first dimensions. */
  readonly sequences: number;
  readonly domain?: Domain | undefined;
}

/** The features of an Example, and the spec that reads them. */
export interface TfdsFeatures {
  readonly features: readonly SchemaFeature[];
  readonly spec: SchemaSpec;
}

/** Parses the content of `features.json`. @throws TFRecordError TFR_SPEC, naming the invalid feature */
export function tfdsFeatures(json: unknown): TfdsFeatures {
  const tensors = new Map<string, StoredTensor>();
  addTensors(asJson(json, ''), '', tensors, 0);
  const features: SchemaFeature[] = [];
  const spec = emptySpec();
  for (const [name, tensor] of tensors) addFeature(name, tensor, features, spec);
  return { features, spec: spec };
}

// ---- features.json: the form of protobuf, and the older one of Python ------------------------------------------------

interface Content {
  readonly kind: string;
  readonly content: Json;
  readonly className: string;
}

/** The kinds, by the members of protobuf's form. */
const MEMBERS: Readonly<Record<string, string>> = {
  featuresDict: 'dict',
  tensor: 'tensor',
  classLabel: 'label',
  image: 'image',
  video: 'video',
  audio: 'audio',
  boundingBox: 'bbox',
  text: 'text',
  translation: 'translation',
  sequence: 'sequence',
};

/** The kinds, by the last part of the class name, in both forms. */
const CLASSES: Readonly<Record<string, string>> = {
  FeaturesDict: 'dict',
  Tensor: 'tensor',
  Scalar: 'tensor',
  ClassLabel: 'label',
  Image: 'image',
  LabeledImage: 'image',
  Video: 'video',
  Audio: 'audio',
  BBoxFeature: 'bbox',
  BBox: 'bbox',
  Text: 'text',
  Translation: 'translation',
  TranslationVariableLanguages: 'languages',
  Sequence: 'sequence',
  Dataset: 'sequence',
};

function contentOf(feature: Json, name: string): Content {
  const given = feature['pythonClassName'] ?? feature['type'];
  const className = typeof given === 'string' ? given : '';
  const byClass = CLASSES[className.slice(className.lastIndexOf('.') + 1)];
  for (const [member, kind] of Object.entries(MEMBERS)) {
    if (!Object.hasOwn(feature, member)) continue;
    const content = asJson(feature[member], name);
    const dict = kind === 'dict' ? asJson(content['features'] ?? {}, name) : content;
    return { kind: byClass === 'languages' ? byClass : kind, content: dict, className };
  }
  if (byClass === undefined) {
    throw tfdsError(name, 'a feature of TensorFlow Datasets', className === '' ? 'no class' : `the class ${className}`);
  }
  const json = asJson(feature['jsonFeature'] ?? {}, name)['json'];
  const content: unknown = typeof json === 'string' ? JSON.parse(json) : (feature['content'] ?? {});
  return { kind: byClass, content: asJson(content, name), className };
}

function asJson(value: unknown, name: string): Json {
  if (isObject(value) && !Array.isArray(value)) return value;
  throw tfdsError(name, 'an object', JSON.stringify(value) ?? 'nothing');
}

/** The name of a feature in a dictionary: names are joined by `/`. */
function within(name: string, key: string): string {
  return name === '' ? key : `${name}/${key}`;
}

/** The length of a sequence; undefined if it varies. */
type Length = number | undefined;

/** Maximum depth of nested features: real ones have a few levels. */
const MAX_DEPTH = 64;

function addTensors(
  feature: Json,
  name: string,
  tensors: Map<string, StoredTensor>,
  depth: number,
  sequences: readonly Length[] = [],
): void {
  if (depth > MAX_DEPTH) throw tfdsError(name, `at most ${MAX_DEPTH} features inside one another`, 'more');
  const { kind, content, className } = contentOf(feature, name);
  const put = (to: string, tensor: StoredTensor): void => {
    if (to === '') throw tfdsError(to, 'a dictionary of features', 'one feature without a name');
    if (tensors.has(to)) throw tfdsError(to, 'one feature of this name', 'two');
    tensors.set(to, tensor);
  };
  const add = (dtype: DType, shape: readonly Length[] = [], domain?: Domain, to = name): void =>
    put(to, { dtype, shape: [...sequences, ...shape], sequences: sequences.length, domain });
  switch (kind) {
    case 'dict':
      for (const [key, inner] of Object.entries(content)) {
        addTensors(asJson(inner, within(name, key)), within(name, key), tensors, depth + 1, sequences);
      }
      return;
    case 'sequence': {
      const inner = asJson(content['feature'], name);
      addTensors(inner, name, tensors, depth + 1, [...sequences, lengthOf(content['length'], name)]);
      return;
    }
    case 'text': {
      add('text');
      return;
    }
    case 'image': {
      add('bytes');
      return;
    }
    case 'video': {
      const [frames] = shapeOf(content['shape'], name);
      put(name, { dtype: 'bytes', shape: [...sequences, frames], sequences: sequences.length + 1 });
      return;
    }
    case 'label': {
      add('int64', [], labels(content['numClasses'] ?? content['num_classes']));
      return;
    }
    case 'bbox': {
      add('float32', [4]);
      return;
    }
    case 'translation':
    case 'languages': {
      const variable = kind === 'languages' || content['variableLanguagesPerExample'] === true;
      if (variable) {
        const pairs = { dtype: 'text', shape: [...sequences, undefined], sequences: sequences.length + 1 } as const;
        for (const part of ['language', 'translation']) put(within(name, part), pairs);
      } else {
        for (const language of languages(content, name)) add('text', [], undefined, within(name, language));
      }
      return;
    }
    case 'audio': {
      addTensor(content, name, add, 'int64', [undefined]);
      return;
    }
    default:
      if (className.endsWith('.Scalar') && content['shape'] === undefined) {
        addTensor(content, name, add, undefined, []);
        return;
      }
      {
        addTensor(content, name, add);
        return;
      }
  }
}

type Add = (dtype: DType, shape?: readonly Length[], domain?: Domain, to?: string) => void;

/**
 * Adds a tensor of any shape. An encoded tensor is a byte string; the shape of one with several unknown sizes is stored
 * in another feature.
 */
function addTensor(
  content: Json,
  name: string,
  add: Add,
  dtypeByDefault?: string,
  shapeByDefault?: readonly Length[],
): void {
  const { shape: given, dtype, encoding = 'none', lazyDecode } = content;
  const shape = given === undefined && shapeByDefault !== undefined ? shapeByDefault : shapeOf(given, name);
  const encoded = !/^(?:|none)$/i.test(String(encoding)) || lazyDecode === true;
  const stored = encoded ? 'bytes' : storedType(dtype ?? dtypeByDefault, name);
  const unknown = shape.filter((size) => size === undefined).length;
  if (unknown > 1) {
    add('int64', [shape.length], undefined, within(name, 'shape'));
    add(stored, encoded ? [] : shape, undefined, within(name, 'value'));
    return;
  }
  add(stored, encoded ? [] : shape);
}

function languages({ languages: given }: Json, name: string): readonly string[] {
  if (Array.isArray(given) && given.every((each) => typeof each === 'string')) return given;
  throw tfdsError(name, 'a list of languages', JSON.stringify(given) ?? 'none');
}

function labels(given: unknown): Domain | undefined {
  const count = Number(given ?? 0);
  return Number.isSafeInteger(count) && count > 0 ? { type: 'int64', min: 0n, max: BigInt(count - 1) } : undefined;
}

/** The length of a sequence; undefined if it is missing or −1. */
function lengthOf(given: unknown, name: string): Length {
  const length = Number(given ?? -1);
  if (!Number.isSafeInteger(length) || length < -1) throw tfdsError(name, 'a length', JSON.stringify(given));
  // Protobuf leaves out 0, and TFDS writes −1 for an unknown length: both mean unknown.
  return length <= 0 ? undefined : length;
}

function shapeOf(given: unknown, name: string): readonly Length[] {
  const sizes = isObject(given) && !Array.isArray(given) ? (given['dimensions'] ?? []) : (given ?? []);
  if (!Array.isArray(sizes)) throw tfdsError(name, 'a shape', JSON.stringify(given));
  return sizes.map((size: unknown) => {
    const number = size === null ? -1 : Number(size);
    if (!Number.isSafeInteger(number) || number < -1) throw tfdsError(name, 'a shape', JSON.stringify(given));
    return number === -1 ? undefined : number;
  });
}

/** The type of values of TFDS's `dtype` in records. */
function storedType(dtype: unknown, name: string): StoredDType {
  const type = String(dtype);
  if (/^u?int\d+$|^bool_?$/.test(type)) return 'int64';
  if (/^b?float\d*$|^double$|^half$/.test(type)) return 'float32';
  if (/^(?:string|object|str|bytes)_?$/.test(type)) return 'bytes';
  throw tfdsError(name, 'a type of integers, floats or strings', type);
}

function tfdsError(name: string, expected: string, found: string): TFRecordError {
  const what = name === '' ? 'The features' : `Feature ${JSON.stringify(name)}`;
  return new TFRecordError('TFR_SPEC', `${what} of features.json: expected ${expected}, found ${found}`, {
    feature: name,
    expected,
    found,
  });
}

// ---- Tensors as features of Examples ----------------------------------------------------------------------------------

/** Adds the feature that stores a tensor: with a fixed or any number of values per record, or as a nested list. */
function addFeature(
  name: string,
  tensor: StoredTensor,
  features: SchemaFeature[],
  spec: Record<string, FeatureSpec>,
): void {
  const { dtype, shape, sequences, domain } = tensor;
  const kind = dtype === 'text' ? 'bytes' : dtype;
  const base = { section: 'context', kind, domain } as const;
  const known = (sizes: readonly Length[]): sizes is readonly number[] => sizes.every((size) => size !== undefined);
  const many = { presence: undefined, valueCount: undefined, shape: undefined };
  const rest = shape.slice(1);
  if (known(shape)) {
    const count = shape.reduce((product, size) => product * size, 1);
    const presence = { minFraction: 1, minCount: 0 };
    features.push({ ...base, name, presence, valueCount: { min: count, max: count }, shape });
    spec[name] = fixedLen(shape, dtype);
  } else if (known(rest)) {
    features.push({ ...base, name, ...many });
    spec[name] = fixedLenSequence(rest, dtype, { allowMissing: true });
  } else {
    const inner = shape.slice(sequences);
    if (sequences < 2 || !known(inner)) {
      throw tfdsError(
        name,
        'unknown sizes of the first dimension, or of sequences',
        `the shape [${shape.map(String).join(', ')}]`,
      );
    }
    const values = `${name}/ragged_flat_values`;
    const lengths = Array.from({ length: sequences - 1 }, (_, i) => `${name}/ragged_row_lengths_${i}`);
    features.push({ ...base, name: values, ...many });
    for (const key of lengths)
      features.push({ section: 'context', name: key, kind: 'int64', domain: undefined, ...many });
    spec[name] = ragged({
      dtype,
      valueKey: values,
      partitions: [
        ...lengths.map((key) => ({ by: 'rowLengths', key }) as const),
        ...(inner as readonly number[]).map((length) => ({ by: 'uniformRowLength', length }) as const),
      ],
    });
  }
}
