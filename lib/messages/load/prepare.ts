/** Makes types ready for reading, writing and JSON. */
import type { Type } from 'protobufjs';

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
  for (const each of others) each.setup();
  for (const each of others) {
    prepared.add(each);
    each.fieldsArray.forEach(keepZeroes);
  }
}

function reachedFrom(type: Type): Set<Type> {
  const reached = new Set([type]);
  // A set's iterator also visits what is added meanwhile.
  for (const each of reached) {
    for (const field of each.fieldsArray) if (isMessage(field.resolve())) reached.add(field.resolvedType as Type);
  }
  return reached;
}
