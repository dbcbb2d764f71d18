/** Parses `features.json` of TensorFlow Datasets: the tensors that each Example stores. */
import { isObject, TFRecordError } from '../../base';
import type { DType, StoredDType } from '../../tensor';
import type { Domain } from '../feature';
import { integerOf, quotedText, shortText, shownJson } from './json-file';

type Json = Readonly<Record<string, unknown>>;

/** A size of a tensor; undefined if it varies between records. */
export type Size = number | undefined;

/** The names of classes. */
export interface LabelSource {
  /** Name of the file with them, in the folder of the data set. */
  readonly file: string;
  /** Names that `features.json` itself has; undefined if it has none. */
  readonly names: readonly string[] | undefined;
  /** Number of classes; undefined if it is not known. */
  readonly count: number | undefined;
}

/** A tensor of each record. */
export interface TfdsTensor {
  /** The names of its dictionaries and its own, joined by `/`. */
  readonly name: string;
  readonly dtype: DType;
  /** Its sizes. Those of the sequences around it come first. */
  readonly shape: readonly Size[];
  /** Number of sequences around it. */
  readonly sequences: number;
  readonly domain?: Domain | undefined;
  /** True if records may lack it. */
  readonly optional?: boolean | undefined;
  /** For the numbers of classes: where their names are. */
  readonly labels?: LabelSource | undefined;
  /** The name of the outermost sequence around it. */
  readonly outermost?: string | undefined;
  /** True if that sequence is a nested data set, such as the steps of an episode. */
  readonly isNested?: boolean | undefined;
}

/** Parses the content of `features.json`. @throws TFRecordError TFR_SPEC, naming the invalid feature */
export function tfdsTensors(json: unknown): readonly TfdsTensor[] {
  const tensors = new Map<string, TfdsTensor>();
  addTensors(asJson(json, ''), ROOT, tensors);
  return [...tensors.values()];
}

export function tfdsError(name: string, expected: string, found: string): TFRecordError {
  const what = name === '' ? 'The features' : `Feature ${quotedText(name)}`;
  return new TFRecordError('TFR_SPEC', `${what} of features.json: expected ${expected}, found ${found}`, {
    feature: name,
    expected,
    found,
  });
}

// ---- The form of protobuf, and the older one of Python ----------------------------------------------------------------

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
  Optional: 'optional',
};

/** The part of a Python class name after its module. */
function classOf(feature: Json): string {
  const given = feature['pythonClassName'] ?? feature['type'];
  return typeof given === 'string' ? given.slice(given.lastIndexOf('.') + 1) : '';
}

function contentOf(feature: Json, name: string): Content {
  const className = classOf(feature);
  const byClass = Object.hasOwn(CLASSES, className) ? CLASSES[className] : undefined;
  for (const [member, kind] of Object.entries(MEMBERS)) {
    if (!Object.hasOwn(feature, member)) continue;
    const content = asJson(feature[member], name);
    const dict = kind === 'dict' ? asJson(content['features'] ?? {}, name) : content;
    return { kind: byClass === 'languages' ? byClass : kind, content: dict, className };
  }
  if (byClass === undefined) {
    throw tfdsError(
      name,
      'a feature of TensorFlow Datasets',
      className === '' ? 'no class' : `the class ${shortText(className)}`,
    );
  }
  const json = asJson(feature['jsonFeature'] ?? {}, name)['json'];
  const content: unknown = typeof json === 'string' ? parsed(json, name) : (feature['content'] ?? {});
  return { kind: byClass, content: asJson(content, name), className };
}

function parsed(json: string, name: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw tfdsError(name, 'JSON in jsonFeature', shortText(json));
  }
}

function asJson(value: unknown, name: string): Json {
  if (isObject(value) && !Array.isArray(value)) return value;
  throw tfdsError(name, 'an object', shownJson(value));
}

// ---- Tensors ----------------------------------------------------------------------------------------------------------

/** The place of a feature among the others. */
interface Place {
  readonly name: string;
  /** The name that its files have: `objects-label` for `objects/label`. */
  readonly file: string;
  readonly depth: number;
  /** The lengths of the sequences around it. */
  readonly sequences: readonly Size[];
  readonly outermost: string | undefined;
  readonly isNested: boolean;
  readonly optional: boolean;
}

const ROOT: Place = {
  name: '',
  file: '',
  depth: 0,
  sequences: [],
  outermost: undefined,
  isNested: false,
  optional: false,
};

/** Maximum depth of nested features: real ones have a few levels. */
const MAX_DEPTH = 64;

/** The place of the feature `key` in the dictionary at `place`. */
function within(place: Place, key: string): Place {
  const { name, file } = place;
  const own = key.replaceAll('/', '.');
  return {
    ...place,
    name: name === '' ? key : `${name}/${key}`,
    file: file === '' ? own : `${file}-${own}`,
    depth: place.depth + 1,
  };
}

/** The place of the elements of a sequence at `place`. */
function inSequence(place: Place, length: Size, isNested: boolean): Place {
  const { sequences, depth } = place;
  const outer = sequences.length === 0 ? { outermost: place.name, isNested } : {};
  return { ...place, ...outer, sequences: [...sequences, length], depth: depth + 1 };
}

type Tensors = Map<string, TfdsTensor>;
type More = Pick<TfdsTensor, 'domain' | 'labels'>;

function put(tensors: Tensors, place: Place, dtype: DType, shape: readonly Size[] = [], more: More = {}): void {
  const { name, sequences, outermost, isNested, optional } = place;
  if (name === '') throw tfdsError(name, 'a dictionary of features', 'one feature without a name');
  if (tensors.has(name)) throw tfdsError(name, 'one feature of this name', 'two');
  tensors.set(name, {
    name,
    dtype,
    shape: [...sequences, ...shape],
    sequences: sequences.length,
    outermost,
    isNested,
    // A sequence cannot hold "no value".
    optional: optional && sequences.length === 0,
    ...more,
  });
}

