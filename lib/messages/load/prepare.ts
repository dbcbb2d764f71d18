/** Makes types ready for reading, writing and JSON. */
import type { Field, Type } from 'protobufjs';

import { isMessage, jsonFormOf, keepZeroes } from '../../example';
import { forEachType } from './proto-files';

const prepared = new WeakSet<Type>();

/** Prepares `type` and all types of its fields; all types of its root, if there may be an Any, which can hold each. */
export function prepare(type: Type): void {
  if (prepared.has(type)) return;
  const reached = reachedFrom(type);
  if ([...reached].some((each) => jsonFormOf(each) === 'any')) forEachType(type.root, (each) => reached.add(each));
  const others = [...reached].filter((each) => !prepared.has(each));
  // The code that is generated leaves out zeroes. Only JSON must not: see `keepZeroes`.
  for (const each of others) {
    each.fieldsArray.forEach(verifyUtf8);
    each.setup();
  }
  for (const each of others) {
    prepared.add(each);
    each.fieldsArray.forEach(keepZeroes);
  }
}

/** `protobufjs` does not declare the member. */
type FeaturedField = Field & { readonly _features: Record<string, string> };

/**
 * Has the generated code refuse strings that are not UTF-8, whatever the file says: it would put U+FFFD into the strings of
 * proto2 instead, and nobody would know what was there.
 */
function verifyUtf8(field: Field): void {
  (field.resolve() as FeaturedField)._features['utf8_validation'] = 'VERIFY';
}

function reachedFrom(type: Type): Set<Type> {
  const reached = new Set([type]);
  // A set's iterator also visits what is added meanwhile.
  for (const each of reached) {
    for (const field of each.fieldsArray) if (isMessage(field.resolve())) reached.add(field.resolvedType as Type);
  }
  return reached;
}
