import { types } from 'node:util';

import {
  checkChoice,
  checkOptions,
  invalidArgType,
  invalidArgValue,
  isList,
  isRevoked,
  MAX_RECORD_BYTES,
  orNoMemory,
  outOfRange,
  unknownOption,
  type Bytes,
  prototypeOf,
  isOneOf,
} from '../../base';
import { ENCODED } from '../../record';
import { hasLoneSurrogate } from '../../tensor';
import { compareUtf8, type Feature } from '../message';
import { measureFeature, writeFeature, type MeasuredFeature } from './feature-wire';
import { toFeature } from './infer-feature';
import type { FeatureLike, NumbersAs, PlainFeatureLike } from './values';
import { fieldSize, utf8Length, WireWriter, writeUtf8 } from './wire-writer';

const FEATURES_TAG = 0x0a;

/** Options of `encodeExample` and `encodeSequenceExample`. Unknown names throw. */
export interface EncodeOptions {
  /**
   * The kind of plain numbers and lists of them. `int64`: integers within ±(2^53 − 1). `float`: rounded to float32.
   * `infer`: int64 if all numbers of the value are integers (-0 becomes 0; beyond ±(2^53 − 1) they throw), else float.
   * So `1` is int64 and `1.5` float, and the kind of a feature may differ between records: use `exampleEncoder`, whose
   * spec determines the kinds, if readers expect one kind.
   *
   * Default: plain numbers throw.
   */
  readonly numbers?: NumbersAs | undefined;
}

const NUMBERS_AS: readonly NumbersAs[] = ['int64', 'float', 'infer'];

/**
 * Encodes a tf.train.Example: names in the byte order of their UTF-8, numbers packed, so that equal features have equal
 * bytes. TensorFlow and every protobuf library can read them. Members that are undefined are not written.
 *
 * @throws TypeError, RangeError, with Node's codes and the name of the feature (`features.age`), for invalid values
 * (see {@link int64}, {@link float} and {@link bytes}), for values of ambiguous kind (see {@link FeatureLike}), and for
 * an Example of more than 2^31 - 1 bytes.
 *
 * @example
 * encodeExample({ width: int64(640), xmin: float([0.1]), label: 'cat' });
 * encodeExample({ width: 640, xmin: [0.1], label: 'cat' }, { numbers: 'infer' }); // the same bytes
 */
export function encodeExample(features: Readonly<Record<string, FeatureLike>>, options?: EncodeOptions): Bytes;
export function encodeExample(
  features: Readonly<Record<string, PlainFeatureLike>>,
  options: { readonly numbers: NumbersAs },
): Bytes;
export function encodeExample(features: Readonly<Record<string, PlainFeatureLike>>, options?: EncodeOptions): Bytes {
  const take = featureTaker(options);
  const map = measureMap(takeMap('features', features, take), measureFeature);
  const writer = newWriter(fieldSize(map.size));
  writeFeatures(writer, FEATURES_TAG, map);
  return writer.bytes;
}

type FeatureTaker = (name: string, value: unknown) => Feature | undefined;

function featureTaker(options: EncodeOptions | undefined): FeatureTaker {
  if (options === undefined) return toFeature;
  const given = checkOptions(options, ['numbers']).numbers;
  if (given === undefined) return toFeature;
  // `given` is defined, so the fallback never applies.
  const numbers = checkChoice('options.numbers', given, NUMBERS_AS, 'infer');
  return (name, value) => toFeature(name, value, numbers);
}

/** Writes a map of features as a field. */
function writeFeatures(writer: WireWriter, tag: number, map: MeasuredMap<MeasuredFeature>): void {
  writer.head(tag, map.size);
  writeMap(writer, map, writeFeature);
}

/** Returns a writer for a whole record. */
function newWriter(size: number): WireWriter {
  if (size > MAX_RECORD_BYTES) {
    throw outOfRange('the encoded record', `at most ${MAX_RECORD_BYTES} bytes long`, size);
  }
  return orNoMemory(ENCODED, size, () => new WireWriter(size));
}

const CONTEXT_TAG = 0x0a;
const FEATURE_LISTS_TAG = 0x12;
const STEP_TAG = 0x0a;
const PARTS = ['context', 'featureLists'] as const;

/** The parts of a SequenceExample. A missing part is not written. */
export interface SequenceExampleParts<F extends PlainFeatureLike = FeatureLike> {
  /** Features of the context. */
  readonly context?: Readonly<Record<string, F>> | undefined;
  /**
   * Lists of features, one for each step. A list that is undefined is not written; a step that is undefined is a
   * feature without a kind.
   */
  readonly featureLists?: Readonly<Record<string, readonly F[] | undefined>> | undefined;
}

interface MeasuredSteps {
  readonly steps: readonly MeasuredFeature[];
  readonly size: number;
}

/**
 * Encodes a tf.train.SequenceExample, by the rules of {@link encodeExample}; errors name `context.age` or
 * `featureLists.words[2]`.
 *
 * @example
 * encodeSequenceExample({ context: { id: 7n }, featureLists: { words: ['a', 'b'] } });
 */
