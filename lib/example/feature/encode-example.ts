import { types } from 'node:util';

import { invalidArgType, invalidArgValue, outOfRange, unknownOption } from '../../errors';
import { MAX_RECORD_BYTES, type Bytes } from '../../record';
import { hasLoneSurrogate } from '../../tensor';
import { compareUtf8, type Feature } from '../message';
import { measureFeature, writeFeature, type MeasuredFeature } from './feature-wire';
import { toFeature } from './infer-feature';
import type { FeatureLike } from './values';
import { fieldSize, utf8Length, WireWriter, writeUtf8 } from './wire-writer';

const FEATURES_TAG = 0x0a;

/**
 * The bytes of a tf.train.Example: names in the byte order of their UTF-8, numbers packed, so equal features give equal
 * bytes. TensorFlow and every protobuf library read them.
 *
 * @throws TypeError, RangeError, with Node's codes and the name of the feature (`features.age`), for values that do not
 * fit ({@link int64}, {@link float} and {@link bytes} say which), whose kind is not sure ({@link FeatureLike}), and for
 * an Example of more than 2^31 - 1 bytes.
 */
export function encodeExample(features: Readonly<Record<string, FeatureLike>>): Bytes {
  const map = measureMap(takeMap('features', features, toFeature), measureFeature);
  const writer = newWriter(fieldSize(map.size));
  writeFeatures(writer, FEATURES_TAG, map);
  return writer.bytes;
}

/** Writes a map of features as a field. */
function writeFeatures(writer: WireWriter, tag: number, map: MeasuredMap<MeasuredFeature>): void {
  writer.head(tag, map.size);
  writeMap(writer, map, writeFeature);
}

/** A writer of a whole record. */
function newWriter(size: number): WireWriter {
  if (size > MAX_RECORD_BYTES) {
    throw outOfRange('the encoded record', `at most ${MAX_RECORD_BYTES} bytes long`, size);
  }
  return new WireWriter(size);
}

const CONTEXT_TAG = 0x0a;
const FEATURE_LISTS_TAG = 0x12;
const STEP_TAG = 0x0a;
const PARTS = ['context', 'featureLists'] as const;

/** The parts of a SequenceExample. A part that is left out is not written. */
export interface SequenceExampleParts {
  /** Features of the whole. */
  readonly context?: Readonly<Record<string, FeatureLike>> | undefined;
  /** Lists of features, one a step. */
  readonly featureLists?: Readonly<Record<string, readonly FeatureLike[]>> | undefined;
}

interface MeasuredSteps {
  readonly steps: readonly MeasuredFeature[];
  readonly size: number;
}

/**
 * The bytes of a tf.train.SequenceExample, by the rules of {@link encodeExample}; errors name `context.age` or
 * `featureLists.words[2]`.
 */
export function encodeSequenceExample(parts: SequenceExampleParts): Bytes {
  if (typeof parts !== 'object' || parts === null || Array.isArray(parts)) {
    throw invalidArgType('parts', 'an object', parts);
  }
  for (const name of Object.keys(parts)) {
    if (!(PARTS as readonly string[]).includes(name)) throw unknownOption(name, PARTS);
  }
  const takenContext = parts.context === undefined ? undefined : takeMap('context', parts.context, toFeature);
  const takenLists =
    parts.featureLists === undefined ? undefined : takeMap('featureLists', parts.featureLists, takeSteps);
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

function takeSteps(name: string, steps: unknown): readonly (Feature | undefined)[] {
  if (!Array.isArray(steps)) throw invalidArgType(name, 'a list of features, one a step', steps);
  return Array.from(steps as readonly unknown[], (step, i) => toFeature(`${name}[${i}]`, step));
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
 * The members of a caller's map. All maps of a record are taken before the first is measured: taking them may run code
 * of the caller, which may change measured values.
 */
interface TakenMap<T> {
  readonly entries: readonly TakenEntry<T>[];
}

interface TakenEntry<T> {
  readonly name: string;
  /** The name that errors call the value. */
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
 * `where` is the name of the map in errors; `take` gets the name of the value. @throws TypeError ERR_INVALID_ARG_TYPE
 * when `map` is no object, ERR_INVALID_ARG_VALUE for a name with half a surrogate pair.
 */
function takeMap<T>(where: string, map: unknown, take: (name: string, value: unknown) => T): TakenMap<T> {
  if (typeof map !== 'object' || map === null || Array.isArray(map) || ArrayBuffer.isView(map) || types.isMap(map)) {
    throw invalidArgType(where, 'an object with one member for each name', map);
  }
  let names = memberNames(map);
  if (!isSorted(names)) names = names.toSorted(compareUtf8);
  const entries = names.map((name): TakenEntry<T> => {
    if (hasLoneSurrogate(name)) {
      throw invalidArgValue(`a name in ${where}`, 'whole characters: half a surrogate pair is none', name);
    }
    const place = `${where}.${name}`;
    return { name, where: place, value: take(place, (map as Record<string, unknown>)[name]) };
  });
  return { entries };
}

/** `measure` gets the name of the value in errors. */
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
 * Names of the members of a row, or of a map of features: its own, and the enumerable ones that it inherits from its
 * class or from another row. Properties that other code has added to the Object.prototype of any realm are not members.
 */
export function memberNames(object: object): readonly string[] {
  const own = Object.keys(object);
  const shared = Object.getPrototypeOf(object) as object | null;
  if (shared === null || Object.getPrototypeOf(shared) === null) return own;
  const inherited = Object.keys(shared).filter((name) => !Object.hasOwn(object, name));
  return inherited.length === 0 ? own : [...own, ...inherited];
}
