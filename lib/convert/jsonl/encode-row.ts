import { type Bytes, advice, named, worded, newRecord } from '../../base';
import {
  bytes,
  encodeExample,
  encodeSequenceExample,
  float,
  int64,
  type FeatureKind,
  type FeatureLike,
} from '../../example';
import { shortestFloat32 } from '../../tensor';
import type { RowKinds } from './kinds';
import { beyondInt64, isInt64, RowFault, type Row, type RowValues } from './parse-line';

/** Encodes `row` as a record. `kinds`: the kinds of the features in all rows. @throws RowFault */
export function encodeRow({ features, lists }: Row, kinds: RowKinds): Bytes {
  const context = membersOf(features, (name, values) => featureOf(name, values, kinds.features.of(name)));
  if (lists === undefined) return encodeExample(context);
  const featureLists = membersOf(lists, (name, steps) =>
    steps.map((values) => featureOf(name, values, kinds.lists.of(name))),
  );
  return encodeSequenceExample({ context, featureLists });
}

function membersOf<V, F>(members: ReadonlyMap<string, V>, of: (name: string, value: V) => F): Record<string, F> {
  const result = newRecord<F>();
  for (const [name, value] of members) result[name] = of(name, value);
  return result;
}

/** A feature without a kind: null, or a list that is empty in all rows. */
const NO_KIND: FeatureLike = [];

/** @throws RowFault for an integer beyond int64, or a number that float32 cannot hold */
export function featureOf(name: string, values: RowValues, kind: FeatureKind | undefined): FeatureLike {
  if (values === null || kind === undefined) return NO_KIND;
  if (kind === 'int64') {
    // Integers in strings are integers if they are mixed with numbers.
    const integers = (values as readonly (bigint | string)[]).map(BigInt);
    const beyond = integers.find((value) => !isInt64(value));
    if (beyond !== undefined) throw beyondInt64(name, beyond);
    return int64(integers);
  }
  if (kind === 'bytes') return bytes(values as readonly (string | Uint8Array)[]);
  return float((values as readonly (bigint | number | string)[]).map((value) => floatOf(name, value)));
}

/** The number for `value`: a number, or a word for one that JSON cannot express. */
function floatOf(name: string, value: bigint | number | string): number {
  const number = Number(value);
  if (typeof value === 'bigint') {
    if (isHeld(value, Math.fround(number))) return number;
    const cure = advice` Write it with a point to round it; (${named('spec')}) with dtype text or bytes keeps digits in strings`;
    const message = worded`feature ${JSON.stringify(name)} is float, because other values of it are, and float32 cannot hold the integer ${value}.${cure}`;
    throw new RowFault('TFR_FEATURE', message, name, 'an integer that float32 holds', String(value));
  }
  if (typeof value === 'string' || Number.isFinite(Math.fround(number))) return number;
  const message = `feature ${JSON.stringify(name)} has a number beyond float32: ${value}`;
  throw new RowFault('TFR_FEATURE', message, name, 'a float32', String(value));
}

/** True if `float` is exactly `value`, or `value` is the shortest decimal of `float` in JavaScript. */
function isHeld(value: bigint, float: number): boolean {
  if (!Number.isFinite(float)) return false;
  return BigInt(float) === value || BigInt(shortestFloat32(float)) === value;
}