export function encodeSequenceExample(parts: SequenceExampleParts, options?: EncodeOptions): Bytes;
export function encodeSequenceExample(
  parts: SequenceExampleParts<PlainFeatureLike>,
  options: { readonly numbers: NumbersAs },
): Bytes;
export function encodeSequenceExample(parts: SequenceExampleParts<PlainFeatureLike>, options?: EncodeOptions): Bytes {
  const take = featureTaker(options);
  if (typeof parts !== 'object' || parts === null || isRevoked(parts) || Array.isArray(parts)) {
    throw invalidArgType('parts', 'an object', parts);
  }
  for (const name of Object.keys(parts)) {
    if (!isOneOf(PARTS, name)) throw unknownOption(name, PARTS);
  }
  const takenContext = parts.context === undefined ? undefined : takeMap('context', parts.context, take);
  const takenLists =
    parts.featureLists === undefined
      ? undefined
      : takeMap('featureLists', parts.featureLists, (name, steps) => takeSteps(name, steps, take));
  const context = takenContext && measureMap(takenContext, measureFeature);
  const lists = takenLists && measureMap(takenLists, measureSteps);
  const writer = newWriter((context ? fieldSize(context.size) : 0) + (lists ? fieldSize(lists.size) : 0));
  if (context) writeFeatures(writer, CONTEXT_TAG, context);
  if (lists) {
    writer.head(FEATURE_LISTS_TAG, lists.size);
    writeMap(writer, lists, writeSteps);
  }
  return writer.bytes;
}

function takeSteps(name: string, steps: unknown, take: FeatureTaker): readonly (Feature | undefined)[] {
  if (!isList(steps)) throw invalidArgType(name, 'a list of features, one a step', steps);
  return Array.from(steps, (step, i) => take(`${name}[${i}]`, step));
}

function measureSteps(name: string, steps: readonly (Feature | undefined)[]): MeasuredSteps {
  let size = 0;
  const measured = steps.map((step, i) => {
    const one = measureFeature(`${name}[${i}]`, step);
    size += fieldSize(one.size);
    return one;
  });
  return { steps: measured, size };
}

function writeSteps(writer: WireWriter, { steps }: MeasuredSteps): void {
  for (const step of steps) {
    writer.head(STEP_TAG, step.size);
    writeFeature(writer, step);
  }
}

const ENTRY_TAG = 0x0a;
const NAME_TAG = 0x0a;
const VALUE_TAG = 0x12;

/**
 * The members of a caller's map. All maps of a record are read before the first is measured, because reading them may
 * run code of the caller, which could change measured values.
 */
interface TakenMap<T> {
  readonly entries: readonly TakenEntry<T>[];
}

interface TakenEntry<T> {
  readonly name: string;
  /** The name of the value in errors. */
  readonly where: string;
  readonly value: T;
}

/** A map that is about to be written. */
interface MeasuredMap<V> {
  readonly entries: readonly MeasuredEntry<V>[];
  /** Bytes of the message that holds the map. */
  readonly size: number;
}

interface MeasuredEntry<V> {
  readonly name: string;
  readonly nameSize: number;
  readonly value: V;
  readonly size: number;
}

/**
 * Reads the members of a map, except undefined ones. `where` is the name of the map in errors; `take` is called with
 * the name of the value.
 * @throws TypeError ERR_INVALID_ARG_TYPE when `map` is no object, ERR_INVALID_ARG_VALUE for a name with half a surrogate
 * pair.
 */
function takeMap<T>(where: string, map: unknown, take: (name: string, value: unknown) => T): TakenMap<T> {
  const isMembers =
    typeof map === 'object' &&
    map !== null &&
    !isRevoked(map) &&
    !Array.isArray(map) &&
    !ArrayBuffer.isView(map) &&
    !types.isMap(map);
  if (!isMembers) {
    throw invalidArgType(where, 'an object with one member for each name', map);
  }
  let names = memberNames(map);
  if (!isSorted(names)) names = names.toSorted(compareUtf8);
  const entries: TakenEntry<T>[] = [];
  for (const name of names) {
    if (hasLoneSurrogate(name)) {
      throw invalidArgValue(`a name in ${where}`, 'whole characters: half a surrogate pair is none', name);
    }
    const value = (map as Record<string, unknown>)[name];
    if (value === undefined) continue;
    const place = `${where}.${name}`;
    entries.push({ name, where: place, value: take(place, value) });
  }
  return { entries };
}

/** Measures the members of a map. `measure` is called with the name of the value in errors. */
function measureMap<T, V extends { readonly size: number }>(
  map: TakenMap<T>,
  measure: (name: string, value: T) => V,
): MeasuredMap<V> {
  let size = 0;
  const entries = map.entries.map(({ name, where, value: taken }): MeasuredEntry<V> => {
    const nameSize = utf8Length(name);
    const value = measure(where, taken);
    const entry = fieldSize(nameSize) + fieldSize(value.size);
    size += fieldSize(entry);
    return { name, nameSize, value, size: entry };
  });
  return { entries, size };
}

/** Writes the message that holds the map, without a head. */
function writeMap<V extends { readonly size: number }>(
  writer: WireWriter,
  map: MeasuredMap<V>,
  write: (writer: WireWriter, value: V) => void,
): void {
  for (const { name, nameSize, value, size } of map.entries) {
    writer.head(ENTRY_TAG, size);
    writer.head(NAME_TAG, nameSize);
    writeUtf8(writer.bytes, name, writer.position);
    writer.position += nameSize;
    writer.head(VALUE_TAG, value.size);
    write(writer, value);
  }
}

function isSorted(names: readonly string[]): boolean {
  for (let i = 1; i < names.length; i++) {
    if (compareUtf8(names[i - 1]!, names[i]!) > 0) return false;
  }
  return true;
}

/**
 * Returns the names of the members of a row, or of a map of features: its own, and the enumerable ones that it inherits
 * from its class or from another row. Properties that other code has added to the Object.prototype of any realm are not
 * members.
 */
export function memberNames(object: object): readonly string[] {
  const own = Object.keys(object);
  const shared = prototypeOf(object);
  if (shared === null || Object.getPrototypeOf(shared) === null) return own;
  const inherited = Object.keys(shared).filter((name) => !Object.hasOwn(object, name));
  return inherited.length === 0 ? own : [...own, ...inherited];
}