function addTensors(feature: Json, place: Place, tensors: Tensors): void {
  const { name } = place;
  if (place.depth > MAX_DEPTH) throw tfdsError(name, `at most ${MAX_DEPTH} features inside one another`, 'more');
  const { kind, content, className } = contentOf(feature, name);
  switch (kind) {
    case 'dict':
      for (const [key, inner] of Object.entries(content)) {
        const at = within(place, key);
        addTensors(asJson(inner, at.name), at, tensors);
      }
      return;
    case 'sequence': {
      const inner = inSequence(place, lengthOf(content['length'], name), className === 'Dataset');
      addTensors(asJson(content['feature'], name), inner, tensors);
      return;
    }
    case 'optional':
      addTensors(asJson(content['feature'], name), { ...place, optional: true, depth: place.depth + 1 }, tensors);
      return;
    case 'text':
      // Versions before 4 could store the numbers of words.
      if (content['use_encoder'] === true) put(tensors, place, 'int64', [undefined]);
      else put(tensors, place, 'text');
      return;
    case 'image':
      put(tensors, place, 'bytes');
      return;
    case 'video':
      put(tensors, inSequence(place, shapeOf(content['shape'], name)[0], false), 'bytes');
      return;
    case 'label': {
      const labels = labelsOf(content, place);
      put(tensors, place, 'int64', [], { labels, domain: domainOf(labels.count) });
      return;
    }
    case 'bbox':
      put(tensors, place, 'float32', [4]);
      return;
    case 'translation':
    case 'languages': {
      const isVariable = kind === 'languages' || content['variableLanguagesPerExample'] === true;
      const at = isVariable ? inSequence(place, undefined, false) : place;
      const parts = isVariable ? ['language', 'translation'] : languages(content, name);
      for (const part of parts) put(tensors, within(at, part), 'text');
      return;
    }
    case 'audio':
      putTensor(tensors, place, content, { dtype: 'int64', shape: [undefined] });
      return;
    default:
      putTensor(tensors, place, content, { shape: className === 'Scalar' ? [] : undefined });
  }
}

/**
 * Adds a tensor of any shape. An encoded tensor is a byte string; the shape of one with several unknown sizes is stored
 * in another feature.
 */
function putTensor(
  tensors: Tensors,
  given: Place,
  content: Json,
  defaults: { readonly dtype?: string; readonly shape?: readonly Size[] | undefined },
): void {
  const { name } = given;
  const { dtype = defaults.dtype, lazyDecode, optional } = content;
  const encoding = content['encoding'] ?? 'none';
  if (typeof encoding !== 'string') throw tfdsError(name, 'the name of an encoding', shownJson(encoding));
  const place = optional === true ? { ...given, optional: true } : given;
  const shape =
    content['shape'] === undefined && defaults.shape !== undefined ? defaults.shape : shapeOf(content['shape'], name);
  const isEncoded = !/^(?:|none)$/i.test(encoding) || lazyDecode === true;
  const stored = isEncoded ? 'bytes' : storedType(dtype, name);
  const own = isEncoded ? [] : shape;
  if (shape.filter((size) => size === undefined).length > 1) {
    put(tensors, within(place, 'shape'), 'int64', [shape.length]);
    put(tensors, within(place, 'value'), stored, own);
    return;
  }
  put(tensors, place, stored, own);
}

function languages({ languages: given }: Json, name: string): readonly string[] {
  if (isTexts(given)) return given;
  throw tfdsError(name, 'a list of languages', shownJson(given));
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function labelsOf({ numClasses, num_classes: old, names }: Json, { name, file }: Place): LabelSource {
  const own = isTexts(names) ? names : undefined;
  const given = numClasses ?? old ?? own?.length ?? 0;
  const count = integerOf(given);
  if (count === undefined) throw tfdsError(name, 'a number of classes', shownJson(given));
  return { file: `${file}.labels.txt`, names: own, count: count > 0 ? count : undefined };
}

function domainOf(count: number | undefined): Domain | undefined {
  return count === undefined ? undefined : { type: 'int64', min: 0n, max: BigInt(count - 1) };
}

/** The length of a sequence; undefined if it is missing or −1. */
function lengthOf(given: unknown, name: string): Size {
  const length = integerOf(given ?? -1);
  if (length === undefined || length < -1) throw tfdsError(name, 'a length', shownJson(given));
  // Protobuf leaves out 0, and TFDS writes −1 for an unknown length: both mean unknown.
  return length <= 0 ? undefined : length;
}

function shapeOf(given: unknown, name: string): readonly Size[] {
  const sizes = isObject(given) && !Array.isArray(given) ? (given['dimensions'] ?? []) : (given ?? []);
  if (!Array.isArray(sizes)) throw tfdsError(name, 'a shape', shownJson(sizes));
  return sizes.map((size: unknown) => {
    const number = integerOf(size ?? -1);
    if (number === undefined || number < -1) throw tfdsError(name, 'a shape', `the size ${shownJson(size)}`);
    return number === -1 ? undefined : number;
  });
}

/** The type of values of TFDS's `dtype` in records. */
function storedType(dtype: unknown, name: string): StoredDType {
  const type = typeof dtype === 'string' ? dtype : '';
  if (/^u?int\d+$|^bool_?$/.test(type)) return 'int64';
  if (/^b?float\d*$|^double$|^half$/.test(type)) return 'float32';
  if (/^(?:string|object|str|bytes)_?$/.test(type)) return 'bytes';
  throw tfdsError(name, 'a type of integers, floats or strings', shownJson(dtype));
}
